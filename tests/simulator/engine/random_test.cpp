// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <vector>

namespace idem::sim {
namespace {

/// Pearson's statistic of `counts` against equal shares.
double chiSquare(const std::vector<int> &counts, double total)
{
    const double share = total / static_cast<double>(counts.size());
    double sum = 0;
    for (const int count : counts) {
        sum += (count - share) * (count - share) / share;
    }
    return sum;
}

/// The 1 % bound for 255 degrees of freedom (Wilson and Hilferty, 1931): 310.5.
constexpr double bound255 = 310.5;
constexpr int samples = 100'000;

TEST(KeyedRandom, IsUniformAlongOperations)
{
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const KeyedRandom random(seed);
        std::vector<int> high(256);
        std::vector<int> low(256);
        for (int i = 0; i < samples; ++i) {
            const std::uint64_t bits = random.bits(1, static_cast<std::uint64_t>(i), 1);
            ++high[bits >> 56];
            ++low[bits & 0xff];
        }
        EXPECT_LT(chiSquare(high, samples), bound255);
        EXPECT_LT(chiSquare(low, samples), bound255);
    }
}

TEST(KeyedRandom, IsUniformAlongAttemptsStreamsAndSeeds)
{
    std::vector<int> attempts(256);
    std::vector<int> streams(256);
    std::vector<int> seeds(256);
    for (std::uint32_t i = 0; i < samples; ++i) {
        ++attempts[KeyedRandom(1).bits(1, 7, i) >> 56];
        ++streams[KeyedRandom(1).bits(i, 7, 1) >> 56];
        ++seeds[KeyedRandom(i).bits(1, 7, 1) >> 56];
    }
    EXPECT_LT(chiSquare(attempts, samples), bound255);
    EXPECT_LT(chiSquare(streams, samples), bound255);
    EXPECT_LT(chiSquare(seeds, samples), bound255);
}

TEST(KeyedRandom, PairsOfDrawsAreIndependent)
{
    const KeyedRandom random(5);
    std::vector<int> joint(256); // 4 bits of one draw, 4 bits of its neighbour
    for (std::uint64_t i = 0; i < samples; ++i) {
        const std::uint64_t left = random.bits(3, i, 1) >> 60;
        const std::uint64_t right = random.bits(4, i, 1) >> 60;
        ++joint[left * 16 + right];
    }
    EXPECT_LT(chiSquare(joint, samples), bound255);
}

TEST(KeyedRandom, EveryWordOfTheKeyMatters)
{
    std::set<std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        for (std::uint32_t stream = 0; stream < 10; ++stream) {
            for (std::uint64_t operation = 0; operation < 50; ++operation) {
                for (std::uint32_t attempt = 0; attempt < 20; ++attempt) {
                    seen.insert(KeyedRandom(seed).bits(stream, operation, attempt));
                }
            }
        }
    }
    EXPECT_EQ(seen.size(), 40'000U); // 64-bit collisions of so few have probability 4e-11
}

TEST(KeyedRandom, IsAPureFunction)
{
    const KeyedRandom random(9);
    const std::uint64_t first = random.bits(1, 2, 3);
    (void)random.bits(9, 9, 9);
    EXPECT_EQ(random.bits(1, 2, 3), first);
    EXPECT_EQ(KeyedRandom(9).bits(1, 2, 3), first);
}

TEST(Mix64, FlipsHalfOfTheBits)
{
    double flipped = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        for (int bit = 0; bit < 64; ++bit) {
            flipped += std::popcount(mix64(i) ^ mix64(i ^ (1ULL << bit)));
        }
    }
    // 64,000 words of 64 fair coins: 32 +- 4 sd of the mean, sd = 4 / sqrt(64,000).
    EXPECT_NEAR(flipped / 64'000, 32, 4 * 4 / std::sqrt(64'000));
}

TEST(Uniform, IsTheExactFloorOfTheProduct)
{
    EXPECT_EQ(uniformBelow(0, Duration(10)), Duration(0));
    EXPECT_EQ(uniformBelow(UINT64_MAX, Duration(10)), Duration(9));
    EXPECT_EQ(uniformBelow(1ULL << 63, Duration(10)), Duration(5));
    EXPECT_EQ(uniformBelow(UINT64_MAX, Duration::max()), Duration::max() - Duration(1));
    EXPECT_EQ(uniformBelow(1ULL << 63, Duration::max()), Duration(Duration::max().count() / 2));
    EXPECT_EQ(uniformBelow(UINT64_MAX, Duration(0)), Duration(0));
    EXPECT_EQ(uniformBelow(UINT64_MAX, Duration(-5)), Duration(0));
    const KeyedRandom random(3);
    for (std::uint64_t i = 0; i < 2'000; ++i) {
        const std::uint64_t bits = random.bits(0, i);
        const auto bound = static_cast<std::int64_t>(random.bits(1, i) >> (1 + i % 60));
        __extension__ using Wide = unsigned __int128;
        const auto exact = static_cast<std::int64_t>((Wide(bits) * Wide(std::uint64_t(bound))) >> 64);
        ASSERT_EQ(uniformBelow(bits, Duration(bound)), Duration(exact));
    }
}

TEST(Uniform, UnitIntervalExcludesOne)
{
    EXPECT_EQ(toUnit(0), 0.0);
    EXPECT_LT(toUnit(UINT64_MAX), 1.0);
    EXPECT_EQ(toUnit(1ULL << 63), 0.5);
}

TEST(Exponential, PassesTheKolmogorovSmirnovTest)
{
    constexpr int n = 50'000;
    const Duration mean = std::chrono::seconds(2);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const KeyedRandom random(seed);
        std::vector<double> values;
        for (std::uint64_t i = 0; i < n; ++i) {
            values.push_back(static_cast<double>(exponential(random.bits(1, i), mean).count()) / 2e6);
        }
        std::sort(values.begin(), values.end());
        double worst = 0;
        for (int i = 0; i < n; ++i) {
            const double theory = 1 - std::exp(-values[static_cast<std::size_t>(i)]);
            worst = std::max({worst, std::abs(theory - double(i) / n), std::abs(theory - double(i + 1) / n)});
        }
        EXPECT_LT(worst, 1.63 / std::sqrt(n)); // 1 %
    }
}

TEST(Exponential, IsFiniteAtBothEnds)
{
    EXPECT_EQ(exponential(0, std::chrono::seconds(1)), Duration(0));
    // 1 - (1 - 2^-53) = 2^-53, and -ln 2^-53 = 36.7368.
    EXPECT_EQ(exponential(UINT64_MAX, std::chrono::seconds(1)), Duration(36'736'801));
    EXPECT_EQ(exponential(UINT64_MAX, Duration(0)), Duration(0));
}

} // namespace
} // namespace idem::sim
