// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/model/interleavings.h"

#include <gtest/gtest.h>

#include <array>

namespace idem::test {

// The same casts as in interleavings_test.cpp with more steps.

namespace {

constexpr std::array lapses {LapsePolicy::Takeover, LapsePolicy::Hold, LapsePolicy::TakeoverAlways};

} // namespace

/// Two owners of three steps and a clock of four: 4,200 orders of 10 steps, for 10 pairs of scripts under 6 policies.
TEST(DeepInterleavings, TwoOwnersAndTheClock)
{
    constexpr std::array ends {Act::Complete, Act::Fail, Act::Release, Act::SideEffect};
    std::uint64_t orders = 0;
    for (const LapsePolicy lapse : lapses) {
        for (const LatePolicy late : {LatePolicy::Accept, LatePolicy::Strict}) {
            for (std::size_t first = 0; first < ends.size(); ++first) {
                for (std::size_t second = first; second < ends.size(); ++second) {
                    Stage stage(policyOf(lapse, late),
                        {{Act::Begin, ends.at(first), Act::Complete}, {Act::Begin, ends.at(second), Act::Complete},
                            {Act::PassLease, Act::Sweep, Act::PassLease, Act::PassExpiry}});
                    orders += stage.replayAll();
                    ASSERT_FALSE(HasFailure());
                }
            }
        }
    }
    reportVisited(orders, std::uint64_t {4'200} * 10 * 6);
}

/// An owner that tells its side effect, an operator and a second owner: 25,200 orders of 10 steps (3, 2, 3 and 2), for
/// 6 casts.
TEST(DeepInterleavings, TwoOwnersAnOperatorAndTheClock)
{
    std::uint64_t orders = 0;
    const auto replay = [&](LapsePolicy lapse, Act abandon, Act settle) {
        Stage stage(policyOf(lapse),
            {{Act::Begin, Act::SideEffect, Act::Complete}, {Act::Begin, Act::Complete}, {Act::Look, abandon, settle},
                {Act::PassLease, Act::Sweep}});
        orders += stage.replayAll();
    };
    replay(LapsePolicy::Takeover, Act::AbandonAsRelease, Act::SettleNotExecuted);
    replay(LapsePolicy::Takeover, Act::AbandonAsFailed, Act::SettleExecuted);
    for (const LapsePolicy lapse : lapses) {
        replay(lapse, Act::AbandonAsUnknown, Act::SettleExecuted);
    }
    replay(LapsePolicy::Takeover, Act::AbandonAsUnknown, Act::SettleNotExecuted);
    reportVisited(orders, std::uint64_t {25'200} * 6);
}

/// Three owners, of which one crashes after its begin, and two leases' time: 25,200 orders of 10 steps (2, 2, 3 and 3),
/// under 6 policies.
TEST(DeepInterleavings, ThreeOwnersAndTwoLeases)
{
    std::uint64_t orders = 0;
    for (const LapsePolicy lapse : {LapsePolicy::Takeover, LapsePolicy::Hold}) {
        for (const ExpiryOrigin from : {ExpiryOrigin::Completion, ExpiryOrigin::Begin, ExpiryOrigin::Sliding}) {
            Stage stage(policyOf(lapse, LatePolicy::Accept, from),
                {{Act::Begin, Act::Complete}, {Act::Begin, Act::Begin}, {Act::Begin, Act::Release, Act::Complete},
                    {Act::PassLease, Act::PassLease, Act::PassExpiry}});
            orders += stage.replayAll();
            ASSERT_FALSE(HasFailure());
        }
    }
    reportVisited(orders, std::uint64_t {25'200} * 6);
}

} // namespace idem::test
