// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace idem::sim {

/// A sum over a window that slides by one slot at a time: the running slot and the full ones before it. So a value
/// counts for between n - 1 and n of the n slots.
class SlidingSum
{
public:
    /// `window` of `slotCount` equal slots (>= 1), each at least a microsecond.
    SlidingSum(Duration window, std::size_t slotCount)
        : m_slot(std::max(Duration(1), window / static_cast<Duration::rep>(slotCount)))
        , m_values(slotCount)
    {
    }

    /// `now` must not go back.
    void add(Instant now, std::int64_t value)
    {
        slide(now);
        m_values[place(m_current)] += value;
    }
    [[nodiscard]] std::int64_t sum(Instant now)
    {
        slide(now);
        return std::accumulate(m_values.begin(), m_values.end(), std::int64_t {0});
    }
    void clear() { std::ranges::fill(m_values, 0); }

private:
    [[nodiscard]] std::size_t place(Duration::rep slot) const
    {
        return static_cast<std::size_t>(slot) % m_values.size();
    }
    void slide(Instant now)
    {
        const Duration::rep target = now.time_since_epoch() / m_slot;
        const auto slotCount = static_cast<Duration::rep>(m_values.size());
        for (Duration::rep slot = std::max(m_current + 1, target - slotCount + 1); slot <= target; ++slot) {
            m_values[place(slot)] = 0;
        }
        m_current = std::max(m_current, target);
    }

    Duration m_slot;
    std::vector<std::int64_t> m_values;
    Duration::rep m_current = 0;
};

} // namespace idem::sim
