#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Idemscope authors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "$0")"
. resources/packaging/setup.sh

usage() {
  cat <<'HELP'
Usage: ./test.sh [--full]

Installs missing Debian packages, builds the release preset and runs all tests.
  --full   also clang-tidy, the card build (only Qt and QCustomPlot), and core and simulator under
           AddressSanitizer with UndefinedBehaviorSanitizer, under ThreadSanitizer, and without the desktop
HELP
}

full=false
for argument in "$@"; do
  case $argument in
    --full) full=true ;;
    --help | -h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done

jobs=$(nproc)

# check PRESET [ctest argument ...]: configure, build and test one preset.
check() {
  local preset=$1
  shift
  say "preset $preset"
  cmake --preset "$preset" >/dev/null
  cmake --build "build/$preset" -j "$jobs"
  ctest --preset "$preset" -j "$jobs" "$@"
}

install_packages "${packages_build[@]}" "${packages_desktop[@]}" "${packages_test[@]}"
check release

if $full; then
  install_packages "${packages_full[@]}"
  say "clang-tidy"
  tests/tidy/clang_tidy.sh build/release "$jobs"
  check card
  # The long tests repeat the others with more operations: under a sanitizer they find nothing new, slowly.
  check asan --label-exclude long
  check tsan --label-exclude long
  check headless
fi
