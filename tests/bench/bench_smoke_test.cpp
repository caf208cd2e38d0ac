// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs every benchmark with few keys: that it works and what it prints, never how fast it is.

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <gmock/gmock.h>

#include <cmath>
#include <map>

using testing::Contains;
using testing::ElementsAre;
using testing::Pair;

namespace {

constexpr int keys = 5'000;
const QString keysText = QString::number(keys);

struct Ran
{
    int code = -1;
    QByteArray out;
};

Ran run(const char *program, const QStringList &arguments)
{
    QProcess process;
    process.start(QString::fromUtf8(program), arguments);
    if (!process.waitForFinished(240'000)) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput()};
}

/// "workload threads metric" and value of each line; a line that is no such object adds a failure.
std::map<std::string, double> figures(const std::string &impl, const QByteArray &out)
{
    std::map<std::string, double> found;
    for (const QByteArray &line : out.split('\n')) {
        if (line.isEmpty())
            continue;
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        const auto text = [&](const char *member) {
            return object.value(QLatin1StringView(member)).toString().toStdString();
        };
        const double value = object.value(QLatin1StringView("value")).toDouble(-1);
        EXPECT_EQ(text("impl"), impl) << line.constData();
        EXPECT_TRUE(std::isfinite(value)) << line.constData();
        const int threads = object.value(QLatin1StringView("threads")).toInt();
        const bool isNew =
            found.emplace(text("workload") + " " + std::to_string(threads) + " " + text("metric"), value).second;
        EXPECT_TRUE(isNew) << line.constData();
    }
    return found;
}

std::vector<std::string> namesOf(const std::map<std::string, double> &found)
{
    std::vector<std::string> names;
    names.reserve(found.size());
    for (const auto &[name, value] : found)
        names.push_back(name);
    return names;
}

void expectPositive(const std::map<std::string, double> &found)
{
    for (const auto &[name, value] : found)
        EXPECT_GT(value, 0) << name;
}

/// Runs the three modes that every store has.
void expectAllModes(const std::string &impl, const char *program, const QStringList &prefix)
{
    SCOPED_TRACE(impl);
    for (const char *threads : {"1", "2"}) {
        const Ran store =
            run(program, prefix + QStringList {QStringLiteral("store"), QLatin1StringView(threads), keysText});
        EXPECT_EQ(store.code, 0);
        const auto found = figures(impl, store.out);
        const std::string tail = std::string(" ") + threads + " Mops";
        EXPECT_THAT(namesOf(found),
            ElementsAre("abandon" + tail, "conflict" + tail, "fresh+complete" + tail, "fresh+complete_cold" + tail,
                "replay_uniform" + tail, "replay_zipf" + tail));
        expectPositive(found);
    }
    const Ran memory = run(program, prefix + QStringList {QStringLiteral("mem"), keysText});
    EXPECT_EQ(memory.code, 0);
    const auto bytes = figures(impl, memory.out);
    EXPECT_THAT(namesOf(bytes), ElementsAre("mem" + std::to_string(keys) + " 1 bytes_per_entry"));
    expectPositive(bytes);

    const Ran latency = run(program, prefix + QStringList {QStringLiteral("lat"), keysText});
    EXPECT_EQ(latency.code, 0);
    const auto quantiles = figures(impl, latency.out);
    EXPECT_THAT(namesOf(quantiles),
        ElementsAre("lat_fill 1 max", "lat_fill 1 p50", "lat_fill 1 p99", "lat_fill 1 p99.9", "lat_fill 1 p99.99"));
    expectPositive(quantiles);
}

} // namespace

TEST(BenchStore, MeasuresTheWorkloads)
{
    expectAllModes("ours", BENCH_STORE, {});
}

TEST(BenchStore, MeasuresSweeps)
{
    const Ran sweep = run(BENCH_STORE, {QStringLiteral("sweep"), keysText});
    EXPECT_EQ(sweep.code, 0);
    const auto found = figures("ours", sweep.out);
    EXPECT_THAT(namesOf(found),
        ElementsAre("sweep_1pct 1 pause_ms", "sweep_all 1 hold_p999_ms", "sweep_all 1 ns_per_expired",
            "sweep_all 1 pause_ms", "sweep_all 1 removed", "sweep_all 2 begin_max_ms", "sweep_all 2 begin_p999_ms",
            "sweep_none 1 pause_ms"));
    for (const auto &[name, value] : found) // a hold below a microsecond reads as 0
        EXPECT_GE(value, 0) << name;
    EXPECT_THAT(found, Contains(Pair("sweep_all 1 removed", keys)));
    EXPECT_GT(found.at("sweep_all 1 ns_per_expired"), 0);
    EXPECT_GT(found.at("sweep_all 2 begin_p999_ms"), 0);
    EXPECT_LE(found.at("sweep_all 2 begin_p999_ms"), found.at("sweep_all 2 begin_max_ms"));
    EXPECT_LE(found.at("sweep_all 1 hold_p999_ms"), found.at("sweep_all 1 pause_ms"));
}

TEST(BenchStore, MeasuresBatches)
{
    const Ran batch = run(BENCH_STORE, {QStringLiteral("batch"), keysText});
    EXPECT_EQ(batch.code, 0);
    const auto found = figures("ours", batch.out);
    EXPECT_THAT(namesOf(found), ElementsAre("batch 1 many_Mops", "batch 1 ratio", "batch 1 single_Mops"));
    expectPositive(found);
    EXPECT_NEAR(found.at("batch 1 ratio"), found.at("batch 1 many_Mops") / found.at("batch 1 single_Mops"), 1e-3);
}

TEST(BenchRivals, MeasureTheSameWorkloads)
{
    const Ran list = run(BENCH_RIVALS, {});
    ASSERT_EQ(list.code, 0);
    const QStringList names = QString::fromUtf8(list.out).split(u'\n', Qt::SkipEmptyParts);
    for (const char *always : {"seed", "std_map", "qt_hash"})
        EXPECT_TRUE(names.contains(QLatin1StringView(always))) << always;
    for (const QString &name : names)
        expectAllModes(name.toStdString(), BENCH_RIVALS, {name});
}

TEST(Benchmarks, RefuseWhatTheyDoNotUnderstand)
{
    for (const char *line :
        {"", "store", "store 2", "store 0 10", "store 11 10", "store x 10", "mem", "mem 0", "mem 1x", "mem -5",
            "mem 100000001", "lat 10 10", "sweep", "sweep 0", "batch", "batch 0", "batch 2 10", "unknown 10"}) {
        const QStringList arguments = QString::fromUtf8(line).split(u' ', Qt::SkipEmptyParts);
        const Ran ours = run(BENCH_STORE, arguments);
        EXPECT_EQ(ours.code, 2) << line;
        EXPECT_EQ(ours.out, QByteArray()) << line;
        EXPECT_EQ(run(BENCH_RIVALS, QStringList {QStringLiteral("seed")} + arguments).code, 2) << line;
    }
    EXPECT_EQ(run(BENCH_RIVALS, {QStringLiteral("nobody"), QStringLiteral("mem"), QStringLiteral("10")}).code, 2);
}TEST(BenchSimulator, MeasuresEvents)
{
    const Ran aws = run(BENCH_SIMULATOR, {QStringLiteral("aws"), QStringLiteral("20000")});
    EXPECT_EQ(aws.code, 0);
    const auto found = figures("simulator", aws.out);
    EXPECT_THAT(namesOf(found), ElementsAre("aws 1 events_per_s"));
    expectPositive(found);
    const Ran preset = run(BENCH_SIMULATOR, {QStringLiteral("preset3"), QStringLiteral("2000")});
    EXPECT_THAT(namesOf(figures("simulator", preset.out)),
        ElementsAre("preset3 1 attempts_per_s", "preset3 1 bytes_per_operation", "preset3_checked 1 attempts_per_s",
            "preset3_plain 1 attempts_per_s"));
    const Ran rewind = run(BENCH_SIMULATOR, {QStringLiteral("rewind")});
    EXPECT_THAT(namesOf(figures("simulator", rewind.out)), ElementsAre("rewind_10k 1 ms"));
    for (const char *line : {"", "aws", "aws 0", "aws x", "aws 10 10", "preset3", "rewind 3", "unknown 10"}) {
        const Ran refused = run(BENCH_SIMULATOR, QString::fromUtf8(line).split(u' ', Qt::SkipEmptyParts));
        EXPECT_EQ(refused.code, 2) << line;
        EXPECT_EQ(refused.out, QByteArray()) << line;
    }
}


