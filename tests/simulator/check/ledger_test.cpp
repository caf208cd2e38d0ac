// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/ledger.h"

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

class LedgerTest : public testing::Test
{
protected:
    LedgerTest()
    {
        for (std::uint64_t operation = 0; operation < 4; ++operation) {
            ledger.open(operation);
        }
    }
    Counts counts() const
    {
        Counts result;
        ledger.report(result);
        return result;
    }

    Ledger ledger;
};

TEST_F(LedgerTest, CountsEffectsBeyondTheFirstOfAnOperation)
{
    ledger.effect(0);
    ledger.effect(1);
    ledger.effect(1);
    ledger.effect(2);
    ledger.effect(2);
    ledger.effect(2);
    EXPECT_EQ(counts().operations, 4U);
    EXPECT_EQ(counts().effects, 6U);
    EXPECT_EQ(counts().double_charges, 0U + 1 + 2);
    EXPECT_EQ(counts().keys_double_charged, 2U);
    EXPECT_EQ(ledger.effects(2), 3U);
    EXPECT_EQ(ledger.effects(3), 0U);
}

TEST_F(LedgerTest, GivingUpIsUnknownExactlyWhenThereIsAnEffect)
{
    ledger.end(0, ClientEnd::GaveUp);
    ledger.effect(1);
    ledger.end(1, ClientEnd::GaveUp);
    EXPECT_EQ(counts().client_failed, 1U);
    EXPECT_EQ(counts().client_unknown, 1U);
    EXPECT_EQ(ledger.ended(), 2U);
}

TEST_F(LedgerTest, AnEffectAfterGivingUpTurnsFailedIntoUnknown)
{
    ledger.end(0, ClientEnd::GaveUp);
    ledger.effect(0);
    EXPECT_EQ(counts().client_failed, 0U);
    EXPECT_EQ(counts().client_unknown, 1U);
    ledger.effect(0);
    EXPECT_EQ(counts().client_unknown, 1U);
    EXPECT_EQ(counts().double_charges, 1U);
}

TEST_F(LedgerTest, AnErrorIsAFailureWhateverHappened)
{
    ledger.effect(0);
    ledger.end(0, ClientEnd::Error);
    ledger.end(1, ClientEnd::Error);
    ledger.effect(1);
    EXPECT_EQ(counts().client_failed, 2U);
    EXPECT_EQ(counts().client_unknown, 0U);
}

TEST_F(LedgerTest, ASuccessStaysASuccess)
{
    ledger.effect(0);
    ledger.end(0, ClientEnd::Ok);
    ledger.effect(0);
    EXPECT_EQ(counts().client_ok, 1U);
    EXPECT_EQ(counts().client_unknown, 0U);
    EXPECT_EQ(counts().client_failed, 0U);
    EXPECT_EQ(counts().double_charges, 1U);
    EXPECT_EQ(ledger.opened(), 4U);
}

} // namespace
} // namespace idem::sim
