"""What the programs talk to: a gateway that takes alerts, and a gpsd that reports when it is told to."""

import datetime
import json
import socket
import ssl
import subprocess
import threading
import time

READERS = 64  # threads that wait for connections: none has to be started when one comes


class Gateway:
    """Takes POSTs on HTTP or HTTPS and notes when the first byte of each could be read."""

    def __init__(self, certificate=None):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.scheme = "https" if certificate else "http"
        self.context = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certificate)
        self.closes = False  # whether each answer ends its connection, so that the next one starts cold
        self.status = 200
        self.delay = 0.0
        self.answered = 0
        self.arrived_at = 0
        self.body = b""
        self.on_arrival = None
        self.changed = threading.Condition()
        for _ in range(READERS):
            threading.Thread(target=self.serve, daemon=True).start()

    @property
    def url(self):
        return f"{self.scheme}://127.0.0.1:{self.listener.getsockname()[1]}/"

    def serve(self):
        while True:
            connection, _ = self.listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                if self.context:
                    connection = self.context.wrap_socket(connection, server_side=True)
                while self.serve_one(connection):
                    pass
            except OSError:
                pass  # The program went away, or is killed: what it owes is noticed by who waits for it.
            connection.close()

    def serve_one(self, connection):
        received = connection.recv(65536)
        arrived_at = time.monotonic_ns()
        while b"\r\n\r\n" not in received:
            more = connection.recv(65536)
            if not more:
                return False
            received += more
        head, body = received.split(b"\r\n\r\n", 1)
        length = next((int(line.split(b":")[1]) for line in head.lower().split(b"\r\n")
                       if line.startswith(b"content-length:")), 0)
        while len(body) < length:
            body += connection.recv(65536)
        if self.on_arrival:
            self.on_arrival(body, arrived_at)
        if self.delay:
            time.sleep(self.delay)
        closes = self.closes
        ending = b"Connection: close\r\n" if closes else b""
        connection.sendall(b"HTTP/1.1 %d Answer\r\n%sContent-Length: 0\r\n\r\n" % (self.status, ending))
        with self.changed:
            self.answered += 1
            self.arrived_at, self.body = arrived_at, body
            self.changed.notify_all()
        return not closes

    def wait(self, count, limit=30):
        """Returns when the request arrived after whose answer `count` had been answered."""
        with self.changed:
            if not self.changed.wait_for(lambda: self.answered >= count, limit):
                raise TimeoutError(f"{self.answered} of {count} requests within {limit} s")
            return self.arrived_at


class Gpsd:
    """Speaks gpsd's protocol to each program that connects, and reports a position when told to."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.clients = []
        self.count = 0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.tell(client, {"class": "VERSION", "release": "3.22", "rev": "3.22", "proto_major": 3, "proto_minor": 14})
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        """Answers the first request, which is to watch, and ignores the rest."""
        if not client.recv(4096):
            return
        self.tell(client, {"class": "DEVICES", "devices": [{"class": "DEVICE", "path": "/dev/ttyS0", "activated":
                                                            "2026-11-30T09:00:00.000Z"}]})
        self.tell(client, {"class": "WATCH", "enable": True, "json": True, "nmea": False, "raw": 0, "scaled": False,
                           "timing": False, "split24": False, "pps": False})
        self.clients.append(client)
        while client.recv(4096):
            pass
        self.clients.remove(client)
        client.close()

    @staticmethod
    def tell(client, message):
        client.sendall(json.dumps(message, separators=(",", ":")).encode() + b"\r\n")

    def report(self):
        """Moves on by a step and says so to everyone. Returns the latitude as programs print it."""
        self.count += 1
        latitude = round(-6.175 - self.count * 1e-5, 6)
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
        for client in list(self.clients):
            self.tell(client, {
                "class": "TPV", "device": "/dev/ttyS0", "mode": 3, "time": now, "ept": 0.005, "lat": latitude,
                "lon": 106.8272, "altHAE": 20.1, "altMSL": 18.0, "alt": 18.0, "epx": 3.1, "epy": 4.2, "epv": 9.2,
                "track": 84.2, "magtrack": 84.9, "magvar": 0.7, "speed": 1.34, "climb": 0.01, "eps": 0.4, "epc": 9.9,
                "geoidSep": 2.1, "eph": 5.2, "sep": 10.1})
        return f"{latitude:.6f}".rstrip("0")


def make_certificate(directory):
    """Returns the server's certificate with its key, the certificate alone, and Debian's authorities with it."""
    key, own, both, bundle = (f"{directory}/{name}.pem" for name in ("key", "own", "both", "bundle"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", own], check=True, capture_output=True)
    join([key, own], both)
    join(["/etc/ssl/certs/ca-certificates.crt", own], bundle)
    return both, own, bundle


def join(parts, path):
    with open(path, "w", encoding="utf-8") as out:
        for part in parts:
            with open(part, encoding="utf-8") as file:
                out.write(file.read())
