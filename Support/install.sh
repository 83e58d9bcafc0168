# Sourced by ./test and ./demo: installs what is missing, saying so.

# Installs those of the given Debian packages that are missing.
install_missing() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "installing with apt: ${missing[*]}"
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "not root, and there is no sudo: install them as root" >&2; exit 1; }
    root=(sudo)
  fi
  local log
  log=$(mktemp)
  if ! { "${root[@]}" apt-get update && "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    exit 1
  fi
  rm -f "$log"
}

# Finds Swift, or installs it where Debian has it, or explains where it comes from.
require_swift() {
  command -v swift >/dev/null && return
  local candidate
  candidate=$(apt-cache policy swiftlang 2>/dev/null | sed -n 's/.*Candidate: //p')
  if [ -z "$candidate" ] || [ "$candidate" = "(none)" ]; then
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

build_packages=(libgps-dev libgpiod-dev libcurl4-openssl-dev libsqlite3-dev pkg-config)
