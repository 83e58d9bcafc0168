"""soteriad as installed: its package, its unit, its configuration and what it says."""

import copy
import glob
import json
import os
import pwd
import shutil
import subprocess

from scenario import Unexpected
from waiting import until

CONFIG = "/etc/soteria.json"
STATE = "/var/lib/soteria"
DROP_INS = "/run/systemd/system/soteriad.service.d"
UNIT = "soteriad.service"


def call(*command, check=True, within=60):
    """The standard output of a program; the log has the rest."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=within)
    if check and done.returncode != 0:
        raise Unexpected(f"{' '.join(command)}: exit {done.returncode}")
    return done.stdout


def systemctl(*arguments, **options):
    return call("systemctl", *arguments, **options)


class Daemon:
    def __init__(self, url, button):
        self.standard = {
            "wearer": {"name": "Ayu"},
            "button": {**button, "active_low": False, "bias": "as-is"},
            "gateways": {"hook": {"type": "webhook", "url": url, "headers": {"X-Token": "s3cr3t-t0ken"}}},
            "contacts": [{"name": "Mum", "routes": [{"gateway": "hook"}]}],
        }

    @property
    def package(self):
        (path,) = glob.glob("/host/package/soteriad_*.deb")
        return path

    @property
    def is_installed(self):
        return os.path.exists("/usr/sbin/soteriad")

    def install(self):
        call("dpkg", "-i", self.package, within=120)

    def configure(self, **changes):
        """Writes the standard configuration with other values: `button__debounce="5ms"` is button.debounce."""
        config = copy.deepcopy(self.standard)
        for path, value in changes.items():
            *parents, key = path.split("__")
            place = config
            for parent in parents:
                place = place.setdefault(parent, {})
            place[key] = value
        self.write_config(json.dumps(config, indent=2))

    def write_config(self, text):
        with open(CONFIG, "w") as file:
            file.write(text)
        os.chmod(CONFIG, 0o640)
        shutil.chown(CONFIG, "root", "soteria")

    def drop_in(self, *lines):
        """Other settings of the unit, until the next refresh."""
        os.makedirs(DROP_INS, exist_ok=True)
        with open(f"{DROP_INS}/scenario.conf", "w") as file:
            file.write("[Service]\n" + "\n".join(lines) + "\n")
        systemctl("daemon-reload")

    def start(self):
        systemctl("start", UNIT)

    def stop(self):
        systemctl("stop", UNIT)

    def restart(self):
        systemctl("restart", UNIT)

    def reload(self):
        systemctl("reload", UNIT)

    def show(self, name):
        return systemctl("show", "-P", name, UNIT).strip()

    @property
    def pid(self):
        return int(self.show("MainPID"))

    def kill(self, signal):
        systemctl("kill", "--kill-whom=main", f"--signal={signal}", UNIT)

    def status(self):
        """What `soteriad status --json` says; empty while nobody answers."""
        text = call("soteriad", "status", "--json", check=False)
        return json.loads(text) if text else {}

    def problems(self):
        return self.status().get("problems", [])

    def await_button(self, state="ready", within=60):
        until(lambda: self.status().get("button", {}).get("state") == state, within, f"the button is {state}")

    def await_problem(self, words, within=60):
        until(lambda: any(words in problem for problem in self.problems()), within, f"a problem with '{words}'")

    def await_no_problem(self, words, within=60):
        until(lambda: not any(words in problem for problem in self.status().get("problems", [words])), within,
              f"no problem with '{words}'")

    def journal(self, cursor=None):
        return call("journalctl", "-u", UNIT, "-o", "cat", "--no-pager",
                    *([f"--after-cursor={cursor}"] if cursor else []))

    def reset(self):
        """Stopped, without history, with the standard configuration and the unit as installed."""
        systemctl("stop", UNIT, check=False)
        shutil.rmtree(DROP_INS, ignore_errors=True)
        systemctl("daemon-reload")
        systemctl("reset-failed", UNIT, check=False)
        for path in glob.glob(f"{STATE}/*"):
            os.unlink(path)
        if os.path.isdir(STATE):
            shutil.chown(STATE, pwd.getpwnam("soteria").pw_uid, pwd.getpwnam("soteria").pw_gid)
        shutil.rmtree("/run/soteria", ignore_errors=True)
        self.configure()
