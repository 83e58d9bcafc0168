"""The wearable with everything around it, as the scenarios use it."""

import json
import os
import subprocess
import sys
import time

from button import Button, PowerKey
from daemon import Daemon, call, systemctl
from gateway import Gateway
from gps import Gps
from network import Network

MEMORY = "/host/memory.json"
BEFORE_SERVICES = "/host/before-services"
# Where QEMU ends at once, with what it holds in memory: a power cut. Source: isa-debug-exit.
EXIT_PORT = 0xF4


class Device:
    def __init__(self):
        self.button = PowerKey() if os.uname().machine == "aarch64" else Button()
        self.network = Network()
        self.gateway = Gateway(self.network)
        self.gps = Gps()
        self.daemon = Daemon(Gateway.url, self.button.settings)
        self._memory = {}

    # What a scenario keeps over its boots, out of reach of a power cut.

    def remember(self, name):
        """Takes up the scenario where its last boot left it."""
        self._memory = {"name": name, "boot": 0}
        if os.path.exists(MEMORY):
            with open(MEMORY) as file:
                memory = json.load(file)
            if memory["name"] == name:
                self._memory = memory
        self.gateway.mark = self._memory.get("mark", self.gateway.mark)

    def forget(self):
        for path in (MEMORY, BEFORE_SERVICES):
            if os.path.exists(path):
                os.unlink(path)

    @property
    def boot(self):
        """How many boots the scenario has had before this one."""
        return self._memory["boot"]

    def __getitem__(self, key):
        return self._memory[key]

    def __setitem__(self, key, value):
        self._memory[key] = value

    def save(self, next_boot):
        """Before the end of this boot: what the next one begins with."""
        self._memory.update(boot=self.boot + 1, mark=self.gateway.mark)
        with open(MEMORY, "w") as file:
            json.dump(self._memory, file)
        with open("/host/next.json", "w") as file:
            json.dump(next_boot, file)

    def reboot(self, before="", **options):
        """Ends this boot in good order. The next runs `before` in bash before any service starts, and QEMU gets
        the options (rtc="1970-01-01T00:00:00")."""
        self.before_services(before)
        self.save(options)
        sys.exit()

    def before_services(self, script):
        """What the next boot does before it starts the daemon."""
        with open(BEFORE_SERVICES, "w") as file:
            file.write(script)

    def cut_power(self):
        """Does not return. Call save() before."""
        port = os.open("/dev/port", os.O_WRONLY)
        os.pwrite(port, b"\x21", EXIT_PORT)

    # The bench.

    def refresh(self):
        """An installed daemon that has no history, armed, on a calm bench."""
        if not self.daemon.is_installed:
            self.daemon.install()
            systemctl("enable", "soteriad.service")
        self.set_clock()
        self.button.release()
        self.network.up()
        self.gateway.behave("ok")
        self.gps.stop()
        self.daemon.reset()
        self.gateway.forget()
        self.daemon.start()
        self.daemon.await_button()

    def set_clock(self, ahead=0.0):
        """To the host's time, which the host's file system tells, and so much more."""
        with open("/host/now", "w") as file:
            file.write("now")
        wanted = os.stat("/host/now").st_mtime + ahead
        if abs(time.time() - wanted) > 30:
            time.clock_settime(time.CLOCK_REALTIME, wanted)

    def cancel(self):
        """Ends the open alert, so that the next press is one of its own."""
        count = len(self.gateway.messages("all-clear"))
        call("soteriad", "cancel")
        self.gateway.wait(count + 1, kind="all-clear")

    def show_evidence(self):
        """What helps to see why a scenario failed goes to the console's log."""
        for command in (["soteriad", "status"], ["systemctl", "status", "--no-pager", "-l", "-n", "40", "soteriad"]):
            subprocess.run(command, timeout=60)
        for request in self.gateway.requests()[-10:]:
            print(json.dumps(request))
        sys.stdout.flush()
