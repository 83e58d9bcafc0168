"""The whole path on one screen: a real gpsd, a simulated walk, the daemon, and a phone that gets the message."""

import json
import math
import os
import select
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


class Failure(Exception):
    pass


class Demo:
    def __init__(self, binary, show):
        self.binary = binary
        self.show = show
        self.children = []
        self.directory = tempfile.mkdtemp(prefix="soteriad-demo-")
        os.chmod(self.directory, 0o755)  # gpsd reads the pty's link as another user.
        self.phone = Phone(show)
        self.button = Button()
        self.log_path = f"{self.directory}/soteriad.log"

    def path(self, name):
        return f"{self.directory}/{name}"

    def start(self):
        self.spawn([sys.executable, f"{HERE}/walker.py", self.path("gps"), self.path("walker.json")])
        self.until("the receiver", lambda: os.path.exists(self.path("walker.json")))
        port = free_port()
        gpsd = next((p for p in ("/usr/sbin/gpsd", "/usr/local/sbin/gpsd") if os.path.exists(p)), "gpsd")
        self.spawn([gpsd, "-N", "-n", "-b", "-S", str(port), os.path.realpath(self.path("gps"))])
        self.write_config(port)
        self.start_daemon()

    def write_config(self, gps_port):
        config = {
            "wearer": {"name": "Ayu", "language": "en"},
            "gps": {"host": "127.0.0.1", "port": gps_port},
            "button": {"line": "demo-button"},
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
        self.spawn(
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
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def until(self, what, holds, limit=60):
        end = time.monotonic() + limit
        while not holds():
            if time.monotonic() > end:
                raise Failure(f"{what}: not within {limit} s")
            for child in self.children:
                if child.poll() is not None:
                    raise Failure(f"{what}: {child.args[0]} ended with status {child.returncode}")
            time.sleep(0.1)

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
    return away


def once(demo):
    demo.until("a fix from gpsd", demo.has_fix)
    demo.show("gpsd has a fix. Pressing the button.")
    place = demo.walker()
    pressed = time.monotonic()
    demo.button.press()
    if not demo.phone.wait(1, 20):
        raise Failure("no message within 20 s")
    took = time.monotonic() - pressed
    away = check(demo.phone.messages[0], place)
    demo.show(f"The message came; it is {away:.1f} m from where the walker was at the press ({took:.2f} s after it).")

    demo.show("Pulling the network (the phone refuses connections). Sending a drill.")
    demo.phone.pull()
    subprocess.run(
        [demo.binary, "press", "--drill", "--runtime-directory", demo.path("run")], check=True,
        stdout=subprocess.DEVNULL)
    demo.until("a failed try", lambda: "failed: cannot connect" in open(demo.log_path).read())
    if len(demo.phone.messages) != 1:
        raise Failure("something arrived without a network")
    demo.phone.plug()
    demo.show("Plugged back. Waiting for the retry.")
    if not demo.phone.wait(2, 60):
        raise Failure("no retry within 60 s of the network's return")
    drill = demo.phone.messages[1]
    if drill["kind"] != "drill" or drill["alert"] == demo.phone.messages[0]["alert"]:
        raise Failure("the retry brought something else than the drill")
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
    demo.show("Waiting for the first fix; a walk through Jakarta has begun.")
    watch_log(demo)
    demo.until("a fix from gpsd", demo.has_fix)
    demo.show("Enter: press the button.   n: pull the network, or plug it back.   s: status.   q: quit.")
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        while True:
            select.select([terminal], [], [])
            key = os.read(terminal, 1)
            if key in (b"\n", b"\r"):
                demo.show("You press the button.")
                demo.button.press()
            elif key == b"n" and demo.phone.is_plugged:
                demo.phone.pull()
                demo.show("Network pulled: the phone's server closed its socket, connections are refused.")
            elif key == b"n":
                demo.phone.plug()
                demo.show("Network plugged back: the next retry will get through.")
            elif key == b"s":
                subprocess.run([demo.binary, "status", "--runtime-directory", demo.path("run")])
            elif key in (b"q", b"\x04", b""):
                return
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def main():
    def interrupted(*_):
        raise KeyboardInterrupt
    signal.signal(signal.SIGTERM, interrupted)
    lock = threading.Lock()

    def show(text):
        with lock:
            print(text, flush=True)

    demo = Demo(os.environ["SOTERIAD_BIN"], show)
    try:
        demo.start()
        if "--once" in sys.argv:
            once(demo)
            show("demo: passed")
        else:
            interactive(demo)
        return 0
    except Failure as failure:
        show(f"demo: FAILED: {failure}")
        if os.path.exists(demo.log_path):
            show(open(demo.log_path).read())
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        demo.stop()
        subprocess.run(["rm", "-rf", demo.directory])


if __name__ == "__main__":
    sys.exit(main())
