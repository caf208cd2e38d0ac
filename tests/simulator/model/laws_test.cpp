// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/random.h"
#include "tests/simulator/model/scenarios.h"

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

/// Chooses the parts of a scenario, by number.
class Dice
{
public:
    explicit Dice(std::uint64_t number)
        : m_random(number)
    {
    }
    std::uint64_t below(std::uint64_t bound) { return m_random.bits(0, m_draws++) % bound; }
    bool chance(std::uint64_t oneIn) { return below(oneIn) == 0; }
    Duration upTo(Duration most) { return uniformBelow(m_random.bits(0, m_draws++), most); }

private:
    KeyedRandom m_random;
    std::uint64_t m_draws = 0;
};

Distribution anyDistribution(Dice &dice, Duration scale)
{
    switch (dice.below(3)) {
    case 0:
        return constant(dice.upTo(scale));
    case 1:
        return uniform(dice.upTo(scale), scale + dice.upTo(scale));
    default:
        return exponentialWith(dice.upTo(scale));
    }
}

Fault anyFault(Dice &dice)
{
    Fault fault {.kind = static_cast<Fault::Kind>(dice.below(4))};
    if (dice.chance(4)) {
        fault.every = 20ms + dice.upTo(300ms);
    } else {
        fault.probability = static_cast<double>(dice.below(50)) / 100;
    }
    fault.firstAttempts = static_cast<std::uint32_t>(dice.below(3));
    if (dice.chance(3)) {
        fault.from = dice.upTo(300ms);
        fault.until = fault.from + 1us + dice.upTo(2s);
    }
    return fault;
}

Scenario anyScenario(std::uint64_t number)
{
    Dice dice(number);
    Scenario scenario = plain(1 + dice.below(120));
    Clients &clients = scenario.clients;
    clients.arrival = {dice.chance(2) ? Arrival::Kind::Poisson : Arrival::Kind::Constant, dice.upTo(10ms)};
    clients.timeout = 1us + dice.upTo(300ms);
    clients.retry = {static_cast<RetryPolicy::Kind>(dice.below(4)), dice.upTo(200ms), 500ms,
        static_cast<std::uint32_t>(1 + dice.below(8))};
    clients.keyPerAttempt = dice.chance(8);
    scenario.network = {anyDistribution(dice, 30ms), anyDistribution(dice, 30ms)};
    scenario.server = {static_cast<std::uint32_t>(dice.below(6)), anyDistribution(dice, 100ms)};
    StoreSetup &store = scenario.store;
    store.enabled = !dice.chance(6);
    store.wait = dice.chance(2) ? Duration(0) : dice.upTo(200ms);
    store.policy.lease = dice.chance(3) ? std::optional<Duration>() : 1us + dice.upTo(200ms);
    store.policy.lapse = static_cast<LapsePolicy>(dice.below(3));
    store.policy.late = static_cast<LatePolicy>(dice.below(2));
    store.policy.ttl = dice.chance(3) ? dice.upTo(100ms) : Duration(1h);
    store.policy.ttlFrom = static_cast<ExpiryOrigin>(dice.below(3));
    store.policy.semantics = dice.chance(4) ? Semantics::seedRust() : Semantics::idemscope();
    store.policy.stuckAfter = 1us + dice.upTo(200ms);
    store.policy.maxWaitersPerKey = static_cast<int>(1 + dice.below(3));
    store.policy.sweepInterval = 1ms + dice.upTo(100ms);
    for (std::uint64_t i = dice.below(4); i > 0; --i) {
        scenario.faults.push_back(anyFault(dice));
    }
    for (std::uint64_t i = dice.below(3); i > 0; --i) {
        scenario.operatorActions.push_back(
            {.at = dice.upTo(1s), .select = static_cast<OperatorAction::Select>(dice.below(4))});
    }
    return scenario;
}

std::uint64_t answered(const Counts &c)
{
    return c.fresh + c.replays + c.conflicts + c.mismatches + c.unknowns + c.rejected;
}

void expectLaws(const Scenario &scenario, const Counts &c)
{
    EXPECT_EQ(c.operations, scenario.clients.operations);
    EXPECT_EQ(c.attempts, c.arrivals + c.requests_lost);
    if (scenario.store.enabled) {
        EXPECT_EQ(c.arrivals, answered(c));
        EXPECT_EQ(c.executions, c.fresh);
    } else {
        EXPECT_EQ(c.arrivals, c.executions);
        EXPECT_EQ(answered(c), 0U);
    }
    EXPECT_LE(c.effects, c.executions);
    EXPECT_LE(c.executions - c.effects, c.crashes); // a crash may come after the effect
    EXPECT_EQ(c.operations, c.client_ok + c.client_failed + c.client_unknown);
    // An attempt ends with a time-out or an answer in time; an arrival ends with a crash or an answer.
    EXPECT_EQ(c.arrivals - c.crashes - c.responses_lost, c.replies_late + c.attempts - c.timeouts);
    EXPECT_LE(c.keys_double_charged, c.double_charges);
    EXPECT_LE(c.stale_completes + c.late_completes + c.overwritten_responses, c.effects);
    EXPECT_LE(c.takeovers, c.fresh);
    EXPECT_EQ(c.mismatches, 0U); // every operation has one payload
}

TEST(Laws, HoldAtTheEndOfAnyScenario)
{
    Counts total;
    for (std::uint64_t number = 1; number <= 300; ++number) {
        SCOPED_TRACE(number);
        const Scenario scenario = anyScenario(number);
        const Counts counts = countsOf(scenario, Seed {number});
        expectLaws(scenario, counts);
        for (const Counts::Entry &entry : Counts::entries()) {
            total.*entry.member += counts.*entry.member;
        }
    }
    // A law about something that never happened says nothing.
    for (const Counts::Entry &entry : Counts::entries()) {
        if (entry.name != "mismatches" && entry.name != "rejected") {
            EXPECT_GT(total.*entry.member, 0U) << entry.name;
        }
    }
}

TEST(Laws, HoldAsInequalitiesAllTheWay)
{
    for (std::uint64_t number = 1; number <= 30; ++number) {
        SCOPED_TRACE(number);
        sim::Run run(anyScenario(number), Seed {number});
        while (run.step()) {
            const Counts c = run.counts();
            ASSERT_LE(c.arrivals + c.requests_lost, c.attempts);
            ASSERT_LE(answered(c), c.arrivals);
            ASSERT_LE(c.effects, c.executions);
            ASSERT_LE(c.client_ok + c.client_failed + c.client_unknown, c.operations);
        }
    }
}

TEST(Laws, WithoutLeaseAndOperatorNoKeyIsChargedTwice)
{
    int withRetries = 0;
    for (std::uint64_t number = 1; number <= 150; ++number) {
        SCOPED_TRACE(number);
        Scenario scenario = anyScenario(number);
        scenario.store.enabled = true;
        scenario.store.policy.semantics = Semantics::idemscope();
        scenario.store.policy.lease = std::nullopt;
        scenario.store.policy.ttl = 1h;
        scenario.clients.keyPerAttempt = false;
        scenario.operatorActions.clear();
        const Counts c = countsOf(scenario, Seed {number});
        EXPECT_EQ(c.double_charges, 0U);
        EXPECT_EQ(c.stale_completes, 0U);
        EXPECT_EQ(c.overwritten_responses, 0U);
        withRetries += c.attempts > c.operations ? 1 : 0;
    }
    EXPECT_GT(withRetries, 50); // else the claim was not tested
}

TEST(Laws, TheSameRunHasTheSameTrace)
{
    for (std::uint64_t number = 1; number <= 60; ++number) {
        SCOPED_TRACE(number);
        const Scenario scenario = anyScenario(number);
        sim::Run whole(scenario, Seed {number});
        whole.toEnd();
        sim::Run sliced(scenario, Seed {number});
        Duration slice {};
        while (!sliced.isFinished()) {
            slice += 7ms;
            sliced.runUntil(slice, 5);
            sliced.runUntil(slice);
        }
        EXPECT_EQ(sliced.traceHash(), whole.traceHash());
        EXPECT_EQ(sliced.counts().attempts, whole.counts().attempts);
        EXPECT_EQ(sliced.counts().client_ok, whole.counts().client_ok);
    }
}

} // namespace
} // namespace idem::sim
