"""What is measured, and how. Every function returns samples by program: {name: [numbers]} or {name: {what: [numbers]}}."""

import ctypes
import os
import random
import struct
import tempfile
import threading
import time

from contestants import EVERYONE, Careful, DurableC, Floor, Pipeline, Soteriad

ORDER = random.Random(1)
REPORT_PACE = 0.003  # seconds between reports, so that each one is a wake-up of its own
IN_OPEN = 0x20  # Source: sys/inotify.h


class Group:
    """Some of the programs, all running, with their stores in one place."""

    def __init__(self, tools, place, kinds=EVERYONE, secure=False):
        self.directory = tempfile.TemporaryDirectory(prefix="soteriad-bench-", dir=place)
        self.members = []
        try:
            for kind in kinds:
                self.members.append(kind(tools, self.directory.name, secure))
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for member in self.members:
            member.stop()
        self.directory.cleanup()

    def shuffled(self):
        return ORDER.sample(self.members, len(self.members))


def samples(rows):
    """Turns [{what: number}] into {what: [numbers]}."""
    return {what: [row[what] for row in rows] for what in rows[0]}


def check_work(group):
    """Each program must send the position that it was told last, or what is measured is not the same work."""
    for member in group.members:
        latitude = member.gpsd.report()
        member.settle()
        time.sleep(0.02)
        member.alert()
        if latitude.encode() not in member.gateway.body:
            raise RuntimeError(f"{member.name} sent {member.gateway.body!r}, which is not where it is: {latitude}")


def alerts(tools, place, secure, cold, rounds, kinds=EVERYONE):
    """Alerts on a connection that is open already, or on a new one each."""
    with Group(tools, place, kinds, secure) as group:
        for member in group.members:
            member.gateway.closes = cold
        check_work(group)
        for _ in range(5):
            for member in group.shuffled():
                member.alert()
        rows = {member.name: [] for member in group.members}
        for number in range(rounds):
            for member in group.shuffled():
                # A script takes twenty times as long as a program; a quarter of the rounds tells as much of it.
                if number % 4 == 0 or isinstance(member, (Soteriad, Floor, DurableC, Careful)):
                    rows[member.name].append(member.round())
    return {name: samples(found) for name, found in rows.items()}


def bundle_reads(tools, place, rounds):
    """How often soteriad opens a file of authorities: for its first connection, and for `rounds` more new ones."""
    with Group(tools, place, (Soteriad,), secure=True) as group:
        daemon = group.members[0]
        daemon.gateway.closes = True
        with OpenWatch(["/etc/ssl/certs/ca-certificates.crt"]) as watch:
            run_directory = f"{daemon.directory}/run"
            daemon.alert()
            bundles = [f"{run_directory}/{name}" for name in os.listdir(run_directory) if name.endswith(".pem")]
            first = watch.count()
        with OpenWatch(["/etc/ssl/certs/ca-certificates.crt", tools.own, *bundles]) as watch:
            for _ in range(rounds):
                daemon.alert()
            return {"first": first, "later": watch.count()}


class OpenWatch:
    """Counts how often files are opened. Source: inotify(7)."""

    def __init__(self, paths):
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        for path in paths:
            if libc.inotify_add_watch(self.descriptor, path.encode(), IN_OPEN) < 0:
                raise OSError(ctypes.get_errno(), f"cannot watch {path}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.descriptor)

    def count(self):
        try:
            return len(os.read(self.descriptor, 1 << 20)) // struct.calcsize("iIII")
        except BlockingIOError:
            return 0


def reports(tools, place, batches, batch):
    """CPU microseconds for a thousand reports, from batches in turn."""
    with Group(tools, place) as group:
        check_work(group)
        found = {member.name: [] for member in group.members}
        for _ in range(batches):
            for member in group.shuffled():
                member.settle()
                before = member.cpu()
                for _ in range(batch):
                    member.gpsd.report()
                    time.sleep(REPORT_PACE)
                member.settle()
                found[member.name].append((member.cpu() - before) * 1000 / batch)
    return found


def rest(tools, place, idle, tracking):
    """Wake-ups and bytes written while nothing happens for `idle` seconds, and while positions come for `tracking`."""
    found = {}
    with Group(tools, place) as group:
        found["idle"] = span(group, idle, 0)
        for member in group.members:
            member.gpsd.report()
        time.sleep(1)
        found["1 Hz"] = span(group, tracking, 1)
        found["10 Hz"] = span(group, tracking, 10)
    return found


def span(group, seconds, rate):
    before = {member.name: (member.switches(), member.written()) for member in group.members}
    begun = time.monotonic()
    for number in range(int(seconds * rate)):
        for member in group.members:
            member.gpsd.report()
        time.sleep(max(0, begun + (number + 1) / rate - time.monotonic()))
    time.sleep(max(0, begun + seconds - time.monotonic()))
    return {member.name: {"seconds": seconds, "reports": int(seconds * rate),
                          "wake-ups": member.switches() - before[member.name][0],
                          "written": member.written() - before[member.name][1],
                          "threads": member.threads()}
            for member in group.members}


def memory(tools, place, instances, count):
    """kB when ready, after one HTTPS alert, and after `count`."""
    found = {kind.name: {"idle": [], "one": [], "many": []} for kind in EVERYONE}
    for number in range(instances):
        # The scripts' memory varies little and their alerts take long: one instance of each is enough.
        kinds = EVERYONE if number == 0 else (Soteriad, Floor, DurableC)
        with Group(tools, place, kinds, secure=True) as group:
            weigh(group, found, "idle")
            for member in group.members:
                member.alert()
            weigh(group, found, "one")
            in_parallel(group.members, lambda member: [member.alert() for _ in range(count - 1)],
                        # Nothing of it stays from one alert to the next.
                        unless=lambda member: isinstance(member, Pipeline))
            weigh(group, found, "many")
    return found


def weigh(group, found, moment):
    os.sync()  # Pages of a file that was written a moment ago count as dirty in whoever maps it.
    for member in group.members:
        member.settle()
        found[member.name][moment].append(member.memory())


def in_parallel(members, work, unless):
    failures = []

    def run(member):
        try:
            work(member)
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(member,)) for member in members if not unless(member)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def starts(tools, place, rounds):
    """Milliseconds from exec to ready, with a store of an earlier run."""
    with Group(tools, place) as group:
        found = {member.name: [] for member in group.members}
        for _ in range(rounds):
            for member in group.shuffled():
                member.stop()
                member.start()
                found[member.name].append(member.start_time)
    return found


def sizes(tools, root):
    """Bytes of the program, and of everything that installing it puts on disk besides libraries."""
    def total(*paths):
        return sum(os.path.getsize(path) for path in paths)

    def below(*directories):
        return [f"{parent}/{name}" for directory in directories
                for parent, _, names in os.walk(f"{root}/{directory}") for name in names]

    programs = f"{root}/Benchmarks/programs"
    return {
        "soteriad": {"program": total(tools.stripped),
                     "installed": total(tools.stripped, *below("systemd", "etc", "man", "completions"))},
        "C floor": {"program": total(tools.floor), "installed": total(tools.floor)},
        "Python, careful": {"program": total(f"{programs}/careful.py"), "installed": total(f"{programs}/careful.py")},
        "Python, usual": {"program": total(f"{programs}/naive.py"), "installed": total(f"{programs}/naive.py")},
        "shell and curl": {"program": total(f"{programs}/pipeline.sh"), "installed": total(f"{programs}/pipeline.sh")},
    }
