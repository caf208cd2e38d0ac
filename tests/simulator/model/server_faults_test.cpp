// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/model/scenarios.h"

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

/// One operation: begun at 5 ms, done at 15 ms, answered at 20 ms; retries 100 ms after a failure or a time-out of 1 s.
Scenario withFaults(std::vector<Fault> faults)
{
    Scenario scenario = plain(1);
    scenario.faults = std::move(faults);
    return scenario;
}

const Fault firstAnswerLost {.kind = Fault::Kind::ResponseLost, .firstAttempts = 1};

double stuckOf(const Scenario &scenario)
{
    sim::Run run(scenario);
    run.toEnd();
    return run.measures().stuck_ms;
}

TEST(HandlerFaults, ACrashAfterCompleteLosesTheAnswerOnly)
{
    const Counts c = countsOf(withFaults({{.kind = Fault::Kind::CrashAfterComplete, .firstAttempts = 1}}));
    EXPECT_EQ(c.crashes, 1U);
    EXPECT_EQ(c.responses_lost, 0U);
    EXPECT_EQ(c.timeouts, 1U);
    EXPECT_EQ(c.effects, 1U);
    EXPECT_EQ(c.replays, 1U);
    EXPECT_EQ(c.client_ok, 1U);
}

TEST(HandlerFaults, ACrashAfterTheEffectChargesTwiceOnceTheLeaseIsOver)
{
    Scenario scenario = withFaults({{.kind = Fault::Kind::CrashAfterEffect, .firstAttempts = 1}});
    scenario.store.policy.lease = 500ms;
    const Counts c = countsOf(scenario);
    EXPECT_EQ(c.crashes, 1U);
    EXPECT_EQ(c.takeovers, 1U);
    EXPECT_EQ(c.double_charges, 1U);
    EXPECT_EQ(c.client_ok, 1U);
    EXPECT_EQ(c.invariant_violations, 0U); // who sets a lease chose it
    EXPECT_DOUBLE_EQ(stuckOf(scenario), 505 - 15); // from the crash to the lease's end
}

TEST(HandlerFaults, AnErrorIsReplayedWhereItIsFinal)
{
    const Fault error {.kind = Fault::Kind::HandlerError, .firstAttempts = 1, .status = 500};
    Scenario scenario = withFaults({error});
    const Counts released = countsOf(scenario); // default: 5xx gives the key back
    EXPECT_EQ(released.handler_errors, 1U);
    EXPECT_EQ(released.fresh, 2U);
    EXPECT_EQ(released.replays, 0U);
    EXPECT_EQ(released.effects, 1U);
    EXPECT_EQ(released.client_ok, 1U);
    scenario.store.policy.finalAnswers = FinalPreset::StripeV1; // 500 too
    const Counts kept = countsOf(scenario);
    EXPECT_EQ(kept.fresh, 1U);
    EXPECT_EQ(kept.replays, 3U);
    EXPECT_EQ(kept.effects, 0U);
    EXPECT_EQ(kept.client_failed, 1U);
    EXPECT_EQ(kept.invariant_violations + released.invariant_violations, 0U);
}

TEST(HandlerFaults, AClientErrorIsReplayedUnlessOnlySuccessIsFinal)
{
    Scenario scenario =
        withFaults({{.kind = Fault::Kind::HandlerError, .firstAttempts = 1, .status = 422}, firstAnswerLost});
    const Counts kept = countsOf(scenario);
    EXPECT_EQ(kept.replays, 1U);
    EXPECT_EQ(kept.effects, 0U);
    EXPECT_EQ(kept.attempts, 2U);
    EXPECT_EQ(kept.client_failed, 1U);
    scenario.store.policy.finalAnswers = FinalPreset::SuccessOnly;
    const Counts released = countsOf(scenario);
    EXPECT_EQ(released.replays, 0U);
    EXPECT_EQ(released.effects, 1U);
    EXPECT_EQ(released.client_ok, 1U);
}

TEST(HandlerFaults, ASlowHandlerTakesSoManyTimesAsLong)
{
    sim::Run run(withFaults({{.kind = Fault::Kind::SlowHandler, .factor = 10}}));
    run.toEnd();
    EXPECT_EQ(run.elapsed(), Duration(5ms + 100ms + 5ms));
}

TEST(HandlerFaults, AStallPutsOffEveryEndByWhatIsLeftOfIt)
{
    Scenario scenario = plain(4);
    scenario.clients.arrival.interval = 20ms;
    scenario.faults = {{.kind = Fault::Kind::Stall, .from = 8ms, .until = 58ms}};
    // Handlers begin at 5, 25, 45, 65 ms. The first has 7 ms of work left at 8 ms, and ends at 65 ms; the next two have
    // all 10 left at 58 ms; the last meets no stall.
    std::vector<Duration> ends;
    sim::Run run(scenario, Seed {1}, {.observer = [&](const RunEvent &event) {
        if (event.kind == RunEvent::Kind::Effect) {
            ends.push_back(event.at);
        }
    }});
    run.toEnd();
    EXPECT_EQ(ends, (std::vector<Duration> {65ms, 68ms, 68ms, 75ms}));
    EXPECT_EQ(run.latencies().mean(), Duration((70ms + 53ms + 33ms + 20ms) / 4));
}

TEST(ServerFaults, AServerThatIsDownRefusesAtOnce)
{
    // At 5, 115 and 225 ms; not at 335 ms.
    const Counts c = countsOf(withFaults({{.kind = Fault::Kind::ServerDown, .until = 300ms}}));
    EXPECT_EQ(c.overloads, 3U);
    EXPECT_EQ(c.attempts, 4U);
    EXPECT_EQ(c.executions, 1U);
    EXPECT_EQ(c.client_ok, 1U);
}

TEST(ServerFaults, ARestartLosesWhatWasAtTheServer)
{
    // The first operation is at work at 10 ms, and its retry comes at 1,105 ms, after its lease; the second one's
    // attempts come at 55, 165 (both refused) and 275 ms.
    Scenario scenario = plain(2);
    scenario.clients.arrival.interval = 50ms;
    scenario.store.policy.lease = 500ms;
    scenario.faults = {{.kind = Fault::Kind::ServerRestart, .from = 10ms, .until = 200ms}};
    const Counts c = countsOf(scenario);
    EXPECT_EQ(c.crashes, 1U);
    EXPECT_EQ(c.overloads, 2U);
    EXPECT_EQ(c.attempts, 5U);
    EXPECT_EQ(c.timeouts, 1U);
    EXPECT_EQ(c.executions, 3U);
    EXPECT_EQ(c.takeovers, 1U);
    EXPECT_EQ(c.effects, 2U);
    EXPECT_EQ(c.client_ok, 2U);
    EXPECT_DOUBLE_EQ(stuckOf(scenario), 505 - 10);
}

TEST(StoreFaults, AnOutageFailsClosedOrOpen)
{
    Scenario scenario = withFaults({{.kind = Fault::Kind::StoreOutage, .until = 300ms}});
    const Counts closed = countsOf(scenario); // as a server that is down
    EXPECT_EQ(closed.overloads, 3U);
    EXPECT_EQ(closed.unguarded, 0U);
    EXPECT_EQ(closed.effects, 1U);
    EXPECT_EQ(closed.client_ok, 1U);

    scenario.store.failOpen = true;
    scenario.faults.push_back(firstAnswerLost);
    const Counts open = countsOf(scenario); // the retry, at 1,105 ms, finds no record
    EXPECT_EQ(open.overloads, 0U);
    EXPECT_EQ(open.unguarded, 1U);
    EXPECT_EQ(open.lost_results, 1U);
    EXPECT_EQ(open.fresh, 1U);
    EXPECT_EQ(open.double_charges, 1U);
    EXPECT_EQ(open.invariant_violations, 1U);
    EXPECT_EQ(open.client_ok, 1U);
}

TEST(StoreFaults, AVolatileStoreForgetsAtItsRestart)
{
    for (const bool isVolatile : {true, false}) {
        SCOPED_TRACE(isVolatile);
        const Counts c = countsOf(withFaults({firstAnswerLost,
            {.kind = Fault::Kind::StoreRestart, .from = 500ms, .until = 600ms, .isVolatile = isVolatile}}));
        EXPECT_EQ(c.fresh, isVolatile ? 2U : 1U);
        EXPECT_EQ(c.replays, isVolatile ? 0U : 1U);
        EXPECT_EQ(c.double_charges, isVolatile ? 1U : 0U);
        EXPECT_EQ(c.client_ok, 1U);
    }
}

TEST(StoreFaults, ARestartUnderAHandlerLosesItsResult)
{
    Scenario scenario =
        withFaults({{.kind = Fault::Kind::StoreRestart, .from = 500ms, .until = 600ms, .isVolatile = true}});
    scenario.server.service = constant(800ms);
    const Counts c = countsOf(scenario);
    EXPECT_EQ(c.stale_completes, 1U);
    EXPECT_EQ(c.lost_results, 1U);
    EXPECT_EQ(c.client_ok, 1U);
    EXPECT_EQ(c.invariant_violations, 0U);
}

TEST(StoreFaults, ASplitStoreDoesNotKnowWhatTheOtherHalfDid)
{
    Scenario scenario = withFaults({firstAnswerLost, {.kind = Fault::Kind::StoreSplit, .instance = 1}});
    scenario.server.instances = 2;
    const Counts other = countsOf(scenario); // the retry goes to the other instance
    EXPECT_EQ(other.fresh, 2U);
    EXPECT_EQ(other.double_charges, 1U);
    scenario.server.routing = Server::Routing::ByClient;
    const Counts same = countsOf(scenario);
    EXPECT_EQ(same.fresh, 1U);
    EXPECT_EQ(same.replays, 1U);
    EXPECT_EQ(same.invariant_violations, 0U);
}

TEST(StoreFaults, AnInstanceAheadOfTheOthersEndsTheirLeases)
{
    // Begun at 5 ms for 500 ms. The second instance is asked at 205 ms, which it takes for 605 ms; it ends at 505 ms.
    // The third attempt, at 405 ms, meets it at work, the fourth, at 515 ms, its answer.
    Scenario scenario = withFaults({{.kind = Fault::Kind::ClockSkew, .instance = 1, .offset = 400ms}});
    scenario.server.instances = 2;
    scenario.server.service = constant(300ms);
    scenario.store.policy.lease = 500ms;
    scenario.clients.timeout = 100ms;
    const Counts c = countsOf(scenario);
    EXPECT_EQ(c.takeovers, 1U);
    EXPECT_EQ(c.stale_completes, 1U);
    EXPECT_EQ(c.double_charges, 1U);
    EXPECT_EQ(c.conflicts, 1U);
    EXPECT_EQ(c.replays, 1U);
    EXPECT_EQ(c.client_ok, 1U);
    EXPECT_EQ(c.invariant_violations, 1U); // two owners within a lease
    scenario.faults.clear();
    EXPECT_EQ(countsOf(scenario).takeovers, 0U);
}

TEST(StoreFaults, ALookBeforeABeginLetsTwoThrough)
{
    // A double click: both look at 5 ms and begin at 25 ms.
    Scenario scenario = withFaults({{.kind = Fault::Kind::NonAtomicBegin, .delay = constant(20ms)}});
    scenario.clients.hedging = {0ms, 2};
    const Counts c = countsOf(scenario);
    EXPECT_EQ(c.arrivals, 2U);
    EXPECT_EQ(c.fresh, 1U);
    EXPECT_EQ(c.unguarded, 1U);
    EXPECT_EQ(c.effects, 2U);
    EXPECT_EQ(c.double_charges, 1U);
    EXPECT_EQ(c.stale_completes, 1U); // of the second
    EXPECT_EQ(c.invariant_violations, 1U);
    EXPECT_EQ(c.client_ok, 1U);
    scenario.faults.clear();
    EXPECT_EQ(countsOf(scenario).effects, 1U);
}

} // namespace
} // namespace idem::sim
