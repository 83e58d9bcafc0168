"""The button: presses, bounce, spikes, noise, and a line or chip that is not there."""

import contextlib
import os
import shutil
import subprocess
import time

from scenario import scenario
from waiting import until


@scenario("press", "1 alert", quick=True)
def press(device):
    device.button.tap()
    return f"{len(device.gateway.wait())} alert"


@scenario("press on arm64", "1 alert", quick=True, architecture="arm64", limit=240)
def press_on_arm64(device):
    return press(device)


def restart_with(device, debounce):
    device.daemon.configure(button__debounce=debounce)
    device.daemon.restart()
    device.daemon.await_button()


def restart_by_kill(device):
    device.daemon.kill("KILL")
    until(lambda: device.daemon.show("NRestarts") == "1", 20, "the restart")


@contextlib.contextmanager
def chip_unbound(device):
    device.button.unbind()
    try:
        yield
    finally:
        device.button.bind()


def alerts_once_ready(device):
    """How many alerts one press raises as soon as the button works again."""
    device.daemon.await_button()
    device.button.tap()
    return len(device.gateway.wait())


def alerts_by_press(device, before, **tap):
    """How many alerts one press adds to those there are."""
    device.button.tap(**tap)
    device.gateway.wait(before + 1)
    return len(device.gateway.messages()) - before


def presses_with_bounce(device, debounce, counts):
    """One press for each number of bounces, each an alert of its own."""
    restart_with(device, f"{debounce}ms")
    for number, bounces in enumerate(counts, start=1):
        device.button.chatter(bounces, gap=0.0002)
        device.button.press()
        time.sleep(debounce / 1000 + 0.1)
        device.button.release()
        device.button.chatter(bounces, gap=0.0002)
        device.gateway.wait(number)
        device.cancel()
        # A release, too, has to last before the next press is one; the kernel may date its last bounce a little later.
        time.sleep(debounce / 1000 + 0.1)
    messages = device.gateway.messages()
    alerts = {message["body"]["alert"] for message in messages}
    return f"{len(alerts)} alerts, {len(messages) - len(alerts)} doubled"


@scenario("1-20 bounces, debounce 30 ms", "20 alerts, 0 doubled", limit=300)
def bounces_30(device):
    return presses_with_bounce(device, 30, range(1, 21))


@scenario("1-20 bounces, debounce 5 ms", "20 alerts, 0 doubled", limit=300)
def bounces_5(device):
    return presses_with_bounce(device, 5, range(1, 21))


@scenario("1-20 bounces, debounce 200 ms", "20 alerts, 0 doubled", limit=300)
def bounces_200(device):
    return presses_with_bounce(device, 200, range(1, 21))


@scenario("1, 7 and 20 bounces", "3 alerts, 0 doubled", quick=True)
def bounces(device):
    return presses_with_bounce(device, 30, (1, 7, 20))


@scenario("spikes of 0.2 ms", "0 alerts by 50 spikes, 1 by the press after them", quick=True)
def spikes(device):
    for _ in range(50):
        device.button.pulse(0.0002)
        time.sleep(0.05)
    time.sleep(1)
    by_spikes = len(device.gateway.messages())
    by_press = alerts_by_press(device, by_spikes)
    return f"{by_spikes} alerts by 50 spikes, {by_press} by the press after them"


@scenario("1 kHz for 30 s", "0 alerts by the storm, 1 by the press after it; called noisy", limit=240)
def storm(device):
    restart_with(device, "400ms")
    device.button.storm(25, period=0.001, limit=0.35)
    noisy = device.daemon.status()["button"]["state"]
    device.button.storm(5, period=0.001, limit=0.35)
    by_storm = len(device.gateway.messages())
    by_press = alerts_by_press(device, by_storm, held=0.8)
    return f"{by_storm} alerts by the storm, {by_press} by the press after it; called {noisy}"


@scenario("held for 60 s", "1 alert, called stuck, then ready")
def held(device):
    device.button.press()
    device.gateway.wait()
    device.daemon.await_button("stuck", within=60)
    time.sleep(30)
    device.button.release()
    device.daemon.await_button("ready")
    return f"{len(device.gateway.messages())} alert, called stuck, then ready"


@scenario("held at boot", "0 alerts while held, 1 by the press after it")
def held_at_boot(device):
    if device.boot == 0:
        device.reboot(before="echo pull-up >/sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio0/pull")
    device.daemon.await_button("pressed")
    time.sleep(2)
    while_held = len(device.gateway.messages())
    device.button.release()
    device.daemon.await_button("ready")
    by_press = alerts_by_press(device, while_held)
    return f"{while_held} alerts while held, {by_press} by the press after it"


@scenario("line used by another program", "gpiomon named, 1 alert once it is free", quick=True)
def busy(device):
    device.daemon.stop()
    other = device.button.occupy()
    try:
        device.daemon.start()
        device.daemon.await_problem("in use by gpiomon")
    finally:
        other.terminate()
        other.wait()
    return f"gpiomon named, {alerts_once_ready(device)} alert once it is free"


@scenario("chip that may not be opened", "the reason named, 1 alert once it may be")
def forbidden(device):
    device.daemon.stop()
    node = f"/dev/{device.button.chip}"
    shutil.chown(node, "root", "root")
    device.daemon.start()
    device.daemon.await_problem(f"{node}: Permission denied")
    shutil.chown(node, "root", "gpio")
    return f"the reason named, {alerts_once_ready(device)} alert once it may be"


@scenario("chip unbound and bound again", "called unavailable, 1 alert once it is back", quick=True)
def unbound(device):
    with chip_unbound(device):
        device.daemon.await_button("unavailable")
    return f"called unavailable, {alerts_once_ready(device)} alert once it is back"


@scenario("chip unbound with its line in the fd store", "called unavailable, 1 alert once it is back")
def unbound_adopted(device):
    restart_by_kill(device)
    device.daemon.await_button()
    return unbound(device)


@scenario("chip unbound while killed", "called unavailable, 1 alert once it is back")
def unbound_while_killed(device):
    # A stopped process is asked nothing, so the chip goes unseen; the next run finds its line in the fd store.
    device.daemon.kill("STOP")
    with chip_unbound(device):
        restart_by_kill(device)
        device.daemon.await_button("unavailable")
    return f"called unavailable, {alerts_once_ready(device)} alert once it is back"


@scenario("chip renumbered", "another number, 1 alert", quick=True)
def renumbered(device):
    before = device.button.chip
    try:
        device.button.renumber()
        after = device.button.chip
        alerts = alerts_once_ready(device)
    finally:
        device.button.unbind()
        device.button.remove_other_chip()
        device.button.bind()
    return f"{'the same' if after == before else 'another'} number, {alerts} alert"


def see_button(device):
    """A press that arrives, after which the button counts as seen."""
    device.button.tap()
    device.gateway.wait()
    device.cancel()
    device.daemon.await_no_problem("has not been pressed")


def edit_button(device, **settings):
    device.daemon.configure(**settings)
    device.daemon.reload()
    device.daemon.await_problem("has not been pressed since its configuration changed")


@scenario("a link to the chip", "1 alert by the link's name, 1 by the label beside it", quick=True)
def linked(device):
    see_button(device)
    link = "/dev/gpiochip99"
    alerts = []
    # As Raspberry Pi OS has it on the Pi 5, where the chip once was the fourth.
    os.symlink(device.button.chip, link)
    try:
        for chip in (os.path.basename(link), device.button.settings["chip"]):
            before = len(device.gateway.messages())
            edit_button(device, button__chip=chip)
            device.daemon.await_button()
            device.button.tap()
            alerts.append(len(device.gateway.wait(before + 1)) - before)
            device.cancel()
            device.daemon.await_no_problem("has not been pressed")
    finally:
        os.unlink(link)
    return f"{alerts[0]} alert by the link's name, {alerts[1]} by the label beside it"


@scenario("wrong pin after an edit", "said so; 0 alerts by the old pin, 1 by the new one", quick=True)
def wrong_pin(device):
    see_button(device)
    edit_button(device, button__line="other-button")
    device.button.tap()
    time.sleep(2)
    by_old = len(device.gateway.messages()) - 1
    device.button.press(line=1)
    time.sleep(0.2)
    device.button.release(line=1)
    device.gateway.wait(2 + by_old)
    device.daemon.await_no_problem("has not been pressed")
    return f"said so; {by_old} alerts by the old pin, {len(device.gateway.messages()) - 1 - by_old} by the new one"


@scenario("test-button", "2 presses shown, 0 alerts by them, 1 by a long hold", quick=True)
def test_button(device):
    with open("/run/test-button.out", "w") as output:
        test = subprocess.Popen(["soteriad", "test-button", "--for", "60s"], stdout=output)

    def shown():
        with open("/run/test-button.out") as file:
            return file.read()

    try:
        until(shown, 20, "the test begins")
        for number in (1, 2):
            device.button.tap()
            until(lambda: shown().count("pressed (") == number, 20, f"press {number} is shown")
            # A third press within 5 s would be meant.
            time.sleep(3)
        by_presses = len(device.gateway.messages())
        device.button.press()
        time.sleep(3.5)
        device.button.release()
        device.gateway.wait(by_presses + 1)
    finally:
        test.kill()
        test.wait()
        print(shown())
    by_hold = len(device.gateway.messages()) - by_presses
    return f"2 presses shown, {by_presses} alerts by them, {by_hold} by a long hold"
