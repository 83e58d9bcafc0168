"""A stand-in phone: takes the webhook's messages and shows them as they arrive.

The network is "pulled" by closing the listening socket: connections are then refused, as by a host that is gone.
"""

import http.server
import json
import socket
import textwrap
import threading
import time
import unicodedata


class Phone:
    def __init__(self, show):
        self.messages = []
        self._times = []
        self.arrived = threading.Condition()
        self._show = show
        self._server = None
        self._port = 0
        self.plug()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._port}/message"

    @property
    def is_plugged(self):
        return self._server is not None

    def plug(self):
        phone = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()
                phone._take(json.loads(body))

            def log_message(self, *_):
                pass

            def setup(self):
                super().setup()
                phone._connections.add(self.connection)

        self._connections = set()
        server = http.server.ThreadingHTTPServer(("127.0.0.1", self._port), Handler)
        server.daemon_threads = True
        self._port = server.server_address[1]
        self._server = server
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()

    def pull(self):
        server, self._server = self._server, None
        server.shutdown()
        server.server_close()
        for connection in list(self._connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def wait(self, count, timeout):
        """Whether that many messages have arrived by then."""
        with self.arrived:
            return self.arrived.wait_for(lambda: len(self.messages) >= count, timeout)

    def arrival(self, index):
        """A message, and when it came by time.monotonic()."""
        return self.messages[index], self._times[index]

    def _take(self, message):
        with self.arrived:
            self._times.append(time.monotonic())
            self.messages.append(message)
            self._show(bubble(message))
            self.arrived.notify_all()


def columns(text):
    """How wide a terminal shows it: emoji take two columns."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def bubble(message):
    """The message as a phone would show it."""
    lines = []
    for line in message["text"].split("\n"):
        lines += textwrap.wrap(line, 64, break_long_words=False, break_on_hyphens=False) or [""]
    width = max(columns(line) for line in lines) + 2
    title = f" {message['contact']}'s phone "
    top = "╭─" + title + "─" * max(0, width - len(title) - 1) + "╮"
    body = [f"│ {line}{' ' * (len(top) - 4 - columns(line))} │" for line in lines]
    return "\n".join([top, *body, "╰" + "─" * (len(top) - 2) + "╯"])
