"""The disk under the state directory is full, read-only, not ours or no disk: alerts leave all the same."""

import os
import shutil
import subprocess
import time

from daemon import STATE, call
from scenario import scenario
from waiting import until

IMAGE = "/var/tmp/state.img"
NOT_KEPT = "alerts do not survive a power cut"


class SmallDisk:
    """The state directory on a disk of its own, while it lasts."""

    def __init__(self, device, *mkfs_options):
        self._device = device
        self._mkfs_options = mkfs_options

    def __enter__(self):
        self._device.daemon.stop()
        with open(IMAGE, "wb") as file:
            file.truncate(8 * 1024 * 1024)
        call("mke2fs", "-q", "-t", "ext4", "-m", "0", *self._mkfs_options, IMAGE)
        self.mount("loop")
        shutil.chown(STATE, "soteria", "soteria")
        os.chmod(STATE, 0o700)
        self._device.daemon.start()
        until(self.has_reserve, 30, "the store's reserve")
        self._device.daemon.await_button()
        return self

    def __exit__(self, *_):
        self._device.daemon.stop()
        call("umount", STATE)
        os.unlink(IMAGE)

    @staticmethod
    def has_reserve():
        """The store takes room for a full disk while there is some; a log of this length is the end of that."""
        log = f"{STATE}/outbox.db-wal"
        return os.path.exists(log) and os.path.getsize(log) >= 262_144

    @staticmethod
    def mount(options):
        call("mount", "-o", options, IMAGE, STATE)

    def replace(self, options, forgetting="/nowhere"):
        """Mounts the same disk anew, the daemon being started again after that, without the given directory."""
        self._device.daemon.stop()
        shutil.rmtree(forgetting, ignore_errors=True)
        call("umount", STATE)
        subprocess.run(["e2fsck", "-p", IMAGE], check=False)
        self.mount(options)
        self._device.daemon.start()
        self._device.daemon.await_button()

    def fill(self):
        """Not a byte is left."""
        with open(f"{STATE}/filler", "wb", buffering=0) as file:
            for size in (65_536, 512, 1):
                try:
                    while True:
                        file.write(b"x" * size)
                except OSError:
                    continue

    def take_all_inodes(self):
        try:
            for number in range(100_000):
                open(f"{STATE}/filler-{number}", "w").close()
        except OSError:
            pass


def pressed(device, count=1):
    device.button.tap()
    return len(device.gateway.wait(count))


def judged(device):
    """Whether the store has it: where the emulation stalls, a little later than the gateway."""
    end = time.monotonic() + 10
    while not device.daemon.status()["outbox"]["durable"]:
        if time.monotonic() > end:
            return "not kept"
        time.sleep(0.1)
    return "kept"


def restarted(device):
    device.daemon.kill("KILL")
    device.daemon.await_button()
    alerts = call("soteriad", "alerts")
    return "still known after kill -9" if "accepted" in alerts else "forgotten after kill -9"


@scenario("disk full", "1 alert, kept; still known after kill -9", quick=True)
def full(device):
    with SmallDisk(device) as disk:
        disk.fill()
        alerts = pressed(device)
        kept = judged(device)
        return f"{alerts} alert, {kept}; {restarted(device)}"


@scenario("started on a full disk", "1 alert")
def started_full(device):
    with SmallDisk(device) as disk:
        device.daemon.stop()
        shutil.rmtree(f"{STATE}/lost+found")
        for name in os.listdir(STATE):
            os.unlink(f"{STATE}/{name}")
        disk.fill()
        device.daemon.start()
        device.daemon.await_button()
        return f"{pressed(device)} alert"


@scenario("inodes full", "1 alert, kept; still known after kill -9")
def no_inodes(device):
    with SmallDisk(device, "-N", "64") as disk:
        disk.take_all_inodes()
        alerts = pressed(device)
        kept = judged(device)
        return f"{alerts} alert, {kept}; {restarted(device)}"


@scenario("disk turns read-only, then is mended", "1 alert while read-only, kept or said not to be; well once mended",
          quick=True)
def read_only(device):
    """The kernel stops writing metadata; what overwrites blocks of the log may still reach the disk, and then it
    counts as kept. What counts is what stands there after a power cut."""
    with SmallDisk(device) as disk:
        # A store at rest: of one that is only being made the kernel drops what it had called synced.
        pressed(device)
        device.cancel()
        os.sync()
        # As the kernel does by itself when a card fails. Source: ext4(5), abort.
        call("mount", "-o", "remount,abort", STATE)
        alerts = pressed(device, 2) - 1
        time.sleep(5)
        is_claimed = device.daemon.status()["outbox"]["durable"]
        device.daemon.kill("KILL")
        disk.replace("loop", forgetting="/run/soteria")
        is_known = device.gateway.messages()[1]["body"]["alert"] in call("soteriad", "alerts")
        print(f"claimed to be kept: {is_claimed}; kept: {is_known}", flush=True)
        device.daemon.await_no_problem(NOT_KEPT)
        honest = "kept or said not to be" if is_known or not is_claimed else "said to be kept, and lost"
        return f"{alerts} alert while read-only, {honest}; well once mended"


@scenario("started on a read-only disk", "said so; 1 alert")
def started_read_only(device):
    with SmallDisk(device) as disk:
        disk.replace("loop,ro")
        device.daemon.await_problem(NOT_KEPT)
        return f"said so; {pressed(device)} alert"


@scenario("state directory of another owner", "1 alert, kept; 1 more after a restart")
def wrong_owner(device):
    subprocess.run(["chown", "-R", "root:root", STATE], check=True)
    alerts = pressed(device)
    kept = judged(device)
    device.cancel()
    subprocess.run(["chown", "-R", "root:root", STATE], check=True)
    device.daemon.restart()
    device.daemon.await_button()
    return f"{alerts} alert, {kept}; {pressed(device, 2) - 1} more after a restart"


@scenario("state directory in memory", "said so before any press; 1 alert", quick=True)
def in_memory(device):
    device.daemon.stop()
    call("mount", "-t", "tmpfs", "tmpfs", STATE)
    try:
        device.daemon.start()
        device.daemon.await_button()
        device.daemon.await_problem(NOT_KEPT)
        return f"said so before any press; {pressed(device)} alert"
    finally:
        device.daemon.stop()
        call("umount", STATE)
