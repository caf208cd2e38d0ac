// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/model/scenarios.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace idem::sim {
namespace {

Duration endOf(const Scenario &scenario)
{
    sim::Run run(scenario);
    run.toEnd();
    return run.elapsed();
}

std::map<std::uint32_t, int> arrivalsByInstance(const Scenario &scenario)
{
    std::map<std::uint32_t, int> arrivals;
    sim::Run run(scenario, Seed {1}, {.observer = [&](const RunEvent &event) {
        arrivals[event.instance] += event.kind == RunEvent::Kind::Arrived ? 1 : 0;
    }});
    run.toEnd();
    return arrivals;
}

TEST(Server, RefusesBeyondItsQueue)
{
    // Three at once: one at work, one in line, one refused, whose retry comes at 115 ms.
    Scenario scenario = plain(3);
    scenario.clients.arrival.interval = {};
    scenario.server.workers = 1;
    scenario.server.queueCap = 1;
    const Counts c = countsOf(scenario);
    EXPECT_EQ(c.overloads, 1U);
    EXPECT_EQ(c.attempts, 4U);
    EXPECT_EQ(c.executions, 3U);
    EXPECT_EQ(c.client_ok, 3U);
    scenario.server.queueCap = 0;
    EXPECT_EQ(countsOf(scenario).overloads, 2U + 1U); // both retry at once, and one of them is refused again
}

TEST(Server, ServesTheFirstOrTheLast)
{
    // Arrivals at 5, 6 and 7 ms, one worker.
    for (const Server::Order order : {Server::Order::Fifo, Server::Order::Lifo}) {
        const bool isFifo = order == Server::Order::Fifo;
        Scenario scenario = plain(3);
        scenario.server.workers = 1;
        scenario.server.order = order;
        std::vector<std::uint64_t> succeeded;
        sim::Run run(scenario, Seed {1}, {.observer = [&](const RunEvent &event) {
            if (event.kind == RunEvent::Kind::Succeeded) {
                succeeded.push_back(event.operation);
            }
        }});
        run.toEnd();
        EXPECT_EQ(succeeded, isFifo ? (std::vector<std::uint64_t> {0, 1, 2}) : (std::vector<std::uint64_t> {0, 2, 1}));
        EXPECT_EQ(run.latencies().max(), isFifo ? Duration(40ms - 2ms) : Duration(40ms - 1ms));
        EXPECT_DOUBLE_EQ(run.measures().mean_wait_ms, isFifo ? (9.0 + 18) / 3 : (8.0 + 19) / 3);
    }
}

TEST(Server, AReplayCostsKappaServices)
{
    Scenario scenario = plain(1);
    scenario.server.workers = 1;
    scenario.faults = {{.kind = Fault::Kind::ResponseLost, .firstAttempts = 1}};
    EXPECT_EQ(endOf(scenario), Duration(1110ms)); // arrives at 1,105 ms
    scenario.server.kappa = 0.5;
    EXPECT_EQ(endOf(scenario), Duration(1115ms));
    EXPECT_EQ(countsOf(scenario).replays, 1U);
}

TEST(Server, AsksTheStoreBehindItsQueueOrBeforeIt)
{
    // One worker, at work from 5 to 405 ms; a time-out of 50 ms.
    Scenario scenario = plain(1);
    scenario.server.workers = 1;
    scenario.server.service = constant(400ms);
    scenario.clients.timeout = 50ms;
    // Behind it: attempts arrive at 155 and 305 ms and stand in line until 405 ms, the last one comes at 455 ms.
    const Counts behind = countsOf(scenario);
    EXPECT_EQ(behind.conflicts, 0U);
    EXPECT_EQ(behind.replays, 3U);
    EXPECT_EQ(behind.client_ok, 1U);
    // Before it: conflicts at 155, 265 and 375 ms.
    scenario.server.guard = Server::Guard::Admission;
    const Counts before = countsOf(scenario);
    EXPECT_EQ(before.conflicts, 3U);
    EXPECT_EQ(before.replays, 0U);
    EXPECT_EQ(before.client_unknown, 1U);
}

TEST(Server, AnAdmittedRequestThatFindsNoRoomGivesItsKeyBack)
{
    Scenario scenario = plain(2);
    scenario.clients.arrival.interval = {};
    scenario.server.workers = 1;
    scenario.server.queueCap = 0;
    scenario.server.guard = Server::Guard::Admission;
    const Counts c = countsOf(scenario);
    EXPECT_EQ(c.overloads, 1U);
    EXPECT_EQ(c.conflicts, 0U); // the retry finds its key free
    EXPECT_EQ(c.fresh, 3U);
    EXPECT_EQ(c.effects, 2U);
    EXPECT_EQ(c.client_ok, 2U);
    EXPECT_EQ(c.executions, 2U); // handler starts
}

TEST(Server, RoutesInTurnByClientOrAtRandom)
{
    Scenario scenario = plain(9); // of three clients
    scenario.server.instances = 2;
    EXPECT_EQ(arrivalsByInstance(scenario)[0], 5);
    EXPECT_EQ(arrivalsByInstance(scenario)[1], 4);
    scenario.server.routing = Server::Routing::ByClient;
    EXPECT_EQ(arrivalsByInstance(scenario)[0], 6); // clients 0 and 2
    EXPECT_EQ(arrivalsByInstance(scenario)[1], 3);
    scenario.clients.operations = 1000;
    scenario.server.routing = Server::Routing::Random;
    EXPECT_NEAR(arrivalsByInstance(scenario)[0], 500, 4 * std::sqrt(250));
}

TEST(Server, EveryInstanceHasItsOwnWorkersAndOneStore)
{
    Scenario scenario = plain(2);
    scenario.clients.arrival.interval = {};
    scenario.server.workers = 1;
    EXPECT_EQ(endOf(scenario), Duration(30ms));
    scenario.server.instances = 2;
    EXPECT_EQ(endOf(scenario), Duration(20ms));
    scenario.faults = {{.kind = Fault::Kind::ResponseLost, .firstAttempts = 1}};
    scenario.clients.operations = 1;
    EXPECT_EQ(countsOf(scenario).replays, 1U); // the retry goes to the other one
}

TEST(Clients, HedgeAfterTheDelayAndNotBeforeIt)
{
    Scenario scenario = plain(1);
    scenario.clients.hedging = {50ms, 2};
    const Counts quick = countsOf(scenario); // answered at 20 ms
    EXPECT_EQ(quick.hedges, 0U);
    EXPECT_EQ(quick.attempts, 1U);
    scenario.server.service = constant(100ms);
    const Counts slow = countsOf(scenario);
    EXPECT_EQ(slow.hedges, 1U);
    EXPECT_EQ(slow.attempts, 2U);
    EXPECT_EQ(slow.retries, 0U);
    EXPECT_EQ(slow.conflicts, 1U);
    EXPECT_EQ(slow.effects, 1U);
    EXPECT_EQ(slow.client_ok, 1U);
    EXPECT_EQ(endOf(scenario), Duration(110ms));
    scenario.store.enabled = false;
    EXPECT_EQ(countsOf(scenario).double_charges, 1U);
}

TEST(Clients, OfAClosedLoopWaitForTheirAnswer)
{
    // A cycle is 70 ms of thought and 20 ms until the answer: each client asks at 70, 160 ... 970 ms.
    Scenario scenario = plain(1'000'000);
    scenario.clients.think = constant(70ms);
    scenario.duration = 1s;
    const Counts c = countsOf(scenario);
    EXPECT_EQ(c.operations, 3U * 11U);
    EXPECT_EQ(c.client_ok, 33U);
    scenario.clients.count = 7;
    EXPECT_EQ(countsOf(scenario).operations, 7U * 11U);
    scenario.duration.reset();
    scenario.clients.operations = 20;
    EXPECT_EQ(countsOf(scenario).operations, 20U);
}

TEST(Clients, WithFewKeysMeetEachOther)
{
    // With one bit there are two keys; whoever draws one that another operation has used is told so.
    Scenario scenario = plain(40);
    scenario.clients.arrival.interval = 100ms;
    scenario.clients.key = {.kind = KeyStrategy::Kind::Random, .bits = 1};
    const Counts few = countsOf(scenario);
    EXPECT_EQ(few.fresh, 2U);
    EXPECT_EQ(few.mismatches, 38U);
    EXPECT_EQ(few.client_failed, 38U);
    EXPECT_EQ(few.false_mismatches, 0U);
    scenario.clients.key.bits = 128;
    const Counts many = countsOf(scenario);
    EXPECT_EQ(many.fresh, 40U);
    EXPECT_EQ(many.client_ok, 40U);
}

TEST(Clients, ReuseAKeyAsOftenAsTheyAreTold)
{
    Scenario scenario = plain(10);
    scenario.clients.arrival.interval = 100ms;
    scenario.clients.key = {.kind = KeyStrategy::Kind::Reused, .every = 5};
    const Counts c = countsOf(scenario); // operations 4 and 9
    EXPECT_EQ(c.mismatches, 2U);
    EXPECT_EQ(c.fresh, 8U);
    EXPECT_EQ(c.client_ok, 8U);
}

TEST(Clients, OfTwoTenantsDoNotMeetUnlessTheServerMixesThemUp)
{
    Scenario scenario = plain(40);
    scenario.clients.count = 2;
    scenario.clients.tenants = 2;
    scenario.clients.arrival.interval = 100ms;
    scenario.clients.key = {.kind = KeyStrategy::Kind::Random, .bits = 1};
    EXPECT_EQ(countsOf(scenario).fresh, 4U);
    EXPECT_EQ(countsOf(scenario).mismatches, 36U);
    scenario.clients.tenantScope = false;
    EXPECT_EQ(countsOf(scenario).fresh, 2U);
}

} // namespace
} // namespace idem::sim
