#!/usr/bin/python3
"""As a careful person writes it in Python: one loop, no library beyond the standard one, a write-ahead log, and a
connection that stays open with the authorities read once.

Usage: careful.py GPS_PORT DATABASE URL CA_BUNDLE SOCKET
"""

import http.client
import json
import os
import selectors
import socket
import sqlite3
import ssl
import sys
import urllib.parse

port, database, url, bundle, path = sys.argv[1:]
target = urllib.parse.urlsplit(url)
lat = lon = 0.0
pending = b""


def connect():
    if target.scheme == "https":
        return http.client.HTTPSConnection(target.netloc, timeout=15, context=context)
    return http.client.HTTPConnection(target.netloc, timeout=15)


def follow(stream):
    global lat, lon, pending
    received = stream.recv(8192)
    if not received:
        selector.unregister(stream)
    *lines, pending = (pending + received).split(b"\n")
    for line in lines:
        if b'"class":"TPV"' in line:
            report = json.loads(line)
            if report.get("mode", 0) >= 2 and "lat" in report and "lon" in report:
                lat, lon = report["lat"], report["lon"]


def alert():
    body = json.dumps({"text": "help", "position": {"lat": lat, "lon": lon},
                       "map_url": f"https://maps.google.com/?q={lat},{lon}"})
    store.execute("INSERT INTO alerts(body) VALUES (?)", (body,))
    for attempt in (1, 2):
        try:
            gateway.request("POST", target.path or "/", body, {"Content-Type": "application/json"})
            gateway.getresponse().read()
            return
        except (http.client.HTTPException, OSError):
            gateway.close()  # A kept connection may have died; a new one is opened by the next request.
            if attempt == 2:
                raise


context = ssl.create_default_context(cafile=bundle) if bundle != "-" else None
store = sqlite3.connect(database, isolation_level=None)
store.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                    "CREATE TABLE IF NOT EXISTS alerts(id INTEGER PRIMARY KEY, body TEXT)")
gateway = connect()
gpsd = socket.create_connection(("127.0.0.1", int(port)))
gpsd.sendall(b'?WATCH={"enable":true,"json":true}\n')
if os.path.exists(path):
    os.unlink(path)
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen()
selector = selectors.DefaultSelector()
selector.register(gpsd, selectors.EVENT_READ)
selector.register(listener, selectors.EVENT_READ)
print("ready", flush=True)
while True:
    for key, _ in selector.select():
        if key.fileobj is gpsd:
            follow(gpsd)
        else:
            client, _ = listener.accept()
            client.recv(64)
            alert()
            client.sendall(b"{}\n")
            client.close()
