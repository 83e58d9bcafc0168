"""Stands in for a messaging gateway and for the name server, in a network namespace of its own.

usage: sink.py MODE RECORD
Each request becomes a line of RECORD before it is answered. MODE is read anew for each.
"""

import http.server
import json
import os
import socket
import sys
import threading
import time

MODE, RECORD = sys.argv[1:]
ADDRESS = "10.9.0.1"
with open("/proc/sys/kernel/random/boot_id") as boot_id:
    BOOT = boot_id.read().strip()
lock = threading.Lock()
# How often a mode has failed already, by the time when it was set.
failures = {}


def mode():
    with open(MODE) as file:
        return file.read().split()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        words = mode()
        with lock:
            status = self.verdict(words)
            self.record(body, accepted=status == 200)
        if status is None:
            while mode() == words:
                time.sleep(0.2)
            self.close_connection = True
            return
        if words[0] == "slow":
            time.sleep(float(words[1]))
        if status == 302:
            self.answer(302, b"<html>log in</html>", ("Location", f"http://{ADDRESS}:8080/login"))
        else:
            self.answer(status, b"{}" if status == 200 else b"{\"error\":\"overloaded\"}")

    def do_GET(self):
        self.answer(200, b"<html><form>log in to the cafe's network</form></html>", ("Content-Type", "text/html"))

    def verdict(self, words):
        """The status to answer with; None for no answer at all."""
        if words[0] == "silent":
            return None
        if words[0] == "portal":
            return 302
        if words[0] == "fail":
            this = os.stat(MODE).st_mtime_ns
            count = failures.get(this, 0)
            failures[this] = count + 1
            return 503 if count < int(words[1]) else 200
        return 200

    def record(self, body, accepted):
        line = {
            "time": time.monotonic(), "accepted": accepted, "key": self.headers.get("Idempotency-Key"),
            "boot": BOOT, "token": self.headers.get("X-Token"), "body": json.loads(body),
        }
        with open(RECORD, "a") as file:
            file.write(json.dumps(line) + "\n")

    def answer(self, status, body, *headers):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve_names():
    """Every name is the gateway's; there is no IPv6 address."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind((ADDRESS, 53))
    while True:
        query, client = server.recvfrom(512)
        if "no-dns" in mode():
            continue
        end = query.index(b"\0", 12) + 5
        is_address = query[end - 4:end - 2] == b"\0\1"
        head = query[:2] + b"\x81\x80" + b"\0\1" + (b"\0\1" if is_address else b"\0\0") + b"\0\0\0\0"
        answer = b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4" + socket.inet_aton(ADDRESS) if is_address else b""
        server.sendto(head + query[12:end] + answer, client)


threading.Thread(target=serve_names, daemon=True).start()
server = http.server.ThreadingHTTPServer((ADDRESS, 8080), Handler)
server.daemon_threads = True
open("/run/sink.ready", "w").close()
server.serve_forever(0.1)
