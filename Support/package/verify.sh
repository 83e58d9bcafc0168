# Sourced by ./package: what has to hold of the package of $release and $architecture.

verify() {
  local package=dist/$(package_file) places=dist/$(places_file)
  inside "$release" lintian --allow-root --fail-on error,warning "/build/$(package_file)" "/build/$(places_file)"
  verify_contents "$package" Support/package/contents
  verify_contents "$places" Support/package/contents-places
  verify_places "$places"
  verify_dependencies "$package"
  # What runs here is tried here; the scripts of arm64 are the same.
  if [ "$architecture" = amd64 ]; then try_life_cycle; else compare_scripts; fi
  echo "good: $package $places"
}

# As Debian 12 has it or as Debian 13 has it, /lib is /usr/lib.
verify_contents() {
  local list
  list=$(dpkg-deb -c "$1")
  diff -u "$2" <(awk '!/^d/ { $2 = $3 = $4 = $5 = ""; print }' <<<"$list" |
    sed 's/  */ /g; s# \./lib/# ./usr/lib/#' | LC_ALL=C sort -k 2) ||
    { echo "$1: other files than $2 says" >&2; return 1; }
  ! grep -v ' root/root ' <<<"$list" || { echo "$1: files that are not root's" >&2; return 1; }
  ! grep '^d' <<<"$list" | grep -v '^drwxr-xr-x' || { echo "$1: directories of another mode" >&2; return 1; }
}

# The list is the one that places/README.md tells the source of.
verify_places() {
  local sum
  sum=$(sed -n 's/^ *sha256 //p' places/README.md)
  dpkg-deb --fsys-tarfile "$1" | tar -xO ./usr/share/soteriad-places/places | sha256sum --check --status \
    <(echo "$sum  -") || { echo "$1: another list than places/README.md says" >&2; return 1; }
}

verify_dependencies() {
  local depends library
  depends=$(dpkg-deb -f "$1" Depends)
  for library in "${libraries[@]}"; do
    grep -qE "(^|, )$library( |,|$)" <<<"$depends" || { echo "$1 does not depend on $library: $depends" >&2; return 1; }
  done
}

compare_scripts() {
  local script other=dist/soteriad_$(package_version)_amd64.deb
  [ -e "$other" ] || return 0
  for script in preinst postinst prerm postrm; do
    diff <(dpkg-deb -I "$other" "$script" 2>/dev/null) <(dpkg-deb -I "dist/$(package_file)" "$script" 2>/dev/null) ||
      { echo "$script differs between the architectures" >&2; return 1; }
  done
}

# Installs, interrupts, upgrades, removes and purges it on a device of that release, of which nothing is kept.
try_life_cycle() {
  make_device
  unshare --mount --pid --fork --kill-child bash -euc '
    device=$1 dist=$2 support=$3
    mount -t tmpfs tmpfs /mnt
    mkdir /mnt/upper /mnt/work /mnt/root
    mount -t overlay overlay -o "lowerdir=$device,upperdir=/mnt/upper,workdir=/mnt/work" /mnt/root
    mount -t proc proc /mnt/root/proc
    mount --rbind /dev /mnt/root/dev
    cp -r "$dist" /mnt/root/dist
    cp "$support/life-cycle" debian/tests/command-line /mnt/root
    exec chroot /mnt/root /usr/bin/env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${@:4}"' \
    bash "$cache/$release-device" dist Support/package /life-cycle "/dist/$(package_file)" "/dist/$(places_file)"
}
