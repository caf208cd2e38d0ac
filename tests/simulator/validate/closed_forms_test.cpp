// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/validate/closed_forms.h"
#include "simulator/validate/inverse_normal.h"

#include <gtest/gtest.h>

#include <numbers>

using namespace idem::sim;

// To the digits of the published tables.

TEST(ClosedForms, ErlangC)
{
    EXPECT_NEAR(erlangC(1, 0.3), 0.3, 1e-12); // one server: its load
    EXPECT_NEAR(erlangC(2, 1.6), 0.71111, 5e-6);
    EXPECT_NEAR(erlangC(10, 9), 0.66873, 5e-6);
    EXPECT_NEAR(erlangC(50, 45), 0.36386, 5e-6);
}

TEST(ClosedForms, Blocking)
{
    EXPECT_NEAR(blockingProbability(0.8, 10), 0.023493, 5e-7);
    EXPECT_NEAR(blockingProbability(1.2, 10), 0.192586, 5e-7);
    EXPECT_NEAR(blockingProbability(2, 5), 0.507937, 5e-7);
    EXPECT_NEAR(blockingProbability(1, 4), 0.2, 1e-12); // all five states alike
    EXPECT_NEAR(blockingProbability(0.5, 1), 1.0 / 3, 1e-12); // Erlang B of one server
}

TEST(ClosedForms, DeviationOfTheMeanWait)
{
    // 4 of them at 10^7 customers are 0.7, 1.5 and 2.7 % of the mean waits 1, 4 and 9.
    EXPECT_NEAR(4 * meanWaitDeviation(0.5, 1e7) / 1, 0.007, 0.0005);
    EXPECT_NEAR(4 * meanWaitDeviation(0.8, 1e7) / 4, 0.015, 0.0015);
    EXPECT_NEAR(4 * meanWaitDeviation(0.9, 1e7) / 9, 0.027, 0.0005);
}

TEST(ClosedForms, Attempts)
{
    EXPECT_NEAR(meanAttempts(0.5, 4), 1.875, 1e-12);
    EXPECT_NEAR(meanAttempts(0.2, 4), 1.248, 1e-12);
    EXPECT_EQ(meanAttempts(1, 4), 4);
    EXPECT_EQ(meanAttempts(0, 4), 1);
    // 100,000 operations: 124,800 attempts, 4 deviations are 691.
    EXPECT_NEAR(4 * attemptsDeviation(0.2, 4) * std::sqrt(100'000), 691, 0.5);
    EXPECT_EQ(attemptsDeviation(1, 4), 0);
}

TEST(ClosedForms, Birthdays)
{
    EXPECT_NEAR(collidingPairs(10'000, 32), 0.01164, 5e-6);
    EXPECT_NEAR(collidingPairs(10'000, 24), 2.980, 5e-4);
    EXPECT_NEAR(collidingPairs(1e9, 122), 9.4e-20, 5e-22); // version 4 UUIDs
    EXPECT_NEAR(collisionProbability(10'000, 32), 0.01157, 5e-6);
    EXPECT_NEAR(collisionProbability(77'163, 32), 0.500, 5e-5);
    EXPECT_NEAR(collisionProbability(10'000, 24), 0.949, 5e-4);
    EXPECT_NEAR(collisionProbability(2, 1), 0.5, 1e-12);
    EXPECT_NEAR(collisionProbability(3, 1), 1, 1e-12);
}

TEST(ClosedForms, KeysLost)
{
    EXPECT_NEAR(keysLost(1'000, 16), 7.583, 5e-4);
    EXPECT_NEAR(keysLostDeviation(1'000, 16), 2.75, 5e-2);
    // Two keys of one bit: both cells taken or one, with equal chance.
    EXPECT_NEAR(keysLost(2, 1), 0.5, 1e-12);
    EXPECT_NEAR(keysLostDeviation(2, 1), 0.5, 1e-12);
}

TEST(InverseNormal, InvertsTheNormalLaw)
{
    for (const double p : {1e-16, 1e-12, 1e-6, 0.001, 0.02425, 0.075, 0.0751, 0.2, 0.4, 0.5}) {
        const double z = inverseNormal(p);
        EXPECT_NEAR(0.5 * std::erfc(-z / std::numbers::sqrt2) / p, 1, 1e-5) << p;
    }
    EXPECT_NEAR(inverseNormal(0.975), 1.959963985, 5e-7);
    EXPECT_NEAR(inverseNormal(0.9), 1.281551566, 5e-7);
    EXPECT_NEAR(inverseNormal(0.25), -0.674489750, 5e-7);
    EXPECT_NEAR(inverseNormal(1e-10), -6.361340902, 5e-6);
}

TEST(InverseNormal, TakesEveryWord)
{
    EXPECT_TRUE(std::isfinite(fastNormal(0)));
    EXPECT_TRUE(std::isfinite(fastNormal(UINT64_MAX)));
    EXPECT_NEAR(fastNormal(0), -fastNormal(UINT64_MAX), 1e-9);
    EXPECT_NEAR(fastNormal(1ULL << 63), 0, 1e-9);
}
