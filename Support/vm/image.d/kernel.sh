# shellcheck shell=bash
# Runs in a chroot of the release: packs the kernel, the modules that a guest needs and an initrd into /out; for
# amd64 compiles gpio-sim, which no Debian kernel carries. An arm64 machine has a GPIO chip of QEMU's.
set -eux

architecture=$1
needed=(virtio_pci virtio_blk ext4 loop 9p 9pnet_virtio veth)
version=$(apt-cache depends "linux-image-$architecture:$architecture" | sed -n 's/.*Depends: linux-image-\([0-9][^ :]*\).*/\1/p')
mkdir -p /build /kernel /out/initrd/bin /out/initrd/modules /out/initrd/dev /out/initrd/proc /out/initrd/root
cd /build

apt-get download "linux-image-$version:$architecture" "busybox-static:$architecture"
dpkg-deb -x linux-image-*.deb /kernel
dpkg-deb -x busybox-static_*.deb busybox
# dpkg-deb -x makes /lib a directory where the release has none of its own any more.
modules=$(find /kernel -type d -path "*/modules/$version" | head -n 1)

build_gpio_sim() {
  tar -xf /usr/src/linux-source-*.tar.xz --strip-components=1 --wildcards \
    '*/drivers/gpio/gpio-sim.c' '*/drivers/gpio/gpiolib.h' '*/drivers/gpio/dev-sync-probe.*' '*/kernel/irq/irq_sim.c' ||
    true # dev-sync-probe came with 6.11
  mkdir module
  mv drivers/gpio/gpio-sim.c module/main.c
  mv drivers/gpio/* kernel/irq/irq_sim.c module
  # irq_to_desc() is not exported to modules; irq_get_irq_data() is, and names the same descriptor.
  sed -i -e 's/irq_to_desc(irqnum)/irq_data_to_desc(irq_get_irq_data(irqnum))/' \
    -e '/#include <linux\/irq.h>/a #include <linux/irqdesc.h>' module/irq_sim.c
  local sources=(module/*.c)
  sources=("${sources[@]##*/}")
  printf 'obj-m := gpio-sim.o\ngpio-sim-y := %s\n' "${sources[*]/%.c/.o}" >module/Makefile
  make -C "/lib/modules/$version/build" M=/build/module modules
  strip -g module/gpio-sim.ko
  install -D module/gpio-sim.ko "$modules/extra/gpio-sim.ko"
  needed+=(configfs gpio-sim)
}
[ "$architecture" != amd64 ] || build_gpio_sim

find "$modules" -name '*.ko.xz' -exec xz -d {} +
base=${modules%/lib/modules/*}
depmod -b "$base" "$version"
# The modules that the given ones need, in the order of their loading.
files() {
  for name in "$@"; do modprobe -d "$base" -S "$version" --show-depends "$name"; done |
    awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

tree=/out/tree/usr/lib/modules/$version
mkdir -p "$tree"
cp "$modules"/modules.builtin* "$modules/modules.order" "$tree"
for file in $(files "${needed[@]}"); do install -D -m 644 "$file" "$tree${file#"$modules"}"; done
mkdir -p /out/tree/lib && rmdir /out/tree/lib && ln -s usr/lib /out/tree/lib
depmod -b /out/tree "$version"
tar -C /out/tree -cf /out/modules.tar ./usr

number=10
for file in $(files virtio_pci virtio_blk ext4); do
  cp "$file" "/out/initrd/modules/$number-$(basename "$file")"
  number=$((number + 1))
done
cp "$(find busybox -path '*/bin/busybox')" /out/initrd/bin/
install /init /out/initrd/init
(cd /out/initrd && find . | cpio -o -H newc | gzip -1) >/initrd
cp "/kernel/boot/vmlinuz-$version" /out/vmlinuz
rm -rf /out/initrd /out/tree
mv /initrd /out/initrd
