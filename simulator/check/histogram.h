// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

#include <cstdint>
#include <vector>

namespace idem::sim {

/// A histogram of durations that keeps a number of significant decimal digits over its whole range, in the layout of
/// HdrHistogram (Tene): buckets that double, each cut into equal parts. Constant time to record; a few kilobytes.
/// Thread-safety: one thread at a time.
class Histogram
{
public:
    /// `significantDigits` is 1...4.
    explicit Histogram(int significantDigits = 3);

    /// Negative values count as 0.
    void record(Duration value, std::uint64_t times = 1);
    /// Also what a sender that waited for `value` would have measured meanwhile, had it kept to its `interval`:
    /// value - interval, value - 2 interval ... down to `interval` (HdrHistogram's correction for coordinated
    /// omission).
    void recordCorrected(Duration value, Duration interval, std::uint64_t times = 1);
    /// This histogram with every value recorded so.
    [[nodiscard]] Histogram corrected(Duration interval) const;
    void add(const Histogram &other); ///< precondition: the same number of digits

    [[nodiscard]] std::uint64_t count() const { return m_count; }
    /// The largest value that the bucket of the given share of all values may hold; 0 when there is none. `percent` is
    /// 0...100.
    [[nodiscard]] Duration percentile(double percent) const;
    [[nodiscard]] double mean() const; ///< microseconds, exact
    [[nodiscard]] Duration min() const; ///< exact; 0 when there is none
    [[nodiscard]] Duration max() const; ///< exact

    /// A bucket that is not empty.
    struct Bucket
    {
        Duration lowest {};
        Duration highest {};
        std::uint64_t count = 0;
    };
    [[nodiscard]] std::vector<Bucket> buckets() const;

private:
    [[nodiscard]] std::size_t indexOf(std::uint64_t value) const;
    [[nodiscard]] std::uint64_t lowestOf(std::size_t index) const;

    int m_digits;
    int m_subBits = 0; ///< a bucket has 2^m_subBits parts, the first one all of them, others their upper half
    std::vector<std::uint64_t> m_counts;
    std::uint64_t m_count = 0;
    double m_sum = 0;
    Duration m_min = Duration::max();
    Duration m_max {};
};

} // namespace idem::sim
