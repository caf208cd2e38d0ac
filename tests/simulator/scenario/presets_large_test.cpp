// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/scenario/presets.h"

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;

TEST(PresetsLarge, ExpectationsHoldAndEveryReplayIsADoubleChargeAvoided)
{
    const Scenario noKeys = builtIn(u"preset-02-lost-answer-no-keys"_s);
    const Scenario keysOn = builtIn(u"preset-03-lost-answer-keys-on"_s);
    for (std::uint64_t seed = 1; seed <= lastSeed; ++seed) {
        const Counts without = expectAll(noKeys, seed);
        const Counts with = expectAll(keysOn, seed);
        // The same answers are lost in both, so the two variants agree to the last count.
        EXPECT_EQ(with.replays, without.double_charges) << seed;
        EXPECT_EQ(with.client_unknown, without.client_unknown) << seed;
        EXPECT_EQ(with.attempts, without.attempts) << seed;
    }
}

TEST(PresetsLarge, ANewKeyForEachAttemptIsNoHelp)
{
    Scenario scenario = builtIn(u"preset-03-lost-answer-keys-on"_s);
    scenario.clients.key.kind = KeyStrategy::Kind::PerAttempt;
    scenario.expected.clear();
    Counts counts = expectAll(scenario, 1);
    EXPECT_EQ(counts.fresh, counts.attempts);
    const Counts none = expectAll(builtIn(u"preset-02-lost-answer-no-keys"_s), 1);
    // To the store every key is new; the monitor follows operations where there is none.
    counts.fresh = none.fresh;
    counts.invariant_violations = none.invariant_violations;
    EXPECT_EQ(counts, none);
}

} // namespace
} // namespace idem::sim
