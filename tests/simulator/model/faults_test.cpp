// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/faults.h"
#include "tests/simulator/model/scenarios.h"

#include <gtest/gtest.h>

#include <cmath>

namespace idem::sim {
namespace {

constexpr Fault::Kind kind = Fault::Kind::RequestLost;

class FaultPlanTest : public testing::Test
{
protected:
    static bool strikes(FaultPlan &plan, Duration now, std::uint64_t operation = 0, std::uint32_t attempt = 1)
    {
        return plan.strike(kind, Instant(now), KeyedRandom(1), {.operation = operation, .attempt = attempt}) != nullptr;
    }
};

TEST_F(FaultPlanTest, WithoutFaultsNothingGoesWrong)
{
    FaultPlan plan({}, std::nullopt);
    EXPECT_FALSE(strikes(plan, 0s));
}

TEST_F(FaultPlanTest, StrikesOnlyItsKind)
{
    FaultPlan plan({{.kind = Fault::Kind::ResponseLost}}, std::nullopt);
    EXPECT_FALSE(strikes(plan, 0s));
    EXPECT_TRUE(plan.strike(Fault::Kind::ResponseLost, Instant(), KeyedRandom(1), {}));
}

TEST_F(FaultPlanTest, ProbabilityIsThatOfTheBinomial)
{
    constexpr int n = 100'000;
    FaultPlan plan({{.kind = kind, .probability = 0.2}}, std::nullopt);
    int struck = 0;
    for (std::uint64_t operation = 0; operation < n; ++operation) {
        struck += strikes(plan, 0s, operation) ? 1 : 0;
    }
    EXPECT_NEAR(struck, 0.2 * n, 4 * std::sqrt(0.2 * 0.8 * n));
    FaultPlan never({{.kind = kind, .probability = 0}}, std::nullopt);
    EXPECT_FALSE(strikes(never, 0s));
}

TEST_F(FaultPlanTest, TwoFaultsDrawApart)
{
    constexpr int n = 100'000;
    FaultPlan plan({{.kind = kind, .probability = 0.5}, {.kind = kind, .probability = 0.5}}, std::nullopt);
    int struck = 0;
    for (std::uint64_t operation = 0; operation < n; ++operation) {
        struck += strikes(plan, 0s, operation) ? 1 : 0;
    }
    EXPECT_NEAR(struck, 0.75 * n, 4 * std::sqrt(0.75 * 0.25 * n));
}

TEST_F(FaultPlanTest, FirstAttemptsAndWindowLimitIt)
{
    FaultPlan plan({{.kind = kind, .firstAttempts = 2, .from = 10s, .until = 20s}}, std::nullopt);
    EXPECT_FALSE(strikes(plan, 10s - 1us));
    EXPECT_TRUE(strikes(plan, 10s));
    EXPECT_TRUE(strikes(plan, 20s - 1us, 5, 2));
    EXPECT_FALSE(strikes(plan, 15s, 5, 3));
    EXPECT_FALSE(strikes(plan, 20s));
}

TEST_F(FaultPlanTest, EveryStrikesTheFirstChanceOfEachPeriod)
{
    FaultPlan plan({{.kind = kind, .every = 20s, .from = 5s}}, std::nullopt);
    EXPECT_FALSE(strikes(plan, 5s));
    EXPECT_FALSE(strikes(plan, 25s - 1us)); // the first period ends here
    EXPECT_TRUE(strikes(plan, 26s));
    EXPECT_FALSE(strikes(plan, 27s));
    EXPECT_FALSE(strikes(plan, 45s - 1us));
    EXPECT_TRUE(strikes(plan, 45s));
    // No chance in three periods: they are not made up for.
    EXPECT_TRUE(strikes(plan, 130s));
    EXPECT_FALSE(strikes(plan, 131s));
    EXPECT_TRUE(strikes(plan, 145s));
}

} // namespace
} // namespace idem::sim
