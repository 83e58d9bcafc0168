"""The wall clock jumps, or was never set: no alert depends on it."""

import time

from scenario import scenario
from waiting import until

EIGHT_MONTHS = 243 * 86_400


def stepped(device, step):
    device.gateway.behave("silent")
    device.button.tap()
    until(device.gateway.requests, 20, "a request")
    device.set_clock(ahead=step)
    device.gateway.behave("ok")
    device.gateway.wait(within=40)
    device.cancel()
    device.button.tap()
    device.gateway.wait(2)
    second = device.gateway.messages()[1]["body"]["pressed_at"]
    wall = time.strftime("%Y-%m", time.gmtime())
    return f"{len(device.gateway.messages())} alerts, the second of {'the new month' if second[:7] == wall else second}"


@scenario("clock stepped 8 months ahead", "2 alerts, the second of the new month", quick=True)
def ahead(device):
    return stepped(device, EIGHT_MONTHS)


@scenario("clock stepped 8 months back", "2 alerts, the second of the new month", quick=True)
def back(device):
    return stepped(device, -EIGHT_MONTHS)


def untrusted_press(device):
    device.button.tap()
    message = device.gateway.wait(within=30)[0]["body"]
    return f"1 alert, its clock {'trusted' if message['clock_trusted'] else 'not trusted'}"


@scenario("boot without a clock (1970)", "1 alert, its clock not trusted")
def no_clock(device):
    if device.boot == 0:
        device.reboot(rtc="1970-01-01T00:00:00")
    device.daemon.await_button()
    return untrusted_press(device)


@scenario("started in 1970", "1 alert, its clock not trusted; the year named")
def in_1970(device):
    device.daemon.stop()
    time.clock_settime(time.CLOCK_REALTIME, 3600)
    device.daemon.start()
    device.daemon.await_problem("it says 1970")
    return f"{untrusted_press(device)}; the year named"
