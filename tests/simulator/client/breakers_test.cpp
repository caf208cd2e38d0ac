// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/client/gates.h"

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

using namespace std::chrono_literals;

/// One call with one attempt; false: rejected at home.
bool call(RetryGate &gate, Instant now, bool succeeds)
{
    if (!gate.mayStart(now, 0)) {
        return false;
    }
    if (succeeds) {
        gate.onSuccess(now, 1, Failure::Transient);
    } else {
        gate.onFailure(now, Failure::Transient, 1);
    }
    return true;
}

void calls(RetryGate &gate, Instant now, int count, bool succeed)
{
    for (int i = 0; i < count; ++i) {
        ASSERT_TRUE(call(gate, now, succeed)) << i;
    }
}

TEST(BrookerBreaker, RetriesUntilATenthHasFailed)
{
    const auto gate = RetryGate::make(gateNamed("brooker-breaker"));
    EXPECT_EQ(retriesOfFailingCall(*gate, {}, Failure::Transient, 3), 0U);
    calls(*gate, {}, 19, true);
    // 2 failures of 21 calls are fewer than a tenth, 3 are more.
    EXPECT_EQ(retriesOfFailingCall(*gate, {}, Failure::Transient, 3), 1U);
    EXPECT_FALSE(gate->mayRetry({}, Failure::Transient));
    calls(*gate, {}, 9, true);
    EXPECT_TRUE(gate->mayRetry({}, Failure::Transient)) << "3 of 30";
}

TEST(PollyBreaker, OpensAtATenthOfAHundred)
{
    const auto gate = RetryGate::make(gateNamed("polly-breaker"));
    calls(*gate, {}, 90, true);
    calls(*gate, {}, 9, false);
    EXPECT_TRUE(call(*gate, {}, false)); // the 10th of 100
    EXPECT_FALSE(call(*gate, {}, true));
    EXPECT_FALSE(gate->maySend(at(4999ms), 0));
}

TEST(PollyBreaker, DoesNotOpenOnFewCallsOrFewFailures)
{
    const auto few = RetryGate::make(gateNamed("polly-breaker"));
    calls(*few, {}, 99, false);
    const auto rare = RetryGate::make(gateNamed("polly-breaker"));
    calls(*rare, {}, 91, true);
    calls(*rare, {}, 10, false); // 10 of 101
    EXPECT_TRUE(call(*rare, {}, true));
    // Calls of more than 30 s ago do not count.
    const auto slow = RetryGate::make(gateNamed("polly-breaker"));
    calls(*slow, {}, 99, false);
    calls(*slow, at(30s), 99, false);
    EXPECT_TRUE(call(*slow, at(30s), false)); // the hundredth
    EXPECT_FALSE(call(*slow, at(30s), false));
}

TEST(PollyBreaker, ProbesOnceAfterFiveSeconds)
{
    const auto gate = RetryGate::make(gateNamed("polly-breaker"));
    calls(*gate, {}, 100, false);
    EXPECT_FALSE(gate->mayStart(at(4999ms), 0));
    EXPECT_TRUE(gate->mayStart(at(5s), 0)); // the probe
    EXPECT_FALSE(gate->mayStart(at(5s), 0));
    gate->onFailure(at(6s), Failure::Transient, 1);
    EXPECT_FALSE(gate->mayStart(at(10'999ms), 0));
    EXPECT_TRUE(gate->mayStart(at(11s), 0));
    EXPECT_TRUE(gate->mayStart(at(16s), 0)) << "a probe without an answer blocks for one break";
    gate->onSuccess(at(16s), 1, Failure::Transient);
    calls(*gate, at(16s), 99, false);
    EXPECT_TRUE(gate->mayStart(at(16s), 0)) << "closed, and counting from nothing";
}

TEST(Resilience4jBreaker, OpensAtHalfOfAHundred)
{
    const auto gate = RetryGate::make(gateNamed("resilience4j-breaker"));
    calls(*gate, {}, 49, false);
    calls(*gate, {}, 51, true);
    // The window slides: 49 of the last 100.
    EXPECT_TRUE(call(*gate, {}, false));
    calls(*gate, {}, 1, true);
    EXPECT_TRUE(gate->mayStart({}, 0));
    const auto half = RetryGate::make(gateNamed("resilience4j-breaker"));
    calls(*half, {}, 50, true);
    calls(*half, {}, 50, false);
    EXPECT_FALSE(half->mayStart({}, 0));
    const auto few = RetryGate::make(gateNamed("resilience4j-breaker"));
    calls(*few, {}, 99, false);
    EXPECT_TRUE(call(*few, {}, false));
    EXPECT_FALSE(few->mayStart({}, 0));
}

TEST(Resilience4jBreaker, ForgetsCallsBeyondItsWindow)
{
    const auto gate = RetryGate::make(gateNamed("resilience4j-breaker"));
    calls(*gate, {}, 49, false);
    calls(*gate, {}, 100, true);
    calls(*gate, {}, 49, false);
    EXPECT_TRUE(call(*gate, {}, false)); // the 50th of the last 100
    EXPECT_FALSE(gate->mayStart({}, 0));
}

/// Opened at 0, and `succeed` of ten probes at 60 s succeed.
bool closesAfter(int succeed)
{
    const auto gate = RetryGate::make(gateNamed("resilience4j-breaker"));
    calls(*gate, {}, 100, false);
    EXPECT_FALSE(gate->mayStart(at(59'999ms), 0));
    for (int i = 0; i < 10; ++i) {
        EXPECT_TRUE(gate->mayStart(at(60s), 0));
    }
    EXPECT_FALSE(gate->mayStart(at(60s), 0)) << "ten are permitted";
    for (int i = 0; i < 10; ++i) {
        if (i < succeed) {
            gate->onSuccess(at(61s), 1, Failure::Transient);
        } else {
            gate->onFailure(at(61s), Failure::Transient, 1);
        }
    }
    return gate->maySend(at(61s), 0);
}

TEST(Resilience4jBreaker, LetsTenProbesDecide)
{
    EXPECT_TRUE(closesAfter(10));
    EXPECT_TRUE(closesAfter(6));
    EXPECT_FALSE(closesAfter(5));
    EXPECT_FALSE(closesAfter(0));
}

TEST(Bulkhead, HoldsTwentyFive)
{
    const auto gate = RetryGate::make(gateNamed("resilience4j-bulkhead"));
    for (int i = 0; i < 25; ++i) {
        EXPECT_TRUE(gate->mayStart({}, 0));
    }
    EXPECT_FALSE(gate->mayStart({}, 0));
    gate->onFailure({}, Failure::Transient, 1);
    EXPECT_TRUE(gate->maySend({}, 0));
    EXPECT_FALSE(gate->maySend({}, 0));
    gate->onSuccess({}, 2, Failure::Transient);
    EXPECT_TRUE(gate->mayStart({}, 0));
}

TEST(RateLimiter, LetsFiftyThroughAPeriodAndKeepsOthersForFive)
{
    const auto gate = RetryGate::make(gateNamed("resilience4j-rate-limiter"));
    for (int i = 0; i < 300; ++i) {
        EXPECT_EQ(gate->holdBack({}), Duration(i / 50 * 1s)) << i;
    }
    EXPECT_EQ(gate->holdBack({}), std::nullopt) << "six seconds are too long";
    EXPECT_EQ(gate->holdBack(at(1500ms)), Duration(4500ms));
    // A long silence: no more than one period's permits.
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(gate->holdBack(at(1h)), Duration(0));
    }
    EXPECT_EQ(gate->holdBack(at(1h)), Duration(1s));
}

} // namespace
} // namespace idem::sim
