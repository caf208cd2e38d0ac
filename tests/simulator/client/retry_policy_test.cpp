// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/retry_policy.h"

#include "simulator/engine/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace idem::sim {
namespace {

using namespace std::chrono_literals;
using enum RetryAlgorithm;

constexpr std::size_t samples = 200'000;
constexpr std::size_t retries = 6;

double toSeconds(Duration duration)
{
    return static_cast<double>(duration.count()) / 1e6;
}

/// One wait, of a policy that keeps no state.
Duration wait(const RetryPolicy &policy, std::uint32_t index, std::uint64_t bits, Failure failure = Failure::Transient,
    std::optional<Duration> retryAfter = {})
{
    RetryState state;
    return retryDelay(policy, state, index, failure, retryAfter, bits);
}

/// The waits of each retry, in seconds.
std::array<std::vector<double>, retries> sample(const RetryPolicy &policy, Failure failure = Failure::Transient)
{
    const KeyedRandom random(11);
    std::array<std::vector<double>, retries> waits;
    for (std::size_t i = 0; i < samples; ++i) {
        RetryState state;
        for (std::uint32_t n = 0; n < retries; ++n) {
            waits[n].push_back(toSeconds(retryDelay(policy, state, n, failure, {}, random.bits(1, i, n))));
        }
    }
    return waits;
}

double meanOf(const std::vector<double> &values)
{
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

/// At base 1 s and cap 30 s unless the vendor's own are meant; measured with other programs, N = 200,000.
struct Golden
{
    const char *name;
    RetryPolicy policy;
    std::array<double, retries> means;
};

const RetryPolicy &vendor(const char *name)
{
    return findRetryPolicy(QLatin1StringView(name))->policy;
}

RetryPolicy oneSecond(const char *name)
{
    RetryPolicy policy = vendor(name);
    policy.base = 1s;
    policy.cap = 30s;
    return policy;
}

TEST(RetryPolicy, HasTheGoldenMeans)
{
    const Golden goldens[] = {
        {"full", oneSecond("full-jitter"), {.5, .999, 2.00, 3.99, 8.00, 15.0}},
        {"equal", oneSecond("equal-jitter"), {.75, 1.5, 3, 6, 12, 22.5}},
        {"decorrelated", oneSecond("decorrelated-jitter"), {2.00, 3.50, 5.74, 8.84, 11.7, 13.9}},
        {"grpc", oneSecond("grpc-a6"), {1, 2, 4, 8, 16, 30}},
        {"polly", oneSecond("polly-v8-exponential"), {.872, 1.157, 2.08, 4.13, 8.24, 16.5}},
        {"resilience4j", oneSecond("resilience4j"), {1, 1.5, 2.25, 3.375, 5.06, 7.60}},
        {"stripe", vendor("stripe"), {.5, .75, 1.5, 3, 3.75, 3.75}},
        {"aws-2020", vendor("aws-standard-2020"), {.5, 1, 2, 4, 8, 10}},
        {"aws-2026", vendor("aws-standard-2026"), {.025, .05, .1, .2, .4, .8}},
    };
    for (const auto &[name, policy, means] : goldens) {
        const auto waits = sample(policy);
        for (std::size_t n = 0; n < retries; ++n) {
            EXPECT_NEAR(meanOf(waits[n]), means[n], 0.015 * means[n]) << name << " #" << n + 1;
        }
    }
}

TEST(RetryPolicy, PollyHasTheGoldenMedians)
{
    const double medians[] = {.900, 1.139, 2.02, 4.02, 8.00, 16.0};
    auto waits = sample(oneSecond("polly-v8-exponential"));
    for (std::size_t n = 0; n < retries; ++n) {
        std::ranges::nth_element(waits[n], waits[n].begin() + samples / 2);
        EXPECT_NEAR(waits[n][samples / 2], medians[n], 0.015 * medians[n]) << n;
    }
}

TEST(RetryPolicy, PollysSumIsItsFormula)
{
    const RetryPolicy policy {.algorithm = PollyExponential, .base = 2s, .cap = Duration::max()};
    const KeyedRandom random(3);
    for (std::uint64_t operation = 0; operation < 1000; ++operation) {
        RetryState state;
        Duration sum {};
        for (std::uint32_t n = 0; n < 12; ++n) {
            const std::uint64_t bits = random.bits(1, operation, n);
            sum += retryDelay(policy, state, n, Failure::Transient, {}, bits);
            const double t = n + toUnit(bits);
            const double formula = 2 / 1.4 * std::pow(2, t) * std::tanh(std::sqrt(4 * t));
            ASSERT_NEAR(toSeconds(sum), formula, 1e-6);
        }
    }
}

TEST(RetryPolicy, DecorrelatedHasItsClosedForm)
{
    const auto waits = sample({.algorithm = DecorrelatedJitter, .base = 1s, .cap = Duration::max()});
    double expected = 2; // 2 b 1.5^k - b
    for (std::size_t n = 0; n < retries; ++n) {
        EXPECT_NEAR(meanOf(waits[n]), expected, 0.015 * expected) << n;
        expected = 1.5 * expected + 0.5;
    }
}

/// Uniform between bounds: mean, and the ends that the first and the last of the bits give.
void expectUniform(const char *name, const RetryPolicy &policy, std::uint32_t n, double low, double high)
{
    constexpr int count = 40'000;
    double sum = 0;
    const KeyedRandom random(12);
    for (int i = 0; i < count; ++i) {
        sum += toSeconds(wait(policy, n, random.bits(1, std::uint64_t(i))));
    }
    const double sd = (high - low) / std::sqrt(12.0);
    EXPECT_NEAR(sum / count, (low + high) / 2, 4 * sd / std::sqrt(double(count)) + 1e-6) << name << n;
    EXPECT_NEAR(toSeconds(wait(policy, n, 0)), low, 1e-6) << name << n;
    EXPECT_NEAR(toSeconds(wait(policy, n, UINT64_MAX)), high, 2e-6) << name << n;
}

TEST(RetryPolicy, IsUniformWhereItSaysSo)
{
    for (std::uint32_t n = 0; n < 6; ++n) {
        const double v = std::min(30.0, std::pow(2, n));
        expectUniform("full", oneSecond("full-jitter"), n, 0, v);
        expectUniform("equal", oneSecond("equal-jitter"), n, v / 2, v);
        expectUniform("grpc", oneSecond("grpc-a6"), n, 0.8 * v, 1.2 * v); // 36 s exceed the cap
        expectUniform("tower", {.algorithm = Tower, .base = 1s, .cap = 100s, .jitter = 0.5}, n, std::pow(2, n),
            1.5 * std::pow(2, n));
        const double w = std::pow(1.5, n);
        expectUniform("resilience4j", oneSecond("resilience4j"), n, 0.5 * w, 1.5 * w);
        expectUniform("polly linear", vendor("polly-v8-linear"), n, 1.5 * (n + 1), 2.5 * (n + 1));
        expectUniform("polly constant", vendor("polly-v8-constant"), n, 1.5, 2.5);
        expectUniform("polly", vendor("polly-v8"), n, 2, 2);
        // Its documentation: 0-24 ms, 0-74 ms, 0-174 ms, and at most 250 ms.
        const double envoy[] = {.025, .075, .175, .25, .25, .25};
        expectUniform("envoy", vendor("envoy"), n, 0, envoy[n]);
    }
}

TEST(RetryPolicy, KnowsGrowthWithoutChance)
{
    const RetryPolicy exponential {.algorithm = Exponential, .base = 100ms, .cap = 1s};
    const RetryPolicy linear {.algorithm = Linear, .base = 100ms, .cap = 350ms};
    const std::chrono::milliseconds doubled[] = {100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms};
    const std::chrono::milliseconds added[] = {100ms, 200ms, 300ms, 350ms, 350ms, 350ms};
    for (const std::uint64_t bits : {std::uint64_t {0}, UINT64_MAX}) {
        for (std::uint32_t n = 0; n < retries; ++n) {
            EXPECT_EQ(wait(exponential, n, bits), Duration(doubled[n]));
            EXPECT_EQ(wait(linear, n, bits), Duration(added[n]));
            EXPECT_EQ(wait({.algorithm = None}, n, bits), Duration(0));
            EXPECT_EQ(wait({.algorithm = Fixed, .base = 7ms}, n, bits), Duration(7ms));
        }
    }
    // The simulator of AWS counts attempts from 1: the first wait is 2 b.
    EXPECT_EQ(wait({.algorithm = Exponential, .base = 5ms, .cap = 2s, .firstExponent = 1}, 0, 0), Duration(10ms));
}

TEST(RetryPolicy, AwsOf2026WaitsLongerWhenThrottled)
{
    const RetryPolicy &policy = vendor("aws-standard-2026");
    EXPECT_NEAR(toSeconds(wait(policy, 0, UINT64_MAX, Failure::Transient)), 0.05, 2e-6);
    EXPECT_NEAR(toSeconds(wait(policy, 0, UINT64_MAX, Failure::Throttled)), 1, 2e-6);
    EXPECT_NEAR(toSeconds(wait(policy, 5, UINT64_MAX, Failure::Throttled)), 20, 2e-6);
    EXPECT_NEAR(toSeconds(wait(vendor("aws-dynamodb-2026"), 0, UINT64_MAX)), 0.025, 2e-6);
}

TEST(RetryPolicy, HeedsTheServerInTheVendorsWay)
{
    const auto of = [](const RetryPolicy &policy, Duration asked, std::uint64_t bits) {
        return wait(policy, 0, bits, Failure::Throttled, asked);
    };
    // Ignored unless said.
    EXPECT_EQ(of(vendor("fixed"), 1h, 0), Duration(100ms));
    // AWS: max(t, min(it, t + 5 s)); t = 0 with bits 0.
    EXPECT_EQ(of(vendor("aws-standard-2026"), 3s, 0), Duration(3s));
    EXPECT_EQ(of(vendor("aws-standard-2026"), 30s, 0), Duration(5s));
    EXPECT_NEAR(toSeconds(of(vendor("aws-standard-2026"), 10ms, UINT64_MAX)), 1, 2e-6);
    // Stripe: at least, but not over a minute.
    EXPECT_EQ(of(vendor("stripe"), 60s, 0), Duration(60s));
    EXPECT_EQ(of(vendor("stripe"), 61s, 0), Duration(500ms));
    EXPECT_EQ(of(vendor("stripe"), 1ms, 0), Duration(500ms));
    EXPECT_EQ(of(vendor("stripe"), -5s, 0), Duration(500ms));
    // Envoy: U(it, 1.5 it), not over five minutes.
    EXPECT_EQ(of(vendor("envoy"), 10s, 0), Duration(10s));
    EXPECT_NEAR(toSeconds(of(vendor("envoy"), 10s, UINT64_MAX)), 15, 2e-6);
    EXPECT_EQ(of(vendor("envoy"), 301s, 0), Duration(0));
}

TEST(RetryPolicy, PushbackStartsGrpcsBackoffAfresh)
{
    const RetryPolicy &policy = vendor("grpc-a6");
    RetryState state;
    EXPECT_NEAR(toSeconds(retryDelay(policy, state, 0, Failure::Transient, {}, 0)), 0.08, 2e-6);
    EXPECT_NEAR(toSeconds(retryDelay(policy, state, 1, Failure::Transient, {}, 0)), 0.16, 2e-6);
    EXPECT_EQ(retryDelay(policy, state, 2, Failure::Throttled, 7s, 0), Duration(7s));
    EXPECT_NEAR(toSeconds(retryDelay(policy, state, 3, Failure::Transient, {}, 0)), 0.08, 2e-6);
    EXPECT_NEAR(toSeconds(retryDelay(policy, state, 4, Failure::Transient, {}, 0)), 0.16, 2e-6);
}

TEST(RetryPolicy, FinagleStartsWithoutChanceAndEndsAtTheMaximum)
{
    for (const RetryAlgorithm algorithm : {FinagleExponential, FinagleEqual, FinagleDecorrelated}) {
        const auto waits = sample({.algorithm = algorithm, .base = 1s, .cap = 1h});
        EXPECT_EQ(std::ranges::min(waits[0]), 1);
        EXPECT_EQ(std::ranges::max(waits[0]), 1);
    }
    const auto exponential = sample({.algorithm = FinagleExponential, .base = 1s, .cap = 1h});
    const auto equal = sample({.algorithm = FinagleEqual, .base = 1s, .cap = 1h});
    const auto decorrelated = sample({.algorithm = FinagleDecorrelated, .base = 1s, .cap = 1h});
    double product = 1; // each wait is U(0, 2^n times the one before)
    for (std::size_t n = 1; n < retries; ++n) {
        const double doubled = std::pow(2, n);
        product *= doubled / 2;
        EXPECT_NEAR(meanOf(exponential[n]), product, 0.03 * product) << n;
        EXPECT_NEAR(meanOf(equal[n]), 0.75 * doubled, 0.015 * doubled) << n; // U(2^(n - 1), 2^n)
        EXPECT_NEAR(meanOf(decorrelated[n]), doubled, 0.015 * doubled) << n; // U(s, 3 s)
    }
    RetryState state;
    for (std::uint32_t n = 0; n < 100; ++n) {
        const Duration last =
            retryDelay({.algorithm = FinagleEqual, .base = 1s, .cap = 20s}, state, n, Failure::Transient, {}, mix64(n));
        EXPECT_TRUE(n < 6 || last == 20s) << n;
    }
}

TEST(RetryPolicy, NeverLeavesItsBounds)
{
    const KeyedRandom random(4);
    constexpr Duration year = std::chrono::days(365);
    const std::pair<Duration, Duration> bounds[] = {{1us, 1us}, {1us, year}, {0us, 0us}, {0us, 20s}, {year, year},
        {3us, 10us}, {Duration::max(), Duration::max()}, {10s, 1s}};
    for (const NamedRetryPolicy &named : retryPolicies()) {
        for (const auto &[base, cap] : bounds) {
            RetryPolicy policy = named.policy;
            policy.base = base;
            policy.cap = cap;
            Duration most = cap;
            if (policy.algorithm == Grpc) {
                most = cap > Duration::max() / 2 ? Duration::max() : cap * 6 / 5 + 1us; // by design
            } else if (policy.algorithm == Fixed) {
                most = base;
            } else if (policy.algorithm == Stripe) {
                most = std::max(base, cap);
            }
            RetryState state;
            for (std::uint32_t n = 0; n < 2000; ++n) {
                const Duration delay = retryDelay(policy, state, n, Failure::Transient, {}, random.bits(1, n));
                ASSERT_GE(delay, Duration::zero()) << named.name.data() << n;
                ASSERT_LE(delay, most) << named.name.data() << n;
            }
            state = {};
            ASSERT_LE(retryDelay(policy, state, UINT32_MAX, Failure::Throttled, {}, 7), most) << named.name.data();
        }
    }
}

TEST(RetryPolicy, IsFoundByItsName)
{
    std::set<std::string> names;
    for (const NamedRetryPolicy &named : retryPolicies()) {
        EXPECT_TRUE(names.insert(named.name.data()).second);
        EXPECT_EQ(findRetryPolicy(named.name), &named);
        EXPECT_GE(named.policy.maxAttempts, 1U);
    }
    EXPECT_EQ(retryPolicies().front().name, QLatin1StringView("none"));
    EXPECT_EQ(findRetryPolicy(QLatin1StringView("")), nullptr);
    EXPECT_EQ(findRetryPolicy(QLatin1StringView("Stripe")), nullptr);
}

} // namespace
} // namespace idem::sim
