// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/store/model/history.h"

#include <rapidcheck.h>

#include <functional>
#include <string>

namespace idem::test {

/// Random histories of all verbs under the product's semantics.
[[nodiscard]] rc::Gen<History> genHistory();
/// Random histories of the verbs that a seed has, under its semantics.
[[nodiscard]] rc::Gen<History> genSeedHistory(const Semantics &semantics);
/// Random histories with begins that wait.
[[nodiscard]] rc::Gen<History> genWaitingHistory();

/// Draws `histories` histories and expects no difference; a failure shows the shortest history found, as a script, with
/// how to run it again. The environment variable RC_PARAMS ("seed=42 max_success=100000") chooses others than the fixed
/// ones, as rapidcheck's manual tells.
void expectNoDifference(
    int histories, const rc::Gen<History> &gen, const std::function<std::string(const History &)> &firstDifference);

} // namespace idem::test
