// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/random.h"
#include "simulator/model/draw.h"
#include "tests/simulator/model/scenarios.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace idem::sim {
namespace {

constexpr std::uint64_t samples = 200'000;

/// Mean, in seconds, of `draw` over fixed random bits.
double meanOf(const std::function<Duration(std::uint64_t)> &drawOne)
{
    const KeyedRandom random(11);
    double sum = 0;
    for (std::uint64_t i = 0; i < samples; ++i) {
        sum += static_cast<double>(drawOne(random.bits(1, i)).count()) / 1e6;
    }
    return sum / static_cast<double>(samples);
}

RetryPolicy policy(RetryPolicy::Kind kind, Duration base, Duration cap)
{
    return {.kind = kind, .base = base, .cap = cap, .maxAttempts = 10'000};
}

TEST(RetryDelay, NoneAndFixedKnowNoGrowth)
{
    for (const std::uint32_t index : {0U, 1U, 7U, 9'999U}) {
        EXPECT_EQ(retryDelay(policy(RetryPolicy::Kind::None, 1s, 30s), index, UINT64_MAX), Duration(0));
        EXPECT_EQ(retryDelay(policy(RetryPolicy::Kind::Fixed, 1s, 30s), index, UINT64_MAX), Duration(1s));
    }
}

TEST(RetryDelay, ExponentialDoublesUpToTheCap)
{
    const RetryPolicy exponential = policy(RetryPolicy::Kind::Exponential, 100ms, 1s);
    const std::chrono::milliseconds expected[] = {100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms};
    for (std::uint32_t index = 0; index < std::size(expected); ++index) {
        EXPECT_EQ(retryDelay(exponential, index, 0), Duration(expected[index]));
        EXPECT_EQ(retryDelay(exponential, index, UINT64_MAX), Duration(expected[index]));
    }
}

TEST(RetryDelay, FullJitterIsUniformBelowTheExponential)
{
    for (std::uint32_t index = 0; index < 6; ++index) {
        const double top = std::min(30.0, std::pow(2.0, index));
        const RetryPolicy jitter = policy(RetryPolicy::Kind::FullJitter, 1s, 30s);
        const double mean = meanOf([&](std::uint64_t bits) { return retryDelay(jitter, index, bits); });
        // Uniform: mean v / 2, sd v / sqrt(12).
        EXPECT_NEAR(mean, top / 2, 4 * top / std::sqrt(12.0 * samples)) << index;
        EXPECT_EQ(retryDelay(jitter, index, 0), Duration(0));
        EXPECT_EQ(retryDelay(jitter, index, UINT64_MAX), Duration(std::llround(top * 1e6) - 1));
    }
}

TEST(RetryDelay, FullJitterHasThePublishedMeans)
{
    // Measured with another program: base 1 s, cap 30 s, N = 200,000.
    const double golden[] = {0.5, 1, 2, 4, 8, 15};
    const RetryPolicy jitter = policy(RetryPolicy::Kind::FullJitter, 1s, 30s);
    for (std::uint32_t index = 0; index < std::size(golden); ++index) {
        const double mean = meanOf([&](std::uint64_t bits) { return retryDelay(jitter, index, bits); });
        EXPECT_NEAR(mean, golden[index], 0.015 * golden[index]);
    }
}

TEST(RetryDelay, NeverLeavesItsBounds)
{
    const KeyedRandom random(4);
    const std::pair<Duration, Duration> bounds[] = {{1us, 1us}, {1us, std::chrono::days(365)}, {0us, 0us}, {0us, 20s},
        {std::chrono::days(365), std::chrono::days(365)}, {3us, 10us}, {Duration::max(), Duration::max()}};
    for (const auto &[base, cap] : bounds) {
        for (const auto kind : {RetryPolicy::Kind::Exponential, RetryPolicy::Kind::FullJitter}) {
            Duration last {};
            for (std::uint32_t attempt = 1; attempt <= 10'000; ++attempt) {
                const Duration delay = retryDelay(policy(kind, base, cap), attempt - 1, random.bits(1, attempt));
                ASSERT_GE(delay, Duration::zero());
                ASSERT_LE(delay, cap);
                if (kind == RetryPolicy::Kind::Exponential) {
                    ASSERT_GE(delay, last);
                    last = delay;
                }
            }
        }
    }
}

TEST(Draw, ConstantIsConstant)
{
    EXPECT_EQ(draw(constant(7ms), 0), Duration(7ms));
    EXPECT_EQ(draw(constant(7ms), UINT64_MAX), Duration(7ms));
}

TEST(Draw, UniformCoversItsHalfOpenInterval)
{
    const Distribution distribution = uniform(200ms, 2s);
    EXPECT_EQ(draw(distribution, 0), Duration(200ms));
    EXPECT_EQ(draw(distribution, UINT64_MAX), Duration(2s) - 1us);
    EXPECT_EQ(draw(uniform(5ms, 5ms), UINT64_MAX), Duration(5ms));
    const double mean = meanOf([&](std::uint64_t bits) { return draw(distribution, bits); });
    EXPECT_NEAR(mean, 1.1, 4 * 1.8 / std::sqrt(12.0 * samples));
}

TEST(Draw, ExponentialHasItsMean)
{
    const Distribution distribution = exponentialWith(3s);
    const double mean = meanOf([&](std::uint64_t bits) { return draw(distribution, bits); });
    EXPECT_NEAR(mean, 3, 4 * 3 / std::sqrt(double(samples))); // sd = mean
}

} // namespace
} // namespace idem::sim
