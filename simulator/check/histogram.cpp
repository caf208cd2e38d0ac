// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/histogram.h"

#include <QtGlobal>

#include <algorithm>
#include <bit>
#include <cmath>

namespace idem::sim {

Histogram::Histogram(int significantDigits)
    : m_digits(significantDigits)
{
    Q_ASSERT(significantDigits >= 1 && significantDigits <= 4);
    // Twice 10^digits parts, so that the upper half of a bucket still tells 10^digits values apart.
    const auto parts = static_cast<std::uint64_t>(2 * std::llround(std::pow(10, significantDigits)));
    m_subBits = static_cast<int>(std::bit_width(parts - 1));
}

std::size_t Histogram::indexOf(std::uint64_t value) const
{
    const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - m_subBits);
    const std::uint64_t half = std::uint64_t {1} << (m_subBits - 1);
    // Bucket 0 has 2 * half parts; each later one adds its upper half.
    return static_cast<std::size_t>(static_cast<std::uint64_t>(shift) * half + (value >> shift));
}

std::uint64_t Histogram::lowestOf(std::size_t index) const
{
    const std::uint64_t half = std::uint64_t {1} << (m_subBits - 1);
    const std::uint64_t bucket = index < 2 * half ? 0 : index / half - 1;
    return (index - bucket * half) << bucket;
}

void Histogram::record(Duration value, std::uint64_t times)
{
    if (times == 0) {
        return;
    }
    value = std::max(value, Duration::zero());
    const std::size_t index = indexOf(static_cast<std::uint64_t>(value.count()));
    if (index >= m_counts.size()) {
        m_counts.resize(index + 1);
    }
    m_counts[index] += times;
    m_count += times;
    m_sum += static_cast<double>(value.count()) * static_cast<double>(times);
    m_min = std::min(m_min, value);
    m_max = std::max(m_max, value);
}

void Histogram::recordCorrected(Duration value, Duration interval, std::uint64_t times)
{
    record(value, times);
    if (interval <= Duration::zero()) {
        return;
    }
    for (Duration missed = value - interval; missed >= interval; missed -= interval) {
        record(missed, times);
    }
}

Histogram Histogram::corrected(Duration interval) const
{
    Histogram result(m_digits);
    for (const Bucket &bucket : buckets()) {
        result.recordCorrected(std::clamp(bucket.highest, min(), max()), interval, bucket.count);
    }
    return result;
}

void Histogram::add(const Histogram &other)
{
    Q_ASSERT(m_digits == other.m_digits);
    m_counts.resize(std::max(m_counts.size(), other.m_counts.size()));
    for (std::size_t i = 0; i < other.m_counts.size(); ++i) {
        m_counts[i] += other.m_counts[i];
    }
    m_count += other.m_count;
    m_sum += other.m_sum;
    m_min = std::min(m_min, other.m_min);
    m_max = std::max(m_max, other.m_max);
}

Duration Histogram::percentile(double percent) const
{
    const double share = std::clamp(percent, 0.0, 100.0) / 100;
    const auto wanted =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(m_count) - 1e-9)));
    std::uint64_t seen = 0;
    for (const Bucket &bucket : buckets()) {
        seen += bucket.count;
        if (seen >= wanted) {
            return std::min(bucket.highest, m_max);
        }
    }
    return m_max;
}

double Histogram::mean() const
{
    return m_count == 0 ? 0 : m_sum / static_cast<double>(m_count);
}

Duration Histogram::min() const
{
    return m_count == 0 ? Duration::zero() : m_min;
}

Duration Histogram::max() const
{
    return m_max;
}

std::vector<Histogram::Bucket> Histogram::buckets() const
{
    std::vector<Bucket> result;
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        if (m_counts[i] > 0) {
            result.push_back({.lowest = Duration(static_cast<Duration::rep>(lowestOf(i))),
                .highest = Duration(static_cast<Duration::rep>(lowestOf(i + 1) - 1)),
                .count = m_counts[i]});
        }
    }
    return result;
}

} // namespace idem::sim
