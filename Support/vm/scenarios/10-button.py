"""The button: presses, bounce, spikes, noise, and a line or chip that is not there."""

from scenario import scenario


@scenario("press", "1 alert", quick=True)
def press(device):
    device.button.tap()
    return f"{len(device.gateway.wait())} alert"
