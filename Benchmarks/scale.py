"""soteriad with a long queue and with a large store: neither may hold up a press."""

import json
import os
import socket
import sqlite3
import statistics
import tempfile
import time

from contestants import Soteriad, field

QUEUED_ALERTS = 100  # that the queued deliveries belong to
PRESSES = 15
AT_ONCE = 100_000  # µs, beside tries that begin and end all the time
PATIENCE = 500_000  # µs that a message waits for the disk: at a start that is busy with the store
UNDER_WAY = 16  # old messages by one gateway
ENDED = 15  # deliveries of each alert in the large store


def measure(tools, place, queue, rows):
    """Returns figures and verdicts: (name, ours, floor, limit, unit)."""
    usual = with_store(tools, place, None, presses)
    drains = {size: with_store(tools, place, lambda store: fill_queue(store, size), drain)
              for size in (queue // 4, queue // 2, queue)}
    large = with_store(tools, place, lambda store: fill_history(store, rows), use_large)
    limit = 2 * statistics.median(usual)
    whole, quarter = drains[queue], drains[queue // 4]
    return {
        "press, nothing queued": usual, "queues": drains, "large store": large,
        "verdicts": [
            (f"press with {queue} queued", whole["presses"], usual, AT_ONCE, "µs"),
            (f"requests between a press and its own, {queue} queued", whole["overtaken by"], [], UNDER_WAY, ""),
            (f"memory with {queue} queued, at its peak", [whole["peak"]], [quarter["peak"]], 65536, "kB"),
            (f"drain of {queue}, per 1000, beside a quarter of them", [whole["per 1000"]], [quarter["per 1000"]],
             1.5 * quarter["per 1000"], "ms"),
            (f"press at start with {rows} rows in the store", large["first"], usual, PATIENCE + limit, "µs"),
            (f"press with {rows} rows in the store", large["presses"], usual, limit, "µs"),
            (f"alerts left of {rows} rows", [large["alerts left"]], [], 1000 + PRESSES + 1, ""),
        ]}


def with_store(tools, place, fill, use):
    """Runs soteriad on a store that `fill` has multiplied from one pending drill, and returns what `use` finds."""
    with tempfile.TemporaryDirectory(prefix="soteriad-bench-", dir=place) as directory:
        daemon = Soteriad(tools, directory)
        try:
            daemon.gpsd.report()
            daemon.settle()
            daemon.gateway.status = 503
            daemon.alert()
            daemon.settle()
            daemon.stop()
            if fill:
                with sqlite3.connect(f"{daemon.directory}/state/outbox.db") as store:
                    fill(store)
                store.close()
            else:
                daemon.gateway.status = 200
            daemon.start()
            return use(daemon)
        finally:
            daemon.stop()


def template(store):
    """The one alert and its delivery, and the place of its id in both."""
    select = "SELECT alert, pressed_at, contact, document FROM records ORDER BY contact"
    (identity, pressed_at, _, alert), (*_, contact, delivery) = store.execute(select).fetchall()
    return identity, pressed_at, alert, contact, delivery


def insert(store, alert, contact, sequence, is_open, pressed_at, document):
    store.execute("INSERT INTO records(alert, contact, sequence, open, pressed_at, document) VALUES(?, ?, ?, ?, ?, ?)",
                  (alert, contact, sequence, is_open, pressed_at, document))


def new_id(number):
    return f"01{number:024d}"


def fill_queue(store, size):
    """So many pending deliveries, as after an outage of days."""
    identity, pressed_at, alert, contact, delivery = template(store)
    for number in range(QUEUED_ALERTS):
        name = new_id(number)
        insert(store, name, "", 0, 1, pressed_at, alert.replace(identity, name))
        for sequence in range(size // QUEUED_ALERTS):
            document = delivery.replace(identity, name).replace('"sequence":0', f'"sequence":{sequence}')
            insert(store, name, contact, sequence, 1, None, document)


def fill_history(store, rows):
    """So many rows of alerts that are over."""
    identity, pressed_at, alert, contact, delivery = template(store)
    delivery = delivery.replace('"ended":false', '"ended":true').replace('"pending"', '"accepted"')
    for number in range(rows // (ENDED + 1)):
        name = new_id(number)
        insert(store, name, "", 0, 0, pressed_at, alert.replace(identity, name).replace('"open"', '"closed"'))
        for sequence in range(ENDED):
            document = delivery.replace(identity, name).replace('"sequence":0', f'"sequence":{sequence}')
            insert(store, name, contact, sequence, 0, None, document)


def press(daemon):
    """Microseconds from a press to its request, and how many other requests came between."""
    arrivals = []
    daemon.gateway.on_arrival = lambda body, at: arrivals.append((at, body))
    begun = time.monotonic_ns()
    with daemon.trigger() as control:
        identity = json.loads(control.makefile().readline())["text"].encode()
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for index, (at, body) in enumerate(list(arrivals)):
            if identity in body:
                daemon.gateway.on_arrival = None
                return (at - begun) / 1000, sum(at > begun for at, _ in arrivals[:index])
        time.sleep(0.001)
    raise TimeoutError("a press was not sent within a minute")


def presses(daemon):
    daemon.gateway.status = 200
    daemon.alert()
    return [press(daemon)[0] for _ in range(PRESSES)]


def drain(daemon):
    """Presses while everything fails and is tried again, then lets all of it go."""
    pressed = [press(daemon) for _ in range(PRESSES)]
    daemon.gateway.status = 200
    begun, first = time.monotonic(), daemon.gateway.answered
    spent = daemon.cpu()
    queued = pending(daemon)
    while pending(daemon):
        if time.monotonic() > begun + 300:
            raise TimeoutError("the queue does not end within 5 minutes")
        time.sleep(0.25)
    took = (time.monotonic() - begun) * 1000
    return {"queued": queued, "presses": [latency for latency, _ in pressed],
            "overtaken by": [others for _, others in pressed], "peak": field(f"/proc/{daemon.child.pid}/status", "VmHWM"),
            "drain": took, "per 1000": took * 1000 / queued, "requests": daemon.gateway.answered - first,
            "cpu": daemon.cpu() - spent}


def pending(daemon):
    with socket.socket(socket.AF_UNIX) as control:
        control.connect(daemon.control)
        control.sendall(b'{"command":"status"}\n')
        return json.loads(control.makefile().readline())["json"]["outbox"]["pending"]


def finish_pruning(daemon):
    """Waits until nothing was written for a second: between two steps it rests for some ms."""
    written, at = daemon.written(), time.monotonic()
    begun = at
    while time.monotonic() < at + 1:
        if time.monotonic() > begun + 300:
            raise TimeoutError("the store is not pruned within 5 minutes")
        time.sleep(0.05)
        if daemon.written() != written:
            written, at = daemon.written(), time.monotonic()


def use_large(daemon):
    daemon.gateway.status = 200
    first = press(daemon)[0]
    times = [press(daemon)[0] for _ in range(PRESSES)]
    finish_pruning(daemon)
    daemon.stop()
    with sqlite3.connect(f"{daemon.directory}/state/outbox.db") as store:
        left = store.execute("SELECT count(*) FROM records WHERE contact = ''").fetchone()[0]
    store.close()
    return {"ready": daemon.start_time, "first": [first], "presses": times, "alerts left": left,
            "bytes": os.path.getsize(f"{daemon.directory}/state/outbox.db")}
