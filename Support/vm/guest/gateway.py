"""The messaging gateway as the scenarios see it: how it behaves, and what it was sent."""

import json
import os

from network import ADDRESS
from waiting import until

MODE = "/host/gateway.mode"
RECORD = "/host/gateway.jsonl"


class Gateway:
    url = f"http://{ADDRESS}:8080/message"
    named_url = "http://gateway.example:8080/message"

    def __init__(self, network):
        self.mark = 0
        if not os.path.exists(MODE):
            self.behave("ok")
        open(RECORD, "a").close()
        network.start("python3", "/host/guest/sink.py", MODE, RECORD)
        until(lambda: os.path.exists("/run/sink.ready"), 30, "the gateway listens")

    def behave(self, mode):
        """`ok`, `silent`, `slow SECONDS`, `portal`, `fail N` (N times an error, then ok); and `no-dns` after it."""
        with open(MODE + ".new", "w") as file:
            file.write(mode)
        os.replace(MODE + ".new", MODE)

    def forget(self):
        """What came until now belongs to an earlier scenario."""
        self.mark = os.path.getsize(RECORD)

    def requests(self):
        """Every request of this scenario: its time (CLOCK_MONOTONIC), whether it was accepted, key, token and body."""
        with open(RECORD, "rb") as file:
            file.seek(self.mark)
            # The last line may be in the making.
            return [json.loads(line) for line in file.read().split(b"\n")[:-1]]

    def messages(self, kind="alert"):
        return [request for request in self.requests()
                if request["accepted"] and request["body"].get("kind") == kind]

    def wait(self, count=1, within=45, kind="alert"):
        """The messages of that kind once there are so many."""
        until(lambda: len(self.messages(kind)) >= count, within, f"{count} {kind} at the gateway")
        return self.messages(kind)
