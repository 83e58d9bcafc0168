"""A messaging service that takes its turn at every way of answering badly.

Each new message meets the next fault at its first try; every later try of it is answered with 200.
"""

import http.server
import json
import socket
import struct
import threading
import time

# How often each has to be tried, at the least and at the most: a try without an answer, or with a no, is made again.
TRIES = {"500": 2, "silence": 2, "reset": 2, "slow": 1, "200": 1}
FAULTS = list(TRIES)
# The answer to these was lost, so that the message comes a second time, with the same id and sequence.
LOST = ("silence", "reset")
# Within the time that a try may take (15 s).
SLOW = 6


class Gateway:
    def __init__(self):
        self.lock = threading.Lock()
        self.tries = {}  # How each try was answered, by the key that every try of a message has in common.
        self.messages = {}  # The message, by the same.
        gateway = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                getattr(self, f"answer_{gateway.take(self.headers['Idempotency-Key'], json.loads(body))}")()

            def answer_200(self, status=200):
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def answer_500(self):
                self.answer_200(status=503)

            def answer_silence(self):
                self.close_connection = True
                self.connection.recv(1)  # Returns when the other side gives up.

            def answer_reset(self):
                self.close_connection = True
                # Closed with no time to linger, a connection is reset.
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()

            def answer_slow(self):
                time.sleep(SLOW)
                self.answer_200()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self):
        # By name, so that the resolver's threads come and go too.
        return f"http://localhost:{self._server.server_address[1]}/message"

    def take(self, key, message):
        """Notes the try of a message and returns how it is to be answered."""
        with self.lock:
            if key not in self.tries:
                self.messages[key] = message
                self.tries[key] = [FAULTS[len(self.tries) % len(FAULTS)]]
            else:
                self.tries[key].append("200")
            return self.tries[key][-1]

    def count(self):
        with self.lock:
            return len(self.tries)
