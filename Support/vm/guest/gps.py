"""gpsd as its package installs it, and the receiver."""

import os
import subprocess

from daemon import systemctl
from waiting import until

LINK = "/run/receiver"
STATE = "/run/receiver.state"


class Gps:
    def __init__(self):
        self._receiver = None

    def plug(self, place="-6.175400 106.827200"):
        """A receiver at LINK that sees satellites ("LAT LON") or none ("none")."""
        self.place(place)
        self._receiver = subprocess.Popen(["python3", "/host/guest/receiver.py", LINK, STATE])
        until(lambda: os.path.exists(LINK), 20, "the receiver's port")

    def place(self, place):
        with open(STATE + ".new", "w") as file:
            file.write(place)
        os.replace(STATE + ".new", STATE)

    def start(self, *devices):
        """gpsd.service with the devices that /etc/default/gpsd names."""
        with open("/etc/default/gpsd", "w") as file:
            file.write(f'DEVICES="{" ".join(devices)}"\nGPSD_OPTIONS=""\nUSBAUTO="false"\n')
        systemctl("start", "gpsd.socket", "gpsd.service")

    def stop_service(self):
        systemctl("stop", "gpsd.socket", "gpsd.service")

    def stop(self):
        self.stop_service()
        if self._receiver:
            self._receiver.kill()
            self._receiver.wait()
            self._receiver = None
        if os.path.islink(LINK):
            os.unlink(LINK)
