// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/counts.h"
#include "simulator/check/expected.h"

#include <gtest/gtest.h>

#include <set>

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;

TEST(Counts, EveryMemberHasOneEntry)
{
    // All members are 64-bit numbers, so the size tells how many there are.
    EXPECT_EQ(Counts::entries().size(), sizeof(Counts) / sizeof(std::uint64_t));
    Counts counts;
    std::set<std::string_view> names;
    for (const Counts::Entry &entry : Counts::entries()) {
        names.insert(entry.name);
        counts.*entry.member += 1;
    }
    EXPECT_EQ(names.size(), Counts::entries().size());
    for (const Counts::Entry &entry : Counts::entries()) {
        EXPECT_EQ(counts.*entry.member, 1U) << entry.name;
        EXPECT_EQ(counts.value(QString::fromStdString(std::string(entry.name))), 1U);
    }
}

TEST(Counts, AreFoundByTheNameOfTheMember)
{
    Counts counts;
    counts.double_charges = 7;
    counts.client_unknown = 8;
    EXPECT_EQ(counts.value(u"double_charges"), 7U);
    EXPECT_EQ(counts.value(u"client_unknown"), 8U);
    EXPECT_EQ(counts.value(u"attempts"), 0U);
    EXPECT_EQ(counts.value(u"Attempts"), std::nullopt);
    EXPECT_EQ(counts.value(u""), std::nullopt);
}

TEST(Judge, AnExactExpectationHasNoTolerance)
{
    Counts counts;
    counts.attempts = 5000;
    const auto verdicts = judge({{u"attempts"_s, 5000, 0, {}}, {u"attempts"_s, 4999, 0, {}}}, {.counts = counts});
    ASSERT_EQ(verdicts.size(), 2U);
    EXPECT_TRUE(verdicts[0].ok);
    EXPECT_EQ(verdicts[0].z, 0.0);
    EXPECT_EQ(verdicts[0].measured, 5000);
    EXPECT_FALSE(verdicts[1].ok);
    EXPECT_EQ(verdicts[1].z, std::nullopt);
}

TEST(Judge, AToleranceIsFourStandardDeviations)
{
    Counts counts;
    counts.replays = 110;
    const auto verdicts = judge(
        {{u"replays"_s, 100, 20, {}}, {u"replays"_s, 130, 20, {}}, {u"replays"_s, 131, 20, {}}}, {.counts = counts});
    EXPECT_TRUE(verdicts[0].ok);
    EXPECT_DOUBLE_EQ(verdicts[0].z.value(), 2);
    EXPECT_TRUE(verdicts[1].ok);
    EXPECT_DOUBLE_EQ(verdicts[1].z.value(), -4);
    EXPECT_FALSE(verdicts[2].ok);
    EXPECT_DOUBLE_EQ(verdicts[2].z.value(), -4.2);
}

TEST(Judge, SaysNothingAboutNothing)
{
    EXPECT_TRUE(judge({}, {}).empty());
}

} // namespace
} // namespace idem::sim
