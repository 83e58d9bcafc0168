import time

from scenario import Unexpected


def until(condition, within, what):
    """Waits for the condition, and returns what it gave."""
    end = time.monotonic() + within
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Unexpected(f"not within {within:g} s: {what}")
        time.sleep(0.02)
