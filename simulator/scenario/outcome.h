// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/run.h"

#include <QStringList>

namespace idem::sim {

/// What two equal runs have in common.
struct RunOutcome
{
    std::uint64_t traceHash = 0;
    std::uint64_t events = 0;
    bool complete = false; ///< it came to its end
    Counts counts {};
};

[[nodiscard]] RunOutcome outcomeOf(const Run &run);

/// 16 hexadecimal digits, as reports have it.
[[nodiscard]] QString traceText(std::uint64_t hash);

/// One line for each thing that is not the same: `events: 100, then 101`. Empty when the runs were equal.
[[nodiscard]] QStringList differences(const RunOutcome &first, const RunOutcome &then);

} // namespace idem::sim
