// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/model/scenarios.h"

#include <gtest/gtest.h>

#include <cmath>

namespace idem::sim {
namespace {

/// c exponential servers of rate 1/s, Poisson arrivals.
struct Queue
{
    const char *what;
    std::uint32_t servers;
    double arrivalsPerSecond;
    double meanWait; ///< in the queue, seconds; closed form
};

/// Erlang's C formula: the probability that an arrival waits, `load` = arrivals / service rate.
double erlangC(std::uint32_t servers, double load)
{
    // Through Erlang B, whose recursion is stable: B(0) = 1, B(k) = aB / (k + aB).
    double blocked = 1;
    for (std::uint32_t k = 1; k <= servers; ++k) {
        blocked = load * blocked / (k + load * blocked);
    }
    const double utilisation = load / servers;
    return blocked / (1 - utilisation * (1 - blocked));
}

/// Mean time from arrival to answer, by Little's law: the integral of the operations under way, over their number.
double meanSojourn(const Queue &queue, Seed seed, std::uint64_t operations)
{
    Scenario scenario = plain(operations);
    scenario.store.enabled = false;
    scenario.clients.timeout = std::chrono::days(365);
    scenario.clients.arrival = {Arrival::Kind::Poisson, Duration(std::llround(1e6 / queue.arrivalsPerSecond))};
    scenario.network = {constant({}), constant({})};
    scenario.server = {.workers = queue.servers, .service = exponentialWith(1s)};
    sim::Run run(scenario, seed);
    double integral = 0;
    while (true) {
        const Counts counts = run.counts();
        const Duration before = run.elapsed();
        if (!run.step()) {
            return integral / static_cast<double>(operations);
        }
        integral += static_cast<double>(counts.operations - counts.client_ok)
            * static_cast<double>((run.elapsed() - before).count()) / 1e6;
    }
}

class Queueing : public testing::TestWithParam<Queue>
{
};

TEST_P(Queueing, WaitsAsErlangSays)
{
    constexpr int runs = 10;
    const Queue &queue = GetParam();
    const double theory = erlangC(queue.servers, queue.arrivalsPerSecond) / (queue.servers - queue.arrivalsPerSecond);
    EXPECT_NEAR(theory, queue.meanWait, 0.0005 * queue.meanWait);

    double sum = 0;
    double squares = 0;
    for (int seed = 1; seed <= runs; ++seed) {
        const double wait = meanSojourn(queue, Seed {std::uint64_t(seed)}, 10'000) - 1;
        sum += wait;
        squares += wait * wait;
    }
    const double mean = sum / runs;
    const double sd = std::sqrt((squares - sum * mean) / (runs - 1));
    EXPECT_NEAR(mean, theory, 4 * sd / std::sqrt(runs));
    EXPECT_LT(sd, theory); // so that the tolerance above means something
}

INSTANTIATE_TEST_SUITE_P(Closed, Queueing,
    testing::Values(Queue {"MM1Half", 1, 0.5, 1}, Queue {"MM1", 1, 0.8, 4}, Queue {"MM2", 2, 1.6, 1.7778},
        Queue {"MM10", 10, 9, 0.66873}, Queue {"MM50", 50, 45, 0.07277}),
    [](const auto &test) { return test.param.what; });

TEST(Queueing, OneWorkerServesInOrder)
{
    Scenario scenario = plain(10);
    scenario.store.enabled = false;
    scenario.clients.arrival.interval = {};
    scenario.server = {.workers = 1, .service = constant(100ms)};
    sim::Run run(scenario);
    run.runUntil(5ms + 350ms);
    EXPECT_EQ(run.counts().arrivals, 10U);
    EXPECT_EQ(run.counts().executions, 4U);
    EXPECT_EQ(run.counts().effects, 3U);
    run.toEnd();
    // Time-out 1 s: the tenth is answered at 5 + 1000 + 5 ms, too late, so its retry executes again.
    EXPECT_EQ(run.counts().executions, 11U);
    EXPECT_EQ(run.counts().timeouts, 1U);
}

} // namespace
} // namespace idem::sim
