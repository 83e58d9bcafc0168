# shellcheck shell=sh
# Runs in the root file system of the guest: the units that bring a boot to the host's scenarios.
set -eux

mkdir -p /host
echo vm >/etc/hostname
printf '127.0.0.1 localhost vm\n' >/etc/hosts
: >/etc/fstab
# Fixed, so that no boot is a first one to systemd.
echo 0123456789abcdef0123456789abcdef >/etc/machine-id

# The host's directory; and the chip of the button, which on a Raspberry Pi is there before any service.
cat >/etc/systemd/system/vm-early.service <<'UNIT'
[Unit]
Description=The host's directory and the simulated GPIO chip
DefaultDependencies=no
After=systemd-udevd.service systemd-remount-fs.service
Before=sysinit.target
[Service]
Type=oneshot
RemainAfterExit=yes
# udev loads it as well, and a mount in the middle of that finds no channel.
ExecStart=/sbin/modprobe 9pnet_virtio
ExecStart=/bin/mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 host /host
ExecStart=/host/guest/early
StandardOutput=tty
TTYPath=/dev/console
[Install]
WantedBy=sysinit.target
UNIT

cat >/etc/systemd/system/vm-scenarios.service <<'UNIT'
[Unit]
Description=The scenarios of this boot, then power off
[Service]
Type=oneshot
ExecStart=/host/guest/run
ExecStopPost=/bin/systemctl poweroff --no-block
TimeoutStartSec=infinity
StandardOutput=tty
TTYPath=/dev/console
[Install]
WantedBy=multi-user.target
UNIT
systemctl enable vm-early.service vm-scenarios.service

# Only what a scenario starts is to run; the rest slows an emulated boot.
systemctl mask getty@tty1.service serial-getty@ttyS0.service serial-getty@ttyAMA0.service apt-daily.timer apt-daily-upgrade.timer \
  e2scrub_all.timer e2scrub_reap.service fstrim.timer dpkg-db-backup.timer systemd-timesyncd.service \
  systemd-hwdb-update.service systemd-firstboot.service
systemctl disable gpsd.socket gpsd.service
rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/lib/dpkg/info/*.md5sums
