// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/check/counts.h"

#include "core/store/clock.h"

#include <vector>

namespace idem::sim {

/// The counts of a run over virtual time: a point for each second in which something happened, so that rates within a
/// window and plots need no second run. Bounded: beyond `most` points the step doubles and every second one goes.
/// Thread-safety: one thread at a time.
class Series
{
public:
    static constexpr std::size_t most = 100'000;

    struct Point
    {
        Duration at {}; ///< a multiple of step()
        Counts counts {}; ///< of everything before `at`
    };

    /// True when an event at `now` is the first beyond a step, so that add() is due before it is handled.
    [[nodiscard]] bool isDue(Duration now) const { return now >= m_next; }
    /// Precondition: isDue(now). `counts` are those of everything before `now`.
    void add(Duration now, const Counts &counts);

    [[nodiscard]] Duration step() const { return m_step; }
    [[nodiscard]] const std::vector<Point> &points() const { return m_points; }
    /// The counts of everything before `at`; `latest` where the series does not reach so far.
    [[nodiscard]] const Counts &before(Duration at, const Counts &latest) const;

private:
    std::vector<Point> m_points;
    Duration m_step = std::chrono::seconds(1);
    Duration m_next {}; ///< 0: the first event makes the point that windows from the start count from
};

} // namespace idem::sim
