// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace idem::sim {

/// Counts of durations in buckets that keep a number of significant decimal digits, whatever the magnitude: the bucket
/// rule of HdrHistogram (Gil Tene) with 1 us as the lowest discernible value. Up to 2 * 10^digits us every microsecond
/// has its own bucket; beyond that a bucket's width is the smallest power of two that keeps the digits.
/// Memory grows with the largest value recorded: with 3 digits at most 8 KiB for each power of two above 1 ms.
/// Thread-safety: one thread at a time.
class Histogram
{
public:
    /// Precondition: 1 <= `significantDigits` <= 5.
    explicit Histogram(int significantDigits = 3);

    /// Counts `value` `count` times; a negative value counts as 0.
    void record(Duration value, std::uint64_t count = 1);

    /// Corrects for coordinated omission: whoever sends one request each `expectedInterval` and waits for each answer
    /// sends none while a slow one is under way. So beside `value` = v, the values v - i, v - 2 i, ... that those
    /// requests would have met are counted, as long as they are >= i = `expectedInterval` (HdrHistogram,
    /// recordValueWithExpectedInterval). Without a positive interval as record().
    void recordCorrected(Duration value, Duration expectedInterval, std::uint64_t count = 1);
    /// This histogram with every value recorded so, each as the highest of its bucket.
    [[nodiscard]] Histogram corrected(Duration expectedInterval) const;

    /// The value that `percent` (0...100, clamped) of all counted values do not exceed: the upper end of the bucket of
    /// the value of rank ceil(percent / 100 * count()), at least 1, or max() where that is less. 0 when nothing was
    /// counted. Never below the true value, and above it by less than 10^-digits of it.
    [[nodiscard]] Duration percentile(double percent) const;

    /// Of the values themselves, not of their buckets, rounded to microseconds; 0 when nothing was counted.
    [[nodiscard]] Duration mean() const;
    /// The values themselves, not their buckets' ends; 0 when nothing was counted.
    [[nodiscard]] Duration min() const;
    [[nodiscard]] Duration max() const;
    [[nodiscard]] std::uint64_t count() const { return m_count; }
    [[nodiscard]] int significantDigits() const { return m_digits; }

    /// Counts what `other` counted as well: as if its values had been recorded here. Precondition: as many digits.
    void add(const Histogram &other);

    struct Bucket
    {
        Duration highest {}; ///< that falls into it
        std::uint64_t count = 0;
    };
    /// Those that are not empty, in ascending order.
    [[nodiscard]] std::vector<Bucket> buckets() const;

    /// The lowest and the highest duration in the bucket of `value` (negative: of 0).
    [[nodiscard]] Duration lowestEquivalent(Duration value) const;
    [[nodiscard]] Duration highestEquivalent(Duration value) const;

private:
    [[nodiscard]] std::size_t indexOf(std::uint64_t micros) const;
    [[nodiscard]] int shiftOf(std::uint64_t micros) const;
    [[nodiscard]] Duration highestAt(std::size_t index) const;

    int m_digits;
    int m_halfMagnitude; ///< log2 of half a bucket's number of sub-buckets
    std::vector<std::uint64_t> m_counts; ///< as long as the largest value needs
    std::uint64_t m_count = 0;
    double m_sum = 0; ///< of all values; whole, and so exact, up to 2^53 us
    std::uint64_t m_min = UINT64_MAX;
    std::uint64_t m_max = 0;
};

} // namespace idem::sim
