"""A long time in the life of one daemon: a press a minute, a service that answers with every fault in turn, and a gpsd
that is restarted now and then. Fails unless memory, descriptors and threads stay flat and every message arrives.

Flat means:
  memory       the median of the private dirty memory in the last quarter is at most MEMORY_BOUND above that in the
               second; the first belongs to caches that fill up (SQLite's pages, libcurl's, the allocator's)
  descriptors  the same number at the end of every minute after the first quarter, when nothing is under way
  threads      likewise

Usage: soak.py MINUTES     (SOTERIAD_BIN names the program)
"""

import collections
import os
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../demo")

from demo import Demo, Failure, end, read  # noqa: E402
from gateway import LOST, TRIES, Gateway  # noqa: E402

LEAST = 20  # minutes: the caches are filled within the five of the first quarter
SAMPLE_EVERY = 10  # seconds
GPSD_EVERY = 3  # minutes
# kB. Half the run lies between the middles of both quarters, of an hour 60 messages and ten restarts of gpsd. Half a
# kilobyte lost for each message, or a session with gpsd (24 kB) for two of its restarts, is as much as this; the noise
# of the allocator, which takes and returns whole pages, was 4 kB.
MEMORY_BOUND = 32

Sample = collections.namedtuple("Sample", "dirty descriptors threads")


class Soak(Demo):
    def __init__(self, binary, minutes):
        super().__init__(binary, print, {}, Gateway())
        self.minutes = minutes
        self.samples = []  # Every ten seconds, whatever goes on.
        self.settled = []  # One a minute, when nothing goes on.
        self.alerts = []
        self.restarts = 0

    def sample(self):
        process = f"/proc/{self.daemon.pid}"
        with open(f"{process}/smaps_rollup") as file:
            dirty = next(int(line.split()[1]) for line in file if line.startswith("Private_Dirty:"))
        return Sample(dirty, len(os.listdir(f"{process}/fd")), len(os.listdir(f"{process}/task")))

    def descriptors(self):
        directory = f"/proc/{self.daemon.pid}/fd"
        return sorted(os.readlink(f"{directory}/{name}") for name in os.listdir(directory))

    def keep_sampling(self, done):
        while not done.wait(SAMPLE_EVERY):
            try:
                self.samples.append(self.sample())
            except (OSError, StopIteration):
                return  # The daemon has ended; the main thread sees that too.

    def command(self, *words):
        answer = subprocess.run(
            [self.binary, *words, "--runtime-directory", self.path("run")], capture_output=True, text=True)
        if answer.returncode != 0:
            raise Failure(f"soteriad {' '.join(words)}: {answer.stderr.strip()}")
        return answer.stdout.strip()

    def press(self, minute):
        """Every other one by the button itself. Notes the alert's id."""
        before = self.phone.count()
        if minute % 2 == 0:
            self.button.press()
        else:
            self.command("press")
        self.until("the alert at the gateway", lambda: self.phone.count() > before)
        self.alerts.append(list(self.phone.messages.values())[-1]["alert"])

    def restart_gpsd(self):
        self.children.remove(self.gpsd)
        self.gpsd.terminate()
        end(self.gpsd)
        self.gpsd = self.start_gpsd()
        self.restarts += 1

    def is_settled(self):
        status = self.status()
        return status is not None and status["gps"]["state"] == "fix" and status["outbox"]["pending"] == 0

    def minute(self, minute):
        begin = time.monotonic()
        self.press(minute)
        if minute % GPSD_EVERY == GPSD_EVERY - 1:
            self.restart_gpsd()
        # After the longest that a message takes with these faults, and after gpsd has found its receiver again.
        self.until("the alert delivered", self.is_settled)
        before = self.phone.count()
        self.command("cancel")
        self.until("the all-clear at the gateway", lambda: self.phone.count() > before)
        self.until("the all-clear delivered", self.is_settled)
        self.settled.append((self.sample(), self.descriptors()))
        self.show_minute(minute)
        while time.monotonic() < begin + 60:
            self.check_children("a quiet minute")
            time.sleep(1)

    def show_minute(self, minute):
        sample = self.settled[-1][0]
        print(f"minute {minute + 1:3}: {sample.dirty:6} kB private dirty, {sample.descriptors:3} descriptors, "
              f"{sample.threads:2} threads, {self.phone.count():4} messages, gpsd restarted {self.restarts} times",
              flush=True)

    def run(self):
        self.start()
        self.until("a fix from gpsd", self.has_fix)
        done = threading.Event()
        threading.Thread(target=self.keep_sampling, args=(done,), daemon=True).start()
        try:
            for minute in range(self.minutes):
                self.minute(minute)
        finally:
            done.set()

    def problems(self):
        return [*self.growth(), *self.unsettled(), *self.misdelivered()]

    def growth(self):
        quarters = [statistics.median(sample.dirty for sample in quarter) for quarter in quarters_of(self.samples)]
        if quarters[3] > quarters[1] + MEMORY_BOUND:
            yield f"memory grows: {quarters[1]:.0f} kB private dirty in the second quarter, {quarters[3]:.0f} in the last"

    def unsettled(self):
        first, *others = self.settled[len(self.settled) // 4:]
        for sample, descriptors in others:
            if sample.descriptors != first[0].descriptors:
                was, now = collections.Counter(first[1]), collections.Counter(descriptors)
                yield f"descriptors: more {dict(now - was)}, fewer {dict(was - now)}"
            if sample.threads != first[0].threads:
                yield f"threads: {first[0].threads} became {sample.threads}"

    def misdelivered(self):
        """Every alert and its all-clear, each tried as often as its fault asks for and no more."""
        expected = {f"{alert}/mum/{sequence}": kind
                    for alert in self.alerts for sequence, kind in enumerate(("alert", "all-clear"))}
        if len(expected) != 2 * self.minutes:
            yield f"{self.minutes} presses made {len(expected) // 2} alerts"
        for key in expected.keys() | self.phone.tries.keys():
            message, tries = self.phone.messages.get(key), self.phone.tries.get(key, [])
            if message is None:
                yield f"{key} ({expected[key]}) never arrived"
            elif expected.get(key) != message["kind"] or key != f"{message['alert']}/mum/{message['sequence']}":
                yield f"nobody asked for {key}, {message['kind']}"
            elif len(tries) != TRIES[tries[0]]:
                yield f"{key} was tried {len(tries)} times after {tries[0]} instead of {TRIES[tries[0]]}"

    def table(self):
        names = ("quarter 1", "quarter 2", "quarter 3", "quarter 4")
        print(f"\n{'':28}" + "".join(f"{name:>12}" for name in names))
        quarters = [[*zip(*quarter)] for quarter in quarters_of(self.samples)]
        for index, name in enumerate(("private dirty, kB", "descriptors", "threads")):
            for what, of in (("median", statistics.median), ("most", max)):
                figures = "".join(f"{of(quarter[index]):12.0f}" for quarter in quarters)
                print(f"{f'{name}, {what}':28}{figures}")
        print(f"\n{'fault at the first try':28}{'messages':>12}{'tries':>12}{'twice':>12}")
        for fault in TRIES:
            tries = [tries for tries in self.phone.tries.values() if tries[0] == fault]
            twice = sum(len(one) - 1 for one in tries) if fault in LOST else 0
            print(f"{fault:28}{len(tries):12}{sum(map(len, tries)):12}{twice:12}")
        print(f"\n{len(self.alerts)} presses in {self.minutes} minutes, gpsd restarted {self.restarts} times, "
              f"{len(self.samples)} samples; the daemon was process {self.daemon.pid} from start to end")


def quarters_of(values):
    return [values[len(values) * number // 4:len(values) * (number + 1) // 4] for number in range(4)]


def main(words):
    minutes = int(words[0]) if words and words[0].isdigit() else 0
    if len(words) != 1 or minutes < LEAST:
        print(f"usage: ./test --soak [MINUTES]     at least {LEAST}", file=sys.stderr)
        return 2

    def interrupted(*_):
        raise KeyboardInterrupt
    signal.signal(signal.SIGTERM, interrupted)
    signal.signal(signal.SIGHUP, interrupted)
    soak = Soak(os.environ["SOTERIAD_BIN"], minutes)
    try:
        soak.run()
        soak.table()
        problems = list(soak.problems())
    except Failure as failure:
        problems = [str(failure)]
    except KeyboardInterrupt:
        return 130
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        soak.stop()
        log = read(soak.log_path)
        shutil.rmtree(soak.directory, ignore_errors=True)
    for problem in problems:
        print(f"soak: FAILED: {problem}")
    if problems:
        print(log or "soteriad wrote no log")
    else:
        print("soak: passed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
