// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

#include <set>

namespace idem::test {

// The rows of semantics.md's "begin", in their order, each at its boundary.

TEST_P(StoreContract, FirstBeginIsFreshAndTellsItsOwnership)
{
    const Fresh fresh = expect<Fresh>();
    EXPECT_EQ(fresh.attempt, 1U);
    EXPECT_FALSE(fresh.tookOver);
    EXPECT_EQ(fresh.claim.ownership().identity, (Identity {"acme", "alice", "order-1"}));
    EXPECT_GT(fresh.claim.fence(), Fence::None);
    EXPECT_FALSE(fresh.claim.ownership().token.isNull());
    EXPECT_EQ(fresh.claim.leaseEnd(), now() + 60s);
}

TEST_P(StoreContract, SecondBeginIsInProgressUntilTheFirstCompletes)
{
    const Ownership owner = own();
    const Instant started = now();
    advance(1s);
    const auto other = expect<InProgress>();
    EXPECT_EQ(other.fence, owner.fence);
    EXPECT_EQ(other.startedAt, started);
    EXPECT_EQ(other.leaseEnd, started + 60s);
    ASSERT_TRUE(complete(owner));
    EXPECT_EQ(ask(), OutcomeKind::Replay);
}

TEST_P(StoreContract, ReplayIsTheFirstAnswerWithItsTimes)
{
    const Ownership owner = own();
    const Response answer {201, {{"Location", "/orders/7"}, {"X-A", "1"}, {"X-A", "2"}}, QByteArray("{\"id\":7}")};
    ASSERT_TRUE(store().complete(owner, answer));
    const WallTime stored = store().clock().wallNow();
    const Instant completed = now();
    advance(5min);
    const auto replay = expect<Replay>();
    EXPECT_EQ(*replay.response, answer);
    EXPECT_FALSE(replay.failed);
    EXPECT_FALSE(replay.late);
    EXPECT_EQ(replay.fence, owner.fence);
    EXPECT_EQ(replay.storedAt, stored);
    EXPECT_EQ(replay.expiresAt, completed + 24h);
}

TEST_P(StoreContract, ReplaysShareOneResponse)
{
    ASSERT_TRUE(complete(own()));
    EXPECT_EQ(expect<Replay>().response.get(), expect<Replay>().response.get());
}

TEST_P(StoreContract, ExpiredRecordIsAbsentBeforeAnythingIsCompared)
{
    const Ownership first = own();
    ASSERT_TRUE(complete(first));
    advance(24h - 1us);
    EXPECT_EQ(ask({.fingerprint = "v1:other"}), OutcomeKind::Mismatch);
    EXPECT_EQ(ask(), OutcomeKind::Replay);
    advance(1us);
    EXPECT_FALSE(exists());
    const auto fresh = expect<Fresh>({.fingerprint = "v1:other"});
    EXPECT_EQ(fresh.attempt, 1U) << "a new life of the record";
    EXPECT_GT(fresh.claim.fence(), first.fence);
    EXPECT_EQ(record().createdAt, now());
    EXPECT_EQ(record().replays, 0U);
}

TEST_P(StoreContract, MismatchWinsOverInProgressAndChangesNothing)
{
    own();
    const std::string before = snapshot();
    const auto mismatch = expect<Mismatch>({.fingerprint = "v1:other"});
    EXPECT_EQ(mismatch.state, State::InProgress);
    EXPECT_EQ(mismatch.fence, record().fence);
    EXPECT_EQ(snapshot(), before);
    EXPECT_EQ(record().mismatches, 1U);
    EXPECT_EQ(record().conflicts, 0U);
}

TEST_P(StoreContract, MismatchInEveryStateButAbandoned)
{
    const Ask other {.fingerprint = "v1:other"};
    const Ownership owner = own();
    advance(60s);
    EXPECT_EQ(expect<Mismatch>(other).state, State::LeaseExpired)
        << "the lease is over: no takeover by another payload";
    ASSERT_TRUE(complete(owner));
    EXPECT_EQ(expect<Mismatch>(other).state, State::Completed);

    const Ownership failed = own({.key = "order-2"});
    ASSERT_TRUE(store().fail(failed, QStringLiteral("no funds")));
    EXPECT_EQ(expect<Mismatch>({.key = "order-2", .fingerprint = "v1:other"}).state, State::Failed);

    const Ownership unknown = own({.key = "order-3"});
    ASSERT_TRUE(store().markUnknown(unknown));
    EXPECT_EQ(expect<Mismatch>({.key = "order-3", .fingerprint = "v1:other"}).state, State::OutcomeUnknown);
}

TEST_P(StoreContract, AbandonedRecordTakesTheNextAttemptWithItsFingerprint)
{
    const Ownership first = own();
    ASSERT_TRUE(store().release(first));
    EXPECT_EQ(state(), State::Abandoned);
    const auto second = expect<Fresh>({.fingerprint = "v1:other", .owner = "server-2"});
    EXPECT_EQ(second.attempt, 2U);
    EXPECT_GT(second.claim.fence(), first.fence);
    EXPECT_NE(second.claim.ownership().token, first.token);
    EXPECT_EQ(record().fingerprint, "v1:other");
    EXPECT_EQ(record().owner, "server-2");
    EXPECT_EQ(ask(), OutcomeKind::Mismatch) << "the former payload is now the other one";
}

TEST_P(StoreContract, AbsentFingerprintEqualsOnlyAnAbsentOne)
{
    const Ask without {.key = "bare", .fingerprint = {}};
    own(without);
    EXPECT_EQ(ask(without), OutcomeKind::InProgress);
    EXPECT_EQ(ask({.key = "bare"}), OutcomeKind::Mismatch);
    own();
    EXPECT_EQ(ask({.fingerprint = {}}), OutcomeKind::Mismatch);
}

TEST_P(StoreContract, FingerprintsOfOneLengthDifferInAnyByte)
{
    own({.fingerprint = "aaaa"});
    for (const char *other : {"baaa", "abaa", "aaba", "aaab"}) {
        EXPECT_EQ(ask({.fingerprint = other}), OutcomeKind::Mismatch) << other;
    }
    EXPECT_EQ(ask({.fingerprint = "aaaa"}), OutcomeKind::InProgress);
}

TEST_P(StoreContract, FingerprintSurvivesEveryTransition)
{
    const Ownership owner = own();
    ASSERT_TRUE(store().sideEffectStarted(owner));
    ASSERT_TRUE(store().renew(owner));
    ASSERT_TRUE(complete(owner));
    EXPECT_EQ(record().fingerprint, "v1:payload");
    EXPECT_EQ(ask(), OutcomeKind::Replay) << "a mismatch must leave the right client alone";
    EXPECT_EQ(ask({.fingerprint = "v1:other"}), OutcomeKind::Mismatch);
    EXPECT_EQ(ask(), OutcomeKind::Replay);
}

TEST_P(StoreContract, UnknownOutcomeIsToldToEverybody)
{
    const Ownership owner = own();
    ASSERT_TRUE(store().markUnknown(owner));
    const auto unknown = expect<Unknown>();
    EXPECT_EQ(unknown.fence, owner.fence);
    EXPECT_EQ(unknown.state, State::OutcomeUnknown);
    advance(365 * 24h);
    EXPECT_EQ(ask(), OutcomeKind::Unknown) << "it never expires by itself";
}

TEST_P(StoreContract, SameAttemptIdGetsTheSameFreshAgain)
{
    const auto first = expect<Fresh>({.attemptId = "try-1"});
    advance(10s);
    auto again = expect<Fresh>({.attemptId = "try-1"});
    EXPECT_EQ(again.claim.ownership(), first.claim.ownership());
    EXPECT_EQ(again.attempt, first.attempt);
    EXPECT_EQ(again.claim.leaseEnd(), first.claim.leaseEnd());
    again.claim.detach();
    EXPECT_EQ(ask({.attemptId = "try-2"}), OutcomeKind::InProgress);
    EXPECT_EQ(ask(), OutcomeKind::InProgress);
    EXPECT_EQ(ask({.fingerprint = "v1:other", .attemptId = "try-1"}), OutcomeKind::Mismatch);
}

TEST_P(StoreContract, AttemptIdOfALapsedAttemptIsAnotherAttempt)
{
    const Ownership first = own({.attemptId = "try-1"});
    advance(60s);
    const auto second = expect<Fresh>({.attemptId = "try-1"});
    EXPECT_TRUE(second.tookOver);
    EXPECT_GT(second.claim.fence(), first.fence);
}

TEST_P(StoreContract, NoAttemptIdIsNobodysAttemptId)
{
    own({.attemptId = {}});
    EXPECT_EQ(ask({.attemptId = {}}), OutcomeKind::InProgress);
}

TEST_P(StoreContract, FencesGrowOverAllLivesOfARecord)
{
    Fence last = Fence::None;
    const auto larger = [&](Fence fence) {
        EXPECT_GT(fence, last);
        last = fence;
    };
    const Ownership released = own();
    larger(released.fence);
    ASSERT_TRUE(store().release(released));
    const Ownership abandoned = own();
    larger(abandoned.fence);
    ASSERT_TRUE(abandon(abandoned));
    const Ownership lapsed = own();
    larger(lapsed.fence);
    advance(60s);
    const Ownership expired = own();
    larger(expired.fence);
    ASSERT_TRUE(complete(expired));
    advance(24h);
    const Ownership purged = own();
    larger(purged.fence);
    ASSERT_TRUE(complete(purged));
    ASSERT_TRUE(store().purge(purged.identity, purged.fence, QStringLiteral("by request")));
    EXPECT_FALSE(exists());
    const auto reborn = expect<Fresh>();
    larger(reborn.claim.fence());
    EXPECT_EQ(reborn.attempt, 1U);
}

TEST_P(StoreContract, TokensOfManyAttemptsAllDiffer)
{
    std::set<OwnerToken> tokens;
    for (int i = 0; i < 1000; ++i) {
        tokens.insert(own({.key = QByteArray::number(i)}).token);
    }
    EXPECT_EQ(tokens.size(), 1000U);
}

} // namespace idem::test
