// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/series.h"

#include <QtGlobal>

#include <algorithm>

namespace idem::sim {

void Series::add(Duration now, const Counts &counts)
{
    Q_ASSERT(isDue(now));
    const Duration at = now - now % m_step;
    m_points.push_back({.at = at, .counts = counts});
    if (m_points.size() > most) {
        m_step *= 2;
        std::erase_if(m_points, [this](const Point &point) { return point.at % m_step != Duration::zero(); });
    }
    m_next = at - at % m_step + m_step;
}

const Counts &Series::before(Duration at, const Counts &latest) const
{
    // The first point at or after `at` holds all that came before it, and nothing happened in between.
    const auto point = std::lower_bound(
        m_points.begin(), m_points.end(), at, [](const Point &left, Duration right) { return left.at < right; });
    return point == m_points.end() ? latest : point->counts;
}

} // namespace idem::sim
