"""The power fails at scattered moments around a press: each boot judges the last cut and makes the next."""

import os
import shutil
import sqlite3
import time
from collections import Counter

from scenario import Unexpected, scenario
from waiting import until

# Runs before the daemon of the next boot: the store as the cut left it.
KEEP_STORE = "rm -rf /host/store; cp -r /var/lib/soteria /host/store"
# The moments lie between the press and so much later; the gateway takes a third of a second for its answer.
SPAN = 1.2
ANSWER_DELAY = 0.3


def stored_alerts():
    """The ids in the store that the last cut left. Not read in place: SQLite wants locks and shared memory."""
    shutil.rmtree("/run/store", ignore_errors=True)
    shutil.copytree("/host/store", "/run/store")
    if not os.path.exists("/run/store/outbox.db"):
        return set()
    database = sqlite3.connect("/run/store/outbox.db")
    try:
        if database.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise Unexpected("the store was damaged")
        return {row[0] for row in database.execute("SELECT alert FROM records WHERE contact = ''")}
    finally:
        database.close()


def press_and_cut(device, moment):
    """Presses, and ends the power at that many seconds after it."""
    device.before_services(KEEP_STORE)
    device.save({})
    start = time.monotonic()
    device.button.press()
    time.sleep(min(moment, 0.15))
    if moment > 0.15:
        device.button.release()
    time.sleep(max(0, start + moment - time.monotonic()))
    device.cut_power()


def judge(device):
    """The last cut: what was stored arrives, and nothing else does. Returns how far the press had come."""
    known = set(device["known"])
    stored = stored_alerts() - known
    device.daemon.await_button()
    until(lambda: device.daemon.status()["outbox"]["pending"] == 0, 60, "everything pending is delivered")
    messages = device.gateway.messages()
    arrived = {message["body"]["alert"] for message in messages} - known
    if stored - arrived:
        raise Unexpected(f"cut {device.boot}: stored and lost")
    if len(stored | arrived) > 1:
        raise Unexpected(f"cut {device.boot}: {len(stored | arrived)} alerts by one press")
    copies = Counter(message["key"] for message in messages)
    if max(copies.values(), default=0) > 2:
        raise Unexpected(f"cut {device.boot}: {max(copies.values())} copies of one message")
    device["known"] = sorted(known | arrived)
    if arrived:
        device.cancel()
    if not stored:
        return "not stored"
    sent_before = any(message["body"]["alert"] in stored and message["boot"] != boot_id() for message in messages)
    return "stored and sent" if sent_before else "stored, not sent"


def boot_id():
    with open("/proc/sys/kernel/random/boot_id") as file:
        return file.read().strip()


def cuts(device, total):
    """Returns how many presses had come how far when the power failed; all of them were judged well."""
    if device.boot == 0:
        device["known"], device["reached"] = [], []
        device.gateway.behave(f"slow {ANSWER_DELAY}")
    else:
        device["reached"].append(judge(device))
        print(f"cut {device.boot}: {device['reached'][-1]}", flush=True)
    if device.boot < total:
        # Between storing and sending there is hardly a moment, except without a network.
        if device.boot % 3 == 1:
            device.network.down()
        # Steps of the golden ratio scatter evenly, however many there are.
        press_and_cut(device, moment=(device.boot * 0.618 % 1) * SPAN)
    return Counter(device["reached"])


@scenario("power cuts around presses", "every stored press arrived, nothing else, none more than twice")
def many_cuts(device):
    """Thirty cuts on Debian 12; on 13, which boots half as fast, five."""
    reached = cuts(device, 30 if "bookworm" in open("/etc/os-release").read() else 5)
    print(dict(reached), flush=True)
    if not reached["stored, not sent"] or not reached["stored and sent"]:
        raise Unexpected(f"the cuts missed the moments that matter: {dict(reached)}")
    return "every stored press arrived, nothing else, none more than twice"


@scenario("power cut before a press could be sent", "stored, not sent; 1 alert after the next boot", quick=True)
def one_cut(device):
    if device.boot == 0:
        device["known"] = []
        device.network.down()
        press_and_cut(device, moment=2)
    reached = judge(device)
    return f"{reached}; {len(device.gateway.messages())} alert after the next boot"
