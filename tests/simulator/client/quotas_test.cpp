// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/aws_rate_limiter.h"
#include "simulator/engine/random.h"
#include "tests/simulator/client/gates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace idem::sim {
namespace {

using namespace std::chrono_literals;

/// Retries in `calls` calls of which every attempt fails.
std::uint32_t drain(const RetryGateOptions &options, Failure why, int calls)
{
    const auto gate = RetryGate::make(options);
    std::uint32_t retries = 0;
    for (int call = 0; call < calls; ++call) {
        retries += retriesOfFailingCall(*gate, at(call * 1ms), why, 2);
    }
    return retries;
}

/// Attempts a call when each attempt fails with `probability`; and `attempts` at most.
double attemptsPerCall(const RetryGateOptions &options, double probability, std::uint32_t attempts, int calls)
{
    const auto gate = RetryGate::make(options);
    const KeyedRandom random(9);
    double sent = 0;
    for (int call = 0; call < calls; ++call) {
        const Instant now = at(call * 1ms);
        EXPECT_TRUE(gate->mayStart(now, 0));
        for (std::uint32_t attempt = 1;; ++attempt) {
            ++sent;
            if (toUnit(random.bits(1, std::uint64_t(call), attempt)) >= probability) {
                gate->onSuccess(now, attempt, Failure::Transient);
                break;
            }
            gate->onFailure(now, Failure::Transient, attempt);
            if (attempt == attempts || !gate->mayRetry(now, Failure::Transient)) {
                break;
            }
        }
    }
    return sent / calls;
}

TEST(AwsQuota, GrantsExactlyWhatItHolds)
{
    EXPECT_EQ(drain(gateNamed("aws-quota-2020"), Failure::Transient, 1000), 100U);
    EXPECT_EQ(drain(gateNamed("aws-quota-2020"), Failure::TimedOut, 1000), 50U);
    EXPECT_EQ(drain(gateNamed("aws-quota-2026"), Failure::Transient, 1000), 35U);
    EXPECT_EQ(drain(gateNamed("aws-quota-2026"), Failure::TimedOut, 1000), 35U);
    EXPECT_EQ(drain(gateNamed("aws-quota-2026"), Failure::Throttled, 1000), 100U);
    EXPECT_EQ(drain(gateNamed("aws-adaptive"), Failure::Transient, 1000), 100U);
    EXPECT_EQ(drain(gateNamed("none"), Failure::Transient, 1000), 2000U);
}

TEST(AwsQuota, TakesBackTheLastRetrysCostAndOneForASuccess)
{
    const auto gate = RetryGate::make(gateNamed("aws-quota-2020"));
    EXPECT_EQ(retriesOfFailingCall(*gate, {}, Failure::Transient, 1000), 100U);
    for (int i = 0; i < 4; ++i) {
        succeed(*gate, {});
    }
    EXPECT_FALSE(gate->mayRetry({}, Failure::Transient)); // 4 < 5
    succeed(*gate, {});
    EXPECT_TRUE(gate->mayRetry({}, Failure::Transient)); // 0 left
    gate->onSuccess({}, 2, Failure::Transient); // 5
    EXPECT_TRUE(gate->mayRetry({}, Failure::Transient));
    gate->onSuccess({}, 2, Failure::TimedOut); // 10
    EXPECT_TRUE(gate->mayRetry({}, Failure::TimedOut));
    EXPECT_FALSE(gate->mayRetry({}, Failure::Transient));
}

TEST(AwsQuota, NeverHoldsMoreThanItsCapacity)
{
    const auto gate = RetryGate::make(gateNamed("aws-quota-2020"));
    for (int i = 0; i < 10'000; ++i) {
        succeed(*gate, {});
    }
    EXPECT_EQ(retriesOfFailingCall(*gate, {}, Failure::Transient, 1000), 100U);
}

TEST(AwsQuota, LimitsAttemptsAtPartialFailure)
{
    // f = .3, three attempts. The quota's balance: what first successes give and what was there at the start is what
    // failed retries keep, .7 calls + 500 = 14 * .3 * retries. Retries until F = .05 calls have failed: sd sqrt(.7 F) /
    // .3.
    const auto expected = [](double calls) { return 1 + (0.7 * calls + 500) / (14 * 0.3) / calls; };
    const auto sd = [](double calls) { return std::sqrt(0.7 * 0.05 * calls) / 0.3 / calls; };
    for (const int calls : {50'000, 2'000'000}) {
        const double attempts = attemptsPerCall(gateNamed("aws-quota-2026"), 0.3, 3, calls);
        EXPECT_NEAR(attempts, expected(calls), 4 * sd(calls)) << calls;
    }
    // Measured with another program, 50,000 calls: 1.169 with the quota and 1.39 without.
    EXPECT_NEAR(expected(50'000), 1.169, 0.0005);
    EXPECT_NEAR(attemptsPerCall(gateNamed("none"), 0.3, 3, 50'000), 1.39, 0.01);
}

TEST(AwsQuota, ShowsTheFaultsOfOtherSdks)
{
    // Go: drained for ever.
    const auto go = RetryGate::make(gateNamed("aws-adaptive-go-fault"));
    EXPECT_EQ(retriesOfFailingCall(*go, {}, Failure::Transient, 1000), 100U);
    for (int i = 0; i < 1000; ++i) {
        succeed(*go, {});
    }
    EXPECT_FALSE(go->mayRetry({}, Failure::Transient));
    // Rust: no bucket.
    EXPECT_EQ(drain(gateNamed("aws-quota-rust-fault"), Failure::Transient, 1000), 2000U);
    // Java: a full quota and no limit for each request.
    const auto java = RetryGate::make(gateNamed("aws-adaptive-java-fault"));
    EXPECT_EQ(retriesOfFailingCall(*java, {}, Failure::Throttled, 1000), 100U);
    EXPECT_GT(java->holdBack({}), Duration(0));
    EXPECT_EQ(retriesOfFailingCall(*java, {}, Failure::Transient, 1000), 100U);
    EXPECT_EQ(java->holdBack({}), Duration(0));
}

/// The vectors of AWS's specification of retries, as its SDKs for Kotlin, Go and Rust test them.
TEST(CubicRate, MeetsThePublishedVectors)
{
    CubicRate rate(10, at(5s));
    const double growth[] = {7.0, 9.64893600966, 10.000030849917364, 10.453284520772092, 13.408697022224185,
        21.26626835427364, 36.425998516920465};
    for (int i = 0; i < 7; ++i) {
        EXPECT_NEAR(rate.succeeded(at((5 + i) * 1s)), growth[i], 1e-9) << i;
    }
    CubicRate other(10, at(5s));
    EXPECT_NEAR(other.succeeded(at(5s)), 7, 1e-9);
    EXPECT_NEAR(other.succeeded(at(6s)), 9.64893600966, 1e-9);
    EXPECT_NEAR(other.throttled(at(7s), other.succeeded(at(6s))), 6.754255206761999, 1e-9);
    EXPECT_NEAR(other.throttled(at(8s), 6.754255206761999), 4.727978644733399, 1e-9);
    const double after[] = {6.606547753887045, 6.763279816944947, 7.598174833907107, 11.511232804773524};
    for (int i = 0; i < 4; ++i) {
        EXPECT_NEAR(other.succeeded(at((9 + i) * 1s)), after[i], 1e-9) << i;
    }
}

TEST(AwsRateLimiter, MeetsThePublishedVectors)
{
    struct Step
    {
        bool throttle;
        double measured;
        double fill;
    };
    const Step steps[] = {{false, 0, .5}, {false, 0, .5}, {false, 4.8, .5}, {false, 4.8, .5}, {false, 4.16, .5},
        {false, 4.16, .6912}, {false, 4.16, 1.0976}, {false, 5.632, 1.6384}, {false, 5.632, 2.3328},
        {true, 4.3264, 3.02848}, {false, 4.3264, 3.486639}, {false, 4.3264, 3.821874}, {false, 5.66528, 4.053386},
        {false, 5.66528, 4.200373}, {false, 4.333056, 4.282037}, {true, 4.333056, 2.997426},
        {false, 4.333056, 3.452226}};
    AwsRateLimiter limiter((Instant()));
    Instant now {};
    for (const auto &[throttle, measured, fill] : steps) {
        now += 200ms;
        limiter.onAnswer(now, throttle);
        EXPECT_NEAR(limiter.measuredRate(), measured, 1e-6) << now.time_since_epoch().count();
        EXPECT_NEAR(limiter.fillRate(), fill, 1e-6) << now.time_since_epoch().count();
    }
}

TEST(AwsRateLimiter, HoldsNothingBackBeforeTheFirstThrottle)
{
    AwsRateLimiter limiter((Instant()));
    for (int i = 0; i < 1000; ++i) {
        EXPECT_EQ(limiter.acquire(at(i * 1us)), Duration(0));
    }
    AwsRateLimiter throttled((Instant()));
    throttled.onAnswer({}, true); // nothing measured yet: the least rate, 0.5 a second
    EXPECT_EQ(throttled.fillRate(), 0.5);
    EXPECT_EQ(throttled.acquire(at(1s)), Duration(1s)); // half a token there
    EXPECT_EQ(throttled.acquire(at(1s)), Duration(3s)); // and each further one takes two seconds
}

TEST(GrpcThrottling, LetsFourFailuresOfFiveRetry)
{
    const auto gate = RetryGate::make(gateNamed("grpc-throttling"));
    for (int failure = 1; failure <= 5; ++failure) {
        gate->onFailure({}, Failure::Transient, 1);
        EXPECT_EQ(gate->mayRetry({}, Failure::Transient), failure <= 4) << failure;
    }
}

TEST(GrpcThrottling, BreaksEvenAtOneInEleven)
{
    // A failure costs 1, a success gives .1: below 9.09 % of failures the bucket fills, above it empties.
    const auto granted = [](int successesPerFailure) {
        const auto gate = RetryGate::make(gateNamed("grpc-throttling"));
        int last = 0;
        for (int failure = 0; failure < 1000; ++failure) {
            for (int i = 0; i < successesPerFailure; ++i) {
                gate->onSuccess({}, 1, Failure::Transient);
            }
            gate->onFailure({}, Failure::Transient, 1);
            last = gate->mayRetry({}, Failure::Transient) ? last + 1 : 0;
        }
        return last; // in a row, up to the end
    };
    EXPECT_EQ(granted(10), 1000);
    EXPECT_EQ(granted(9), 0);
    // Measured with another program, four attempts.
    EXPECT_NEAR(attemptsPerCall(gateNamed("grpc-throttling"), 0.05, 4, 100'000), 1.053, 0.003);
    EXPECT_NEAR(attemptsPerCall(gateNamed("grpc-throttling"), 0.2, 4, 100'000), 1.0001, 0.0002);
}

TEST(GrpcThrottling, CountsThreeDecimalsOfTheRatio)
{
    RetryGateOptions options = gateNamed("grpc-throttling");
    options.grpcThrottling = {.maxTokens = 1, .tokenRatio = 0.5009};
    const auto gate = RetryGate::make(options);
    gate->onFailure({}, Failure::Transient, 1);
    gate->onSuccess({}, 1, Failure::Transient);
    EXPECT_FALSE(gate->mayRetry({}, Failure::Transient)) << "0.500 is not more than half";
    options.grpcThrottling.tokenRatio = 0.501;
    const auto other = RetryGate::make(options);
    other->onFailure({}, Failure::Transient, 1);
    other->onSuccess({}, 1, Failure::Transient);
    EXPECT_TRUE(other->mayRetry({}, Failure::Transient));
}

TEST(BrookerBucket, AddsAboutOneRetryToTenCalls)
{
    // Nothing but failures, 101 calls: 5 tokens and 101 deposits of .1, of which the first finds a full bucket; a retry
    // needs more than a whole token. So 14 or 15 retries, by how the tenths add up.
    const auto gate = RetryGate::make(gateNamed("brooker-bucket"));
    EXPECT_EQ(retriesOfFailingCall(*gate, {}, Failure::Transient, 1000), 4U);
    std::uint32_t retries = 4;
    for (int call = 1; call < 101; ++call) {
        retries += retriesOfFailingCall(*gate, {}, Failure::Transient, 1000);
    }
    EXPECT_GE(retries, 14U);
    EXPECT_LE(retries, 15U);
}

TEST(BrookerBucket, CanDepositForSuccessesOnly)
{
    RetryGateOptions options = gateNamed("brooker-bucket");
    options.brookerBucket.depositOnSuccess = true;
    const auto gate = RetryGate::make(options);
    for (int call = 0; call < 1000; ++call) {
        EXPECT_EQ(retriesOfFailingCall(*gate, {}, Failure::Transient, 1000), call == 0 ? 4U : 0U);
    }
    succeed(*gate, {});
    EXPECT_EQ(retriesOfFailingCall(*gate, {}, Failure::Transient, 1000), 1U);
}

TEST(RetryGate, IsFoundByItsName)
{
    std::set<std::string> names;
    for (const NamedRetryGate &named : retryGates()) {
        EXPECT_TRUE(names.insert(named.name.data()).second);
        EXPECT_EQ(findRetryGate(named.name), &named);
    }
    EXPECT_EQ(retryGates().front().options.kind, RetryGateOptions::Kind::None);
    EXPECT_EQ(findRetryGate(QLatin1StringView("grpc")), nullptr);
    for (const NamedRetryPolicy &named : retryPolicies()) {
        EXPECT_NE(findRetryGate(named.gate), nullptr) << named.name.data();
    }
}

/// Answers of a gate to a stream of calls that fail more often than not.
std::string answers(RetryGate &gate, int from, int to)
{
    const KeyedRandom random(6);
    std::string text;
    for (int call = from; call < to; ++call) {
        const Instant now = at(call * 5ms);
        const std::uint64_t bits = random.bits(1, std::uint64_t(call));
        if (!gate.mayStart(now, bits)) {
            text += 's';
            continue;
        }
        const auto wait = gate.holdBack(now);
        text += wait ? std::to_string(wait->count()) : "w";
        if (bits % 3 == 0) {
            gate.onSuccess(now, 1, Failure::Transient);
            continue;
        }
        gate.onFailure(now, Failure::Throttled, 1);
        if (!gate.mayRetry(now, Failure::Throttled)) {
            text += 'r';
        } else if (!gate.maySend(now, mix64(bits))) {
            text += 'm';
        } else {
            gate.onSuccess(now, 2, Failure::Throttled);
        }
    }
    return text;
}

TEST(RetryGate, CopiesItsState)
{
    for (const NamedRetryGate &named : retryGates()) {
        const auto gate = RetryGate::make(named.options);
        answers(*gate, 0, 500);
        const auto copy = gate->clone();
        const std::string first = answers(*gate, 500, 2500);
        EXPECT_EQ(answers(*copy, 500, 2500), first) << named.name.data();
        if (named.options.kind != RetryGateOptions::Kind::None) {
            const auto fresh = RetryGate::make(named.options);
            const std::string whole = answers(*fresh, 0, 2500);
            EXPECT_TRUE(whole.ends_with(first)) << named.name.data();
        }
    }
}

} // namespace
} // namespace idem::sim
