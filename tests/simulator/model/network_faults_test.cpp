// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/model/scenarios.h"

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

/// One operation: begun at 5 ms, done at 15 ms, answered at 20 ms; retries 100 ms after a failure or a time-out of 1 s.
Scenario withFault(const Fault &fault)
{
    Scenario scenario = plain(1);
    scenario.faults = {fault};
    return scenario;
}

Duration endOf(const Scenario &scenario)
{
    sim::Run run(scenario);
    run.toEnd();
    return run.elapsed();
}

TEST(NetworkFaults, ADuplicateMeetsTheFirstDeliveryAtWorkOrItsAnswer)
{
    const Counts early = countsOf(withFault({.kind = Fault::Kind::Duplicate, .delay = constant(3ms)}));
    EXPECT_EQ(early.attempts, 1U);
    EXPECT_EQ(early.duplicates, 1U);
    EXPECT_EQ(early.arrivals, 2U);
    EXPECT_EQ(early.conflicts, 1U);
    EXPECT_EQ(early.executions, 1U);
    EXPECT_EQ(early.replies_late, 1U); // nobody hears the answer to what the network made up
    EXPECT_EQ(early.client_ok, 1U);
    const Counts late = countsOf(withFault({.kind = Fault::Kind::Duplicate, .delay = constant(20ms)}));
    EXPECT_EQ(late.conflicts, 0U);
    EXPECT_EQ(late.replays, 1U);
    EXPECT_EQ(late.effects, 1U);
    EXPECT_EQ(late.invariant_violations, 0U);
}

TEST(NetworkFaults, ARequestDelayedBeyondItsTimeOutArrivesStill)
{
    const Scenario scenario = withFault({.kind = Fault::Kind::RequestDelay, .firstAttempts = 1, .delay = constant(2s)});
    const Counts c = countsOf(scenario);
    EXPECT_EQ(c.timeouts, 1U);
    EXPECT_EQ(c.attempts, 2U);
    EXPECT_EQ(c.arrivals, 2U);
    EXPECT_EQ(c.executions, 1U); // of the retry
    EXPECT_EQ(c.replays, 1U); // for the first attempt, which arrives at 2,005 ms
    EXPECT_EQ(c.replies_late, 1U);
    EXPECT_EQ(c.client_ok, 1U);
    EXPECT_EQ(endOf(scenario), Duration(2010ms));
}

TEST(NetworkFaults, AResponseDelayedBeyondItsTimeOutIsNotHeard)
{
    const Scenario scenario =
        withFault({.kind = Fault::Kind::ResponseDelay, .firstAttempts = 1, .delay = constant(2s)});
    const Counts c = countsOf(scenario);
    EXPECT_EQ(c.timeouts, 1U);
    EXPECT_EQ(c.executions, 1U);
    EXPECT_EQ(c.replays, 1U);
    EXPECT_EQ(c.replies_late, 1U);
    EXPECT_EQ(c.client_ok, 1U);
    EXPECT_EQ(endOf(scenario), Duration(2020ms));
}

TEST(NetworkFaults, APartitionSwallowsBothWays)
{
    const Counts request = countsOf(withFault({.kind = Fault::Kind::Partition, .until = 900ms}));
    EXPECT_EQ(request.requests_lost, 1U);
    EXPECT_EQ(request.responses_lost, 0U);
    EXPECT_EQ(request.replays, 0U);
    EXPECT_EQ(request.client_ok, 1U);
    const Counts response = countsOf(withFault({.kind = Fault::Kind::Partition, .from = 10ms, .until = 900ms}));
    EXPECT_EQ(response.requests_lost, 0U);
    EXPECT_EQ(response.responses_lost, 1U);
    EXPECT_EQ(response.replays, 1U);
    EXPECT_EQ(response.client_ok, 1U);
}

TEST(NetworkFaults, ACrashedClientWithoutItsKeyPaysTwice)
{
    for (const bool keyLost : {true, false}) {
        SCOPED_TRACE(keyLost);
        const Scenario scenario = withFault(
            {.kind = Fault::Kind::ClientCrash, .firstAttempts = 1, .delay = constant(200ms), .keyLost = keyLost});
        const Counts c = countsOf(scenario);
        EXPECT_EQ(c.client_crashes, 1U);
        EXPECT_EQ(c.timeouts, 0U);
        EXPECT_EQ(c.attempts, 2U);
        EXPECT_EQ(c.retries, 1U);
        EXPECT_EQ(c.replies_late, 1U); // the first answer comes at 20 ms
        EXPECT_EQ(c.fresh, keyLost ? 2U : 1U);
        EXPECT_EQ(c.replays, keyLost ? 0U : 1U);
        EXPECT_EQ(c.double_charges, keyLost ? 1U : 0U);
        EXPECT_EQ(c.client_ok, 1U);
        EXPECT_EQ(c.invariant_violations, 0U); // no fault of the store's
        EXPECT_EQ(endOf(scenario), keyLost ? Duration(220ms) : Duration(210ms));
    }
}

} // namespace
} // namespace idem::sim
