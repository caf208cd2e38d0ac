// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/check/counts.h"

#include <QString>

#include <optional>
#include <vector>

namespace idem::sim {

/// What a run must give: a published number, a closed form, or an exact count.
struct Expected
{
    QString name {}; ///< of a count
    double value = 0;
    double tolerance = 0; ///< 0: exact for every seed; else 4 standard deviations
    QString source {}; ///< where the number comes from
};

/// An expectation beside what was measured.
struct Verdict
{
    Expected expected {};
    double measured = 0;
    /// (measured - value) / (tolerance / 4); 0 for an exact hit; none for an exact miss, which no z describes.
    std::optional<double> z {};
    bool ok = false; ///< |measured - value| <= tolerance
};

/// Precondition: every name is a count's (the loader checks it).
[[nodiscard]] std::vector<Verdict> judge(const std::vector<Expected> &expectations, const Counts &counts);

} // namespace idem::sim
