"""The package: installed, upgraded, removed and purged, in one go and interrupted half-way."""

import glob
import os
import signal
import subprocess
import time

from daemon import CONFIG, STATE, UNIT, call, systemctl
from scenario import Unexpected, scenario
from waiting import until

NEWER = "/var/tmp/newer.deb"


def newer_package(device):
    """The package with a later version, repacked."""
    call("rm", "-rf", "/var/tmp/newer")
    call("dpkg-deb", "-R", device.daemon.package, "/var/tmp/newer")
    call("sed", "-i", "s/^Version: .*/&+newer/", "/var/tmp/newer/DEBIAN/control")
    call("dpkg-deb", "-Znone", "-b", "/var/tmp/newer", NEWER)
    return NEWER


def version():
    return call("dpkg-query", "-W", "-f", "${Version} ${db:Status-Abbrev}", "soteriad", check=False).strip()


def gone():
    """What a purge leaves behind, apart from the user."""
    left = [path for path in ("/usr/sbin/soteriad", CONFIG, STATE, "/etc/soteria.d") if os.path.exists(path)]
    return ", ".join(left) or "nothing"


def purge():
    call("dpkg", "--purge", "soteriad", within=120)


def interrupt(command, halfway):
    """Kills dpkg and its children as soon as `halfway` holds; a run that ended before that has proven nothing."""
    process = subprocess.Popen(command, start_new_session=True)
    while not halfway():
        if process.poll() is not None:
            raise Unexpected(f"{' '.join(command)} ended before it was half-way")
        time.sleep(0.002)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    print(f"interrupted: {version()}, {glob.glob('/var/lib/dpkg/updates/*')}", flush=True)


def armed(device):
    """Configured and started as the manual says, the button alerts."""
    device.daemon.configure()
    systemctl("enable", "--now", UNIT)
    systemctl("restart", UNIT)
    device.daemon.await_button()
    before = len(device.gateway.messages())
    device.button.tap()
    device.gateway.wait(before + 1)
    return f"{len(device.gateway.messages()) - before} alert"


@scenario("package installed", "configuration of root:soteria 640, 1 alert once configured", quick=True)
def installed(device):
    purge()
    device.daemon.install()
    mode = call("stat", "-c", "%U:%G %a", CONFIG).strip()
    return f"configuration of {mode}, {armed(device)} once configured"


@scenario("package upgraded with an alert pending", "running, 1 alert under the same key, then armed: 1 alert",
          quick=True)
def upgraded(device):
    device.gateway.behave("silent")
    device.button.tap()
    until(device.gateway.requests, 20, "a request")
    before = device.daemon.pid
    call("dpkg", "-i", newer_package(device), within=120)
    if device.daemon.pid == before:
        raise Unexpected("the old program still runs")
    device.daemon.await_button()
    device.gateway.behave("ok")
    alerts = len(device.gateway.wait(within=60))
    keys = {request["key"] for request in device.gateway.requests()}
    device.cancel()
    device.button.tap()
    device.gateway.wait(alerts + 1)
    return f"running, {alerts} alert under {'the same key' if len(keys) == 1 else keys}, " \
        f"then armed: {len(device.gateway.messages()) - alerts} alert"


@scenario("package removed and installed again", "stopped, configuration and alerts kept; 1 alert")
def removed(device):
    device.button.tap()
    device.gateway.wait()
    device.cancel()
    call("dpkg", "--remove", "soteriad", within=120)
    stopped = "stopped" if systemctl("is-active", UNIT, check=False).strip() != "active" else "running"
    kept = os.path.exists(CONFIG) and bool(glob.glob(f"{STATE}/outbox.db"))
    device.daemon.install()
    known = "accepted" in call("soteriad", "alerts")
    return f"{stopped}, configuration and alerts {'kept' if kept and known else 'lost'}; {armed(device)}"


@scenario("package purged", "stopped, nothing left", quick=True)
def purged(device):
    purge()
    stopped = "stopped" if systemctl("is-active", UNIT, check=False).strip() != "active" else "running"
    left = gone()
    device.daemon.install()
    systemctl("enable", UNIT)
    return f"{stopped}, {left} left"


@scenario("install interrupted, then repeated", "1 alert")
def install_interrupted(device):
    purge()
    interrupt(["dpkg", "-i", device.daemon.package], lambda: os.path.exists("/usr/sbin/soteriad.dpkg-new"))
    call("dpkg", "-i", device.daemon.package, within=120)
    call("dpkg", "--configure", "-a", within=120)
    return armed(device)


@scenario("upgrade interrupted, then repeated", "1 alert pending and delivered; 1 alert")
def upgrade_interrupted(device):
    device.gateway.behave("silent")
    device.button.tap()
    until(device.gateway.requests, 20, "a request")
    newer = newer_package(device)
    interrupt(["dpkg", "-i", newer], lambda: os.path.exists("/usr/sbin/soteriad.dpkg-new"))
    call("dpkg", "-i", newer, within=120)
    call("dpkg", "--configure", "-a", within=120)
    device.daemon.await_button()
    device.gateway.behave("ok")
    alerts = len(device.gateway.wait(within=60))
    device.cancel()
    return f"{alerts} alert pending and delivered; {armed(device)}"


@scenario("upgrade cut by a power failure, then repeated", "1 alert pending and delivered; 1 alert", limit=180)
def upgrade_cut(device):
    if device.boot == 0:
        device.gateway.behave("silent")
        device.button.tap()
        until(device.gateway.requests, 20, "a request")
        newer = newer_package(device)
        os.sync()
        device.save({})
        process = subprocess.Popen(["dpkg", "-i", newer])
        while not os.path.exists("/usr/sbin/soteriad.dpkg-new"):
            if process.poll() is not None:
                raise Unexpected("dpkg ended before it was half-way")
        device.cut_power()
    print(version(), flush=True)
    call("dpkg", "-i", NEWER, within=120)
    call("dpkg", "--configure", "-a", within=120)
    device.daemon.await_button()
    device.gateway.behave("ok")
    alerts = len(device.gateway.wait(within=60))
    device.cancel()
    return f"{alerts} alert pending and delivered; {armed(device)}"


@scenario("removal interrupted, then repeated", "stopped, configuration kept; 1 alert once installed again")
def removal_interrupted(device):
    interrupt(["dpkg", "--remove", "soteriad"],
              lambda: systemctl("is-active", UNIT, check=False).strip() != "active")
    call("dpkg", "--remove", "soteriad", within=120)
    stopped = "stopped" if not os.path.exists("/usr/sbin/soteriad") else "still there"
    kept = "kept" if os.path.exists(CONFIG) else "lost"
    device.daemon.install()
    return f"{stopped}, configuration {kept}; {armed(device)} once installed again"


@scenario("purge interrupted, then repeated", "nothing left; 1 alert once installed again")
def purge_interrupted(device):
    call("dpkg", "--remove", "soteriad", within=120)
    interrupt(["dpkg", "--purge", "soteriad"], lambda: not os.path.exists(CONFIG))
    purge()
    left = gone()
    device.daemon.install()
    return f"{left} left; {armed(device)} once installed again"
