// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/sliding_sum.h"
#include "simulator/engine/random.h"
#include "tests/simulator/client/gates.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace idem::sim {
namespace {

using namespace std::chrono_literals;

TEST(SlidingSum, ForgetsSlotBySlot)
{
    SlidingSum sum(10s, 10);
    sum.add(at(500ms), 5);
    sum.add(at(1s), 7);
    EXPECT_EQ(sum.sum(at(9999ms)), 12);
    EXPECT_EQ(sum.sum(at(10s)), 7);
    EXPECT_EQ(sum.sum(at(10'999ms)), 7);
    EXPECT_EQ(sum.sum(at(11s)), 0);
    sum.add(at(11s), 3);
    EXPECT_EQ(sum.sum(at(1h)), 0);
}

/// Retries a second in a minute of `perSecond` requests a second that all fail and retry as often as they may, after a
/// minute to settle.
double retriesPerSecond(const char *name, int perSecond)
{
    const auto gate = RetryGate::make(gateNamed(name));
    std::uint32_t retries = 0;
    for (int request = 0; request < 120 * perSecond; ++request) {
        const Instant now = at(request * 1s / perSecond);
        const std::uint32_t granted = retriesOfFailingCall(*gate, now, Failure::Transient, UINT32_MAX - 1);
        retries += now >= at(60s) ? granted : 0;
    }
    return retries / 60.0;
}

TEST(RetryBudget, GrantsAFifthAndTenASecond)
{
    EXPECT_EQ(retriesPerSecond("retry-budget", 100), 30.0);
    EXPECT_EQ(retriesPerSecond("retry-budget", 1000), 210.0);
}

TEST(RetryBudget, HasNothingButTheReserveAtFirst)
{
    const auto gate = RetryGate::make(gateNamed("retry-budget"));
    // 10 a second for 10 s, and the request's own deposit is a fifth of a retry.
    EXPECT_EQ(retriesOfFailingCall(*gate, {}, Failure::Transient, 1000), 100U);
    EXPECT_EQ(retriesOfFailingCall(*gate, at(9999ms), Failure::Transient, 1000), 0U);
    EXPECT_EQ(retriesOfFailingCall(*gate, at(10s), Failure::Transient, 1000), 100U);
}

TEST(RetryBudget, WithoutAPercentageHasTheReserveOnly)
{
    RetryGateOptions options = gateNamed("retry-budget");
    options.retryBudget = {.ttl = 5s, .minRetriesPerSecond = 2, .percentCanRetry = 0};
    const auto gate = RetryGate::make(options);
    for (int i = 0; i < 100; ++i) {
        succeed(*gate, {});
    }
    EXPECT_EQ(retriesOfFailingCall(*gate, {}, Failure::Transient, 1000), 10U);
}

/// With `active` requests in flight, retries replace those that fail: how many are granted in a row.
int envoyRetries(int active)
{
    const auto gate = RetryGate::make(gateNamed("envoy-budget"));
    for (int i = 0; i < active; ++i) {
        EXPECT_TRUE(gate->mayStart({}, 0));
    }
    int retries = 0;
    for (; retries < active; ++retries) {
        gate->onFailure({}, Failure::Transient, 1);
        if (!gate->mayRetry({}, Failure::Transient)) {
            break;
        }
    }
    return retries;
}

TEST(EnvoyBudget, GrantsAFifthOfTheActive)
{
    EXPECT_EQ(envoyRetries(100), 20);
    EXPECT_EQ(envoyRetries(1000), 200);
    EXPECT_EQ(envoyRetries(4), 3); // the least
    EXPECT_EQ(envoyRetries(15), 3);
}

TEST(EnvoyBudget, GrantsAgainWhenARetryEnds)
{
    const auto gate = RetryGate::make(gateNamed("envoy-budget"));
    for (int i = 0; i < 10; ++i) {
        EXPECT_TRUE(gate->mayStart({}, 0));
    }
    for (int i = 0; i < 3; ++i) {
        gate->onFailure({}, Failure::Transient, 1);
        EXPECT_TRUE(gate->mayRetry({}, Failure::Transient));
    }
    gate->onFailure({}, Failure::Transient, 1);
    EXPECT_FALSE(gate->mayRetry({}, Failure::Transient));
    gate->onSuccess({}, 2, Failure::Transient);
    gate->onFailure({}, Failure::Transient, 1);
    EXPECT_TRUE(gate->mayRetry({}, Failure::Transient));
}

TEST(GatewayApiBudget, GrantsTenASecondOrAFifthOfAll)
{
    // The least alone: ten in the first second.
    const auto gate = RetryGate::make(gateNamed("gateway-api-budget"));
    EXPECT_EQ(retriesOfFailingCall(*gate, {}, Failure::Transient, 1000), 10U);
    EXPECT_EQ(retriesOfFailingCall(*gate, at(999ms), Failure::Transient, 1000), 0U);
    EXPECT_EQ(retriesOfFailingCall(*gate, at(1s), Failure::Transient, 1000), 10U);
    // A fifth of all, retries included: r / (1000 + r) = 1 / 5.
    const auto busy = RetryGate::make(gateNamed("gateway-api-budget"));
    for (int i = 0; i < 999; ++i) {
        succeed(*busy, {});
    }
    EXPECT_EQ(retriesOfFailingCall(*busy, {}, Failure::Transient, 1000), 250U);
}

TEST(SreBudget, KeepsRetriesBelowATenthOfAllRequests)
{
    const auto gate = RetryGate::make(gateNamed("sre-budget"));
    std::uint32_t retries = 0;
    for (int call = 0; call < 900; ++call) {
        retries += retriesOfFailingCall(*gate, {}, Failure::Transient, 2);
    }
    EXPECT_EQ(retries, 100U); // 100 of 1000
    EXPECT_EQ(retriesOfFailingCall(*gate, at(119s), Failure::Transient, 2), 1U);
    EXPECT_EQ(retriesOfFailingCall(*gate, at(240s), Failure::Transient, 2), 1U) << "the window has moved on";
}

/// Requests a second that leave the client, of `requests` a second against a server that accepts `accepts`.
double sentPerSecond(int requests, int accepts)
{
    const auto gate = RetryGate::make(gateNamed("sre-throttling"));
    const KeyedRandom random(8);
    int sent = 0;
    int accepted = 0; // in the running second
    constexpr int settling = 240;
    constexpr int measured = 1200;
    for (int i = 0; i < requests * (settling + measured); ++i) {
        const Instant now = at(i * 1s / requests);
        accepted = i % requests == 0 ? 0 : accepted;
        if (!gate->mayStart(now, random.bits(1, std::uint64_t(i)))) {
            continue;
        }
        sent += now >= at(settling * 1s) ? 1 : 0;
        if (accepted < accepts) {
            ++accepted;
            gate->onSuccess(now, 1, Failure::Transient);
        } else {
            gate->onFailure(now, Failure::Throttled, 1);
        }
    }
    return double(sent) / measured;
}

TEST(SreThrottling, SendsTwiceWhatIsAccepted)
{
    // min(R, K A); with another program 100.3.
    EXPECT_NEAR(sentPerSecond(200, 50), 100.3, 1.5);
    EXPECT_EQ(sentPerSecond(200, 200), 200);
    EXPECT_NEAR(sentPerSecond(200, 5), 10, 0.5);
}

} // namespace
} // namespace idem::sim
