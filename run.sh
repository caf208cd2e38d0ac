#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Idemscope authors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "$0")"
. resources/packaging/setup.sh

if [[ ${1:-} == --help || ${1:-} == -h ]]; then
  cat <<'HELP'
Usage: ./run.sh [ARGUMENT ...]

Installs missing Debian packages, builds Idemscope and opens the desktop on the first-look scenario.
Arguments go to the desktop: a scenario file or name, --theme dark, --screenshot FILE ... (idemscope --help).
Without a display it runs `idemctl demo` and `idemctl simulate resources/scenarios/first-look.json` instead.

The programs are in build/release/bin/.
HELP
  exit 0
fi

install_packages "${packages_build[@]}" "${packages_desktop[@]}"
configure release
cmake --build build/release --target idemscope idemctl >&2

if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} || " $* " == *" --screenshot"* ]]; then
  exec build/release/bin/idemscope "$@"
fi
say "no display: running the demonstration on the terminal instead of the desktop"
build/release/bin/idemctl demo
exec build/release/bin/idemctl simulate resources/scenarios/first-look.json
