// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run.h"
#include "simulator/scenario/sweep.h"

#include <QJsonArray>

#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;

Scenario impatient()
{
    const auto scenario =
        loadBuiltIn(u"preset-05-impatient-client"_s, {u"clients.operations=50"_s, u"expected=[]"_s, u"seed=11"_s});
    EXPECT_TRUE(scenario.has_value());
    return scenario.value_or(Scenario {});
}

GridAxis axis(const QString &text)
{
    const auto parsed = parseAxis(text);
    EXPECT_TRUE(parsed.has_value()) << text.toStdString();
    return parsed.value_or(GridAxis {});
}

TEST(Sweep, AnAxisIsAPathAndItsValues)
{
    const GridAxis plain = axis(u"clients.retry.policy=none,fixed"_s);
    EXPECT_EQ(plain.path, u"clients.retry.policy"_s);
    EXPECT_EQ(plain.values, QStringList({u"none"_s, u"fixed"_s}));
    // A comma inside of a value is part of it.
    EXPECT_EQ(axis(u"a={\"x\":1,\"y\":[2,3]},[1,2],\"p,\\\"q\",7"_s).values,
        QStringList({u"{\"x\":1,\"y\":[2,3]}"_s, u"[1,2]"_s, u"\"p,\\\"q\""_s, u"7"_s}));
    for (const QString &bad : {u"clients.count"_s, u"=1,2"_s, u"clients.count="_s, u"clients.count=1,,2"_s,
             u"clients.count=1,"_s, u"clients.count=2,2"_s}) {
        const auto parsed = parseAxis(bad);
        ASSERT_FALSE(parsed.has_value()) << bad.toStdString();
        EXPECT_TRUE(parsed.error().contains(bad.left(5))) << parsed.error().toStdString();
    }
}

TEST(Sweep, TheGridIsCartesianAndTheCellsAreTheirRuns)
{
    const auto result = sweep(impatient(),
        {.grid = {axis(u"clients.retry.max_attempts=1,5"_s), axis(u"clients.operations=10,20,30"_s)},
            .names = {u"attempts"_s, u"client_ok"_s}});
    ASSERT_TRUE(result.has_value()) << result.error().toStdString();
    EXPECT_TRUE(result->complete());
    EXPECT_EQ(result->paths, QStringList({u"clients.retry.max_attempts"_s, u"clients.operations"_s}));
    ASSERT_EQ(result->cells.size(), 6U);
    // The impatient client: with 1 attempt all give up, and of 5 the last is answered. Each takes all it may.
    for (std::size_t i = 0; i < 6; ++i) {
        const double attempts = i < 3 ? 1 : 5;
        const double operations = 10 * (1 + static_cast<double>(i % 3));
        const SweepCell &cell = result->cells[i];
        EXPECT_EQ(cell.values, QStringList({QString::number(attempts), QString::number(operations)}));
        EXPECT_EQ(cell.statistics[0].mean, attempts * operations);
        EXPECT_EQ(cell.statistics[1].mean, i < 3 ? 0 : operations);
        EXPECT_FALSE(cell.statistics[0].deviation); // of a single run
    }
}

TEST(Sweep, MeansAndDeviationsAreThoseOfTheSeeds)
{
    Scenario scenario = impatient();
    const auto source =
        parseScenario(scenario.source, {u"network.request={\"kind\":\"exponential\",\"mean_ms\":40}"_s});
    ASSERT_TRUE(source.has_value()) << source.error().toString().toStdString();
    const auto result = sweep(*source, {.seeds = 3, .names = {u"attempts"_s}});
    ASSERT_TRUE(result.has_value());
    std::vector<double> sample;
    for (const std::uint64_t seed : {11, 12, 13}) {
        sim::Run run(*source, Seed {seed});
        run.toEnd();
        sample.push_back(static_cast<double>(run.counts().attempts));
    }
    const double mean = (sample[0] + sample[1] + sample[2]) / 3;
    const double variance =
        (std::pow(sample[0] - mean, 2) + std::pow(sample[1] - mean, 2) + std::pow(sample[2] - mean, 2)) / 2;
    ASSERT_GT(variance, 0);
    ASSERT_EQ(result->cells.size(), 1U);
    EXPECT_DOUBLE_EQ(result->cells[0].statistics[0].mean, mean);
    ASSERT_TRUE(result->cells[0].statistics[0].deviation);
    EXPECT_DOUBLE_EQ(*result->cells[0].statistics[0].deviation, std::sqrt(variance));
}

TEST(Sweep, TheNumberOfJobsChangesNothing)
{
    SweepOptions options {.grid = {axis(u"clients.timeout_ms=50,100,500"_s),
                              axis(u"network.request={\"kind\":\"exponential\",\"mean_ms\":5},"
                                   "{\"kind\":\"constant\",\"ms\":5}"_s)},
        .seeds = 4,
        .jobs = 1};
    const auto one = sweep(impatient(), options);
    options.jobs = 5;
    const auto five = sweep(impatient(), options);
    ASSERT_TRUE(one.has_value() && five.has_value());
    EXPECT_EQ(one->names, defaultSweepNames());
    EXPECT_EQ(toCsv(tableOf(*one)), toCsv(tableOf(*five)));
}

TEST(Sweep, ProgressIsToldForEachRun)
{
    std::vector<std::uint64_t> told;
    const auto result = sweep(impatient(),
        {.grid = {axis(u"clients.operations=1,2"_s)}, .seeds = 5, .jobs = 3, .progress = [&](auto done, auto all) {
             EXPECT_EQ(all, 10U);
             told.push_back(done);
         }});
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(told, std::vector<std::uint64_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST(Sweep, CancelledKeepsTheCellsThatAreDone)
{
    std::atomic<std::uint64_t> runs = 0;
    const auto result = sweep(impatient(),
        {.grid = {axis(u"clients.operations=1,2,3,4"_s)},
            .seeds = 5,
            .jobs = 1,
            .cancelled = [&] { return runs >= 12; },
            .progress = [&](auto done, auto) { runs = done; }});
    ASSERT_TRUE(result.has_value());
    EXPECT_FALSE(result->complete());
    EXPECT_EQ(result->cellsInAll, 4U);
    ASSERT_EQ(result->cells.size(), 2U); // 12 runs: two cells of five, and a part of the third
    EXPECT_EQ(result->cells[1].values, QStringList(u"2"_s));
    EXPECT_EQ(toJson(*result)["complete"_L1], QJsonValue(false));
    EXPECT_TRUE(toText(*result).contains(u"2 of 4 cells"_s));
}

TEST(Sweep, NothingRunsWhenSomethingIsWrong)
{
    struct Case
    {
        SweepOptions options;
        QString says;
    };
    const std::vector<Case> cases {
        {{.grid = {axis(u"clients.operations=5,-5"_s)}}, u"clients.operations=-5"_s},
        {{.grid = {axis(u"clients.oprations=5"_s)}}, u"oprations"_s},
        {{.grid = {axis(u"clients.count=1,2"_s), axis(u"clients.count=3"_s)}}, u"the grid sets clients.count twice"_s},
        {{.names = {u"replay"_s}}, u"\"replay\" is not the name of a count or a measure: did you mean replays?"_s},
        {{.names = {u"replays"_s, u"replays"_s}}, u"replays stands there twice"_s},
        {{.jobs = 0}, u"jobs"_s},
        {{.jobs = 65}, u"jobs"_s},
        {{.seeds = 0}, u"seeds"_s},
        {{.seeds = maxSweepRuns + 1}, u"seeds"_s},
        {{.grid = {axis(u"seed=%1"_s.arg(maxSeed))}, .seeds = 2}, u"seeds of the cell"_s},
    };
    for (Case one : cases) {
        one.options.progress = [&](auto, auto) { ADD_FAILURE() << one.says.toStdString(); };
        const auto result = sweep(impatient(), one.options);
        ASSERT_FALSE(result.has_value()) << one.says.toStdString();
        EXPECT_TRUE(result.error().contains(one.says)) << result.error().toStdString();
        EXPECT_FALSE(result.error().contains(u"line 1"_s)) << result.error().toStdString();
    }
    QStringList many;
    for (int i = 1; i <= 101; ++i) {
        many.append(QString::number(i));
    }
    const auto large = sweep(impatient(),
        {.grid = {{.path = u"clients.count"_s, .values = many}, {.path = u"clients.operations"_s, .values = many}}});
    ASSERT_FALSE(large.has_value());
    EXPECT_TRUE(large.error().contains(u"more than 10000 cells"_s));
}

TEST(Sweep, TablesHaveMeanAndDeviation)
{
    const Sweep result {.scenario = u"x"_s,
        .title = u"X"_s,
        .paths = {u"a.b"_s},
        .names = {u"replays"_s},
        .seeds = 2,
        .cells = {{.values = {u"[1,2]"_s}, .statistics = {{.mean = 2.5, .deviation = 0.5}}}},
        .cellsInAll = 1};
    EXPECT_EQ(toCsv(tableOf(result)), u"a.b,replays,replays sd\n\"[1,2]\",2.5,0.5\n"_s);
    EXPECT_EQ(toText(result), u"x: X\n1 of 1 cells, 2 seeds each\n\na.b      replays\n[1,2]  2.5 +-0.5\n"_s);
    const QJsonObject json = toJson(result);
    EXPECT_EQ(json["cells"_L1][0]["values"_L1]["a.b"_L1], QJsonValue(u"[1,2]"_s));
    EXPECT_EQ(json["cells"_L1][0]["statistics"_L1]["replays"_L1]["sd"_L1], QJsonValue(0.5));
}

} // namespace
} // namespace idem::sim
