"""A virtual machine: QEMU, emulated, with the host's directory inside."""

import json
import os
import socket
import subprocess
import time

# What QEMU exits with when the guest cut its power: isa-debug-exit makes 2n+1 of the 0x21 written.
POWER_CUT = 0x43
CRASH = "the kernel of the guest crashed"

KERNEL = ("root=/dev/vda rw oops=panic panic=-1 quiet loglevel=4 mitigations=off nokaslr random.trust_cpu=on "
          "systemd.show_status=0")
ARCHITECTURES = {
    "amd64": ["qemu-system-x86_64", "-M", "q35", "-cpu", "qemu64,+rdrand", "-append", f"console=ttyS0 {KERNEL}",
              "-device", "isa-debug-exit,iobase=0xf4,iosize=0x01"],
    # Without ACPI the power key is a line of the GPIO chip. Source: QEMU, hw/arm/virt.c.
    "arm64": ["qemu-system-aarch64", "-M", "virt,acpi=off", "-cpu", "cortex-a53",
              "-append", f"console=ttyAMA0 {KERNEL}"],
}


def create_disk(path, base):
    """A disk that begins as the image and takes all writes."""
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", base, path], check=True)


def press_power_key(path):
    """The command is QMP's: a JSON object for each line."""
    with socket.socket(socket.AF_UNIX) as monitor:
        monitor.connect(path)
        with monitor.makefile("rw") as lines:
            lines.readline()
            for command in ("qmp_capabilities", "system_powerdown"):
                lines.write(json.dumps({"execute": command}) + "\n")
                lines.flush()
                lines.readline()


def has_crashed(console):
    with open(console, errors="replace") as file:
        return "Kernel panic" in file.read()


def boot(architecture, image, disk, share, console, options, idle_limit, on_tick):
    """Runs one boot to its end. Returns None, or what was wrong with it.

    `options` are those that a scenario asked for; `on_tick` is called several times a second. A boot whose console
    is silent for longer than `idle_limit` seconds is ended. A file "press" in the share presses the power key.
    """
    monitor = f"{share}.monitor"
    command = [
        *ARCHITECTURES[architecture], "-accel", "tcg,thread=multi", "-smp", "2", "-m", "768",
        "-display", "none", "-nodefaults", "-no-reboot", "-nic", "none",
        "-serial", f"file:{console}", "-kernel", f"{image}/vmlinuz", "-initrd", f"{image}/initrd",
        "-drive", f"file={disk},format=qcow2,if=virtio,cache=writeback",
        "-fsdev", f"local,id=host,path={share},security_model=none",
        "-device", "virtio-9p-pci,fsdev=host,mount_tag=host",
        "-qmp", f"unix:{monitor},server=on,wait=off", "-rtc", f"base={options.get('rtc', 'utc')}",
    ]
    # An emulation that stalls proves nothing, so it goes before what else runs here.
    machine = subprocess.Popen(command, preexec_fn=lambda: os.nice(-15))
    try:
        seen, since = -1, time.monotonic()
        while machine.poll() is None:
            time.sleep(0.2)
            on_tick()
            if os.path.exists(f"{share}/press"):
                os.unlink(f"{share}/press")
                press_power_key(monitor)
            size = os.path.getsize(console) if os.path.exists(console) else 0
            if size != seen:
                seen, since = size, time.monotonic()
            elif time.monotonic() - since > idle_limit:
                return f"the guest said nothing for {idle_limit} s"
    finally:
        machine.kill()
        machine.wait()
    on_tick()
    if has_crashed(console):
        return CRASH
    return None if machine.returncode in (0, POWER_CUT) else f"qemu ended with {machine.returncode}"
