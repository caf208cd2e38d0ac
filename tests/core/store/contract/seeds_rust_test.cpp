// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

namespace idem::test {

// Each fault of the Rust seed as its presets keep it, and what becomes of it here:
//
//   call                                       the Rust seed                             here
//   begin A, abandon, begin B, A completes     A's result is replayed as B's             StaleOwner, B untouched
//   complete without begin, or after abandon   stored and replayed                       refused
//   abandon of a completed key                 the next begin executes again             refused: use purge
//   in progress for ever                       no watchdog                               the lease ends
//   keys used once                             never freed                               swept

namespace {

Policy rustPolicy()
{
    Policy policy;
    policy.semantics = Semantics::seedRust();
    policy.finalAnswers = FinalPreset::SeedRust;
    policy.lease.reset();
    return policy;
}

const Identity order {"acme", "alice", "order-1"};

} // namespace

TEST_P(StoreContract, RustSeedReplaysALateResultAsTheNextAttempts)
{
    open(rustPolicy());
    const Ownership first = own();
    ASSERT_TRUE(abandon(first));
    const Ownership second = own();
    const auto late = complete(first, 201, "first's");
    ASSERT_TRUE(late);
    EXPECT_FALSE(late->overwrote) << "the second attempt had stored nothing yet";
    EXPECT_EQ(expect<Replay>().response->body(), "first's");
    const auto over = complete(second, 201, "second's");
    ASSERT_TRUE(over);
    EXPECT_TRUE(over->overwrote);
    EXPECT_EQ(expect<Replay>().response->body(), "second's");
    EXPECT_EQ(store().counters().staleRefused, 0U);
}

TEST_P(StoreContract, HereALateResultIsStale)
{
    const Ownership first = own();
    ASSERT_TRUE(abandon(first));
    const Ownership second = own();
    EXPECT_EQ(refusalOf(complete(first, 201, "first's")), StoreErrorCode::StaleOwner);
    EXPECT_EQ(state(), State::InProgress);
    ASSERT_TRUE(complete(second, 201, "second's"));
    EXPECT_EQ(expect<Replay>().response->body(), "second's");
}

TEST_P(StoreContract, RustSeedStoresWhatNobodyBegan)
{
    open(rustPolicy());
    const auto stored = complete({order, Fence::None, {}}, 201, "invented");
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->state, State::Completed);
    EXPECT_EQ(expect<Replay>().response->body(), "invented");

    const Ownership owner = own({.key = "order-2"});
    ASSERT_TRUE(abandon(owner));
    ASSERT_TRUE(complete(owner, 500, "after abandon")) << "of any status";
    EXPECT_EQ(expect<Replay>({.key = "order-2"}).response->status(), 500);
}

TEST_P(StoreContract, RustSeedsInventedAnswerLivesItsWholeTtl)
{
    Policy policy = rustPolicy();
    policy.ttl = 10s;
    policy.ttlFrom = ExpiryOrigin::Begin;
    open(policy);
    for (int life = 0; life < 2; ++life) {
        ASSERT_TRUE(complete({order, Fence::None, {}}));
        advance(10s - 1us);
        EXPECT_TRUE(exists());
        advance(1us);
        EXPECT_FALSE(exists());
    }
}

TEST_P(StoreContract, RustSeedsInventedLifeIsANewOne)
{
    Policy policy = rustPolicy();
    policy.ttl = 0s; // so that the first life is over at once
    open(policy);
    const auto events = store().subscribe();
    const Ownership owner = own();
    ASSERT_TRUE(complete(owner));
    ASSERT_TRUE(complete(owner)) << "another life, which nobody began";
    ASSERT_TRUE(complete(owner));
    std::vector<StoreEvent> completed;
    for (const StoreEvent &event : events->take(100).events) {
        if (event.kind == EventKind::Completed) {
            completed.push_back(event);
        }
    }
    ASSERT_EQ(completed.size(), 3U);
    EXPECT_EQ(completed[0].fence, owner.fence);
    EXPECT_EQ(completed[0].owner, "server-1");
    EXPECT_GT(completed[1].fence, completed[0].fence) << "a fence grows with every life";
    EXPECT_EQ(completed[1].owner, "");
    EXPECT_GT(completed[2].fence, completed[1].fence);
    EXPECT_EQ(store().counters().expired, 2U);
    EXPECT_EQ(store().counters().records, 1U);
}

TEST_P(StoreContract, RustSeedsInventedLifeKeepsNothingOfTheOneBefore)
{
    Policy policy = rustPolicy();
    policy.ttl = 10s;
    policy.maxBodyBytes = 10;
    open(policy);
    const Ownership owner = own({.lease = 5s});
    advance(1s);
    ASSERT_TRUE(store().renew(owner));
    ASSERT_TRUE(complete(owner, 201, "longer than the cap"));
    EXPECT_EQ(ask(), OutcomeKind::NotStored);
    advance(10s);
    ASSERT_TRUE(complete(owner, 200, "short"));
    const RecordView view = record();
    EXPECT_EQ(view.state, State::Completed);
    EXPECT_GT(view.fence, owner.fence);
    EXPECT_EQ(view.attempt, 0U) << "nobody's";
    EXPECT_EQ(view.owner, "");
    EXPECT_EQ(view.fingerprint, "");
    EXPECT_EQ(view.createdAt, now());
    EXPECT_EQ(view.renewedAt, std::nullopt);
    EXPECT_EQ(view.replays, 0U);
    EXPECT_FALSE(view.bodyOmitted);
    EXPECT_EQ(expect<Replay>().response->body(), "short");
    EXPECT_EQ(store().counters().records, 1U);
}

TEST_P(StoreContract, RustSeedsAbandonedRecordIsNobodysAndSoNotStuck)
{
    Policy policy = rustPolicy();
    policy.stuckAfter = 60s;
    open(policy);
    const Ownership owner = own();
    advance(60s);
    ASSERT_TRUE(record().stuck);
    const auto left = abandon(owner);
    ASSERT_TRUE(left);
    EXPECT_EQ(left->state, State::Abandoned);
    EXPECT_FALSE(left->stuck);
    EXPECT_EQ(store().counters().stuck, 0U);

    const Ownership leased = own({.lease = 5s});
    const auto given = abandon(leased);
    ASSERT_TRUE(given);
    EXPECT_EQ(given->leaseEnd, std::nullopt) << "in progress only";
}

TEST_P(StoreContract, HereNothingIsStoredWithoutABegin)
{
    EXPECT_EQ(refusalOf(complete({order, Fence::None, {}})), StoreErrorCode::NotFound);
    EXPECT_FALSE(exists());
    const Ownership owner = own();
    ASSERT_TRUE(abandon(owner));
    EXPECT_EQ(refusalOf(complete(owner)), StoreErrorCode::StaleOwner);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, RustSeedRunsACompletedKeyAgainAfterAnAbandon)
{
    open(rustPolicy());
    const Ownership owner = own();
    ASSERT_TRUE(complete(owner));
    Ownership anything = owner;
    anything.fence = Fence(9999);
    ASSERT_TRUE(abandon(anything)) << "whatever was looked at";
    EXPECT_FALSE(exists());
    EXPECT_EQ(store().counters().records, 0U);
    EXPECT_EQ(expect<Fresh>().attempt, 1U) << "without a trace";
}

TEST_P(StoreContract, HereACompletedKeyIsPurgedInstead)
{
    const Ownership owner = own();
    ASSERT_TRUE(complete(owner));
    EXPECT_EQ(refusalOf(abandon(owner)), StoreErrorCode::WrongState);
    EXPECT_EQ(ask(), OutcomeKind::Replay);
    ASSERT_TRUE(store().purge(owner.identity, owner.fence, QStringLiteral("run it again")));
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, RustSeedIsInProgressForEver)
{
    open(rustPolicy());
    own();
    advance(364 * 24h);
    EXPECT_EQ(ask(), OutcomeKind::InProgress);
    EXPECT_EQ(store().counters().stuck, 1U) << "at least it is shown";
}

TEST_P(StoreContract, HereALeaseEnds)
{
    own();
    advance(60s);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, RustSeedNeverFreesKeysThatAreUsedOnce)
{
    Policy policy = rustPolicy();
    policy.ttl = 10s;
    open(policy);
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(complete(own({.key = QByteArray::number(i)})));
    }
    const std::uint64_t bytes = store().counters().bytes;
    advance(300 * 24h);
    EXPECT_EQ(store().sweepNow(), 0U);
    EXPECT_EQ(store().counters().records, 100U);
    EXPECT_EQ(store().counters().bytes, bytes);
    EXPECT_FALSE(exists({.key = "7"})) << "kept, but not replayed";
    EXPECT_EQ(ask("7"), OutcomeKind::Fresh);
    EXPECT_EQ(store().counters().records, 100U) << "in the same place";
}

TEST_P(StoreContract, HereKeysThatAreUsedOnceAreSwept)
{
    Policy policy;
    policy.ttl = 10s;
    open(policy);
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(complete(own({.key = QByteArray::number(i)})));
    }
    advance(10s);
    EXPECT_EQ(store().sweepNow(), 100U);
    EXPECT_EQ(store().counters().records, 0U);
    EXPECT_EQ(store().counters().bytes, 0U);
}

TEST_P(StoreContract, RustSeedIgnoresThePayload)
{
    open(rustPolicy());
    ASSERT_TRUE(complete(own()));
    EXPECT_EQ(ask({.fingerprint = "v1:other"}), OutcomeKind::Replay);
}

TEST_P(StoreContract, RustSeedReleasesSomebodyElsesAttempt)
{
    open(rustPolicy());
    const Ownership first = own();
    ASSERT_TRUE(abandon(first));
    own();
    ASSERT_TRUE(store().release(first));
    EXPECT_EQ(ask(), OutcomeKind::Fresh) << "a third attempt beside the second";
}

TEST_P(StoreContract, HereOnlyItsOwnerReleasesAnAttempt)
{
    const Ownership first = own();
    ASSERT_TRUE(abandon(first));
    own();
    EXPECT_EQ(refusalOf(store().release(first)), StoreErrorCode::StaleOwner);
    EXPECT_EQ(ask(), OutcomeKind::InProgress) << "the second attempt goes on";
}

TEST_P(StoreContract, RustSeedsOwnChecks)
{
    open(rustPolicy());
    const Ownership owner = own({.key = "order-1"});
    EXPECT_EQ(ask("order-1"), OutcomeKind::InProgress);
    ASSERT_TRUE(complete(owner, 201, "{\"id\":1}"));
    const auto replay = expect<Replay>({.key = "order-1"});
    EXPECT_EQ(replay.response->status(), 201);
    EXPECT_EQ(replay.response->body(), "{\"id\":1}");
    EXPECT_EQ(refusalOf(abandon({{"acme", "alice", "order-2"}, Fence::None, {}})), StoreErrorCode::NotFound);
}

TEST_P(StoreContract, RustSeedsTtlOfZeroIsFreshAfterComplete)
{
    Policy policy = rustPolicy();
    policy.ttl = 0s;
    open(policy);
    ASSERT_TRUE(complete(own()));
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, RustSeedsWaitersGetAFreedKeyAsANewOne)
{
    open(rustPolicy());
    const Ownership owner = own();
    const auto later = beginLater({.wait = 10s});
    ASSERT_TRUE(abandon(owner));
    ASSERT_EQ(later->kind(), OutcomeKind::Fresh);
    EXPECT_EQ(std::get<Fresh>(*later->outcome).attempt, 1U);
    EXPECT_EQ(store().counters().records, 1U);
}

} // namespace idem::test
