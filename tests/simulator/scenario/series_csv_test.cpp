// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/load.h"
#include "simulator/scenario/series_csv.h"
#include "simulator/scenario/table.h"

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;

TEST(Table, CsvQuotesWhatRfc4180Says)
{
    // RFC 4180, section 2: fields with commas, quotes or line breaks are quoted; a quote is doubled.
    const Table table {.names = {u"a"_s, u"b"_s}, .rows = {{u"x,y"_s, u"say \"so\""_s}, {u"two\nlines"_s, u" "_s}}};
    EXPECT_EQ(toCsv(table), u"a,b\n\"x,y\",\"say \"\"so\"\"\"\n\"two\nlines\", \n"_s);
}

TEST(Table, TextIsAligned)
{
    const Table table {
        .names = {u"name"_s, u"client ok"_s}, .rows = {{u"idemscope"_s, u"7"_s}, {u"x"_s, u"1000000"_s}}};
    EXPECT_EQ(toText(table, 1),
        u"            client\n"
        "name            ok\n"
        "idemscope        7\n"
        "x          1000000\n"_s);
}

TEST(SeriesCsv, HasALineForEachSecondAndOneForTheEnd)
{
    // Preset 1: an operation each millisecond from 0 on, 5 ms to the server, 10 ms there, 5 ms back.
    const auto scenario = loadBuiltIn(u"preset-01-baseline"_s,
        {u"clients.operations=2500"_s, u"expected=[]"_s, u"clients.arrival={\"kind\":\"constant\",\"interval_ms\":1}"_s,
            u"network.request={\"kind\":\"constant\",\"ms\":5}"_s,
            u"network.response={\"kind\":\"constant\",\"ms\":5}"_s,
            u"server.service={\"kind\":\"constant\",\"ms\":10}"_s});
    ASSERT_TRUE(scenario.has_value()) << scenario.error().toString().toStdString();
    sim::Run run(*scenario);
    run.toEnd();
    const QStringList lines = seriesCsv(run).split(u'\n', Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 4); // names, 1 s, 2 s, the end
    const QStringList names = lines[0].split(u',');
    ASSERT_EQ(std::size_t(names.size()), 1 + Counts::entries().size());
    const auto cell = [&](qsizetype line, const QString &name) { return lines[line].split(u',')[names.indexOf(name)]; };
    EXPECT_EQ(cell(1, u"virtual_s"_s), u"1"_s);
    EXPECT_EQ(cell(1, u"attempts"_s), u"1000"_s); // at 0 ... 999 ms
    EXPECT_EQ(cell(1, u"arrivals"_s), u"995"_s);
    EXPECT_EQ(cell(1, u"effects"_s), u"985"_s);
    EXPECT_EQ(cell(1, u"client_ok"_s), u"980"_s);
    EXPECT_EQ(cell(2, u"client_ok"_s), u"1980"_s);
    EXPECT_EQ(cell(3, u"virtual_s"_s), u"2.519"_s);
    EXPECT_EQ(cell(3, u"client_ok"_s), u"2500"_s);
}

TEST(SeriesCsv, ALongIdleRunStaysShort)
{
    // Two operations thirty days apart: 2,592,000 s.
    const auto scenario = loadBuiltIn(u"preset-01-baseline"_s,
        {u"clients.operations=2"_s, u"expected=[]"_s,
            u"clients.arrival={\"kind\":\"constant\",\"interval_ms\":2592000000}"_s});
    ASSERT_TRUE(scenario.has_value()) << scenario.error().toString().toStdString();
    sim::Run run(*scenario);
    run.toEnd();
    const qsizetype lines = seriesCsv(run).count(u'\n');
    EXPECT_LE(lines, maxSeriesLines + 2);
    EXPECT_GE(lines, maxSeriesLines / 2);
}

} // namespace
} // namespace idem::sim
