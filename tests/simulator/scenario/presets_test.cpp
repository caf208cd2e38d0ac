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
