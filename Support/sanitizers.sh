# Sourced by ./test, whose functions it uses: the tests with the compiler's sanitizers.

# The whole suite with the first; with the second what runs with threads: store, gpsd, battery, and the whole daemon.
sanitized() {
  install_missing binutils
  part "peers' requests recorded" peers
  part "address and leak sanitizer" sanitizer address . detect_leaks=1 overflow leak
  part "thread sanitizer" sanitizer thread soteriadTests "" race
}

# `sanitizer NAME TESTS OPTIONS`: builds the tests with it, and holds it to three things: it is in every target, it
# reports each fault that is planted (PlantedFaultTests), and it reports nothing else, of no process of the tests.
# Where the compiler comes without the runtime, the build fails, and the part with it.
sanitizer() {
  local name=$1 tests=$2 options=$3
  shift 3
  local build=(--sanitize="$name" --scratch-path ".build/$name")
  swift build --build-tests --disable-xctest "${warnings[@]}" "${build[@]}" ||
    { echo "NOT RUN: $(swift --version 2>/dev/null | head -1) cannot build with the $name sanitizer"; return 1; }
  is_in_every_target "$name" || return 1
  local fault
  for fault in "$@"; do reports_planted "$name" "$fault" || return 1; done
  sanitizer_environment "$name" "$options" tests
  run_tests "$work/$name.out" "${build[@]}" --filter "$tests" --skip '^PeerTests\.'
  local status=$?
  if any_report; then
    cat "$reports"/*
    echo "the $name sanitizer has reports, above"
    return 1
  fi
  return "$status"
}

# Sets the environment in which a sanitizer reports into a directory of its own, $reports, that every user may write.
sanitizer_environment() {
  local name=$1 options=$2
  reports=$(mktemp -d "$work/$3.XXXXXX")
  chmod 1777 "$reports"
  options="log_path=$reports/report${options:+:$options}"
  # Not every package of Swift has it; reports are then harder to read.
  local symbolizer
  symbolizer="$(dirname "$(readlink -f "$(command -v swift)")")/llvm-symbolizer"
  [ ! -x "$symbolizer" ] || options+=":external_symbolizer_path=$symbolizer"
  case $name in
    address)
      test_environment=("ASAN_OPTIONS=$options" "LSAN_OPTIONS=suppressions=$PWD/Support/leaks:print_suppressions=0") ;;
    thread) test_environment=("TSAN_OPTIONS=$options") ;;
  esac
}

any_report() { [ -n "$(ls -A "$reports")" ]; }

# The flag is for Swift and C: each target has an object that calls the sanitizer.
is_in_every_target() {
  local prefix=__asan_ target
  [ "$1" = address ] || prefix=__tsan_
  for target in DaemonCore soteriad CSystem CGps CGpiod CCurl; do
    nm -A ".build/$1/debug/$target.build"/*.o | grep -qF "U $prefix" ||
      { echo "$target was built without the $1 sanitizer"; return 1; }
  done
}

reports_planted() {
  local name=$1 fault=$2 words
  case $fault in
    overflow) words=heap-buffer-overflow ;;
    leak) words="detected memory leaks" ;;
    race) words=race ;;
  esac
  sanitizer_environment "$name" "" "$fault"
  test_environment+=("SOTERIAD_PLANT=$fault")
  if run_tests "$work/$fault.out" --sanitize="$name" --scratch-path ".build/$name" --filter PlantedFaultTests \
    >/dev/null || ! any_report || ! grep -qF "$words" "$reports"/*; then
    cat "$work/$fault.out"
    echo "the $name sanitizer does not report the $fault that was planted"
    return 1
  fi
  echo "the $name sanitizer reports the $fault that was planted"
}
