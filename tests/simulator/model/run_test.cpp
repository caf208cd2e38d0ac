// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/model/scenarios.h"

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;

Identity identity(std::uint64_t operation, std::uint32_t clients = 3)
{
    return {.tenant = "demo",
        .caller = "client-" + QByteArray::number(qulonglong(operation % clients)),
        .key = "op-" + QByteArray::number(qulonglong(operation))};
}

TEST(Run, FollowsTheClock)
{
    sim::Run run(plain(1));
    EXPECT_FALSE(run.isFinished());
    EXPECT_EQ(run.progress(), 0);
    run.runUntil(4ms);
    EXPECT_EQ(run.elapsed(), Duration(4ms));
    EXPECT_EQ(run.counts().attempts, 1U);
    EXPECT_EQ(run.counts().arrivals, 0U);
    run.runUntil(5ms);
    EXPECT_EQ(run.counts().fresh, 1U);
    EXPECT_EQ(run.store()->find(identity(0))->state, State::InProgress);
    EXPECT_EQ(run.store()->find(identity(0))->owner, "w1");
    run.runUntil(15ms);
    EXPECT_EQ(run.counts().effects, 1U);
    EXPECT_EQ(run.store()->find(identity(0))->state, State::Completed);
    EXPECT_EQ(run.store()->response(identity(0))->status(), 201);
    EXPECT_EQ(run.store()->response(identity(0))->body(), "{\"operation\":0,\"execution\":1}");
    EXPECT_EQ(run.counts().client_ok, 0U);
    run.runUntil(20ms);
    EXPECT_EQ(run.counts().client_ok, 1U);
    EXPECT_TRUE(run.isFinished()); // the time-out, at 1 s, means nothing any more
    EXPECT_EQ(run.progress(), 1);
    EXPECT_FALSE(run.step());
    EXPECT_EQ(run.elapsed(), Duration(20ms));
    EXPECT_EQ(run.events(), 4U); // wanted, arrived, ended, answered
}

TEST(Run, GoesOnInTimeAfterItsEnd)
{
    Scenario scenario = plain(1);
    scenario.store.policy.ttl = 10s;
    sim::Run run(scenario);
    run.toEnd();
    const std::uint64_t trace = run.traceHash();
    EXPECT_EQ(run.store()->counters().records, 1U);
    run.runUntil(1min);
    EXPECT_EQ(run.elapsed(), Duration(1min));
    EXPECT_EQ(run.store()->counters().records, 0U); // swept
    EXPECT_EQ(run.traceHash(), trace);
    EXPECT_EQ(run.runUntil(1s), 0U);
    EXPECT_EQ(run.elapsed(), Duration(1min)); // time does not go back
}

TEST(Run, StopsAtTheLimit)
{
    sim::Run run(plain(100));
    EXPECT_EQ(run.run(7), 7U);
    EXPECT_EQ(run.events(), 7U);
    EXPECT_EQ(run.runUntil(1h, 5), 5U);
    EXPECT_EQ(run.events(), 12U);
    EXPECT_LT(run.elapsed(), Duration(1s));
    run.toEnd();
    EXPECT_EQ(run.events(), 400U);
}

TEST(Run, AnAnswerAtTheTimeOutIsInTime)
{
    Scenario scenario = plain(10);
    scenario.clients.timeout = 20ms;
    EXPECT_EQ(countsOf(scenario).timeouts, 0U);
    EXPECT_EQ(countsOf(scenario).client_ok, 10U);
    scenario.clients.timeout = 20ms - 1us;
    EXPECT_EQ(countsOf(scenario).timeouts, 10U);
    EXPECT_EQ(countsOf(scenario).replays, 10U);
}

TEST(Run, SeedsDiffer)
{
    Scenario scenario = plain(200);
    scenario.clients.arrival.kind = Arrival::Kind::Poisson;
    sim::Run first(scenario, Seed {1});
    sim::Run second(scenario, Seed {2});
    sim::Run again(scenario, Seed {1});
    for (sim::Run *run : {&first, &second, &again}) {
        run->toEnd();
    }
    EXPECT_NE(first.traceHash(), second.traceHash());
    EXPECT_EQ(first.traceHash(), again.traceHash());
    EXPECT_EQ(first.counts(), again.counts());
    EXPECT_EQ(first.elapsed(), again.elapsed());
    EXPECT_EQ(first.events(), again.events());
    EXPECT_EQ(first.store()->find(identity(3))->id, again.store()->find(identity(3))->id);
}

TEST(Run, ArrivalsEndWithTheDuration)
{
    Scenario scenario = plain(1'000'000);
    scenario.duration = 50ms;
    sim::Run run(scenario);
    run.runUntil(25ms);
    EXPECT_DOUBLE_EQ(run.progress(), 0.5);
    run.toEnd();
    EXPECT_EQ(run.counts().operations, 50U); // at 0, 1 ... 49 ms
    EXPECT_EQ(run.counts().client_ok, 50U);
    EXPECT_EQ(run.progress(), 1);
}

TEST(Run, ANewKeyForEachAttemptIsAsGoodAsNoStore)
{
    Scenario scenario = plain(2000);
    scenario.faults = {{.kind = Fault::Kind::ResponseLost, .probability = 0.2}};
    Scenario without = scenario;
    without.store.enabled = false;
    Scenario antiPattern = scenario;
    antiPattern.clients.key.kind = KeyStrategy::Kind::PerAttempt;
    const Counts none = countsOf(without);
    Counts fresh = countsOf(antiPattern);
    EXPECT_EQ(fresh.fresh, none.attempts);
    fresh.fresh = 0;
    // The monitor of the one follows operations, of the other keys, none of which is ever used twice.
    EXPECT_EQ(none.invariant_violations, none.double_charges);
    fresh.invariant_violations = none.invariant_violations;
    EXPECT_EQ(fresh, none);
    EXPECT_GT(none.double_charges, 0U);
    EXPECT_EQ(countsOf(scenario).replays, none.double_charges);
}

TEST(Run, WithoutAStoreThereIsNone)
{
    Scenario scenario = plain(1);
    scenario.store.enabled = false;
    scenario.operatorActions = {{.at = 10ms, .select = Filter {}}};
    sim::Run run(scenario);
    EXPECT_EQ(run.store(), nullptr);
    run.toEnd();
    EXPECT_EQ(run.counts().client_ok, 1U);
    EXPECT_EQ(run.counts().abandons, 0U);
}

TEST(Run, ACrashLeavesTheKeyStuckUntilItIsFreedByHand)
{
    Scenario scenario = plain(1);
    scenario.clients.retry.maxAttempts = 1000;
    scenario.store.policy.lease = 10s;
    scenario.store.policy.lapse = LapsePolicy::Hold;
    scenario.faults = {{.kind = Fault::Kind::CrashAfterBegin, .firstAttempts = 1}};
    sim::Run run(scenario);
    run.runUntil(30s);
    EXPECT_EQ(run.counts().crashes, 1U);
    EXPECT_EQ(run.counts().effects, 0U);
    EXPECT_EQ(run.counts().stuck_keys, 1U);
    EXPECT_GT(run.counts().conflicts, 0U); // while the lease lasted
    EXPECT_GT(run.counts().unknowns, 0U); // since then
    const auto record = run.store()->find(identity(0));
    ASSERT_TRUE(record);
    EXPECT_EQ(record->state, State::LeaseExpired);
    ASSERT_TRUE(run.store()->abandon(identity(0), {.expectedFence = record->fence, .reason = u"freed"_s}));
    run.toEnd();
    EXPECT_EQ(run.counts().abandons, 1U);
    EXPECT_EQ(run.counts().stuck_keys, 0U);
    EXPECT_EQ(run.counts().fresh, 2U);
    EXPECT_EQ(run.counts().effects, 1U);
    EXPECT_EQ(run.counts().client_ok, 1U);
}

TEST(Run, ALeaseShorterThanTheWorkChargesTwice)
{
    Scenario scenario = plain(1);
    scenario.store.policy.lease = 100ms;
    scenario.clients.timeout = 200ms;
    scenario.clients.retry.maxAttempts = 20;
    scenario.server.service = constant(350ms);
    // Attempts at 0, 300, 600 ms ..., each of which takes over from the one before, whose result is then refused; the
    // last is taken over by nobody, so its result counts, but its client has gone.
    const Counts c = countsOf(scenario);
    EXPECT_EQ(c.fresh, 20U);
    EXPECT_EQ(c.takeovers, 19U);
    EXPECT_EQ(c.stale_completes, 19U);
    EXPECT_EQ(c.late_completes, 1U); // of the last
    EXPECT_EQ(c.double_charges, 19U);
    EXPECT_EQ(c.client_unknown, 1U);
}

TEST(Run, AWaiterWokenAsOwnerQueuesForAWorker)
{
    // One worker. The first handler crashes; the retry waits in the store, takes over at the lease's end and executes.
    Scenario scenario = plain(1);
    scenario.server.workers = 1;
    scenario.store.policy.lease = 500ms;
    scenario.store.wait = 10s;
    scenario.clients.timeout = 100ms;
    scenario.clients.retry.maxAttempts = 2;
    scenario.faults = {{.kind = Fault::Kind::CrashAfterBegin, .firstAttempts = 1}};
    sim::Run run(scenario);
    run.runUntil(505ms - 1us);
    EXPECT_EQ(run.counts().executions, 1U);
    EXPECT_EQ(run.counts().waits, 1U);
    run.toEnd();
    EXPECT_EQ(run.counts().executions, 2U);
    EXPECT_EQ(run.counts().takeovers, 1U);
    EXPECT_EQ(run.counts().effects, 1U);
    EXPECT_EQ(run.elapsed(), Duration(520ms)); // lease end, 10 ms of work, 5 ms back
}

TEST(Run, AWaitEndsWithItsDeadline)
{
    Scenario scenario = plain(1);
    scenario.store.wait = 50ms;
    scenario.clients.timeout = 100ms;
    scenario.server.service = constant(400ms);
    // Attempts at 0, 200 (waits until 255, conflict, answered at 260) and 360 (waits until 405: the answer, at 410).
    const Counts c = countsOf(scenario);
    EXPECT_EQ(c.attempts, 3U);
    EXPECT_EQ(c.waits, 2U);
    EXPECT_EQ(c.conflicts, 1U);
    EXPECT_EQ(c.replays, 1U);
    EXPECT_EQ(c.client_ok, 1U);
}

TEST(Run, EndsInAnyMomentWithoutAWord)
{
    // Claims held, requests waiting, timers pending: the run lets go of them all.
    Scenario scenario = plain(50);
    scenario.store.wait = 10s;
    scenario.store.policy.lease = 60s;
    scenario.server = {.workers = 3, .service = constant(500ms)};
    scenario.clients.timeout = 100ms;
    for (const std::uint64_t limit : {0, 1, 50, 200, 400}) {
        sim::Run run(scenario);
        EXPECT_EQ(run.run(limit), limit);
    }
}

TEST(Run, AClosedStoreRejects)
{
    Scenario scenario = plain(10);
    scenario.store.wait = 10s;
    scenario.clients.timeout = 150ms;
    scenario.server.service = constant(400ms);
    sim::Run run(scenario);
    run.runUntil(300ms);
    EXPECT_EQ(run.counts().waits, 10U);
    run.store()->close();
    run.toEnd();
    EXPECT_EQ(run.counts().client_ok, 0U);
    EXPECT_EQ(run.counts().client_unknown, 10U);
    EXPECT_EQ(run.counts().fresh, 10U);
    EXPECT_EQ(run.counts().rejected + run.counts().fresh, run.counts().arrivals);
}

TEST(Run, AnOperationAbandonedAsFailedIsOverForItsClient)
{
    Scenario scenario = plain(1);
    scenario.clients.retry.maxAttempts = 100;
    scenario.faults = {{.kind = Fault::Kind::CrashAfterBegin, .firstAttempts = 1}};
    sim::Run run(scenario);
    run.runUntil(2s);
    const auto record = run.store()->find(identity(0));
    ASSERT_TRUE(record);
    ASSERT_TRUE(run.store()->abandon(
        identity(0), {.expectedFence = record->fence, .reason = u"gone"_s, .as = AbandonAs::Failed}));
    run.toEnd();
    EXPECT_EQ(run.counts().client_failed, 1U);
    EXPECT_EQ(run.counts().replays, 1U);
    EXPECT_LT(run.elapsed(), Duration(3s));
}

TEST(Run, TheOperatorFreesWhatIsSelected)
{
    const std::pair<Filter, std::uint64_t> expected[] = {{Filter::inStates({State::InProgress}), 30},
        {Filter::inStates({State::Completed}), 0}, {Filter::stuck(), 10}, {Filter {}, 40}};
    for (const auto &[select, accepted] : expected) {
        // 20 keys done, 10 whose lease is over, 30 at work.
        Scenario scenario = plain(60);
        scenario.clients.arrival.interval = {};
        scenario.clients.retry.maxAttempts = 1;
        scenario.clients.timeout = 100s;
        scenario.store.policy.lease = 50s;
        scenario.operatorActions = {{.at = 80s, .select = select}};
        sim::Run run(scenario);
        run.runUntil(0s); // all are sent at once; their fates are given out below, by key
        for (std::uint64_t operation = 0; operation < 60; ++operation) {
            const Identity id = identity(operation);
            Outcome outcome = run.store()->begin(
                {.tenant = id.tenant, .caller = id.caller, .key = id.key, .lease = operation < 30 ? 50s : 200s});
            Claim claim = std::move(std::get<Fresh>(outcome).claim);
            if (operation < 20) {
                ASSERT_TRUE(claim.complete({.status = 200}));
            } else {
                claim.detach();
            }
        }
        run.toEnd();
        EXPECT_EQ(run.counts().abandons, accepted);
        const bool hasFinished = select == Filter::inStates({State::Completed}) || select == Filter {};
        const std::uint64_t refused = hasFinished ? 20 : 0;
        EXPECT_EQ(run.counts().abandons_refused, refused);
    }
}

} // namespace
} // namespace idem::sim
