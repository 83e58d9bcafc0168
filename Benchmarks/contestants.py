"""The programs that are compared, and what /proc knows of each."""

import json
import os
import socket
import subprocess
import time

from standins import Gateway, Gpsd

HERE = os.path.dirname(os.path.abspath(__file__))
TICK = os.sysconf("SC_CLK_TCK")
# For a drill, which joins no other alert: each is stored and sent like a first press. The others do not read it.
TRIGGER = b'{"command":"press","drill":true}\n'


class Contestant:
    """One program, running, with a gateway and a gpsd of its own."""

    name = ""

    def __init__(self, tools, directory, secure=False, gateway=None):
        """`tools`: the compiled programs and the certificate. The store is kept in `directory`."""
        self.tools = tools
        self.directory = f"{directory}/{self.name.replace(' ', '-')}"
        os.makedirs(self.directory, exist_ok=True)
        self.gateway = gateway or Gateway(tools.certificate if secure else None)
        self.secure = secure
        self.gpsd = Gpsd()
        self.sent = 0
        self.control = f"{self.directory}/control.sock"
        self.start()

    def command(self):
        raise NotImplementedError

    def arguments(self):
        bundle = self.tools.bundle if self.secure else "-"
        return [str(self.gpsd.port), f"{self.directory}/alerts.db", self.gateway.url, bundle, self.control]

    def start(self):
        """Starts it, waits until it says that it is ready, and keeps how many milliseconds that took."""
        begun = time.monotonic()
        self.child = subprocess.Popen(self.command(), stdout=subprocess.PIPE, start_new_session=True, bufsize=0)
        if self.child.stdout.readline() != b"ready\n":
            raise RuntimeError(f"{self.name} does not start")
        while not self.accepts():
            time.sleep(0.001)
        self.start_time = (time.monotonic() - begun) * 1000
        self.wait_for_gps()

    def accepts(self):
        return True

    def wait_for_gps(self):
        end = time.monotonic() + 20
        while not self.gpsd.clients:
            if time.monotonic() > end:
                raise TimeoutError(f"{self.name} does not ask gpsd for reports")
            time.sleep(0.005)

    def stop(self):
        self.child.terminate()
        self.child.wait()

    def trigger(self):
        """Asks for an alert; returns the socket, at which an answer comes."""
        control = socket.socket(socket.AF_UNIX)
        control.connect(self.control)
        control.sendall(TRIGGER)
        return control

    def alert(self):
        """One alert from the trigger to its end. Returns when the request arrived."""
        self.sent = self.gateway.answered + 1
        with self.trigger() as control:
            try:
                arrived_at = self.gateway.wait(self.sent)
            except TimeoutError as error:
                raise TimeoutError(f"{self.name} sent nothing: {error}") from error
            control.recv(4096)
        return arrived_at

    def round(self):
        """Measures one alert: microseconds to the request, CPU time until then, CPU time and bytes written in all.

        The gateway holds its answer back while it looks: what is counted until then led to the request."""
        until_request = []

        def look(*_):
            self.settle()
            until_request.append(self.cpu())

        self.settle()
        before, written = self.cpu(), self.written()
        self.gateway.on_arrival = look
        begun = time.monotonic_ns()
        arrived_at = self.alert()
        self.gateway.on_arrival = None
        self.settle()
        return {"latency": (arrived_at - begun) / 1000, "cpu to request": until_request[0] - before,
                "cpu": self.cpu() - before, "written": self.written() - written}

    # What /proc knows of it.

    def processes(self):
        return [self.child.pid]

    def tasks(self):
        for process in self.processes():
            for task in listing(f"/proc/{process}/task"):
                yield f"/proc/{process}/task/{task}"

    def settle(self):
        """Waits until every thread sleeps: only then has the kernel booked all that they used."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            if {state(task) for task in self.tasks()} == {"S"}:
                return
        raise TimeoutError(f"{self.name} does not come to rest")

    def cpu(self):
        """Microseconds of CPU time, to the nanosecond."""
        return sum(int(read(f"{task}/schedstat").split()[0]) for task in self.tasks()) / 1000

    def switches(self):
        return sum(field(f"{task}/status", "voluntary_ctxt_switches") for task in self.tasks())

    def written(self):
        return sum(field(f"/proc/{process}/io", "write_bytes") for process in self.processes())

    def memory(self):
        """Resident, proportional and private dirty memory in kB."""
        rollups = [f"/proc/{process}/smaps_rollup" for process in self.processes()]
        return {key: sum(field(rollup, key) for rollup in rollups) for key in ("Rss", "Pss", "Private_Dirty")}

    def threads(self):
        return len(list(self.tasks()))


class Soteriad(Contestant):
    name = "soteriad"

    def command(self):
        return [self.tools.soteriad, "run", "--config", f"{self.directory}/soteria.json", "--state-directory",
                f"{self.directory}/state", "--runtime-directory", f"{self.directory}/run"]

    def configure(self):
        gateway = {"type": "webhook", "url": self.gateway.url}
        if self.secure:
            gateway["ca_file"] = self.tools.own
        path = f"{self.directory}/soteria.json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"gps": {"host": "127.0.0.1", "port": self.gpsd.port}, "gateways": {"hook": gateway},
                       "contacts": [{"name": "Mum", "routes": [{"gateway": "hook"}]}]}, file)
        os.chmod(path, 0o600)

    def start(self):
        self.configure()
        self.control = f"{self.directory}/run/control.sock"
        address = f"{self.directory}/notify"
        if os.path.exists(address):
            os.unlink(address)
        notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notify.bind(address)
        notify.settimeout(30)
        # As systemd starts it: the journal wants a level before a line, a terminal would get the time.
        sink = os.stat(os.devnull)
        manager = {"NOTIFY_SOCKET": address, "JOURNAL_STREAM": f"{sink.st_dev}:{sink.st_ino}"}
        begun = time.monotonic()
        self.child = subprocess.Popen(self.command(), stdout=subprocess.DEVNULL, start_new_session=True,
                                      env={**os.environ, **manager})
        while b"READY=1" not in notify.recv(4096):
            pass
        self.start_time = (time.monotonic() - begun) * 1000
        notify.close()
        self.wait_for_gps()


class Floor(Contestant):
    name = "C floor"

    def command(self):
        return [self.tools.floor, *self.arguments()]


class DurableC(Contestant):
    name = "C, durable"

    def command(self):
        return [self.tools.floor, *self.arguments(), "durable"]


class Careful(Contestant):
    name = "Python, careful"

    def command(self):
        return ["/usr/bin/python3", f"{HERE}/programs/careful.py", *self.arguments()]


class Naive(Contestant):
    name = "Python, usual"

    def command(self):
        return ["/usr/bin/python3", f"{HERE}/programs/naive.py", *self.arguments()]


class Pipeline(Contestant):
    """Many processes: what those that have ended used is kept by their parents, to the kernel's tick of 10 ms."""

    name = "shell and curl"

    def command(self):
        return [f"{HERE}/programs/pipeline.sh", *self.arguments()]

    def accepts(self):
        return os.path.exists(self.control)

    def processes(self):
        return [pid for pid in listing("/proc") if pid.isdigit() and session(pid) == self.child.pid]

    def stop(self):
        for process in self.processes():
            try:
                os.kill(int(process), 15)
            except ProcessLookupError:
                pass
        self.child.wait()

    def cpu(self):
        times = [stat(f"/proc/{process}")[11:15] for process in self.processes()]
        return sum(int(number) for numbers in times for number in numbers) / TICK * 1e6


EVERYONE = (Soteriad, Floor, DurableC, Careful, Naive, Pipeline)


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (FileNotFoundError, ProcessLookupError):
        return ""  # It ended a moment ago.


def listing(path):
    try:
        return os.listdir(path)
    except FileNotFoundError:
        return []


def stat(path):
    """The fields of a process or thread after its name. Source: proc(5)."""
    return read(f"{path}/stat").rpartition(")")[2].split()


def state(task):
    fields = stat(task)
    # Neither a zombie nor one that is gone will use any more.
    return "S" if not fields or fields[0] in "ZX" else fields[0]


def session(pid):
    fields = stat(f"/proc/{pid}")
    return int(fields[3]) if fields else -1


def field(path, name):
    return next((int(line.split()[1]) for line in read(path).splitlines() if line.startswith(f"{name}:")), 0)
