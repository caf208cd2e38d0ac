// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/validate/gate.h"

#include <gmock/gmock.h>

#include <atomic>
#include <cmath>
#include <set>

using namespace idem::sim;
using namespace Qt::StringLiterals;
using testing::Optional;

namespace {

GateResult rowOf(double expected, double measured, double tolerance)
{
    return {.expected = expected, .measured = measured, .tolerance = tolerance};
}

std::vector<GateResult> rowsOf(std::size_t index)
{
    return {{.name = QString::number(index)}, {.name = QString::number(index) + u"b"_s}};
}

} // namespace

TEST(Judged, IsOkWithinTheTolerance)
{
    EXPECT_TRUE(judged(rowOf(10, 12, 2)).ok);
    EXPECT_TRUE(judged(rowOf(10, 8, 2)).ok);
    EXPECT_FALSE(judged(rowOf(10, 12.001, 2)).ok);
    EXPECT_FALSE(judged(rowOf(10, 7.999, 2)).ok);
    EXPECT_TRUE(judged(rowOf(10, 10, 0)).ok);
    EXPECT_FALSE(judged(rowOf(10, 10.0001, 0)).ok);
}

TEST(Judged, NoNumberIsNotOk)
{
    EXPECT_FALSE(judged(rowOf(10, std::nan(""), 2)).ok);
    EXPECT_FALSE(judged(rowOf(std::nan(""), 10, 2)).ok);
    EXPECT_FALSE(judged(rowOf(10, 10, std::nan(""))).ok);
}

TEST(Judged, CountsDeviations)
{
    EXPECT_THAT(judged(rowOf(10, 13, 5), 2).z, Optional(1.5));
    EXPECT_THAT(judged(rowOf(10, 7, 5), 2).z, Optional(-1.5));
    EXPECT_EQ(judged(rowOf(10, 13, 5)).z, std::nullopt);
}

TEST(RunCells, RunsEachOnceAndKeepsTheirOrder)
{
    constexpr std::size_t count = 50;
    for (const unsigned workers : {0U, 1U, 2U, 7U, 100U}) {
        std::vector<std::atomic<int>> ran(count);
        const auto rows = runCells({.workers = workers}, count, [&](std::size_t index) {
            ++ran[index];
            return rowsOf(index);
        });
        ASSERT_EQ(rows.size(), 2 * count) << workers;
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(ran[i], 1);
            EXPECT_EQ(rows[2 * i].name, QString::number(i));
            EXPECT_EQ(rows[2 * i + 1].name, QString::number(i) + u"b"_s);
        }
    }
    EXPECT_TRUE(runCells({}, 0, rowsOf).empty());
}

TEST(RunCells, TellsItsProgress)
{
    std::vector<double> told;
    GateOptions options {.progress = [&](double fraction) { told.push_back(fraction); }};
    (void)runCells(options, 4, rowsOf);
    EXPECT_THAT(told, testing::ElementsAre(0.25, 0.5, 0.75, 1));
}

TEST(RunCells, EndsBetweenCellsWhenCancelled)
{
    std::atomic<int> ran = 0;
    const GateOptions options {.cancelled = [&] { return ran >= 3; }, .workers = 1};
    const auto rows = runCells(options, 100, [&](std::size_t index) {
        ++ran;
        return rowsOf(index);
    });
    EXPECT_EQ(ran, 3);
    EXPECT_EQ(rows.size(), 6U); // what was done is kept
    EXPECT_TRUE(runCells({.cancelled = [] { return true; }}, 5, rowsOf).empty());
}

TEST(PartSeed, DiffersByAllItsArguments)
{
    std::set<std::uint64_t> seeds;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        for (std::uint32_t gate = 0; gate < 10; ++gate) {
            for (std::uint64_t part = 0; part < 10; ++part) {
                seeds.insert(partSeed({.seed = seed}, gate, part));
            }
        }
    }
    EXPECT_EQ(seeds.size(), 1000U);
}

TEST(Gates, HaveNamesOfTheirOwn)
{
    std::set<QString> names;
    for (const Gate &gate : gates()) {
        EXPECT_TRUE(names.insert(gate.name).second) << gate.name.data();
        EXPECT_FALSE(gate.title.isEmpty());
        EXPECT_EQ(findGate(QString(gate.name)), &gate);
    }
    EXPECT_EQ(findGate(u"no such gate"), nullptr);
    EXPECT_EQ(findGate(u""), nullptr);
}

// The table of the publication: 5 algorithms, 19 client counts, two quantities, mean and deviation; the law of the
// model; 18 sentences about its shape.
TEST(AwsGate, ComparesEveryCell)
{
    const auto rows = findGate(u"aws")->run({.reduced = true});
    std::set<QString> names;
    std::set<QString> groups;
    std::size_t cells = 0;
    for (const GateResult &row : rows) {
        EXPECT_TRUE(names.insert(row.name).second) << qPrintable(row.name);
        EXPECT_EQ(row.gate, u"aws"_s);
        EXPECT_FALSE(row.source.isEmpty());
        EXPECT_TRUE(row.ok) << qPrintable(row.name) << ' ' << row.measured;
        cells += row.group.isEmpty() ? 0 : 1;
        groups.insert(row.group);
    }
    EXPECT_EQ(cells, 5U * 19 * 2 * 2);
    EXPECT_EQ(groups.size(), 5U + 1); // and none
    EXPECT_EQ(rows.size(), cells + 1 + 18);
}

// `queues`, the longest, is left to validate_reduced_test.
TEST(TheoryGates, MeetTheirClosedFormsOnAnyNumberOfWorkers)
{
    for (const char *name : {"randomness", "omission", "probability"}) {
        const auto *gate = findGate(QString::fromLatin1(name));
        const auto one = gate->run({.seed = 5, .reduced = true, .workers = 1});
        const auto three = gate->run({.seed = 5, .reduced = true, .workers = 3});
        ASSERT_EQ(one.size(), three.size());
        for (std::size_t i = 0; i < one.size(); ++i) {
            EXPECT_TRUE(one[i].ok) << qPrintable(one[i].name) << ' ' << one[i].measured;
            EXPECT_EQ(one[i].gate, QString::fromLatin1(name));
            EXPECT_EQ(one[i].name, three[i].name);
            EXPECT_EQ(one[i].measured, three[i].measured) << qPrintable(one[i].name);
        }
    }
}
