# Sourced by ./test, ./demo and ./bench: installs what is missing, saying so.

# Installs those of the given Debian packages that are missing.
install_missing() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "installing with apt: ${missing[*]}"
  as_root update
  as_root install -y --no-install-recommends "${missing[@]}"
}

# Runs apt-get as root; its words are shown only when it fails.
as_root() {
  local root=() log
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "not root, and there is no sudo: install them as root" >&2; exit 1; }
    root=(sudo)
  fi
  log=$(mktemp)
  if ! ${root[@]+"${root[@]}"} env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get "$@" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}

# The version of a package that apt would install; empty where it knows none.
candidate() {
  LC_ALL=C apt-cache policy "$1" 2>/dev/null | sed -n 's/.*Candidate: //p' | grep -vxF '(none)' || true
}

# Finds Swift, or installs it where Debian has it, or explains where it comes from.
require_swift() {
  command -v swift >/dev/null && return
  # A fresh machine has no package lists yet.
  apt-cache show libcurl4-openssl-dev >/dev/null 2>&1 || as_root update
  if [ -z "$(candidate swiftlang)" ]; then
    cat >&2 <<'TEXT'
Swift is not installed, and this release of Debian has no package of it.
Debian 13 has one: apt install swiftlang.
For Debian 12 and Raspberry Pi OS bookworm, take the toolchain for Debian 12 from https://www.swift.org/install/linux/,
unpack it, and put its usr/bin into PATH. Then run this again.
TEXT
    exit 1
  fi
  install_missing swiftlang
}

# Prints where a virtual environment with the packages of Tests/peers/NAME.txt is; made anew when they change.
peer_environment() {
  local list=Tests/peers/$1.txt venv=.build/peers/$1
  if ! cmp -s "$list" "$venv/made-from"; then
    rm -rf "$venv"
    python3 -m venv "$venv" >&2 &&
      "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$list" >&2 &&
      cp "$list" "$venv/made-from" || return 1
  fi
  echo "$venv"
}

# Records in DIRECTORY what independent clients from PyPI send, for the tests to compare with.
record_peers() {
  local venv
  venv=$(peer_environment clients) && "$venv/bin/python" Tests/peers/record "$1"
}

library_packages=(libgps-dev libgpiod-dev libcurl4-openssl-dev libsqlite3-dev)
build_packages=("${library_packages[@]}" pkg-config)
test_packages=("${build_packages[@]}" gpsd python3 python3-venv openssl ca-certificates iproute2 locales mount sqlite3
  util-linux)
peer_packages=(kannel kannel-extras iproute2 python3 python3-venv)
# Debian's Python has Debian's gps and requests.
bench_packages=(gcc binutils ca-certificates curl gpsd-clients openssl python3 python3-gps python3-requests socat sqlite3)
