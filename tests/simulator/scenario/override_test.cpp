// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/load.h"

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

const QByteArray base = R"({
  "idemscope_scenario": 1, "name": "base", "title": "Base",
  "clients": { "operations": 10, "arrival": { "kind": "constant", "interval_ms": 1 } },
  "faults": [ { "kind": "response-lost", "probability": 0.2 } ]
})";

Scenario with(const QStringList &overrides)
{
    const auto loaded = parseScenario(base, overrides);
    EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : loaded.error().toString().toStdString());
    return loaded ? *loaded : Scenario {};
}

ScenarioError refusal(const QStringList &overrides)
{
    const auto loaded = parseScenario(base, overrides);
    EXPECT_FALSE(loaded.has_value());
    return loaded ? ScenarioError {} : loaded.error();
}

TEST(Override, ReplacesMembersAndItems)
{
    const Scenario scenario =
        with({u"clients.operations=25"_s, u"faults.0.probability=0.3"_s, u"title=A new = title"_s});
    EXPECT_EQ(scenario.clients.operations, 25U);
    EXPECT_EQ(scenario.faults.at(0).probability, 0.3);
    EXPECT_EQ(scenario.title, u"A new = title"_s);
}

TEST(Override, MakesWhatIsMissingOnTheWay)
{
    const Scenario scenario = with({u"clients.retry.policy=none"_s, u"clients.retry.max_attempts=9"_s,
        u"store.lease_ms=null"_s, u"server.service={\"kind\": \"exponential\", \"mean_ms\": 4}"_s});
    EXPECT_EQ(scenario.clients.retry.algorithm, RetryAlgorithm::None);
    EXPECT_EQ(scenario.clients.retry.maxAttempts, 9U);
    EXPECT_EQ(scenario.store.policy.lease, std::nullopt);
    EXPECT_EQ(scenario.server.service.kind, Distribution::Kind::Exponential);
    EXPECT_EQ(scenario.server.service.first, Duration(4ms));
}

TEST(Override, AppendsAtTheEndOfAList)
{
    const Scenario scenario = with({u"faults.1.kind=request-lost"_s, u"faults.1.probability=0.5"_s});
    ASSERT_EQ(scenario.faults.size(), 2U);
    EXPECT_EQ(scenario.faults[1].kind, Fault::Kind::RequestLost);
    EXPECT_EQ(scenario.faults[1].probability, 0.5);
}

TEST(Override, TheLastOneCounts)
{
    EXPECT_EQ(with({u"seed=4"_s, u"seed=5"_s}).seed, Seed {5});
    EXPECT_TRUE(with({u"faults.0.kind=request-lost"_s, u"faults=[]"_s}).faults.empty());
}

TEST(Override, ABadValueNamesTheOverrideAndNoLine)
{
    const ScenarioError error = refusal({u"seed=7"_s, u"clients.operations=0"_s});
    EXPECT_EQ(error.line, 0);
    EXPECT_EQ(error.member, u"clients.operations"_s);
    EXPECT_EQ(error.toString(), u"clients.operations: must be at least 1 (in the override clients.operations=0)."_s);
    EXPECT_EQ(refusal({u"clients.operations=many"_s}).toString(),
        u"clients.operations: must be a whole number (in the override clients.operations=many)."_s);
}

TEST(Override, AnUnknownMemberIsRefusedBySchema)
{
    EXPECT_EQ(refusal({u"clients.retrys.policy=none"_s}).toString(),
        u"clients.retrys: is not a member of a scenario; did you mean \"retry\"? (in the override "
        "clients.retrys.policy=none)."_s);
}

TEST(Override, AMissingMemberOfWhatItMadeNamesTheOverride)
{
    EXPECT_EQ(refusal({u"clients.retry.base_ms=4"_s}).toString(),
        u"clients.retry.policy: is missing (in the override clients.retry.base_ms=4)."_s);
}

TEST(Override, ErrorsOfTheFileKeepTheirLine)
{
    const auto loaded = parseScenario(QByteArray(base).replace("0.2", "2"), {u"seed=3"_s});
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().line, 4);
    EXPECT_FALSE(loaded.error().problem.contains(u"override"_s));
}

TEST(Override, MustBeAPathAndAValue)
{
    EXPECT_EQ(refusal({u"seed"_s}).toString(), u"an override must look like path=value, not seed."_s);
    EXPECT_EQ(refusal({u"=5"_s}).problem, u"an override must look like path=value, not =5"_s);
    EXPECT_EQ(refusal({u""_s}).line, 0);
    for (const QString &text : {u"a..b=1"_s, u".a=1"_s, u"a.=1"_s}) {
        EXPECT_NE(refusal({text}).problem.indexOf(u"not made of names"_s), -1) << text.toStdString();
    }
    EXPECT_NE(refusal({u"a."_s.repeated(1000) + u"a=1"_s}).problem.indexOf(u"not made of names"_s), -1);
}

TEST(Override, MustLeadSomewhere)
{
    EXPECT_NE(refusal({u"faults.3.probability=1"_s}).problem.indexOf(u"needs an index from 0 to 1"_s), -1);
    EXPECT_NE(refusal({u"faults.first.probability=1"_s}).problem.indexOf(u"needs an index"_s), -1);
    EXPECT_NE(refusal({u"title.text=1"_s}).problem.indexOf(u"has no members"_s), -1);
    EXPECT_EQ(refusal({u"title.text=1"_s}).member, u"title.text"_s);
}

TEST(Override, CannotMakeAnInvalidValueOfTextItselfAnError)
{
    // What is not JSON is text, so that names need no quotes.
    EXPECT_EQ(with({u"title={not json"_s}).title, u"{not json"_s);
    EXPECT_EQ(with({u"title="_s, u"title=\"quoted\""_s}).title, u"quoted"_s);
    EXPECT_EQ(refusal({u"title="_s}).problem, u"must not be empty (in the override title=)"_s);
}

} // namespace
} // namespace idem::sim
