// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

#include <stdexcept>

namespace idem::test {

// The guard: however its scope is left, no key is stuck.

TEST_P(StoreContract, GuardReleasesAtTheEndOfItsScope)
{
    {
        const Claim guard = claim();
        EXPECT_TRUE(guard.isActive());
        EXPECT_EQ(ask(), OutcomeKind::InProgress);
    }
    EXPECT_EQ(state(), State::Abandoned);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, GuardReleasesOnAnException)
{
    const auto handler = [this](const auto &thrown) {
        const Claim guard = claim();
        throw thrown;
    };
    EXPECT_THROW(handler(std::runtime_error("no route")), std::runtime_error);
    EXPECT_EQ(state(), State::Abandoned);
    EXPECT_THROW(handler(7), int);
    EXPECT_EQ(state(), State::Abandoned);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, GuardLeavesTheOutcomeUnknownAfterASideEffect)
{
    const auto handler = [this] {
        Claim guard = claim();
        ASSERT_TRUE(guard.sideEffectStarted());
        throw std::runtime_error("after the charge");
    };
    EXPECT_THROW(handler(), std::runtime_error);
    EXPECT_EQ(state(), State::OutcomeUnknown);
    EXPECT_EQ(ask(), OutcomeKind::Unknown);
}

TEST_P(StoreContract, AForgottenOutcomeIsReleased)
{
    static_cast<void>(begin());
    EXPECT_EQ(state(), State::Abandoned);
}

TEST_P(StoreContract, ACompletedGuardReleasesNothing)
{
    {
        Claim guard = claim();
        ASSERT_TRUE(guard.complete(Response {200, {}, QByteArray("done")}));
        EXPECT_FALSE(guard.isActive());
    }
    EXPECT_EQ(state(), State::Completed);
    EXPECT_EQ(store().counters().released, 0U);
}

TEST_P(StoreContract, AFailedAndAReleasedGuardAreEndedToo)
{
    {
        Claim failed = claim({.key = "failed"});
        ASSERT_TRUE(failed.fail(QStringLiteral("no")));
        Claim released = claim({.key = "released"});
        ASSERT_TRUE(released.release());
        EXPECT_FALSE(failed.isActive());
        EXPECT_FALSE(released.isActive());
    }
    EXPECT_EQ(state({.key = "failed"}), State::Failed);
    EXPECT_EQ(state({.key = "released"}), State::Abandoned);
    EXPECT_EQ(store().counters().released, 1U);
    EXPECT_EQ(store().counters().staleRefused, 0U);
}

TEST_P(StoreContract, AnInvalidAnswerStillGivesTheKeyBack)
{
    Claim guard = claim();
    EXPECT_EQ(refusalOf(guard.complete(Response {})), StoreErrorCode::Invalid);
    EXPECT_FALSE(guard.isActive());
    EXPECT_EQ(state(), State::Abandoned);
}

TEST_P(StoreContract, ADetachedGuardSaysNothing)
{
    Ownership owner;
    {
        Claim guard = claim();
        owner = guard.detach();
        EXPECT_FALSE(guard.isActive());
    }
    EXPECT_EQ(state(), State::InProgress);
    EXPECT_TRUE(complete(owner));
}

TEST_P(StoreContract, AMovedGuardIsOneGuard)
{
    Claim outer;
    EXPECT_FALSE(outer.isActive());
    {
        Claim inner = claim();
        outer = std::move(inner);
    }
    EXPECT_TRUE(outer.isActive());
    EXPECT_EQ(state(), State::InProgress);
    Claim last(std::move(outer));
    EXPECT_TRUE(last.complete(Response {200, {}, {}}));
    EXPECT_EQ(state(), State::Completed);
}

TEST_P(StoreContract, AssigningToAGuardReleasesWhatItHeld)
{
    Claim guard = claim({.key = "first"});
    guard = claim({.key = "second"});
    EXPECT_EQ(state({.key = "first"}), State::Abandoned);
    EXPECT_EQ(state({.key = "second"}), State::InProgress);
}

TEST_P(StoreContract, AMovedGuardRemembersTheSideEffect)
{
    {
        Claim guard = claim();
        ASSERT_TRUE(guard.sideEffectStarted());
        const Claim moved(std::move(guard));
    }
    EXPECT_EQ(state(), State::OutcomeUnknown);
}

TEST_P(StoreContract, ADisplacedGuardHarmsNobody)
{
    Claim displaced = claim();
    advance(60s);
    const Ownership current = own();
    {
        const Claim gone = std::move(displaced);
    }
    EXPECT_EQ(state(), State::InProgress);
    EXPECT_EQ(record().fence, current.fence);
}

TEST_P(StoreContract, GuardRenewsItsLease)
{
    Claim guard = claim();
    advance(30s);
    ASSERT_TRUE(guard.renew());
    EXPECT_EQ(guard.leaseEnd(), now() + 60s);
}

TEST_P(StoreContract, AFailingOperationRetriedInALoopEnds)
{
    for (int i = 0; i < 5; ++i) {
        const auto fresh = expect<Fresh>();
        EXPECT_EQ(fresh.attempt, std::uint32_t(i + 1));
    }
    EXPECT_TRUE(claim().complete(Response {200, {}, {}}));
    EXPECT_EQ(ask(), OutcomeKind::Replay);
}

} // namespace idem::test
