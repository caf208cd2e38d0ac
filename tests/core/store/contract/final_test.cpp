// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

#include <array>
#include <set>
#include <stdexcept>

namespace idem::test {

// The seven presets of what is final: as functions, and as a store follows them.

namespace {

using namespace Qt::StringLiterals;

struct Preset
{
    FinalPreset preset;
    const char *name;
    bool keepsFailures;
    bool forgetsFailures;
};

/// From the docstrings of FinalPreset and what they cite.
constexpr std::array presets {
    Preset {FinalPreset::Default, "default", true, false},
    Preset {FinalPreset::SuccessOnly, "success-only", true, false},
    Preset {FinalPreset::StripeV1, "stripe-v1", true, false},
    Preset {FinalPreset::Powertools, "powertools", false, true},
    Preset {FinalPreset::SeedRust, "seed-rust", true, true},
    Preset {FinalPreset::SeedGo, "seed-go", false, true},
    Preset {FinalPreset::SeedGoCacheErrors, "seed-go-cache-errors", true, true},
};

const std::set<int> transientClientErrors {401, 403, 408, 409, 425, 429};

/// semantics.md, "What is final".
bool isFinalByTheBook(FinalPreset preset, int status)
{
    switch (preset) {
    case FinalPreset::Default:
        return status / 100 == 2 || status / 100 == 3 || (status / 100 == 4 && !transientClientErrors.contains(status));
    case FinalPreset::SuccessOnly:
        return status / 100 == 2;
    default:
        return true;
    }
}

Policy under(FinalPreset preset)
{
    Policy policy;
    policy.finalAnswers = preset;
    return policy;
}

} // namespace

TEST(FinalPresets, EveryStatusUnderEveryPreset)
{
    for (const Preset &row : presets) {
        for (int status = 100; status < 600; ++status) {
            ASSERT_EQ(isFinal(row.preset, status), isFinalByTheBook(row.preset, status)) << row.name << ' ' << status;
        }
    }
}

TEST(FinalPresets, NamesLeadThereAndBack)
{
    QStringList names;
    for (const Preset &row : presets) {
        const QString name = QLatin1StringView(row.name);
        names.append(name);
        EXPECT_EQ(toString(row.preset), name);
        EXPECT_EQ(finalPresetFromString(name), row.preset);
        EXPECT_FALSE(finalPresetFromString(name.toUpper()));
        EXPECT_FALSE(finalPresetFromString(name + u' '));
        EXPECT_EQ(keepsFailures(row.preset), row.keepsFailures) << row.name;
        EXPECT_EQ(forgetsFailures(row.preset), row.forgetsFailures) << row.name;
    }
    EXPECT_EQ(finalPresetNames(), names);
    EXPECT_FALSE(finalPresetFromString(u""));
    EXPECT_FALSE(finalPresetFromString(u"stripe"));
}

TEST_P(StoreContract, AFailureIsKeptOrGivesTheKeyBack)
{
    for (const Preset &row : presets) {
        SCOPED_TRACE(row.name);
        open(under(row.preset));
        const auto failed = store().fail(own(), u"card declined"_s);
        ASSERT_TRUE(failed);
        EXPECT_EQ(failed->state, row.keepsFailures ? State::Failed : State::Abandoned);
        EXPECT_EQ(store().counters().failed, row.keepsFailures ? 1U : 0U);
        EXPECT_EQ(store().counters().released, row.keepsFailures ? 0U : 1U);
        if (row.keepsFailures) {
            EXPECT_TRUE(expect<Replay>().failed);
        } else {
            EXPECT_EQ(expect<Fresh>().attempt, 2U);
        }
    }
}

TEST_P(StoreContract, AnOwnerThatThrowsAfterItsSideEffect)
{
    for (const Preset &row : presets) {
        SCOPED_TRACE(row.name);
        open(under(row.preset));
        try {
            Claim claim = this->claim();
            ASSERT_TRUE(claim.sideEffectStarted());
            throw std::runtime_error("out of luck");
        } catch (const std::runtime_error &) {
            EXPECT_EQ(state(), row.forgetsFailures ? State::Abandoned : State::OutcomeUnknown);
        }
        EXPECT_EQ(ask(), row.forgetsFailures ? OutcomeKind::Fresh : OutcomeKind::Unknown);
    }
}

TEST_P(StoreContract, EveryLeavingAfterASideEffectFollowsThePreset)
{
    for (const Preset &row : presets) {
        SCOPED_TRACE(row.name);
        open(under(row.preset));
        const State left = row.forgetsFailures ? State::Abandoned : State::OutcomeUnknown;
        const Ownership released = own({.key = "released"});
        ASSERT_TRUE(store().sideEffectStarted(released));
        ASSERT_TRUE(store().release(released));
        EXPECT_EQ(state({.key = "released"}), left);
        ASSERT_TRUE(store().markUnknown(own({.key = "marked"})));
        EXPECT_EQ(state({.key = "marked"}), left);
        const Ownership failed = own({.key = "failed"});
        ASSERT_TRUE(store().sideEffectStarted(failed));
        ASSERT_TRUE(store().fail(failed, u"no"_s));
        EXPECT_EQ(state({.key = "failed"}), row.keepsFailures ? State::Failed : left);
        // Without one the key is free under any.
        ASSERT_TRUE(store().release(own({.key = "plain"})));
        EXPECT_EQ(ask("plain"), OutcomeKind::Fresh);
    }
}

TEST_P(StoreContract, AServerErrorUnderEveryPreset)
{
    for (const Preset &row : presets) {
        SCOPED_TRACE(row.name);
        open(under(row.preset));
        for (const bool hasSideEffect : {false, true}) {
            const Ask ask {.key = hasSideEffect ? "after" : "before"};
            const Ownership owner = own(ask);
            ASSERT_TRUE(!hasSideEffect || store().sideEffectStarted(owner));
            const auto completion = complete(owner, 500, "oops");
            ASSERT_TRUE(completion);
            if (isFinalByTheBook(row.preset, 500)) {
                EXPECT_EQ(completion->state, State::Completed);
                const auto replay = expect<Replay>(ask);
                EXPECT_EQ(replay.response->status(), 500);
                EXPECT_EQ(replay.response->body(), "oops");
                EXPECT_FALSE(replay.failed);
            } else {
                EXPECT_EQ(completion->state, hasSideEffect ? State::OutcomeUnknown : State::Abandoned);
                EXPECT_FALSE(store().response(owner.identity));
            }
        }
    }
}

TEST_P(StoreContract, PowertoolsDeletesWhatRaised)
{
    // The record goes when the handler raises, and the next invocation runs the handler again; a value is kept.
    open(under(FinalPreset::Powertools));
    {
        Claim claim = this->claim();
        ASSERT_TRUE(claim.sideEffectStarted());
    }
    auto again = expect<Fresh>();
    EXPECT_EQ(again.attempt, 2U);
    ASSERT_TRUE(again.claim.fail(u"raised"_s));
    auto third = expect<Fresh>();
    EXPECT_EQ(third.attempt, 3U);
    ASSERT_TRUE(third.claim.complete(Response {503, {}, "a value, whatever it says"}));
    EXPECT_EQ(expect<Replay>().response->status(), 503);
}

TEST_P(StoreContract, TheGoSeedsErrorsAreKeptOnlyWhenAskedFor)
{
    for (const bool cacheErrors : {false, true}) {
        SCOPED_TRACE(cacheErrors);
        Policy policy = under(cacheErrors ? FinalPreset::SeedGoCacheErrors : FinalPreset::SeedGo);
        for (const bool asTheSeed : {false, true}) {
            policy.semantics = asTheSeed ? Semantics::seedGo() : Semantics::idemscope();
            open(policy);
            ASSERT_TRUE(store().fail(own(), u"no"_s));
            EXPECT_EQ(ask(), cacheErrors ? OutcomeKind::Replay : OutcomeKind::Fresh) << asTheSeed;
        }
    }
}

TEST_P(StoreContract, WaitersFollowThePresetToo)
{
    for (const Preset &row : presets) {
        SCOPED_TRACE(row.name);
        open(under(row.preset));
        const Ownership owner = own();
        const auto waiter = beginLater({.wait = 10s});
        ASSERT_TRUE(store().fail(owner, u"no"_s));
        EXPECT_EQ(waiter->kind(), row.keepsFailures ? OutcomeKind::Replay : OutcomeKind::Fresh);
    }
}

} // namespace idem::test
