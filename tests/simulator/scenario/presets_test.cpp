// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/scenario/presets.h"

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;

QStringList presetNames()
{
    QStringList names;
    for (const BuiltIn &scenario : builtInScenarios()) {
        if (scenario.name.startsWith("preset-"_L1)) {
            names.append(scenario.name);
        }
    }
    return names;
}

class Preset : public testing::TestWithParam<QString>
{
};

TEST_P(Preset, EveryExpectationHolds)
{
    const Scenario scenario = builtIn(GetParam());
    // A tolerance of four standard deviations fails one seed of 16,000: these are fixed.
    const bool isLarge = scenario.clients.operations > 5'000;
    if (isLarge && isInstrumented) {
        GTEST_SKIP() << "its slices below are enough for a sanitizer";
    }
    for (std::uint64_t seed = 1; seed <= (isLarge ? 1 : lastSeed); ++seed) {
        expectAll(scenario, seed);
    }
}

TEST_P(Preset, TheSameSeedHasTheSameTraceInSlicesToo)
{
    Scenario scenario = builtIn(GetParam());
    scenario.clients.operations = std::min<std::uint64_t>(scenario.clients.operations, 5'000);
    sim::Run whole(scenario);
    whole.toEnd();
    sim::Run sliced(scenario);
    for (Duration until {}; !sliced.isFinished(); until += std::chrono::milliseconds(750)) {
        sliced.runUntil(until);
    }
    EXPECT_EQ(whole.traceHash(), sliced.traceHash());
    EXPECT_EQ(whole.counts(), sliced.counts());
}

INSTANTIATE_TEST_SUITE_P(All, Preset, testing::ValuesIn(presetNames()), [](const auto &test) {
    QString name = test.param;
    return name.replace(u'-', u'_').toStdString();
});

/// The same scenario and seed give the same trace in every build. These hashes are no truth of their own: whoever
/// changes what a run does changes them here, and says so.
TEST(Presets, HaveTheSameTraceInEveryBuild)
{
    const std::pair<QString, std::uint64_t> traces[] = {
        {u"preset-01-baseline"_s, 0xa0b321d0e1db4a90},
        {u"preset-05-impatient-client"_s, 0x47008f4640177190},
        {u"preset-06c-double-click-check-then-act"_s, 0xb979143f87701066},
        {u"preset-08-force-abandon-live-owner"_s, 0x8fed2f88ed64cf14},
        {u"preset-12-whose-answer"_s, 0x75183892799173dd},
        {u"preset-18-client-loses-key"_s, 0x564f87f63c7fee99},
#if defined(__x86_64__) && defined(__GLIBC__)
        {u"preset-11b-metastable-no-retry"_s, 0xf0cffd68f4fb7226}, // its logarithms are those of a C library
#endif
    };
    for (const auto &[name, hash] : traces) {
        sim::Run run(builtIn(name));
        run.toEnd();
        EXPECT_EQ(run.traceHash(), hash) << name.toStdString();
    }
}

TEST(Presets, SeedsDiffer)
{
    const Scenario scenario = builtIn(u"preset-02-lost-answer-no-keys"_s);
    sim::Run first(scenario, Seed {1});
    sim::Run second(scenario, Seed {2});
    first.run(10'000);
    second.run(10'000);
    EXPECT_NE(first.traceHash(), second.traceHash());
}

TEST(Presets, TheFirstLookShowsWhatItSays)
{
    const Scenario scenario = builtIn(u"first-look"_s);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Counts counts = expectAll(scenario, seed);
        EXPECT_GT(counts.replays, 1000U);
        EXPECT_GT(counts.conflicts, 100U);
        EXPECT_GT(counts.stuck_keys, 100U);
    }
}

TEST(Presets, AKeyFreedByHandInTheFirstLookGoesFresh)
{
    sim::Run run(builtIn(u"first-look"_s));
    run.runUntil(std::chrono::seconds(40)); // a crash soon after 20 s, its lease over soon after 35 s
    const Result<Page> stuck = run.store()->list({.filter = Filter::stuck()});
    ASSERT_TRUE(stuck);
    ASSERT_EQ(stuck->records.size(), 1U);
    const RecordView &record = stuck->records.front();
    EXPECT_EQ(record.state, State::LeaseExpired);
    EXPECT_GT(run.counts().unknowns, 0U);
    ASSERT_TRUE(
        run.store()->abandon(record.identity, {.expectedFence = record.fence, .reason = u"the worker is gone"_s}));
    // Its client waits for at most 10 s before the next attempt, 12 s from sending when an answer was lost.
    run.runUntil(std::chrono::seconds(70));
    const auto after = run.store()->find(record.identity);
    ASSERT_TRUE(after);
    EXPECT_EQ(after->state, State::Completed);
    EXPECT_EQ(after->attempt, 2U);
    EXPECT_EQ(run.counts().abandons, 1U);
}

} // namespace
} // namespace idem::sim
