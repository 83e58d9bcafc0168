"""What a scenario is. Used by the host, which chooses them, and in the guest, which runs them."""

import dataclasses
import glob
import importlib.util
import os


@dataclasses.dataclass
class Scenario:
    name: str
    # What the body returns when the device does what it promises.
    expected: str
    body: object
    # Whether it belongs to the part that runs without --full.
    quick: bool
    # Whether it begins with an installed daemon that has no history, on a calm bench.
    fresh: bool
    # Seconds that one boot of it may take.
    limit: int
    architecture: str


class Unexpected(Exception):
    """Ends a scenario; its text is what was seen instead."""


class Disturbed(Exception):
    """The emulation stalled, so that the scenario proved nothing: it is run again."""


_registered = {}


def scenario(name, expected, quick=False, fresh=True, limit=120, architecture="amd64"):
    """Registers a function that takes the device and returns what it saw, in the words of `expected`."""

    def register(body):
        assert name not in _registered, name
        _registered[name] = Scenario(name, expected, body, quick, fresh, limit, architecture)
        return body

    return register


def load(directory):
    """All scenarios by name, in the order of the files' names and of their lines."""
    for path in sorted(glob.glob(os.path.join(directory, "*.py"))):
        spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    return _registered
