# Sourced by ./package: the systems that packages are made in. Each is a plain Debian made by mmdebstrap from the
# mirror of this machine's own apt, kept under $cache, and made anew when its recipe changes.
#
#   compiler           Debian 13 with its Swift, and the arm64 half of that Swift in /opt/arm64
#   bookworm, trixie   what a package of that release is linked against and packed with, for both architectures
#   bookworm-device, trixie-device   what the package of an amd64 device is tried on

archive() {
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' |
    awk '$1 ~ /\/debian\/?$/ && $2 == "main" && !found { print $1; found = 1 }')
  [ -n "$mirror" ] || { echo "apt's configuration names no Debian mirror" >&2; return 1; }
  echo "$mirror"
}

# make_root NAME SUITE PACKAGES [OPTION OF MMDEBSTRAP]...
make_root() {
  local name=$1 suite=$2 packages=$3 recipe mirror
  shift 3
  mirror=$(archive)
  # The manual of a library may differ between its two architectures, which dpkg refuses to have side by side.
  recipe=(--mode=root --variant=apt --architectures=amd64,arm64 --include="$packages"
    --aptopt='APT::Install-Recommends "false"' --aptopt='APT::Sandbox::User "root"'
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*'
    "$@" "$suite" "$cache/$name" "deb $mirror $suite main")
  [ "$(cat "$cache/$name.recipe" 2>/dev/null)" = "${recipe[*]}" ] && return
  echo "== making $cache/$name, a Debian $suite"
  rm -rf "${cache:?}/$name" "$cache/$name.recipe"
  mmdebstrap --quiet "${recipe[@]}"
  echo "${recipe[*]}" >"$cache/$name.recipe"
}

make_device() {
  make_root "$release-device" "$release" "${libraries[*]} ca-certificates libstdc++6 procps systemd udev"
}

make_compiler() {
  # Manifests are compiled for the machine at hand. The arm64 Swift has to be the same version, and is never run.
  make_root compiler trixie "swiftlang libc6-dev libgcc-14-dev" \
    --customize-hook='chroot "$1" sh -euc "cd /opt && apt-get download -qq swiftlang:arm64"' \
    --customize-hook='set -e
      mkdir "$1/opt/arm64" "$1/build" "$1/sysroot"
      dpkg-deb --fsys-tarfile "$1"/opt/swiftlang_*_arm64.deb |
        tar -x -C "$1/opt/arm64" --wildcards --exclude="*/swift/host/*" \
          "./usr/libexec/swift/lib/swift/*" "./usr/libexec/swift/lib/swift_static/*" "./usr/libexec/swift/lib/clang/*"
      rm "$1"/opt/*.deb'
}

make_release() {
  local libraries=("${library_packages[@]}" "libstdc++-$gcc-dev")
  local packages=("${libraries[@]/%/:amd64}" "${libraries[@]/%/:arm64}"
    build-essential debhelper lintian binutils-aarch64-linux-gnu)
  # Seen from the compiler's root, absolute links to libraries (libm.so) lead nowhere, or to the wrong release.
  make_root "$release" "$release" "${packages[*]}" \
    --customize-hook='set -e
      cp Support/package/SDKSettings.json "$1"
      find "$1"/usr/lib/*-linux-gnu "$1/usr/lib64" -maxdepth 1 -type l -lname "/*" |
        while read -r link; do ln -sfnr "$1$(readlink "$link")" "$link"; done'
}

# inside NAME COMMAND...: as root in that root, with the release's root as /sysroot if NAME is the compiler
inside() {
  local root=$cache/$1
  shift
  unshare --mount --pid --fork --kill-child bash -euc '
    root=$1 sysroot=$2
    shift 2
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/tmp"
    [ ! -d "$root/sysroot" ] || mount --bind "$sysroot" "$root/sysroot"
    exec chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' \
    bash "$root" "$cache/$release" "$@"
}
