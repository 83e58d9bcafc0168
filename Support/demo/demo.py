"""The whole path on one screen: a real gpsd, a simulated walk, the daemon, and a phone that gets the message."""

import json
import math
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import time
import tty

from button import Button
from phone import Phone

HERE = os.path.dirname(os.path.abspath(__file__))
TOLERANCE = 25.0  # metres
LIMIT = 120  # seconds that --once may take


INTRODUCTION = """
Ayu walks through Jakarta with a panic button. Nothing here is real but the software:
  the receiver   writes NMEA on a pty, for a real gpsd
  the button     is a pipe with the kernel's own event records, bounces included
  Mum's phone    is a small web server on this machine; it shows each message as it comes
  soteriad       is the daemon as it would run on the wearable; its log is on the lines "soteriad │"
Waiting for the first fix.
"""
KEYS = "Enter: press the button   n: pull the network or plug it back   c: all-clear   s: status   q: quit"


class Failure(Exception):
    pass


class Demo:
    def __init__(self, binary, show, alert, phone):
        self.binary = binary
        self.show = show
        self.alert = alert
        self.children = []
        self.directory = tempfile.mkdtemp(prefix="soteriad-demo-")
        os.chmod(self.directory, 0o755)  # gpsd reads the pty's link as another user.
        self.phone = phone
        self.button = Button()
        self.log_path = f"{self.directory}/soteriad.log"

    def path(self, name):
        return f"{self.directory}/{name}"

    def start(self):
        self.spawn([sys.executable, f"{HERE}/walker.py", self.path("gps"), self.path("walker.json")])
        self.until("the receiver", lambda: os.path.exists(self.path("walker.json")))
        self.gps_port = free_port()
        self.gpsd = self.start_gpsd()
        self.write_config()
        self.daemon = self.start_daemon()

    def start_gpsd(self):
        return self.spawn(
            [self.gpsd_program(), "-N", "-n", "-b", "-S", str(self.gps_port), os.path.realpath(self.path("gps"))])

    def gpsd_program(self):
        path = shutil.which("gpsd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
        if path is None:
            raise Failure("there is no gpsd: apt install gpsd")
        if read("/sys/module/apparmor/parameters/enabled") != "Y":
            return path
        # Debian's AppArmor profile lets the program of this path open serial ports, but no pty.
        return shutil.copy(path, self.path("gpsd"))

    def write_config(self):
        config = {
            "wearer": {"name": "Ayu", "language": "en"},
            "gps": {"host": "127.0.0.1", "port": self.gps_port},
            "button": {"line": "demo-button"},
            "alert": self.alert,
            "geocoder": {"type": "places", "places": os.path.abspath(f"{HERE}/../../places/places")},
            "gateways": {"phone": {"type": "webhook", "url": self.phone.url}},
            "contacts": [{"name": "Mum", "routes": [{"gateway": "phone"}]}],
        }
        with open(self.path("soteria.json"), "w") as file:
            json.dump(config, file, indent=2)
        os.chmod(self.path("soteria.json"), 0o600)

    def start_daemon(self):
        # What systemd does for a service whose descriptor it kept: number 3, and the variables of sd_listen_fds(3).
        command = 'exec 3<&"$1"; export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=button; shift; exec "$@"'
        log = open(self.log_path, "ab")
        return self.spawn(
            ["bash", "-c", command, "bash", str(self.button.reader), self.binary, "run",
             "--config", self.path("soteria.json"), "--state-directory", self.path("state"),
             "--runtime-directory", self.path("run")],
            pass_fds=[self.button.reader], stdout=log)

    def spawn(self, command, **options):
        options.setdefault("stdout", subprocess.DEVNULL)
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT, start_new_session=True, **options)
        self.children.append(child)
        return child

    def stop(self):
        for child in reversed(self.children):
            if child.poll() is None:
                child.terminate()
        for child in reversed(self.children):
            end(child)

    def until(self, what, holds, limit=60):
        end = time.monotonic() + limit
        while not holds():
            if time.monotonic() > end:
                raise Failure(f"{what}: not within {limit} s")
            self.check_children(what)
            time.sleep(0.1)

    def check_children(self, what):
        for child in self.children:
            if child.poll() is not None:
                raise Failure(f"{what}: {' '.join(child.args[:2])} ended with status {child.returncode}")

    def status(self):
        answer = subprocess.run(
            [self.binary, "status", "--json", "--runtime-directory", self.path("run")],
            capture_output=True, text=True)
        return json.loads(answer.stdout) if answer.returncode == 0 else None

    def has_fix(self):
        status = self.status()
        return status is not None and status["gps"]["state"] == "fix"

    def walker(self):
        with open(self.path("walker.json")) as file:
            place = json.load(file)
        return place["lat"], place["lon"]


def end(child):
    """Waits for a child that was told to stop; one that does not is killed."""
    try:
        child.wait(5)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def read(path):
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError:
        return None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def distance(one, other):
    north = (other[0] - one[0]) * 111_195
    east = (other[1] - one[1]) * 111_195 * math.cos(math.radians(one[0]))
    return math.hypot(north, east)


def check(message, place):
    """The position in JSON is near the walker, and text and link say the very same coordinates."""
    position = message["position"]
    if position is None:
        raise Failure("the message has no position")
    coordinates = f"{position['lat']:.6f}", f"{position['lon']:.6f}"
    away = distance(place, (position["lat"], position["lon"]))
    if away > TOLERANCE:
        raise Failure(f"the position is {away:.1f} m from the walker")
    if f"{coordinates[0]}, {coordinates[1]}" not in message["text"]:
        raise Failure("the text says other coordinates than the JSON")
    link = f"https://maps.google.com/?q={coordinates[0]},{coordinates[1]}"
    if message["map_url"] != link or link not in message["text"]:
        raise Failure("the link leads elsewhere than the JSON says")
    if not message["address"] or message["address"] not in message["text"]:
        raise Failure("the message does not name the place")
    return away


def once(demo):
    demo.until("a fix from gpsd", demo.has_fix)
    start = demo.walker()
    demo.show("gpsd has a fix. Walking on, until a position kept from the start would be too far away.")
    demo.until("a walk", lambda: distance(start, demo.walker()) > TOLERANCE * 1.2)
    demo.show("Pressing the button.")
    place = demo.walker()
    pressed = time.monotonic()
    demo.button.press()
    if not demo.phone.wait(1, 20):
        raise Failure("no message within 20 s")
    alert, arrived = demo.phone.arrival(0)
    took = arrived - pressed
    away = check(alert, place)
    demo.show(f"The message came {took:.2f} s after the press, {away:.1f} m from where the walker was then;")
    demo.show("text, link and JSON agree.")

    demo.show("Pulling the network (the phone's server closes its socket). Sending a drill.")
    demo.phone.pull()
    place = demo.walker()
    subprocess.run(
        [demo.binary, "press", "--drill", "--runtime-directory", demo.path("run")], check=True,
        stdout=subprocess.DEVNULL)
    demo.until("a failed try", lambda: "failed: cannot connect" in (read(demo.log_path) or ""))
    if len(demo.phone.messages) != 1:
        raise Failure("something arrived without a network")
    demo.phone.plug()
    demo.show("Plugged back. Waiting for the retry.")
    if not demo.phone.wait(2, 60):
        raise Failure("no retry within 60 s of the network's return")
    drill, _ = demo.phone.arrival(1)
    if drill["kind"] != "drill" or drill["alert"] == alert["alert"]:
        raise Failure("the retry brought something else than the drill")
    check(drill, place)
    demo.show("The retry arrived.")


def watch_log(demo):
    """Shows what the daemon says, as the journal would have it."""
    def follow():
        with open(demo.log_path) as log:
            while True:
                line = log.readline()
                if line:
                    demo.show(f"  soteriad │ {line.rstrip()}")
                else:
                    time.sleep(0.1)
    threading.Thread(target=follow, daemon=True).start()


def interactive(demo):
    demo.show(INTRODUCTION)
    watch_log(demo)
    demo.until("a fix from gpsd", demo.has_fix)
    demo.show(KEYS)
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        while True:
            if not select.select([terminal], [], [], 1)[0]:
                demo.check_children("the demo")
                continue
            key = os.read(terminal, 1)
            if key in (b"\n", b"\r"):
                demo.show("You press the button.")
                demo.button.press()
            elif key == b"n" and demo.phone.is_plugged:
                demo.phone.pull()
                demo.show("Network pulled: the phone's server closed its socket, so connections are refused.")
            elif key == b"n":
                demo.phone.plug()
                demo.show("Network plugged back: the next retry will get through.")
            elif key in (b"s", b"c"):
                command = "status" if key == b"s" else "cancel"
                subprocess.run([demo.binary, command, "--runtime-directory", demo.path("run")])
            elif key in (b"h", b"?"):
                demo.show(KEYS)
            elif key in (b"q", b"\x04", b""):
                return
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def main():
    is_once = "--once" in sys.argv
    if not is_once and not sys.stdin.isatty():
        print("demo: there is no keyboard here; ./demo --once needs none", file=sys.stderr)
        return 2

    def interrupted(*_):
        raise KeyboardInterrupt

    def too_long(*_):
        raise Failure(f"not done within {LIMIT} s")
    signal.signal(signal.SIGTERM, interrupted)
    signal.signal(signal.SIGHUP, interrupted)
    signal.signal(signal.SIGALRM, too_long)
    lock = threading.Lock()

    def show(text):
        with lock:
            print(text, flush=True)

    alert = {} if is_once else {"updates": {"every": "15s", "for": "30m"}}
    demo = Demo(os.environ["SOTERIAD_BIN"], show, alert, Phone(show))
    try:
        if is_once:
            signal.alarm(LIMIT)
        demo.start()
        if is_once:
            once(demo)
            show("demo: passed")
        else:
            interactive(demo)
        return 0
    except Failure as failure:
        show(f"demo: FAILED: {failure}")
        show(read(demo.log_path) or "soteriad wrote no log")
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        signal.alarm(0)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        demo.stop()
        shutil.rmtree(demo.directory, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
