// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/semantics.h"
#include "simulator/scenario/compare.h"
#include "simulator/scenario/load.h"

#include <QJsonArray>

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;

Scenario lostAnswers()
{
    const auto scenario = loadBuiltIn(u"preset-03-lost-answer-keys-on"_s, {u"clients.operations=2000"_s});
    EXPECT_TRUE(scenario.has_value());
    return scenario.value_or(Scenario {});
}

TEST(Compare, EverySemanticsRunsOnOneSeed)
{
    const auto comparison = compareSemantics(lostAnswers(), {.seed = Seed {7}});
    ASSERT_TRUE(comparison.has_value());
    EXPECT_TRUE(comparison->complete);
    QStringList names;
    for (const Comparison::Row &row : comparison->rows) {
        names.append(row.semantics);
    }
    EXPECT_EQ(names, semanticsNames());
    // Paired: what the network loses is the same, so what one charges twice, the other answers from memory.
    const Comparison::Row &ours = comparison->rows.front();
    const Comparison::Row &none = comparison->rows.back();
    EXPECT_EQ(ours.counts.double_charges, 0U);
    EXPECT_GT(none.counts.double_charges, 0U);
    EXPECT_EQ(none.counts.double_charges, ours.counts.replays);
    EXPECT_EQ(none.counts.replays, 0U);
}

TEST(Compare, ARowIsWhatARunOfItsOwnGives)
{
    const Scenario scenario = lostAnswers();
    const auto comparison = compareSemantics(scenario, {.semantics = {u"stripe-v1"_s}, .seed = Seed {3}});
    ASSERT_TRUE(comparison.has_value());
    ASSERT_EQ(comparison->rows.size(), 1U);
    Scenario alone = scenario;
    ASSERT_TRUE(applySemantics(u"stripe-v1", alone.store));
    sim::Run run(alone, Seed {3});
    run.toEnd();
    EXPECT_EQ(comparison->rows[0].traceHash, run.traceHash());
    EXPECT_EQ(comparison->rows[0].counts, run.counts());
    EXPECT_EQ(comparison->rows[0].measures, run.measures());
}

TEST(Compare, NamesAreChecked)
{
    const auto near = compareSemantics(lostAnswers(), {.semantics = {u"stripe-v2"_s}});
    ASSERT_FALSE(near.has_value());
    EXPECT_TRUE(near.error().contains(u"\"stripe-v2\" (did you mean stripe-v1?)"_s)) << near.error().toStdString();
    const auto twice = compareSemantics(lostAnswers(), {.semantics = {u"none"_s, u"none"_s}});
    ASSERT_FALSE(twice.has_value());
    EXPECT_TRUE(twice.error().contains(u"none stand there twice"_s));
    EXPECT_FALSE(compareSemantics(lostAnswers(), {.semantics = {QString()}}).has_value());
}

TEST(Compare, CancelledKeepsWhatIsDone)
{
    double last = 0;
    const auto comparison = compareSemantics(lostAnswers(),
        {.semantics = {u"idemscope"_s, u"none"_s},
            .cancelled = [&] { return last >= 0.5; },
            .progress =
                [&](double fraction) {
                    EXPECT_GE(fraction, last);
                    EXPECT_LE(fraction, 1);
                    last = fraction;
                }});
    ASSERT_TRUE(comparison.has_value());
    EXPECT_FALSE(comparison->complete);
    ASSERT_EQ(comparison->rows.size(), 1U);
    EXPECT_EQ(comparison->rows[0].semantics, u"idemscope"_s);
}

TEST(Compare, TablesHaveEveryColumn)
{
    Comparison comparison {.scenario = u"x"_s, .title = u"X"_s, .seed = Seed {9}};
    Comparison::Row row {.semantics = u"none"_s};
    row.counts = {.replays = 9,
        .double_charges = 1,
        .false_conflicts = 2,
        .false_mismatches = 3,
        .lost_results = 5,
        .client_ok = 6,
        .client_failed = 7,
        .client_unknown = 8,
        .invariant_violations = 10};
    row.measures.stuck_ms = 4.5;
    comparison.rows = {row};
    EXPECT_EQ(toCsv(tableOf(comparison)),
        u"semantics,double_charges,false_conflicts,false_mismatches,stuck_ms,lost_results,client_ok,client_failed,"
        "client_unknown,replays,invariant_violations\nnone,1,2,3,4.5,5,6,7,8,9,10\n"_s);
    EXPECT_TRUE(toText(comparison).contains(u"seed 9, the same for every row"_s));
    const QJsonObject json = toJson(comparison);
    EXPECT_EQ(json["seed"_L1], QJsonValue(9));
    EXPECT_EQ(json["rows"_L1][0]["counts"_L1]["replays"_L1], QJsonValue(9));
    EXPECT_EQ(json["rows"_L1][0]["measures"_L1]["stuck_ms"_L1], QJsonValue(4.5));
}

} // namespace
} // namespace idem::sim
