#!/usr/bin/python3
"""As people write it: the gps module in a thread, sqlite3 and requests when the trigger comes.

Usage: naive.py GPS_PORT DATABASE URL CA_BUNDLE SOCKET
"""

import json
import os
import socket
import sqlite3
import sys
import threading

import gps
import requests

port, database, url, bundle, path = sys.argv[1:]
position = {"lat": 0.0, "lon": 0.0}


def follow_gps():
    session = gps.gps(host="127.0.0.1", port=port, mode=gps.WATCH_ENABLE | gps.WATCH_NEWSTYLE)
    for report in session:
        if report["class"] == "TPV" and report.get("mode", 0) >= 2:
            position.update(lat=report.lat, lon=report.lon)


def alert():
    lat, lon = position["lat"], position["lon"]
    body = {"text": "help", "position": {"lat": lat, "lon": lon},
            "map_url": f"https://maps.google.com/?q={lat},{lon}"}
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS alerts(id INTEGER PRIMARY KEY, body TEXT)")
        connection.execute("INSERT INTO alerts(body) VALUES (?)", (json.dumps(body),))
    connection.close()
    requests.post(url, json=body, verify=bundle if bundle != "-" else True, timeout=15)


threading.Thread(target=follow_gps, daemon=True).start()
if os.path.exists(path):
    os.unlink(path)
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen()
print("ready", flush=True)
while True:
    client, _ = listener.accept()  # Stands for gpiod's blocking wait for an edge.
    client.recv(64)
    alert()
    client.sendall(b"{}\n")
    client.close()
