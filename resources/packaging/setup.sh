# SPDX-FileCopyrightText: 2026 The Idemscope authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034 # the groups are for the scripts that source this file
#
# Sourced by run.sh, test.sh and tests/bench/compare.sh: the Debian 12 packages of the project, and how they come onto a
# machine.

packages_build=(g++ cmake ninja-build ccache qt6-base-dev libexpected-dev libvalijson-dev)
packages_desktop=(libqcustomplot-dev fonts-dejavu-core)
packages_test=(libgtest-dev libgmock-dev librapidcheck-dev git)
packages_full=(clang-tidy)
packages_bench=(libabsl-dev libtbb-dev python3)

say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }

# Installs what is missing among the named packages, without questions; asks apt nothing when all are there.
install_packages() {
  local missing=() package
  local installed
  installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null |
    awk '$2 == "installed" { print $1 }')
  for package in "$@"; do
    grep -qx -- "$package" <<<"$installed" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      say "needs ${missing[*]}; become root or install sudo, then start again"
      return 1
    fi
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Configures a preset whose build folder is new; from then on the build itself sees changed CMake files.
configure() {
  [[ -f build/$1/build.ninja ]] && return 0
  mkdir -p "build/$1"
  cmake --preset "$1" >"build/$1/configure.log" 2>&1 || { cat "build/$1/configure.log" >&2; return 1; }
}
