// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/validate/aws_model.h"
#include "simulator/validate/queue_model.h"

#include <gtest/gtest.h>

using namespace idem;
using namespace idem::sim;
using namespace std::chrono_literals;

namespace {

RetryPolicy policyOf(RetryAlgorithm algorithm)
{
    return {.algorithm = algorithm, .base = 5ms, .cap = 2000ms, .firstExponent = 1};
}

Distribution constant(Duration duration)
{
    return {Distribution::Kind::Constant, duration};
}

} // namespace

TEST(AwsModel, OneClientNeedsOneCall)
{
    AwsModel model;
    const auto outcome = model.run({.policy = policyOf(RetryAlgorithm::FullJitter)});
    EXPECT_EQ(outcome.calls, 1U);
    EXPECT_EQ(outcome.failures, 0U);
    EXPECT_EQ(outcome.version, 1U);
    EXPECT_EQ(outcome.events, 4U); // read, version, write, verdict
    EXPECT_NEAR(static_cast<double>(outcome.time.count()), 40'000, 6 * 4'000); // four hops, sd 2 ms each
}

TEST(AwsModel, KeepsItsLaws)
{
    AwsModel model;
    for (const auto algorithm :
        {RetryAlgorithm::None, RetryAlgorithm::Exponential, RetryAlgorithm::DecorrelatedJitter}) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const auto outcome = model.run({.policy = policyOf(algorithm), .clients = 30, .seed = seed});
            EXPECT_TRUE(outcome.isConsistent(30));
            EXPECT_EQ(outcome.events, 4 * outcome.calls);
            EXPECT_GT(outcome.failures, 0U);
        }
    }
}

TEST(AwsModel, RunsDependOnTheirOptionsOnly)
{
    AwsModel used;
    (void)used.run({.policy = policyOf(RetryAlgorithm::None), .clients = 50, .seed = 9});
    const AwsModel::Options options {.policy = policyOf(RetryAlgorithm::FullJitter), .clients = 20, .seed = 4};
    const auto first = used.run(options);
    const auto second = AwsModel().run(options);
    EXPECT_EQ(first.time, second.time);
    EXPECT_EQ(first.calls, second.calls);
    auto other = options;
    other.seed = 5;
    EXPECT_NE(used.run(other).time, first.time);
}

TEST(AwsModel, ConsistencySeesABrokenRun)
{
    const AwsModel::Outcome right {.calls = 5, .failures = 2, .version = 3};
    EXPECT_TRUE(right.isConsistent(3));
    EXPECT_FALSE(right.isConsistent(4));
    EXPECT_FALSE((AwsModel::Outcome {.calls = 6, .failures = 2, .version = 3}).isConsistent(3));
    EXPECT_FALSE((AwsModel::Outcome {.calls = 5, .failures = 2, .version = 3, .monotone = false}).isConsistent(3));
}

TEST(QueueModel, CustomersAreKept)
{
    const QueueModel model {.servers = 2,
        .room = 5,
        .arrivalInterval = 1s,
        .service = {Distribution::Kind::Exponential, 3s},
        .customers = 50'000,
        .longSojourn = 0s,
        .seed = 3};
    const auto outcome = model.run();
    EXPECT_EQ(outcome.all.arrived, 50'000);
    EXPECT_EQ(outcome.all.served + outcome.all.turnedAway, 50'000);
    EXPECT_GT(outcome.all.turnedAway, 0);
    EXPECT_GT(outcome.all.waited, 0);
    EXPECT_NEAR(outcome.all.stayedLong, outcome.all.served, 1); // whose service took no microsecond
    EXPECT_EQ(outcome.batches.size(), QueueModel::batchCount);
    for (const auto &batch : outcome.batches) {
        EXPECT_EQ(batch.arrived, 50'000 / QueueModel::batchCount);
    }
    // An integral over time and a sum over customers of the same thing.
    EXPECT_NEAR(outcome.presence / outcome.all.sojourns, 1, 1e-9);
    EXPECT_GT(outcome.all.sojourns, outcome.all.waits);
}

TEST(QueueModel, WithServersEnoughNobodyWaits)
{
    const QueueModel model {
        .servers = 1'000'000, .arrivalInterval = 1s, .service = constant(5s), .customers = 1'000, .seed = 1};
    const auto outcome = model.run();
    EXPECT_EQ(outcome.all.waited, 0);
    EXPECT_EQ(outcome.all.waits, 0);
    EXPECT_EQ(outcome.all.sojourns, 1'000 * 5e6);
}

TEST(QueueModel, OneServerTakesThemInTurn)
{
    // All within far less than one service: the n-th waits for n - 1 services, less its own arrival.
    const QueueModel model {.servers = 1, .arrivalInterval = 1us, .service = constant(1s), .customers = 100, .seed = 1};
    const auto outcome = model.run();
    EXPECT_EQ(outcome.all.waited, 99);
    EXPECT_NEAR(outcome.all.waits / 1e6, 99 * 100 / 2, 0.1);
    EXPECT_NEAR(static_cast<double>(outcome.time.count()) / 1e6, 100, 0.001);
}
