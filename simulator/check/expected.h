// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/check/measures.h"
#include "simulator/check/series.h"

#include <QString>

#include <optional>
#include <vector>

namespace idem::sim {

/// What a run must give: a published number, a closed form, or an exact count.
struct Expected
{
    QString name {}; ///< of a count or a measure
    double value = 0;
    double tolerance = 0; ///< 0: exact for every seed; else 4 standard deviations
    QString source {}; ///< where the number comes from
    /// Of a count only: what it gained within this part of virtual time, for each second of it. Whole seconds.
    std::optional<Duration> from {};
    std::optional<Duration> until {};
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

/// What a run gave.
struct Facts
{
    Counts counts {};
    Measures measures {};
    const Series *series = nullptr; ///< for rates within a window; null: without them
};

/// True for the name of a count or a measure.
[[nodiscard]] bool isMeasurable(QStringView name);

/// The number that an expectation is about; none where its name is neither a count's nor a measure's.
[[nodiscard]] std::optional<double> valueOf(const Expected &expected, const Facts &facts);

/// Precondition: every name is a count's or a measure's (the loader checks it).
[[nodiscard]] std::vector<Verdict> judge(const std::vector<Expected> &expectations, const Facts &facts);

} // namespace idem::sim
