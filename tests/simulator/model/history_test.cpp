// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/history.h"
#include "tests/simulator/model/scenarios.h"

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

/// Much goes wrong in it: attempts are lost, wait, take over and are late.
Scenario eventful()
{
    Scenario scenario = plain(40);
    scenario.clients.arrival = {Arrival::Kind::Poisson, 5ms};
    scenario.clients.timeout = 60ms;
    scenario.clients.retry.base = 20ms;
    scenario.server = {.workers = 3, .service = exponentialWith(30ms)};
    scenario.store.wait = 20ms;
    scenario.store.policy.lease = 50ms;
    scenario.faults = {{.kind = Fault::Kind::ResponseLost, .probability = 0.3},
        {.kind = Fault::Kind::CrashAfterBegin, .probability = 0.2}};
    return scenario;
}

const OperatorAction freeAll {.select = Filter::inStates({State::InProgress})};

/// What a run is at each moment of it.
struct Moment
{
    Counts counts {};
    std::uint64_t traceHash = 0;
    Duration elapsed {};
    std::uint64_t records = 0;

    explicit Moment(History &history)
        : counts(history.run().counts())
        , traceHash(history.run().traceHash())
        , elapsed(history.run().elapsed())
        , records(history.run().store()->counters().records)
    {
    }
    friend bool operator==(const Moment &, const Moment &) = default;
};

std::vector<Moment> momentsOf(History &history)
{
    std::vector<Moment> moments {Moment(history)};
    while (history.stepForward()) {
        moments.emplace_back(history);
    }
    return moments;
}

/// Four events for each operation, and none of the store's own.
Scenario unswept(std::uint64_t operations)
{
    Scenario scenario = plain(operations);
    scenario.store.policy.sweepInterval = 1h;
    return scenario;
}

/// Counts the events that are handled, over all runs that tell it.
class EventCounter
{
public:
    [[nodiscard]] RunOptions options()
    {
        return {.observer = [this](const RunEvent &event) {
            handled += event.event < m_last ? event.event : event.event - m_last; // a smaller number: from the start
            m_last = event.event;
        }};
    }
    std::uint64_t handled = 0;

private:
    std::uint64_t m_last = 0;
};

TEST(History, IsTheSameRunInBothDirections)
{
    History history(eventful(), Seed {7});
    EXPECT_FALSE(history.stepBack());
    const std::vector<Moment> moments = momentsOf(history);
    ASSERT_GT(moments.size(), 200U);
    ASSERT_GT(history.run().counts().takeovers, 0U);
    for (std::uint64_t position = history.position(); position > 0; --position) {
        ASSERT_TRUE(Moment(history) == moments[position]) << position;
        ASSERT_TRUE(history.stepBack());
        ASSERT_EQ(history.position(), position - 1);
    }
    ASSERT_TRUE(Moment(history) == moments[0]);
    EXPECT_FALSE(history.stepBack());
    for (const std::uint64_t position : {100, 30, 170, 171, 170, 0, 199}) {
        history.seek(position);
        ASSERT_EQ(history.position(), position);
        ASSERT_TRUE(Moment(history) == moments[position]) << position;
    }
    history.seek(UINT64_MAX);
    EXPECT_EQ(history.position(), moments.size() - 1);
    EXPECT_TRUE(Moment(history) == moments.back());
    EXPECT_TRUE(history.run().isFinished());
}

TEST(History, IsTheRunWithoutAHistory)
{
    History history(eventful(), Seed {7});
    history.seek(UINT64_MAX);
    sim::Run run(eventful(), Seed {7});
    run.toEnd();
    EXPECT_EQ(history.run().traceHash(), run.traceHash());
    EXPECT_EQ(history.run().counts(), run.counts());
}

TEST(History, RepeatsInterventions)
{
    History history(eventful(), Seed {7});
    const std::uint64_t undisturbed = [&] {
        History other(eventful(), Seed {7});
        other.seek(UINT64_MAX);
        return other.run().traceHash();
    }();
    history.seek(50);
    history.intervene(freeAll);
    const std::uint64_t freed = history.run().counts().abandons;
    ASSERT_GT(freed, 0U);
    history.seek(90);
    history.intervene(freeAll);
    ASSERT_GT(history.run().counts().abandons, freed);
    ASSERT_EQ(history.interventions().size(), 2U);
    EXPECT_EQ(history.interventions()[0].after, 50U);
    EXPECT_EQ(history.interventions()[1].after, 90U);
    history.seek(UINT64_MAX);
    const Moment end(history);
    EXPECT_NE(end.traceHash, undisturbed);

    history.seek(49);
    EXPECT_EQ(history.run().counts().abandons, 0U);
    EXPECT_TRUE(history.stepForward());
    EXPECT_EQ(history.run().counts().abandons, freed); // done anew at its moment
    const std::vector<Moment> rest = momentsOf(history);
    EXPECT_TRUE(rest.back() == end);
    EXPECT_EQ(history.interventions().size(), 2U);
}

TEST(History, GivenInterventionsAreDone)
{
    History first(eventful(), Seed {7});
    first.intervene(freeAll); // at the start, where there is nothing to free
    first.seek(50);
    first.intervene(freeAll);
    first.seek(UINT64_MAX);
    History again(eventful(), Seed {7}, {}, first.interventions());
    again.seek(UINT64_MAX);
    EXPECT_TRUE(Moment(first) == Moment(again));
}

TEST(History, AnInterventionInThePastForgetsLaterOnes)
{
    History history(eventful(), Seed {7});
    history.seek(50);
    history.intervene(freeAll);
    history.seek(90);
    history.intervene(freeAll);
    history.seek(70);
    history.intervene(freeAll);
    ASSERT_EQ(history.interventions().size(), 2U);
    EXPECT_EQ(history.interventions()[0].after, 50U);
    EXPECT_EQ(history.interventions()[1].after, 70U);
}

TEST(History, ABranchGoesItsOwnWay)
{
    History history(eventful(), Seed {7});
    history.seek(50);
    history.intervene(freeAll);
    history.seek(90);
    history.intervene(freeAll);
    history.seek(70);
    const Moment here(history);
    const std::unique_ptr<History> branch = history.branch();
    EXPECT_EQ(branch->position(), 70U);
    EXPECT_TRUE(Moment(*branch) == here);
    EXPECT_EQ(branch->interventions().size(), 1U); // the past, not the future
    branch->intervene({.verb = OperatorAction::Verb::Purge, .select = Filter {}});
    branch->seek(UINT64_MAX);
    EXPECT_TRUE(Moment(history) == here);
    EXPECT_EQ(history.interventions().size(), 2U);
    history.seek(UINT64_MAX);
    EXPECT_EQ(history.run().counts().purges, 0U);
    EXPECT_GT(branch->run().counts().purges, 0U);
    EXPECT_NE(branch->run().traceHash(), history.run().traceHash());
}

TEST(History, ABranchWithoutADifferenceIsTheSame)
{
    History history(eventful(), Seed {7});
    history.seek(50);
    history.intervene(freeAll);
    const std::unique_ptr<History> branch = history.branch();
    history.seek(UINT64_MAX);
    branch->seek(UINT64_MAX);
    EXPECT_TRUE(Moment(*branch) == Moment(history));
}

TEST(History, ASeekIsCancelled)
{
    History history(unswept(10'000), Seed {1});
    history.seek(123, [] { return true; });
    EXPECT_EQ(history.position(), 0U);
    int asked = 0;
    history.seek(UINT64_MAX, [&] { return ++asked == 3; });
    EXPECT_EQ(asked, 3);
    EXPECT_GT(history.position(), 0U);
    EXPECT_LT(history.position(), 40'000U);
    history.seek(UINT64_MAX, [] { return false; });
    EXPECT_EQ(history.position(), 40'000U);
    history.seek(5, [] { return true; });
    EXPECT_EQ(history.position(), 0U); // going back starts anew
}

TEST(History, AMomentCostsNoMoreThanTheEventsBeforeIt)
{
    EventCounter counter;
    History history(unswept(2'500), Seed {1}, counter.options());
    history.seek(UINT64_MAX);
    ASSERT_EQ(history.position(), 10'000U);
    ASSERT_EQ(counter.handled, 10'000U);
    counter.handled = 0;
    history.seek(5'000);
    EXPECT_EQ(history.position(), 5'000U);
    EXPECT_LE(counter.handled, 5'000U);
    EXPECT_GT(counter.handled, 4'900U); // else it was not counted
    counter.handled = 0;
    history.seek(7'500); // forward: from where it is
    EXPECT_LE(counter.handled, 2'500U);
    EXPECT_GT(counter.handled, 2'400U);
}

} // namespace
} // namespace idem::sim
