// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/validate/gate.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

namespace idem::sim {
namespace {

constexpr QStringView names[] {u"delays", u"budgets", u"retry-sweep", u"collapse"};

/// Of seed 1, run once for all tests.
const std::vector<GateResult> &reduced(QStringView name)
{
    static std::map<QStringView, std::vector<GateResult>> results;
    if (!results.contains(name)) {
        results[name] = findGate(name)->run({.seed = 1, .reduced = true});
    }
    return results[name];
}

TEST(ClientGates, MeetThePublishedNumbers)
{
    for (const QStringView name : names) {
        ASSERT_NE(findGate(name), nullptr);
        EXPECT_FALSE(reduced(name).empty());
        for (const GateResult &row : reduced(name)) {
            EXPECT_TRUE(row.ok) << qPrintable(row.name) << ": " << row.measured << ", expected " << row.expected
                                << " give or take " << row.tolerance;
            EXPECT_EQ(row.gate, name);
            EXPECT_FALSE(row.source.isEmpty());
        }
    }
}

TEST(ClientGates, CoverEveryPublishedCell)
{
    std::set<std::pair<QString, QString>> compared; // a closed form may judge what a publication judges too
    for (const GateResult &row : reduced(u"retry-sweep")) {
        EXPECT_TRUE(compared.emplace(row.name, row.source).second) << qPrintable(row.name);
    }
    // 9 failure rates, 4 strategies, success and load; and the closed forms of two strategies at 8 of the rates.
    EXPECT_EQ(compared.size(), 9U * 4 * 2 + 8 * 2 * 2);
}

TEST(ClientGates, GiveTheSameOnAnyNumberOfThreads)
{
    for (const QStringView name : {u"delays", u"collapse"}) {
        const auto &two = reduced(name);
        const auto three = findGate(name)->run({.seed = 1, .reduced = true, .workers = 3});
        ASSERT_EQ(two.size(), three.size());
        for (std::size_t i = 0; i < two.size(); ++i) {
            EXPECT_EQ(two[i].name, three[i].name);
            EXPECT_EQ(two[i].measured, three[i].measured) << qPrintable(two[i].name);
        }
    }
}

TEST(ClientGates, DependOnTheSeed)
{
    const auto &one = reduced(u"delays");
    const auto two = findGate(u"delays")->run({.seed = 2, .reduced = true});
    ASSERT_EQ(one.size(), two.size());
    std::size_t equal = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        equal += one[i].measured == two[i].measured ? 1U : 0U;
    }
    EXPECT_EQ(equal, 1U) << "Stripe's first wait has no chance in it";
}

} // namespace
} // namespace idem::sim
