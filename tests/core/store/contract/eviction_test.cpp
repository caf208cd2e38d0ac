// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/capacity_support.h"

#include <algorithm>
#include <random>

namespace idem::test {

// The caps under AtCapacity::EvictOldest: who goes, who never goes, and for whom.

namespace {

Policy evicting(qint64 maxRecords)
{
    return capped(maxRecords, {}, AtCapacity::EvictOldest);
}

std::vector<EventKind> kindsOf(const EventStream::Batch &batch)
{
    std::vector<EventKind> kinds;
    for (const StoreEvent &event : batch.events) {
        kinds.push_back(event.kind);
    }
    return kinds;
}

} // namespace

TEST_P(StoreContract, WhatExpiresFirstIsEvictedFirst)
{
    // Ended in a shuffled order and in all three ways: neither age nor key nor shard tells who goes.
    constexpr int keys = 300;
    open(evicting(keys));
    std::vector<Ownership> owners;
    for (int i = 0; i < keys; ++i) {
        owners.push_back(own({.key = orderKey(i)}));
    }
    std::shuffle(owners.begin(), owners.end(), std::mt19937(7));
    for (std::size_t i = 0; i < owners.size(); ++i) {
        advance(1ms);
        const bool isEnded = i % 3 == 0 ? complete(owners[i]).has_value()
            : i % 3 == 1                ? store().release(owners[i]).has_value()
                                        : store().fail(owners[i], QStringLiteral("no")).has_value();
        ASSERT_TRUE(isEnded);
    }
    for (std::size_t i = 0; i < owners.size(); ++i) {
        ASSERT_TRUE(store().find(owners[i].identity)) << i;
        ASSERT_EQ(ask(orderKey(keys + int(i))), OutcomeKind::Fresh);
        ASSERT_FALSE(store().find(owners[i].identity)) << i;
        ASSERT_EQ(store().counters().evicted, i + 1);
        ASSERT_EQ(store().counters().records, std::uint64_t(keys));
    }
    EXPECT_EQ(expect<Rejected>({.key = "new"}).reason, RejectReason::AtCapacity) << "all are in progress now";
}

TEST_P(StoreContract, AnEvictionIsToldAndCounted)
{
    open(evicting(2));
    const Ownership oldest = own({.key = "oldest"});
    ASSERT_TRUE(complete(oldest));
    own({.key = "running"});
    const auto stream = store().subscribe();
    own({.key = "new"});
    const auto batch = stream->take();
    ASSERT_EQ(kindsOf(batch), (std::vector {EventKind::Evicted, EventKind::Begun}));
    EXPECT_EQ(batch.events[0].identity, oldest.identity);
    EXPECT_EQ(batch.events[0].fence, oldest.fence);
    EXPECT_EQ(batch.events[0].state, State::Completed);
    EXPECT_EQ(batch.events[1].identity.key, "new");
    const Counters counters = store().counters();
    EXPECT_EQ(counters.evicted, 1U);
    EXPECT_EQ(counters.expired, 0U);
    EXPECT_EQ(counters.purged, 0U);
    EXPECT_EQ(counters.outcome(OutcomeKind::Rejected), 0U);
    EXPECT_EQ(counters.outcome(OutcomeKind::Fresh), 3U);
    EXPECT_EQ(counters.byState, (std::array<std::uint64_t, StateCount> {2, 0, 0, 0, 0, 0}));
}

TEST_P(StoreContract, AnEvictedOperationMayRunAgain)
{
    open(evicting(1));
    const Ownership first = own({.key = "a"});
    ASSERT_TRUE(complete(first));
    const Ownership other = own({.key = "b"});
    EXPECT_EQ(refusalOf(complete(first)), StoreErrorCode::NotFound);
    ASSERT_TRUE(complete(other));
    const auto again = expect<Fresh>({.key = "a"});
    EXPECT_EQ(again.attempt, 1U);
    EXPECT_GT(again.claim.fence(), first.fence);
    EXPECT_EQ(refusalOf(complete(first)), StoreErrorCode::StaleOwner);
}

TEST_P(StoreContract, AttemptsAndUnknownOutcomesAreNeverEvicted)
{
    Policy policy = evicting(3);
    policy.lapse = LapsePolicy::Hold;
    open(policy);
    own({.key = "lapsed", .lease = 1s});
    ASSERT_TRUE(store().markUnknown(own({.key = "unknown"})));
    advance(2s);
    own({.key = "running"});
    for (const bool isSwept : {false, true}) {
        static_cast<void>(isSwept ? store().sweepNow() : 0);
        EXPECT_EQ(expect<Rejected>({.key = "new"}).reason, RejectReason::AtCapacity);
        EXPECT_EQ(state({.key = "running"}), State::InProgress);
        EXPECT_EQ(state({.key = "lapsed"}), State::LeaseExpired);
        EXPECT_EQ(state({.key = "unknown"}), State::OutcomeUnknown);
    }
    EXPECT_EQ(store().counters().evicted, 0U);
}

TEST_P(StoreContract, WhoIsInEvictsNobody)
{
    open(evicting(3));
    ASSERT_TRUE(complete(own({.key = "done"})));
    ASSERT_TRUE(store().release(own({.key = "released"})));
    const Ownership running = own({.key = "running"});
    EXPECT_EQ(ask("done"), OutcomeKind::Replay);
    EXPECT_EQ(ask("running"), OutcomeKind::InProgress);
    EXPECT_EQ(ask("released"), OutcomeKind::Fresh);
    EXPECT_EQ(ask(QByteArray()), OutcomeKind::Rejected);
    ASSERT_TRUE(complete(running));
    advance(24h);
    EXPECT_EQ(ask("done"), OutcomeKind::Fresh);
    EXPECT_EQ(store().counters().evicted, 0U);
    EXPECT_EQ(store().counters().records, 3U);
}

TEST_P(StoreContract, AReplayUnderASlidingTtlPutsOthersFirst)
{
    Policy policy = evicting(3);
    policy.ttlFrom = ExpiryOrigin::Sliding;
    open(policy);
    for (const char *key : {"a", "b", "c"}) {
        ASSERT_TRUE(complete(own({.key = key})));
        advance(1s);
    }
    EXPECT_EQ(ask("a"), OutcomeKind::Replay);
    advance(1s);
    EXPECT_EQ(ask("b"), OutcomeKind::Replay);
    own({.key = "new-1"});
    EXPECT_FALSE(exists({.key = "c"}));
    own({.key = "new-2"});
    EXPECT_FALSE(exists({.key = "a"}));
    own({.key = "new-3"});
    EXPECT_FALSE(exists({.key = "b"}));
}

TEST_P(StoreContract, WhatIsExpiredMakesRoomAsExpired)
{
    Policy policy = evicting(2);
    policy.ttl = 10s;
    open(policy);
    const Ownership expired = own({.key = "expired"});
    ASSERT_TRUE(complete(expired));
    advance(10s);
    ASSERT_TRUE(complete(own({.key = "done"})));
    const auto stream = store().subscribe();
    own({.key = "new"});
    const auto batch = stream->take();
    EXPECT_EQ(kindsOf(batch), (std::vector {EventKind::Expired, EventKind::Begun})) << "it was not before its time";
    EXPECT_EQ(batch.events.front().identity, expired.identity);
    EXPECT_EQ(store().counters().expired, 1U);
    EXPECT_EQ(store().counters().evicted, 0U);
    EXPECT_EQ(ask("done"), OutcomeKind::Replay);
    EXPECT_EQ(store().sweepNow(), 0U);
}

TEST_P(StoreContract, WaitersDoNotNoticeEvictions)
{
    open(evicting(3));
    const Ownership running = own({.key = "running"});
    const auto first = beginLater({.key = "running", .wait = 10s});
    const auto second = beginLater({.key = "running", .wait = 10s});
    for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(complete(own({.key = orderKey(i)})));
    }
    EXPECT_EQ(store().counters().evicted, 48U);
    EXPECT_EQ(store().counters().waiting, 2U);
    EXPECT_FALSE(first->isKnown());
    ASSERT_TRUE(complete(running, 201, "done"));
    EXPECT_EQ(first->kind(), OutcomeKind::Replay);
    EXPECT_EQ(second->kind(), OutcomeKind::Replay);
    EXPECT_EQ(store().counters().waiting, 0U);
}

TEST_P(StoreContract, AWaitForANewKeyIsRefusedAtOnceWhenNobodyCanGo)
{
    open(evicting(1));
    own({.key = "running"});
    const auto later = beginLater({.key = "new", .wait = 10s});
    EXPECT_EQ(later->kind(), OutcomeKind::Rejected);
    EXPECT_TRUE(later->isKnown());
    EXPECT_EQ(store().counters().waiting, 0U);
}

} // namespace idem::test
