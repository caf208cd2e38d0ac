#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Idemscope authors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")/../.."
root=$PWD
. resources/packaging/setup.sh

if [[ " $* " == *" --help "* || " $* " == *" -h "* ]]; then
  cat <<'HELP'
Usage: tests/bench/compare.sh [--rounds N] [--keys N] [--json FILE] [--check]

Installs missing Debian packages, builds the release preset's benchmarks, and runs this project's store and its rivals
in turn, so that a noisy machine disturbs all alike. Prints medians, ratios to the seed's design (one mutex over one
hash map), and which targets are met. Takes some minutes; Ctrl-C ends it with what was measured so far.

  --rounds N   how often each figure is measured (3)
  --keys N     keys in a store (1,000,000; the targets are meant for this many)
  --json FILE  also writes each figure as it is measured, one JSON object a line
  --check      exit code 1 when a target is missed
HELP
  exit 0
fi

install_packages "${packages_build[@]}" "${packages_desktop[@]}" "${packages_bench[@]}"
configure release
# A folder that was configured before the packages came knows nothing of them.
cmake --preset release >build/release/configure.log 2>&1 || { cat build/release/configure.log >&2; exit 1; }
cmake --build build/release --target bench_store bench_rivals >&2
cd "$caller" # where FILE is meant
exec python3 "$root/tests/bench/compare.py" "$root/build/release/bin" "$@"
