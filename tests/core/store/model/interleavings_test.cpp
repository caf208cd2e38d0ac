// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/model/interleavings.h"

#include <gtest/gtest.h>

#include <array>

namespace idem::test {

// A bound for every day; interleavings_deep_test.cpp goes further. A pair of owners stands for its mirror image, too:
// the two would take the same orders under each other's names.

namespace {

constexpr std::array lapses {LapsePolicy::Takeover, LapsePolicy::Hold, LapsePolicy::TakeoverAlways};

} // namespace

/// Two owners of three steps and a clock of three: 1,680 orders of 9 steps, for 10 pairs of scripts under 6 policies.
TEST(Interleavings, TwoOwnersAndTheClock)
{
    constexpr std::array ends {Act::Complete, Act::Fail, Act::Release, Act::SideEffect};
    std::uint64_t orders = 0;
    for (const LapsePolicy lapse : lapses) {
        for (const LatePolicy late : {LatePolicy::Accept, LatePolicy::Strict}) {
            for (std::size_t first = 0; first < ends.size(); ++first) {
                for (std::size_t second = first; second < ends.size(); ++second) {
                    Stage stage(policyOf(lapse, late),
                        {{Act::Begin, ends.at(first), Act::Complete}, {Act::Begin, ends.at(second), Act::Complete},
                            {Act::PassLease, Act::Sweep, Act::PassExpiry}});
                    orders += stage.replayAll();
                    ASSERT_FALSE(HasFailure());
                }
            }
        }
    }
    reportVisited(orders, std::uint64_t {1'680} * 10 * 6);
}

/// An owner that tells its side effect, an operator and a second owner: 5,040 orders of 9 steps (3, 2, 3 and 1), for 6
/// casts.
TEST(Interleavings, TwoOwnersAnOperatorAndTheClock)
{
    std::uint64_t orders = 0;
    const auto replay = [&](LapsePolicy lapse, Act abandon, Act settle) {
        Stage stage(policyOf(lapse),
            {{Act::Begin, Act::SideEffect, Act::Complete}, {Act::Begin, Act::Complete}, {Act::Look, abandon, settle},
                {Act::PassLease}});
        orders += stage.replayAll();
    };
    replay(LapsePolicy::Takeover, Act::AbandonAsRelease, Act::SettleNotExecuted);
    replay(LapsePolicy::Takeover, Act::AbandonAsFailed, Act::SettleExecuted);
    for (const LapsePolicy lapse : lapses) {
        replay(lapse, Act::AbandonAsUnknown, Act::SettleExecuted);
    }
    replay(LapsePolicy::Takeover, Act::AbandonAsUnknown, Act::SettleNotExecuted);
    reportVisited(orders, std::uint64_t {5'040} * 6);
}

/// Three owners, of which one crashes after its begin, and two leases' time: 1,680 orders of 8 steps (2, 1, 3 and 2),
/// under 6 policies.
TEST(Interleavings, ThreeOwnersAndTwoLeases)
{
    std::uint64_t orders = 0;
    for (const LapsePolicy lapse : {LapsePolicy::Takeover, LapsePolicy::Hold}) {
        for (const ExpiryOrigin from : {ExpiryOrigin::Completion, ExpiryOrigin::Begin, ExpiryOrigin::Sliding}) {
            Stage stage(policyOf(lapse, LatePolicy::Accept, from),
                {{Act::Begin, Act::Complete}, {Act::Begin}, {Act::Begin, Act::Release, Act::Complete},
                    {Act::PassLease, Act::PassExpiry}});
            orders += stage.replayAll();
            ASSERT_FALSE(HasFailure());
        }
    }
    reportVisited(orders, std::uint64_t {1'680} * 6);
}

} // namespace idem::test
