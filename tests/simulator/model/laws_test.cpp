// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/random.h"
#include "tests/simulator/model/scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

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
    static constexpr std::array kinds {Fault::Kind::RequestLost, Fault::Kind::ResponseLost,
        Fault::Kind::CrashAfterBegin, Fault::Kind::CrashAfterEffect};
    Fault fault {.kind = kinds[dice.below(kinds.size())]};
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
    static const std::array selections {
        Filter::inStates({State::InProgress}), Filter::stuck(), Filter::inStates({State::Completed}), Filter {}};
    Dice dice(number);
    Scenario scenario = plain(1 + dice.below(120));
    Clients &clients = scenario.clients;
    clients.arrival = {dice.chance(2) ? Arrival::Kind::Poisson : Arrival::Kind::Constant, dice.upTo(10ms)};
    clients.timeout = 1us + dice.upTo(300ms);
    clients.retry = retryPolicies()[dice.below(retryPolicies().size())].policy;
    clients.retry.base = dice.upTo(200ms);
    clients.retry.cap = 500ms;
    clients.retry.maxAttempts = static_cast<std::uint32_t>(1 + dice.below(8));
    clients.key.kind = dice.chance(8) ? KeyStrategy::Kind::PerAttempt : KeyStrategy::Kind::PerOperation;
    scenario.network = {anyDistribution(dice, 30ms), anyDistribution(dice, 30ms)};
    scenario.server.workers = static_cast<std::uint32_t>(dice.below(6));
    scenario.server.service = anyDistribution(dice, 100ms);
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
        scenario.operatorActions.push_back({.at = dice.upTo(1s), .select = selections[dice.below(selections.size())]});
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
    static constexpr std::array others {&Counts::mismatches, &Counts::rejected, &Counts::hedges, &Counts::duplicates,
        &Counts::overloads, &Counts::unguarded, &Counts::client_crashes, &Counts::handler_errors,
        &Counts::local_refusals, &Counts::wrong_replays, &Counts::false_mismatches, &Counts::settles, &Counts::purges,
        &Counts::evictions};
    for (const Counts::Entry &entry : Counts::entries()) {
        if (std::find(others.begin(), others.end(), entry.member) == others.end()) {
            EXPECT_GT(total.*entry.member, 0U) << entry.name;
        }
    }
}

/// A fault of any kind, as a scenario file could have it.
Fault wildFault(Dice &dice, std::uint32_t instances)
{
    Fault fault = anyFault(dice);
    fault.kind = static_cast<Fault::Kind>(dice.below(FaultKindCount));
    fault.delay = anyDistribution(dice, 100ms);
    fault.factor = static_cast<double>(dice.below(5));
    fault.status = dice.chance(2) ? 503 : 422;
    fault.offset = dice.upTo(50ms);
    fault.isVolatile = dice.chance(2);
    fault.keyLost = dice.chance(2);
    fault.everyOperation = dice.chance(4) ? dice.below(4) : 0;
    fault.firstChances = dice.chance(4) ? dice.below(9) : 0;
    if (dice.chance(4) && fault.kind != Fault::Kind::StoreRestart) {
        fault.instance = static_cast<std::uint32_t>(dice.below(instances));
    }
    const bool hasWindow = fault.kind == Fault::Kind::Stall || fault.kind == Fault::Kind::ServerRestart
        || fault.kind == Fault::Kind::StoreRestart;
    if (hasWindow && !fault.until) {
        fault.until = fault.from + 1us + dice.upTo(300ms);
    }
    return fault;
}

Scenario wildScenario(std::uint64_t number)
{
    Dice dice(~number);
    Scenario scenario = anyScenario(number);
    Clients &clients = scenario.clients;
    Server &server = scenario.server;
    if (dice.chance(4)) {
        clients.think = anyDistribution(dice, 20ms);
    }
    clients.budget = dice.chance(2) ? retryGates()[dice.below(retryGates().size())].options : RetryGateOptions {};
    clients.sharedBudget = dice.chance(2);
    clients.hedging = {dice.upTo(50ms), static_cast<std::uint32_t>(dice.chance(4) ? 1 + dice.below(4) : 1)};
    clients.key.kind = static_cast<KeyStrategy::Kind>(dice.below(4));
    clients.key.bits = static_cast<std::uint32_t>(dice.chance(2) ? 5 : 1 + dice.below(128));
    clients.key.every = 2 + dice.below(9);
    clients.tenants = static_cast<std::uint32_t>(1 + dice.below(3));
    clients.tenantScope = dice.chance(2);
    server.instances = static_cast<std::uint32_t>(1 + dice.below(3));
    server.routing = static_cast<Server::Routing>(dice.below(3));
    server.order = static_cast<Server::Order>(dice.below(2));
    if (server.workers > 0 && dice.chance(2)) {
        server.queueCap = static_cast<std::uint32_t>(dice.below(6));
    }
    server.kappa = dice.chance(2) ? 0 : 0.5;
    server.guard = static_cast<Server::Guard>(dice.below(2));
    if (dice.chance(2)) {
        server.retryAfter = dice.upTo(100ms);
    }
    scenario.store.failOpen = dice.chance(2);
    if (dice.chance(3)) {
        scenario.store.policy.maxRecords = static_cast<qint64>(1 + dice.below(10));
        scenario.store.policy.atCapacity = static_cast<AtCapacity>(dice.below(2));
    }
    for (std::uint64_t i = dice.below(5); i > 0; --i) {
        scenario.faults.push_back(wildFault(dice, server.instances));
    }
    for (OperatorAction &action : scenario.operatorActions) {
        action.verb = static_cast<OperatorAction::Verb>(dice.below(3));
        action.abandonAs = static_cast<AbandonAs>(dice.below(3));
        action.settleExecuted = dice.chance(2);
        if (dice.chance(2)) {
            action.every = 10ms + dice.upTo(200ms);
        }
    }
    if (dice.chance(3)) {
        scenario.heal = dice.upTo(2s);
    }
    return scenario;
}

TEST(Laws, HoldWhateverGoesWrong)
{
    Counts total;
    for (std::uint64_t number = 1; number <= 600; ++number) {
        SCOPED_TRACE(number);
        const Scenario scenario = wildScenario(number);
        sim::Run run(scenario, Seed {number});
        run.toEnd();
        const Counts c = run.counts();
        EXPECT_EQ(c.attempts + c.duplicates, c.arrivals + c.requests_lost);
        EXPECT_EQ(c.operations, c.client_ok + c.client_failed + c.client_unknown);
        EXPECT_LE(c.executions, scenario.store.enabled ? c.fresh + c.unguarded : c.arrivals);
        EXPECT_LE(c.effects, c.executions);
        EXPECT_LE(c.retries + c.hedges, c.attempts);
        for (const Violation &violation : run.violations()) {
            EXPECT_NE(violation.invariant, Invariant::Conservation) << violation.what.toStdString();
            EXPECT_NE(violation.invariant, Invariant::NothingLeft) << violation.what.toStdString();
        }
        for (const Counts::Entry &entry : Counts::entries()) {
            total.*entry.member += c.*entry.member;
        }
        sim::Run again(scenario, Seed {number}, {.checkInvariants = false});
        again.toEnd();
        EXPECT_EQ(again.traceHash(), run.traceHash()); // watching changes nothing
    }
    for (const Counts::Entry &entry : Counts::entries()) {
        // Every payload of a key is its own only where keys are nobody else's: there no store refuses it.
        if (entry.member != &Counts::false_mismatches) {
            EXPECT_GT(total.*entry.member, 0U) << entry.name;
        }
    }
}

/// What breaks a promise that no store could keep.
bool isBeyondTheStore(const Fault &fault)
{
    static constexpr std::array kinds {
        Fault::Kind::StoreRestart, Fault::Kind::StoreSplit, Fault::Kind::ClockSkew, Fault::Kind::NonAtomicBegin};
    return std::find(kinds.begin(), kinds.end(), fault.kind) != kinds.end();
}

TEST(Laws, TheStoreKeepsItsPromisesWhateverElseGoesWrong)
{
    std::uint64_t replays = 0;
    std::uint64_t takeovers = 0;
    std::uint64_t refused = 0;
    for (std::uint64_t number = 1; number <= 600; ++number) {
        SCOPED_TRACE(number);
        Scenario scenario = wildScenario(number);
        scenario.store.enabled = true;
        scenario.store.failOpen = false;
        scenario.store.policy.semantics = Semantics::idemscope();
        scenario.store.policy.atCapacity = AtCapacity::Refuse;
        std::erase_if(scenario.faults, isBeyondTheStore);
        sim::Run run(scenario, Seed {number});
        run.toEnd();
        for (const Violation &violation : run.violations()) {
            ADD_FAILURE() << toString(violation.invariant).toStdString() << " at " << violation.at.count()
                          << " us: " << violation.what.toStdString();
        }
        replays += run.counts().replays;
        takeovers += run.counts().takeovers;
        refused += run.counts().stale_completes;
    }
    EXPECT_GT(replays, 1000U); // else there was nothing to keep
    EXPECT_GT(takeovers, 100U);
    EXPECT_GT(refused, 100U);
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
        scenario.clients.key = {};
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
