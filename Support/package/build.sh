# Sourced by ./package: from the source to a package, for $release and $architecture.

# choose RELEASE ARCHITECTURE
choose() {
  release=$1 architecture=$2
  # The suffixes sort below the plain version, and Debian 13's above Debian 12's: an upgrade of the system upgrades the
  # package. The libraries are the run-time packages of $library_packages.
  case $release in
    bookworm) suffix="~deb12u1" gcc=12 libraries=(libcurl4 libgpiod2 libgps28 libsqlite3-0) ;;
    trixie) suffix="~deb13u1" gcc=14 libraries=(libcurl4t64 libgpiod3 libgps30t64 libsqlite3-0) ;;
  esac
  case $architecture in
    amd64) triple=x86_64-linux-gnu ;;
    arm64) triple=aarch64-linux-gnu ;;
  esac
}

# The tree in the release's root, where the compiler sees it below /sysroot.
tree=/build/soteriad

version() { sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog; }

package_version() { echo "$(version)$suffix"; }

package_file() { echo "soteriad_$(package_version)_$architecture.deb"; }

places_file() { echo "soteriad-places_$(package_version)_all.deb"; }

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
  inside compiler /usr/libexec/swift/bin/clang --target="$triple" --sysroot=/sysroot -Wall -Wextra -Werror \
    -O2 -fPIC -c "/sysroot$tree/Support/package/glibc-2.38.c" -o "/build/glibc-$architecture.o"
}

pack() {
  inside "$release" bash -euc "cd $tree && dpkg-buildpackage --build=binary --no-pre-clean -us -uc \
    --host-arch $architecture --build-profiles=pkg.soteriad.prebuilt >/build/log 2>&1" ||
    { tail -40 "$cache/$release/build/log" >&2; return 1; }
  cp "$cache/$release/build/$(package_file)" "$cache/$release/build/$(places_file)" dist/
}
