"""The button: a line of the simulated chip."""

import math
import os
import subprocess
import time

from scenario import Disturbed

CONFIG = "/sys/kernel/config/gpio-sim/wearable"
OTHER = "/sys/kernel/config/gpio-sim/other"
DRIVER = "/sys/bus/platform/drivers/gpio-sim"


def read(path):
    with open(path) as file:
        return file.read().strip()


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


class Button:
    # Where it is, as the configuration says it.
    settings = {"chip": "soteria-sim", "line": "panic-button"}

    def __init__(self):
        self._pulls = {}

    @property
    def chip(self):
        """Its present name, as gpiochip0; it changes when the chip is bound again."""
        return read(f"{CONFIG}/bank0/chip_name")

    @property
    def _device(self):
        return read(f"{CONFIG}/dev_name")

    def _pull(self, line, text):
        # The attribute stays open: what bounces must not wait for the opening of a file.
        if line not in self._pulls:
            path = f"/sys/devices/platform/{self._device}/{self.chip}/sim_gpio{line}/pull"
            self._pulls[line] = os.open(path, os.O_WRONLY)
        os.pwrite(self._pulls[line], text, 0)

    def press(self, line=0):
        self._pull(line, b"pull-up")

    def release(self, line=0):
        self._pull(line, b"pull-down")

    def tap(self, held=0.15):
        self.press()
        time.sleep(held)
        self.release()

    def chatter(self, times, gap):
        """The contact closes and opens that often. Where the emulation stalls a bounce is longer, of the same press
        all the same."""
        for _ in range(times):
            self.pulse(gap, limit=math.inf)
            spin(gap)

    def pulse(self, width, limit=0.02):
        """A closing that short. An emulated processor may stall: one longer than the limit, which must be below
        the debounce, would be a press."""
        start = time.monotonic()
        self.press()
        spin(width)
        self.release()
        took = time.monotonic() - start
        if took > limit:
            raise Disturbed(f"a pulse of {width * 1000:g} ms took {took * 1000:.0f} ms")

    def storm(self, seconds, period, limit):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.pulse(period / 2, limit)
            spin(period / 2)

    def unbind(self):
        for descriptor in self._pulls.values():
            os.close(descriptor)
        self._pulls = {}
        write(f"{DRIVER}/unbind", self._device)

    def bind(self):
        write(f"{DRIVER}/bind", self._device)

    def renumber(self):
        """Another chip takes the number while this one is away. The kernel gives the lowest free number, and a number
        is free once nobody has its chip open any more."""
        before = self.chip
        end = time.monotonic() + 30
        while True:
            self.unbind()
            self.add_other_chip()
            self.bind()
            if self.chip != before:
                return
            self.remove_other_chip()
            if time.monotonic() > end:
                raise RuntimeError(f"the chip is {before} again and again")
            time.sleep(0.2)

    def add_other_chip(self):
        os.makedirs(f"{OTHER}/bank0", exist_ok=True)
        write(f"{OTHER}/bank0/label", "other-chip")
        write(f"{OTHER}/live", "1")

    def remove_other_chip(self):
        write(f"{OTHER}/live", "0")
        os.rmdir(f"{OTHER}/bank0")
        os.rmdir(OTHER)

    def occupy(self):
        """Another program that takes the line; gpiomon's arguments differ between the releases."""
        old = subprocess.run(["gpiodetect", "--version"], capture_output=True, text=True).stdout
        chip = [self.chip] if "v1" in old else ["-c", self.chip]
        return subprocess.Popen(["gpiomon", *chip, "0"], stdout=subprocess.DEVNULL)


class PowerKey(Button):
    """The only button of an arm64 machine: line 3 of its chip, which the host presses for 10 ms.
    Source: QEMU, hw/gpio/gpio_key.c."""

    settings = {"chip": "9030000.pl061", "line": 3, "debounce": "2ms"}

    def tap(self, held=0.01):
        open("/host/press", "w").close()

    def release(self, line=3):
        pass


def spin(seconds):
    """Waits without sleeping: a sleep's granularity is longer than a bounce."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
