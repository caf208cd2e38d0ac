// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/histogram.h"

#include "simulator/engine/random.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace idem;
using namespace idem::sim;
using namespace std::chrono_literals;

namespace {

/// 1 us ... about 1000 s, evenly over the magnitudes.
std::vector<Duration> manyValues(std::uint64_t seed, std::size_t count)
{
    const KeyedRandom random(seed);
    std::vector<Duration> values;
    for (std::size_t i = 0; i < count; ++i) {
        values.emplace_back(std::llround(std::pow(10.0, 9 * toUnit(random.bits(0, i)))));
    }
    return values;
}

Histogram histogramOf(const std::vector<Duration> &values, int digits = 3)
{
    Histogram histogram(digits);
    for (const Duration value : values) {
        histogram.record(value);
    }
    return histogram;
}

} // namespace

TEST(Histogram, OfNothingIsZero)
{
    const Histogram histogram;
    EXPECT_EQ(histogram.count(), 0U);
    EXPECT_EQ(histogram.mean(), 0us);
    EXPECT_EQ(histogram.min(), 0us);
    EXPECT_EQ(histogram.max(), 0us);
    EXPECT_EQ(histogram.percentile(50), 0us);
}

TEST(Histogram, KeepsSmallValuesExactly)
{
    Histogram histogram;
    for (const Duration value : {0us, 1us, 2us, 1999us, 2047us}) {
        histogram.record(value);
        EXPECT_EQ(histogram.lowestEquivalent(value), value);
        EXPECT_EQ(histogram.highestEquivalent(value), value);
    }
    EXPECT_EQ(histogram.percentile(20), 0us);
    EXPECT_EQ(histogram.percentile(40), 1us);
    EXPECT_EQ(histogram.percentile(60), 2us);
    EXPECT_EQ(histogram.percentile(80), 1999us);
    EXPECT_EQ(histogram.percentile(100), 2047us);
}

// The examples of HdrHistogram's own tests for 3 digits: 2048 sub-buckets of one unit, then buckets of 2, 4, 8 ...
TEST(Histogram, HasTheBucketsOfHdrHistogram)
{
    const Histogram three(3);
    EXPECT_EQ(three.lowestEquivalent(10007us), 10000us);
    EXPECT_EQ(three.lowestEquivalent(10009us), 10008us);
    EXPECT_EQ(three.highestEquivalent(8180us), 8183us);
    EXPECT_EQ(three.highestEquivalent(8191us), 8191us);
    EXPECT_EQ(three.highestEquivalent(8193us), 8199us);
    EXPECT_EQ(three.highestEquivalent(9995us), 9999us);
    EXPECT_EQ(three.highestEquivalent(10007us), 10007us);
    EXPECT_EQ(three.highestEquivalent(10008us), 10015us);

    // 2 digits: 2^8 >= 2 * 10^2 units of their own.
    const Histogram two(2);
    EXPECT_EQ(two.highestEquivalent(255us), 255us);
    EXPECT_EQ(two.highestEquivalent(256us), 257us);
    EXPECT_EQ(two.lowestEquivalent(511us), 510us);
    EXPECT_EQ(two.lowestEquivalent(513us), 512us);
    EXPECT_EQ(two.highestEquivalent(513us), 515us);
}

TEST(Histogram, HoldsTheWholeRange)
{
    Histogram histogram;
    histogram.record(Duration::max());
    histogram.record(-1us);
    EXPECT_EQ(histogram.max(), Duration::max());
    EXPECT_EQ(histogram.min(), 0us);
    EXPECT_EQ(histogram.percentile(100), Duration::max());
    EXPECT_EQ(histogram.highestEquivalent(Duration::max()), Duration::max());
    EXPECT_EQ(histogram.percentile(50), 0us);
}

TEST(Histogram, PercentilesAreThoseOfTheSortedValues)
{
    for (const int digits : {1, 2, 3, 4}) {
        auto values = manyValues(7, 9973);
        const Histogram histogram = histogramOf(values, digits);
        std::sort(values.begin(), values.end());
        const double relative = std::pow(10.0, -digits);
        for (const double percent : {0.0, 0.01, 1.0, 25.0, 50.0, 75.0, 90.0, 99.0, 99.9, 99.99, 100.0}) {
            const auto rank = std::max<std::size_t>(
                static_cast<std::size_t>(std::ceil(percent / 100 * static_cast<double>(values.size()))), 1);
            const Duration truth = values[rank - 1];
            const Duration shown = histogram.percentile(percent);
            EXPECT_GE(shown, truth) << digits << " digits, p" << percent;
            EXPECT_LE(static_cast<double>((shown - truth).count()), relative * static_cast<double>(truth.count()))
                << digits << " digits, p" << percent;
        }
        EXPECT_EQ(histogram.min(), values.front());
        EXPECT_EQ(histogram.max(), values.back());
    }
}

TEST(Histogram, ARankThatIsWholeIsNotRoundedUp)
{
    Histogram histogram;
    histogram.record(1us, 999);
    histogram.record(9us);
    EXPECT_EQ(histogram.percentile(99.9), 1us); // 99.9 / 100 * 1000 is above 999 in binary
    EXPECT_EQ(histogram.percentile(99.95), 9us);
    EXPECT_EQ(histogram.percentile(-3), 1us);
    EXPECT_EQ(histogram.percentile(200), 9us);
}

TEST(Histogram, TheMeanIsOfTheValuesNotOfTheirBuckets)
{
    Histogram histogram(1);
    histogram.record(1'000'001us, 3);
    histogram.record(5us);
    histogram.record(777us, 0);
    EXPECT_EQ(histogram.count(), 4U);
    EXPECT_EQ(histogram.mean(), 750'002us);
}

TEST(Histogram, AddedHistogramsAreOneOfAllValues)
{
    const auto first = manyValues(1, 500);
    const auto second = manyValues(2, 700);
    auto all = first;
    all.insert(all.end(), second.begin(), second.end());
    Histogram sum = histogramOf(first);
    sum.add(histogramOf(second));
    sum.add(Histogram());
    const Histogram together = histogramOf(all);
    EXPECT_EQ(sum.count(), together.count());
    EXPECT_EQ(sum.mean(), together.mean());
    EXPECT_EQ(sum.min(), together.min());
    EXPECT_EQ(sum.max(), together.max());
    for (int percent = 0; percent <= 100; ++percent) {
        EXPECT_EQ(sum.percentile(percent), together.percentile(percent)) << percent;
    }
}

TEST(Histogram, CorrectsOnlyWhatIsLongerThanTheInterval)
{
    Histogram histogram;
    histogram.recordCorrected(1999us, 1ms); // 999 us is less than an interval
    EXPECT_EQ(histogram.count(), 1U);
    histogram.recordCorrected(2ms, 1ms); // and 1 ms
    EXPECT_EQ(histogram.count(), 3U);
    histogram.recordCorrected(3500us, 1ms); // and 2.5 and 1.5 ms
    EXPECT_EQ(histogram.count(), 6U);
    EXPECT_EQ(histogram.min(), 1ms);
    EXPECT_EQ(histogram.mean(), (1999us + 2000us + 1000us + 3500us + 2500us + 1500us) / 6);
    histogram.recordCorrected(3500us, 0us);
    EXPECT_EQ(histogram.count(), 7U);
}

// Gil Tene, "How NOT to measure latency": 100 requests a second of 1 ms for 100 s, then a stall of 100 s.
TEST(Histogram, CoordinatedOmission)
{
    Histogram raw;
    Histogram corrected;
    for (int i = 0; i < 10'000; ++i) {
        raw.record(1ms);
        corrected.recordCorrected(1ms, 10ms);
    }
    raw.record(100s);
    corrected.recordCorrected(100s, 10ms);

    EXPECT_EQ(raw.count(), 10'001U);
    EXPECT_EQ(raw.mean(), Duration(10'999)); // (10,000 * 1 ms + 100 s) / 10,001 = 10.9989 ms
    EXPECT_EQ(raw.percentile(99.99), 1ms);
    // 10 ms, 20 ms ... 100 s beside the 10,000 of 1 ms: mean (10 s + 500,050 s) / 20,000.
    EXPECT_EQ(corrected.count(), 20'000U);
    EXPECT_EQ(corrected.mean(), 25'003ms);
    EXPECT_EQ(corrected.percentile(50), 1ms);
    EXPECT_EQ(corrected.percentile(75), corrected.highestEquivalent(50s));
    EXPECT_EQ(corrected.max(), 100s);
}
