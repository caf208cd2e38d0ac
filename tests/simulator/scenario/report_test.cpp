// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/load.h"
#include "simulator/scenario/report.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;

Report reportOf(const QStringList &overrides = {}, bool toEnd = true)
{
    const auto scenario = loadBuiltIn(u"preset-05-impatient-client"_s);
    EXPECT_TRUE(scenario.has_value());
    Scenario changed = *scenario;
    if (!overrides.isEmpty()) {
        changed.expected.front().value = 1;
    }
    sim::Run run(changed);
    if (toEnd) {
        run.toEnd();
    } else {
        run.run(10);
    }
    return makeReport(run, 0.25, u"1.2.3"_s);
}

TEST(Report, SaysWhatTheRunWas)
{
    const Report report = reportOf();
    EXPECT_EQ(report.scenario, u"preset-05-impatient-client"_s);
    EXPECT_EQ(report.version, u"1.2.3"_s);
    EXPECT_EQ(report.seed, Seed {1});
    EXPECT_EQ(report.wallSeconds, 0.25);
    EXPECT_DOUBLE_EQ(report.virtualSeconds, 0.999 + 0.54); // the last of 1000 operations
    EXPECT_TRUE(report.complete);
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(report.counts.attempts, 5000U);
    EXPECT_FALSE(reportOf({}, false).complete);
}

TEST(Report, JsonHasEveryNumber)
{
    const Report report = reportOf();
    // Through text and back, as a program would read it.
    const QJsonObject json = QJsonDocument::fromJson(QJsonDocument(toJson(report)).toJson()).object();
    EXPECT_EQ(json.keys(),
        QStringList({u"complete"_s, u"counts"_s, u"events"_s, u"expected"_s, u"lesson"_s, u"measures"_s, u"ok"_s,
            u"scenario"_s, u"seed"_s, u"title"_s, u"trace_hash"_s, u"unreached"_s, u"version"_s, u"violations"_s,
            u"virtual_seconds"_s, u"wall_seconds"_s}));
    EXPECT_EQ(json["measures"_L1].toObject().size(), qsizetype(Measures::entries().size()));
    EXPECT_EQ(json["measures"_L1]["latency_p50_ms"_L1], QJsonValue(540)); // each operation takes as long
    EXPECT_EQ(json["lesson"_L1]["count"_L1], QJsonValue(u"attempts"_s));
    EXPECT_TRUE(json["violations"_L1].toArray().isEmpty());
    EXPECT_TRUE(json["unreached"_L1].toArray().isEmpty());
    EXPECT_EQ(json["trace_hash"_L1].toString().size(), 16);
    EXPECT_EQ(json["trace_hash"_L1].toString().toULongLong(nullptr, 16), report.traceHash);
    EXPECT_EQ(json["seed"_L1], QJsonValue(1));
    EXPECT_EQ(json["ok"_L1], QJsonValue(true));
    EXPECT_EQ(json["counts"_L1].toObject().size(), qsizetype(Counts::entries().size()));
    EXPECT_EQ(json["counts"_L1]["conflicts"_L1], QJsonValue(3000));
    const QJsonArray expected = json["expected"_L1].toArray();
    ASSERT_EQ(std::size_t(expected.size()), report.verdicts.size());
    EXPECT_EQ(expected[0]["name"_L1], QJsonValue(u"attempts"_s));
    EXPECT_EQ(expected[0]["expected"_L1], QJsonValue(5000));
    EXPECT_EQ(expected[0]["measured"_L1], QJsonValue(5000));
    EXPECT_EQ(expected[0]["z"_L1], QJsonValue(0));
    EXPECT_EQ(expected[0]["ok"_L1], QJsonValue(true));
}

TEST(Report, JsonKeepsLargeNumbers)
{
    Report report;
    report.counts.attempts = (1ULL << 53) + 1;
    report.traceHash = 0xab;
    const QByteArray text = QJsonDocument(toJson(report)).toJson();
    EXPECT_TRUE(text.contains("\"attempts\": 9007199254740993")) << text.toStdString();
    EXPECT_TRUE(text.contains("\"trace_hash\": \"00000000000000ab\"")) << text.toStdString();
}

TEST(Report, AMissHasNoZAndFails)
{
    const Report report = reportOf({u"wrong"_s});
    EXPECT_FALSE(report.ok());
    EXPECT_TRUE(toJson(report)["expected"_L1][0]["z"_L1].isNull());
    const QString text = toText(report);
    EXPECT_TRUE(text.contains(u" FAIL"_s));
    EXPECT_TRUE(text.endsWith(u"Not all expectations hold.\n"_s));
}

/// Without a store, with a lesson, and with a claim that cannot come true.
Report lessonReport()
{
    auto scenario = loadBuiltIn(u"preset-02-lost-answer-no-keys"_s,
        {u"clients.operations=200"_s, u"expected=[]"_s, u"reaches=[\"settles\",\"double_charges\"]"_s,
            u"lesson={\"predict\":\"How many are charged twice?\",\"count\":\"double_charges\","
            "\"happens\":\"Each lost answer is one.\",\"why\":\"Nobody remembers, and this sentence is long enough to "
            "go beyond the end of a line of eighty columns.\"}"_s});
    EXPECT_TRUE(scenario.has_value());
    sim::Run run(scenario.value_or(Scenario {}));
    run.toEnd();
    return makeReport(run, 0.25, u"1.2.3"_s);
}

TEST(Report, ALessonHasItsAnswer)
{
    const Report report = lessonReport();
    ASSERT_GT(report.counts.double_charges, 0U);
    const QJsonObject lesson = toJson(report)["lesson"_L1].toObject();
    EXPECT_EQ(lesson["predict"_L1], QJsonValue(u"How many are charged twice?"_s));
    EXPECT_EQ(lesson["count"_L1], QJsonValue(u"double_charges"_s));
    EXPECT_EQ(lesson["answer"_L1], QJsonValue(double(report.counts.double_charges)));
    const QString text = toText(report);
    EXPECT_TRUE(text.contains(
        u"Predict: How many are charged twice?\n  double_charges = %1\n"_s.arg(report.counts.double_charges)))
        << text.toStdString();
    EXPECT_TRUE(text.contains(u"What happens: Each lost answer is one.\nWhy: Nobody remembers"_s));
    for (const QString &line : text.split(u'\n')) {
        EXPECT_LE(line.size(), 80) << line.toStdString();
    }
}

TEST(Report, BrokenInvariantsAndBrokenClaimsAreTold)
{
    const Report report = lessonReport();
    ASSERT_GT(report.counts.invariant_violations, 5U);
    EXPECT_FALSE(report.ok()); // settles was never reached
    const QJsonObject json = toJson(report);
    EXPECT_EQ(json["unreached"_L1], QJsonValue(QJsonArray {u"settles"_s}));
    const QJsonArray violations = json["violations"_L1].toArray();
    ASSERT_EQ(std::size_t(violations.size()), report.violations.size());
    EXPECT_EQ(violations[0]["invariant"_L1], QJsonValue(u"I1"_s));
    EXPECT_GT(violations[0]["at_ms"_L1].toDouble(), 0);
    const QString text = toText(report);
    EXPECT_TRUE(
        text.contains(u"Invariants broken: %1 times, first:\n  I1 at "_s.arg(report.counts.invariant_violations)));
    EXPECT_EQ(text.count(u"  I1 at "_s), 5);
    EXPECT_TRUE(text.contains(u"Never reached, though the scenario claims it: settles.\n"_s));
}

TEST(Report, TextFitsInEightyColumns)
{
    for (const BuiltIn &builtIn : builtInScenarios()) {
        auto scenario = loadBuiltIn(builtIn.name);
        ASSERT_TRUE(scenario.has_value());
        sim::Run run(*scenario);
        run.run(1000);
        const Report report = makeReport(run, 12.5, u"0.1.0"_s);
        for (const QString &line : toText(report).split(u'\n')) {
            EXPECT_LE(line.size(), 80) << line.toStdString();
        }
    }
}

TEST(Report, TextIsATable)
{
    const QString text = toText(reportOf());
    EXPECT_TRUE(text.startsWith(u"preset-05-impatient-client: The impatient client\nseed 1, trace "_s));
    EXPECT_TRUE(text.contains(u"1.539 s of virtual time, "_s));
    EXPECT_TRUE(text.contains(u"attempts                          5000"_s)) << text.toStdString();
    EXPECT_TRUE(text.contains(u"attempts                        5000        exact         5000     0.00     ok\n"_s))
        << text.toStdString();
    EXPECT_TRUE(text.endsWith(u"All expectations hold.\n"_s));
    EXPECT_FALSE(text.contains(u"Stopped"_s));
    EXPECT_TRUE(toText(reportOf({}, false)).contains(u"Stopped before its end"_s));
}

} // namespace
} // namespace idem::sim
