# Sourced by ./package: from the source to a package, for $release and $architecture.

# The tree in the release's root, where the compiler sees it below /sysroot.
tree=/build/soteriad

version() { sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog; }

# Sorts below the plain version, and Debian 13's above Debian 12's: an upgrade of the system upgrades the package.
package_version() {
  case $release in
    bookworm) echo "$(version)~deb12u1" ;;
    trixie) echo "$(version)~deb13u1" ;;
  esac
}

package_file() { echo "soteriad_$(package_version)_$architecture.deb"; }

check_version() {
  local told
  told=$(sed -n 's/.*soteriadVersion = "\(.*\)"$/\1/p' Sources/DaemonCore/Version.swift)
  [ "$told" = "$(version)" ] ||
    { echo "debian/changelog says $(version), Sources/DaemonCore/Version.swift says $told" >&2; exit 1; }
}

take_source() {
  local root=$cache/$release$tree
  rm -rf "$root"
  mkdir -p "$root"
  tar -c --exclude=./.build* --exclude=./.git --exclude=./dist . | tar -x -C "$root"
  {
    echo "soteriad ($(package_version)) $release; urgency=medium"
    echo
    echo "  * Built for $release."
    echo
    # A second later: two entries of one date are an error.
    sed -n '/^ -- /{s/  .*/  /p;q}' debian/changelog | tr -d '\n'
    date -u -R -d "$(sed -n '/^ -- /{s/.*>  //p;q}' debian/changelog) + 1 second"
    echo
    cat debian/changelog
  } >"$root/debian/changelog"
}

compile() {
  local options=(--swift-sdks-path Support/package/sdks --swift-sdk "$architecture"
    --scratch-path "/build/$release-$architecture")
  if [ "$release" = bookworm ]; then
    supply_names
    options+=(-Xlinker "/build/glibc-$architecture.o")
  fi
  inside compiler "/sysroot$tree/Support/package/compile" debian/program/soteriad "${options[@]}"
}

# Debian 13's Swift runtime was made with a newer C library than Debian 12's.
supply_names() {
  inside compiler /usr/libexec/swift/bin/clang --target="$(gnu_triple)" --sysroot=/sysroot -Wall -Wextra -Werror \
    -O2 -fPIC -c "/sysroot$tree/Support/package/glibc-2.38.c" -o "/build/glibc-$architecture.o"
}

gnu_triple() {
  case $architecture in
    amd64) echo x86_64-linux-gnu ;;
    arm64) echo aarch64-linux-gnu ;;
  esac
}

pack() {
  inside "$release" bash -euc "cd $tree && dpkg-buildpackage --build=binary --no-pre-clean -us -uc \
    --host-arch $architecture --build-profiles=pkg.soteriad.prebuilt >/build/log 2>&1" ||
    { tail -40 "$cache/$release/build/log" >&2; return 1; }
  cp "$cache/$release/build/$(package_file)" dist/
}
