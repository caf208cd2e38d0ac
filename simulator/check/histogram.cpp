// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/histogram.h"

#include <QtGlobal>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace idem::sim {

namespace {

std::uint64_t microsOf(Duration value)
{
    return static_cast<std::uint64_t>(std::max(value, Duration::zero()).count());
}

/// log2 of half the smallest power of two that is >= 2 * 10^digits.
int halfMagnitudeOf(int digits)
{
    unsigned resolution = 2;
    for (int i = 0; i < digits; ++i) {
        resolution *= 10;
    }
    return static_cast<int>(std::bit_width(resolution - 1)) - 1;
}

} // namespace

// The first 2 * half indices are the values themselves. Each further `half` of them are one power of two: the upper
// half of its sub-buckets, whose lower half are finer sub-buckets of the powers before.

Histogram::Histogram(int significantDigits)
    : m_digits(significantDigits)
    , m_halfMagnitude(halfMagnitudeOf(significantDigits))
{
    Q_ASSERT(significantDigits >= 1 && significantDigits <= 5);
}

/// log2 of the width of the bucket of `micros`.
int Histogram::shiftOf(std::uint64_t micros) const
{
    return std::max(static_cast<int>(std::bit_width(micros)) - (m_halfMagnitude + 1), 0);
}

std::size_t Histogram::indexOf(std::uint64_t micros) const
{
    const int shift = shiftOf(micros);
    return (static_cast<std::size_t>(shift) << m_halfMagnitude) + static_cast<std::size_t>(micros >> shift);
}

Duration Histogram::highestAt(std::size_t index) const
{
    const std::size_t half = std::size_t {1} << m_halfMagnitude;
    if (index < 2 * half) {
        return Duration(index);
    }
    const std::size_t shift = index / half - 1;
    const std::uint64_t lowest = std::uint64_t {index - shift * half} << shift;
    return Duration(lowest + ((std::uint64_t {1} << shift) - 1));
}

Duration Histogram::lowestEquivalent(Duration value) const
{
    const std::uint64_t micros = microsOf(value);
    const int shift = shiftOf(micros);
    return Duration((micros >> shift) << shift);
}

Duration Histogram::highestEquivalent(Duration value) const
{
    return highestAt(indexOf(microsOf(value)));
}

void Histogram::record(Duration value, std::uint64_t count)
{
    if (count == 0) {
        return;
    }
    const std::uint64_t micros = microsOf(value);
    const std::size_t index = indexOf(micros);
    if (index >= m_counts.size()) {
        m_counts.resize(index + 1);
    }
    m_counts[index] += count;
    m_count += count;
    m_sum += static_cast<double>(micros) * static_cast<double>(count);
    m_min = std::min(m_min, micros);
    m_max = std::max(m_max, micros);
}

void Histogram::recordCorrected(Duration value, Duration expectedInterval, std::uint64_t count)
{
    record(value, count);
    if (expectedInterval <= Duration::zero()) {
        return;
    }
    for (Duration missed = value - expectedInterval; missed >= expectedInterval; missed -= expectedInterval) {
        record(missed, count);
    }
}

Histogram Histogram::corrected(Duration expectedInterval) const
{
    Histogram result(m_digits);
    for (const Bucket &bucket : buckets()) {
        result.recordCorrected(std::min(bucket.highest, max()), expectedInterval, bucket.count);
    }
    return result;
}

std::vector<Histogram::Bucket> Histogram::buckets() const
{
    std::vector<Bucket> result;
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        if (m_counts[i] > 0) {
            result.push_back({.highest = highestAt(i), .count = m_counts[i]});
        }
    }
    return result;
}

Duration Histogram::percentile(double percent) const
{
    if (m_count == 0) {
        return Duration::zero();
    }
    // One step down, so that 99.9 % of 1000 does not become rank 1000 by rounding (HdrHistogram does the same).
    const double below = std::nextafter(percent, -std::numeric_limits<double>::infinity());
    const double share = std::clamp(below, 0.0, 100.0) / 100;
    const auto rank = std::clamp<std::uint64_t>(
        static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(m_count))), 1, m_count);
    std::uint64_t seen = 0;
    for (std::size_t index = 0; index < m_counts.size(); ++index) {
        seen += m_counts[index];
        if (seen >= rank) {
            return std::min(highestAt(index), max());
        }
    }
    return max();
}

Duration Histogram::mean() const
{
    return m_count == 0 ? Duration::zero() : Duration(std::llround(m_sum / static_cast<double>(m_count)));
}

Duration Histogram::min() const
{
    return Duration(m_count == 0 ? 0 : m_min);
}

Duration Histogram::max() const
{
    return Duration(m_max);
}

void Histogram::add(const Histogram &other)
{
    Q_ASSERT(m_digits == other.m_digits);
    if (other.m_counts.size() > m_counts.size()) {
        m_counts.resize(other.m_counts.size());
    }
    for (std::size_t index = 0; index < other.m_counts.size(); ++index) {
        m_counts[index] += other.m_counts[index];
    }
    m_count += other.m_count;
    m_sum += other.m_sum;
    m_min = std::min(m_min, other.m_min);
    m_max = std::max(m_max, other.m_max);
}

} // namespace idem::sim
