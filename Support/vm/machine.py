"""A virtual machine: QEMU, emulated, with the host's directory inside."""

import os
import subprocess
import time

# What QEMU exits with when the guest cut its power: isa-debug-exit makes 2n+1 of the 0x21 written.
POWER_CUT = 0x43

KERNEL = ("console=ttyS0 root=/dev/vda rw panic=-1 quiet loglevel=4 mitigations=off nokaslr random.trust_cpu=on "
          "systemd.show_status=0")


def create_disk(path, base):
    """A disk that begins as the image and takes all writes."""
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", base, path], check=True)


def boot(image, disk, share, console, options, idle_limit, on_tick):
    """Runs one boot to its end. Returns None, or what was wrong with it.

    `options` are those that a scenario asked for; `on_tick` is called several times a second. A boot whose console
    is silent for longer than `idle_limit` seconds is ended.
    """
    command = [
        "qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "qemu64,+rdrand", "-smp", "2",
        "-m", "768", "-display", "none", "-nodefaults", "-no-reboot", "-nic", "none",
        "-serial", f"file:{console}", "-kernel", f"{image}/vmlinuz", "-initrd", f"{image}/initrd", "-append", KERNEL,
        "-drive", f"file={disk},format=qcow2,if=virtio,cache=writeback",
        "-fsdev", f"local,id=host,path={share},security_model=none",
        "-device", "virtio-9p-pci,fsdev=host,mount_tag=host",
        "-device", "isa-debug-exit,iobase=0xf4,iosize=0x01",
        "-rtc", f"base={options.get('rtc', 'utc')}",
    ]
    machine = subprocess.Popen(command)
    try:
        seen, since = -1, time.monotonic()
        while machine.poll() is None:
            time.sleep(0.2)
            on_tick()
            size = os.path.getsize(console) if os.path.exists(console) else 0
            if size != seen:
                seen, since = size, time.monotonic()
            elif time.monotonic() - since > idle_limit:
                return f"the guest said nothing for {idle_limit} s"
    finally:
        machine.kill()
        machine.wait()
    on_tick()
    return None if machine.returncode in (0, POWER_CUT) else f"qemu ended with {machine.returncode}"
