"""The way to the gateway: no link, no name server, no answer, the wrong answer."""

import time

from scenario import scenario
from waiting import until


def await_pending(device):
    until(lambda: device.daemon.status().get("outbox", {}).get("pending"), 20, "an alert is pending")


@scenario("link down at the press", "1 alert, within 2 s of the link's return", quick=True)
def link_down(device):
    device.network.down()
    device.button.tap()
    await_pending(device)
    # Several tries have failed by then, so that the next one by time alone is far away.
    time.sleep(15)
    returned = time.monotonic()
    device.network.up()
    messages = device.gateway.wait()
    late = messages[0]["time"] - returned
    return f"{len(messages)} alert, {'within 2' if late <= 2 else f'{late:.1f}'} s of the link's return"


@scenario("name server dead at boot", "0 alerts without names, 1 after the name server's return")
def no_names(device):
    if device.boot == 0:
        device.daemon.configure(gateways__hook__url=device.gateway.named_url)
        device.gateway.behave("ok no-dns")
        # Pressed as soon as the daemon runs, long before there is a network.
        device.reboot(before="""
            line=/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio0/pull
            (until systemctl is-active --quiet soteriad; do sleep 0.2; done
             echo pull-up >$line; sleep 0.3; echo pull-down >$line) >/dev/null 2>&1 &
        """)
    await_pending(device)
    time.sleep(10)
    without = len(device.gateway.messages())
    device.daemon.await_button(within=10)
    device.gateway.behave("ok")
    device.gateway.wait(without + 1, within=90)
    return f"{without} alerts without names, {len(device.gateway.messages()) - without} after the name server's return"


@scenario("gateway silent", "1 alert, tried again under the same key", quick=True)
def silent(device):
    device.daemon.configure(delivery__attempt_timeout="3s")
    device.daemon.reload()
    device.gateway.behave("silent")
    device.button.tap()
    until(lambda: len(device.gateway.requests()) >= 2, 60, "a second try")
    device.gateway.behave("ok")
    alerts = len(device.gateway.wait(within=60))
    keys = {request["key"] for request in device.gateway.requests()}
    return f"{alerts} alert, tried again under {'the same key' if len(keys) == 1 else keys}"


@scenario("error 503 three times", "1 alert at try 4, under the same key", quick=True)
def failing(device):
    device.gateway.behave("fail 3")
    device.button.tap()
    alerts = len(device.gateway.wait(within=60))
    requests = device.gateway.requests()
    keys = {request["key"] for request in requests}
    return f"{alerts} alert at try {len(requests)}, under {'the same key' if len(keys) == 1 else keys}"


@scenario("captive portal", "pending behind the portal, 1 alert after the login", quick=True)
def portal(device):
    device.gateway.behave("portal")
    device.button.tap()
    until(lambda: len(device.gateway.requests()) >= 2, 30, "a second try")
    pending = device.daemon.status()["outbox"]["pending"]
    device.gateway.behave("ok")
    alerts = len(device.gateway.wait(within=60))
    return f"{'pending' if pending else 'given up'} behind the portal, {alerts} alert after the login"
