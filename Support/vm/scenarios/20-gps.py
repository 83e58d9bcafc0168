"""The position: a real gpsd.service that is there, goes away, comes back, or has nothing to say."""

from gps import LINK
from daemon import call
from scenario import scenario
from waiting import until

HERE, THERE = "-6.175400 106.827200", "-6.191300 106.823060"


def place(message):
    position = message["body"]["position"]
    return f"{position['lat']:.3f} {position['lon']:.3f}" if position else "no position"


def await_gps(device, state, within=60):
    until(lambda: device.daemon.status().get("gps", {}).get("state") == state, within, f"gps is {state}")


def await_place(device, lat):
    until(lambda: round(device.daemon.status().get("gps", {}).get("lat") or 0, 3) == lat, 60, f"a fix at {lat}")


@scenario("position", "alert with -6.175 106.827", quick=True)
def position(device):
    device.gps.plug(HERE)
    device.gps.start(LINK)
    await_gps(device, "fix")
    device.button.tap()
    return f"alert with {place(device.gateway.wait()[0])}"


@scenario("gpsd stopped and started", "alert with -6.175 106.827 without gpsd, -6.191 106.823 after its return",
          limit=240)
def restarted(device):
    device.gps.plug(HERE)
    device.gps.start(LINK)
    await_gps(device, "fix")
    device.gps.stop_service()
    await_gps(device, "disconnected")
    device.gps.place(THERE)
    device.button.tap()
    without = place(device.gateway.wait()[0])
    device.cancel()
    device.gps.start(LINK)
    await_place(device, -6.191)
    device.button.tap()
    return f"alert with {without} without gpsd, {place(device.gateway.wait(2)[1])} after its return"


@scenario("no gpsd", "alert with no position; called disconnected", quick=True)
def absent(device):
    await_gps(device, "disconnected")
    device.button.tap()
    return f"alert with {place(device.gateway.wait()[0])}; called disconnected"


@scenario("receiver plugged in later", "alert with no position before, -6.175 106.827 after", limit=240)
def later(device):
    device.gps.start()
    await_gps(device, "no-fix")
    device.button.tap()
    before = place(device.gateway.wait()[0])
    device.cancel()
    device.gps.plug(HERE)
    call("gpsdctl", "add", LINK)
    await_gps(device, "fix")
    device.button.tap()
    return f"alert with {before} before, {place(device.gateway.wait(2)[1])} after"


@scenario("press before the first fix", "alert with no position, update with -6.175 106.827", limit=240)
def before_first_fix(device):
    device.daemon.configure(alert__updates={"every": "5s", "for": "5m"})
    device.daemon.reload()
    device.gps.plug("none")
    device.gps.start(LINK)
    await_gps(device, "no-fix")
    device.button.tap()
    first = place(device.gateway.wait()[0])
    device.gps.place(HERE)
    await_gps(device, "fix")
    updates = len(device.gateway.messages("update"))
    return f"alert with {first}, update with {place(device.gateway.wait(updates + 1, kind='update', within=60)[-1])}"
