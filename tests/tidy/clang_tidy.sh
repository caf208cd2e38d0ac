#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Idemscope authors
# SPDX-License-Identifier: Apache-2.0
# clang_tidy.sh BUILD_FOLDER [JOBS]: checks every source file of core, simulator and app that BUILD_FOLDER compiles.
set -euo pipefail
cd "$(dirname "$0")/../.."
git ls-files 'core/*.cpp' 'simulator/*.cpp' 'app/*.cpp' |
  xargs --max-args=4 --max-procs="${2:-2}" clang-tidy --quiet -p "${1:?build folder}"
