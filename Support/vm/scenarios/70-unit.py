"""What the unit promises an administrator: a sandbox, readable words, no secrets, credentials, an early start."""

import re

from daemon import UNIT, call
from gps import LINK
from scenario import Unexpected, scenario
from waiting import until

TOKEN = "s3cr3t-t0ken"
BOT_TOKEN = "123456:b0t-t0ken"


def leaks(text):
    """What must not stand in a log: tokens, and the position that the receiver reports."""
    return [secret for secret in (TOKEN, BOT_TOKEN, "6.1754", "106.82") if secret in text]


@scenario("systemctl status and journal", "names the contact and the tries, holds no token and no position", quick=True)
def words(device):
    device.gps.plug()
    device.gps.start(LINK)
    device.daemon.configure(
        gateways__bot={"type": "telegram", "bot_token": BOT_TOKEN, "url": "http://10.9.0.1:8080"},
        contacts=[{"name": "Mum", "routes": [{"gateway": "hook"}]},
                  {"name": "Bo", "routes": [{"gateway": "bot", "to": 42}]}])
    device.daemon.restart()
    until(lambda: device.daemon.status().get("gps", {}).get("state") == "fix", 60, "a fix")
    device.gateway.behave("fail 2")
    device.button.tap()
    device.gateway.wait(within=60)
    device.network.down()
    until(lambda: "Bo not reached" in device.daemon.show("StatusText"), 60, "the status line names who is not reached")
    device.network.up()
    status = call("systemctl", "status", "-l", "--no-pager", UNIT)
    journal = call("journalctl", "-b", "-u", UNIT, "--no-pager")
    print(status, journal, sep="\n")
    for wanted in ("contact=mum", "(503); trying again", "accepted tries=2", "Bo not reached yet", "active (running)"):
        if wanted not in status + journal:
            raise Unexpected(f"nothing about {wanted}")
    if len(device.daemon.show("StatusText")) > 120:
        raise Unexpected("the status line is too long")
    return f"names the contact and the tries, holds {', '.join(leaks(status + journal)) or 'no token and no position'}"


@scenario("systemd-analyze security", "at most 1.5", quick=True)
def security(_):
    report = call("systemd-analyze", "security", "--no-pager", UNIT)
    exposure = float(re.search(r"Overall exposure level.*: ([\d.]+)", report).group(1))
    print(report)
    return "at most 1.5" if exposure <= 1.5 else f"{exposure}"


@scenario("systemd-analyze verify", "no complaint", quick=True)
def verify(device):
    del device
    said = call("sh", "-c", f"systemd-analyze verify --man=no {UNIT} 2>&1 | grep soteriad || true")
    return said.strip() or "no complaint"


@scenario("token as a credential", "1 alert with the token", quick=True)
def credential(device):
    with open("/etc/hook-token", "w") as file:
        file.write("fr0m-a-credential\n")
    device.daemon.drop_in("LoadCredential=hook:/etc/hook-token")
    device.daemon.configure(gateways__hook__headers={"X-Token": {"credential": "hook"}})
    device.daemon.restart()
    device.daemon.await_button()
    device.button.tap()
    token = device.gateway.wait()[0]["token"]
    return f"1 alert with {'the token' if token == 'fr0m-a-credential' else token}"


@scenario("armed before the network", "armed first, 1 alert by a press before the network", limit=180)
def early(device):
    if device.boot == 0:
        with open("/etc/systemd/system/slow-network.service", "w") as file:
            file.write("[Unit]\nBefore=network.target network-online.target\nWants=network.target\n"
                       "[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/sleep 20\n"
                       "[Install]\nWantedBy=multi-user.target\n")
        call("systemctl", "enable", "slow-network.service")
        device.reboot(before="""
            line=/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio0/pull
            (until systemctl is-active --quiet soteriad; do sleep 0.2; done
             systemctl is-active --quiet slow-network && exit
             echo pull-up >$line; sleep 0.3; echo pull-down >$line) >/dev/null 2>&1 &
        """)
    until(lambda: call("systemctl", "is-active", "slow-network", check=False).strip() == "active", 90, "the network")
    network = int(call("systemctl", "show", "-P", "ActiveEnterTimestampMonotonic", "slow-network"))
    armed = int(device.daemon.show("ActiveEnterTimestampMonotonic"))
    print(f"armed at {armed / 1e6:.1f} s, the network at {network / 1e6:.1f} s")
    alerts = len(device.gateway.wait(within=60))
    call("systemctl", "disable", "slow-network.service")
    return f"armed {'first' if armed < network else 'after the network'}, {alerts} alert by a press before the network"
