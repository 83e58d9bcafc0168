"""The device's network: a link to a namespace in which the gateway and the name server are."""

import subprocess

LINK = "wearable0"
NAMESPACE = "gateway"
ADDRESS = "10.9.0.1"


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, timeout=30)


class Network:
    def __init__(self):
        ip("netns", "add", NAMESPACE)
        ip("link", "add", LINK, "type", "veth", "peer", "name", "uplink", "netns", NAMESPACE)
        ip("addr", "add", "10.9.0.2/24", "dev", LINK)
        ip("-n", NAMESPACE, "addr", "add", f"{ADDRESS}/24", "dev", "uplink")
        ip("-n", NAMESPACE, "link", "set", "uplink", "up")
        self.up()
        with open("/etc/resolv.conf", "w") as file:
            file.write(f"nameserver {ADDRESS}\n")

    def up(self):
        ip("link", "set", LINK, "up")

    def down(self):
        ip("link", "set", LINK, "down")

    def start(self, *command):
        """Starts a program at the other end of the link."""
        return subprocess.Popen(["ip", "netns", "exec", NAMESPACE, *command])
