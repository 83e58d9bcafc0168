"""The daemon killed, restarted or hung at the worst moment; and its configuration edited well and badly."""

import os
import subprocess
import time

from daemon import CONFIG, call
from scenario import scenario
from waiting import until


def keys(device):
    found = {request["key"] for request in device.gateway.requests() if request["body"].get("kind") == "alert"}
    return "the same key" if len(found) == 1 else str(found)


def between_press_and_answer(device, end):
    device.gateway.behave("silent")
    device.button.tap()
    until(device.gateway.requests, 20, "a request")
    end()
    device.gateway.behave("ok")
    return f"{len(device.gateway.wait(within=60))} alert under {keys(device)}"


@scenario("kill -9 between press and answer", "1 alert under the same key", quick=True)
def killed(device):
    return between_press_and_answer(device, lambda: device.daemon.kill("KILL"))


@scenario("restart between press and answer", "1 alert under the same key")
def restarted(device):
    return between_press_and_answer(device, device.daemon.restart)


@scenario("pressed while killed", "1 alert", quick=True)
def pressed_while_killed(device):
    # Time enough to press in.
    device.daemon.drop_in("RestartSec=3")
    device.daemon.kill("KILL")
    until(lambda: device.daemon.show("SubState") == "auto-restart", 20, "the daemon is down")
    device.button.tap()
    return f"{len(device.gateway.wait(within=30))} alert"


@scenario("pressed with 20 bounces while killed", "1 alert")
def bounced_while_killed(device):
    """The kernel's queue overflows: with the old interface it keeps the first 16 edges, all of them bounce."""
    device.daemon.drop_in("RestartSec=3")
    device.daemon.kill("KILL")
    until(lambda: device.daemon.show("SubState") == "auto-restart", 20, "the daemon is down")
    device.button.chatter(20, gap=0.0002)
    device.button.tap()
    device.button.chatter(20, gap=0.0002)
    return f"{len(device.gateway.wait())} alert"


@scenario("held down while killed", "1 alert")
def held_while_killed(device):
    device.daemon.drop_in("RestartSec=3")
    device.daemon.kill("KILL")
    until(lambda: device.daemon.show("SubState") == "auto-restart", 20, "the daemon is down")
    device.button.press()
    alerts = len(device.gateway.wait(within=30))
    device.button.release()
    return f"{alerts} alert"


@scenario("pressed during 8 restarts", "8 alerts, 0 doubled", limit=240)
def pressed_while_restarted(device):
    for number in range(1, 9):
        restart = subprocess.Popen(["systemctl", "restart", "soteriad"])
        time.sleep(number * 0.15)
        device.button.tap()
        restart.wait(60)
        device.gateway.wait(number, within=30)
        device.daemon.await_button()
        device.cancel()
    messages = device.gateway.messages()
    alerts = {message["body"]["alert"] for message in messages}
    return f"{len(alerts)} alerts, {len(messages) - len(alerts)} doubled"


@scenario("hung daemon", "restarted by the watchdog, 1 alert by the press meanwhile", quick=True)
def hung(device):
    device.daemon.drop_in("WatchdogSec=5")
    device.daemon.restart()
    device.daemon.await_button()
    device.daemon.kill("STOP")
    device.button.tap()
    until(lambda: device.daemon.show("NRestarts") == "1", 60, "the watchdog restarts the daemon")
    return f"restarted by the watchdog, {len(device.gateway.wait(within=60))} alert by the press meanwhile"


@scenario("idle for 3 watchdog periods", "0 restarts")
def idle(device):
    device.daemon.drop_in("WatchdogSec=5")
    device.daemon.restart()
    time.sleep(15)
    return f"{device.daemon.show('NRestarts')} restarts"


@scenario("reload of a good configuration", "alert to Bo", quick=True)
def good_reload(device):
    device.daemon.configure(contacts=[{"name": "Bo", "routes": [{"gateway": "hook"}]}])
    device.daemon.reload()
    until(lambda: "Bo" in call("soteriad", "status"), 20, "the new contact")
    device.button.tap()
    return f"alert to {device.gateway.wait()[0]['body']['contact']}"


@scenario("reload of a broken configuration", "error named, still 1 alert, well again once mended", quick=True)
def broken_reload(device):
    device.daemon.write_config('{ "gateways": ')
    device.daemon.reload()
    device.daemon.await_problem("the configuration file has an error")
    device.button.tap()
    alerts = len(device.gateway.wait())
    device.daemon.configure()
    device.daemon.reload()
    device.daemon.await_no_problem("configuration file")
    return f"error named, still {alerts} alert, well again once mended"


@scenario("started with a broken configuration", "last-good in force, 1 alert", quick=True)
def broken_start(device):
    device.daemon.write_config("{")
    device.daemon.restart()
    device.daemon.await_button()
    device.button.tap()
    alerts = len(device.gateway.wait())
    return f"{device.daemon.status()['config']['source']} in force, {alerts} alert"


@scenario("booted with a broken configuration", "last-good in force, 1 alert")
def broken_boot(device):
    if device.boot == 0:
        device.daemon.write_config("{")
        device.reboot()
    device.daemon.await_button()
    device.button.tap()
    alerts = len(device.gateway.wait())
    return f"{device.daemon.status()['config']['source']} in force, {alerts} alert"


@scenario("booted without a configuration file", "last-good in force, 1 alert")
def no_config_boot(device):
    if device.boot == 0:
        os.unlink(CONFIG)
        device.reboot()
    device.daemon.await_button()
    device.button.tap()
    alerts = len(device.gateway.wait())
    return f"{device.daemon.status()['config']['source']} in force, {alerts} alert"
