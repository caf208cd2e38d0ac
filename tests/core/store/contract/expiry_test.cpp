// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

namespace idem::test {

// Time to live: one moment, in every path alike, from three origins.

namespace {

Policy ttlPolicy(Duration ttl, ExpiryOrigin from = ExpiryOrigin::Completion)
{
    Policy policy;
    policy.ttl = ttl;
    policy.ttlFrom = from;
    return policy;
}

} // namespace

TEST_P(StoreContract, EveryPathAgreesOnTheMomentOfExpiry)
{
    open(ttlPolicy(1000ms));
    advance(900ms);
    const Ownership owner = own();
    ASSERT_TRUE(complete(owner));
    const RecordId id = record().id;
    EXPECT_EQ(record().expiresAt, now() + 1000ms);

    advance(999'999us);
    EXPECT_TRUE(store().find(owner.identity));
    EXPECT_TRUE(store().find(id));
    EXPECT_TRUE(store().response(owner.identity));
    EXPECT_EQ(store().list({})->records.size(), 1U);
    EXPECT_EQ(store().sweepNow(), 0U);
    EXPECT_EQ(ask(), OutcomeKind::Replay);

    advance(1us);
    EXPECT_FALSE(store().find(owner.identity));
    EXPECT_FALSE(store().find(id));
    EXPECT_FALSE(store().response(owner.identity));
    EXPECT_EQ(store().list({})->records.size(), 0U);
    EXPECT_EQ(store().list({})->total, 0U);
    EXPECT_EQ(refusalOf(store().purge(owner.identity, owner.fence, QStringLiteral("old"))), StoreErrorCode::NotFound);
    EXPECT_EQ(store().sweepNow(), 1U);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, ZeroTtlNeverReplays)
{
    open(ttlPolicy(0s));
    ASSERT_TRUE(complete(own()));
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
    EXPECT_EQ(record().attempt, 1U);
}

TEST_P(StoreContract, ZeroTtlIsSweptAtTheNextPass)
{
    open(ttlPolicy(0s));
    constexpr int keys = 200'000;
    for (int i = 0; i < keys; ++i) {
        ASSERT_TRUE(complete(own({.key = QByteArray::number(i)})));
    }
    EXPECT_EQ(store().counters().records, std::uint64_t(keys));
    EXPECT_EQ(store().sweepNow(), std::uint64_t(keys));
    EXPECT_EQ(store().counters().records, 0U);
    EXPECT_EQ(store().counters().expired, std::uint64_t(keys));
}

TEST_P(StoreContract, TtlCountsFromCompletion)
{
    open(ttlPolicy(60s));
    const Ownership owner = own({.lease = 2h});
    advance(59s);
    ASSERT_TRUE(complete(owner));
    advance(60s - 1us);
    EXPECT_EQ(ask(), OutcomeKind::Replay);
    advance(1us);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, TtlCountsFromBegin)
{
    open(ttlPolicy(60s, ExpiryOrigin::Begin));
    const Ownership owner = own({.lease = 2h});
    const Instant begun = now();
    advance(59s);
    ASSERT_TRUE(complete(owner));
    EXPECT_EQ(record().expiresAt, begun + 60s);
    advance(1s - 1us);
    EXPECT_EQ(ask(), OutcomeKind::Replay);
    advance(1us);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, TtlFromBeginMayBeOverBeforeTheAnswer)
{
    open(ttlPolicy(60s, ExpiryOrigin::Begin));
    const Ownership owner = own({.lease = 2h});
    advance(60s);
    ASSERT_TRUE(complete(owner));
    EXPECT_EQ(ask(), OutcomeKind::Fresh) << "born expired";
}

TEST_P(StoreContract, SlidingTtlIsProlongedByReplaysOnly)
{
    open(ttlPolicy(60s, ExpiryOrigin::Sliding));
    ASSERT_TRUE(complete(own()));
    for (int i = 0; i < 10; ++i) {
        advance(59s);
        EXPECT_EQ(expect<Replay>().expiresAt, now() + 60s);
        EXPECT_EQ(record().expiresAt, now() + 60s);
        EXPECT_EQ(store().sweepNow(), 0U) << "filed under its first moment, it must be looked at again";
    }
    advance(30s);
    EXPECT_EQ(ask({.fingerprint = "v1:other"}), OutcomeKind::Mismatch);
    EXPECT_TRUE(exists());
    advance(30s);
    EXPECT_EQ(store().sweepNow(), 1U);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, FixedTtlIsNotProlongedByReplays)
{
    open(ttlPolicy(60s));
    ASSERT_TRUE(complete(own()));
    advance(59s);
    EXPECT_EQ(ask(), OutcomeKind::Replay);
    advance(1s);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, FailuresExpireToo)
{
    open(ttlPolicy(60s));
    ASSERT_TRUE(store().fail(own(), QStringLiteral("no")));
    advance(60s);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, AbandonedRecordsKeepTheirAttemptUntilTheyExpire)
{
    open(ttlPolicy(60s));
    const Ownership first = own();
    advance(10s);
    ASSERT_TRUE(store().release(first));
    EXPECT_EQ(record().expiresAt, now() + 60s);
    advance(60s - 1us);
    EXPECT_EQ(record().attempt, 1U);
    EXPECT_EQ(store().sweepNow(), 0U);
    advance(1us);
    EXPECT_FALSE(exists());
    EXPECT_EQ(expect<Fresh>().attempt, 1U);
}

TEST_P(StoreContract, AReleaseAfterTheLeaseStillKeepsItsTtl)
{
    open(ttlPolicy(60s));
    const Ownership owner = own({.lease = 1s});
    advance(1h);
    ASSERT_TRUE(store().release(owner));
    EXPECT_EQ(record().expiresAt, now() + 60s);
    EXPECT_EQ(store().sweepNow(), 0U);
}

TEST_P(StoreContract, OnlyFinishedAndAbandonedRecordsExpire)
{
    const Ownership owner = own();
    EXPECT_FALSE(record().expiresAt);
    EXPECT_TRUE(record().leaseEnd);
    ASSERT_TRUE(complete(owner));
    EXPECT_TRUE(record().expiresAt);
    EXPECT_FALSE(record().leaseEnd);
    ASSERT_TRUE(store().markUnknown(own({.key = "unknown"})));
    EXPECT_FALSE(record({.key = "unknown"}).expiresAt);
    EXPECT_FALSE(record({.key = "unknown"}).leaseEnd);
}

TEST_P(StoreContract, TheLongestTtlAndLeaseHold)
{
    Policy policy = ttlPolicy(maxPolicyDuration);
    policy.lease = maxPolicyDuration;
    open(policy);
    const Ownership owner = own();
    advance(maxPolicyDuration - 1us);
    EXPECT_EQ(ask(), OutcomeKind::InProgress);
    ASSERT_TRUE(complete(owner));
    advance(maxPolicyDuration - 1us);
    EXPECT_EQ(ask(), OutcomeKind::Replay);
    advance(1us);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, ForecastCountsFinishedRecordsByTheirExpiry)
{
    open(ttlPolicy(10s));
    for (int i = 0; i < 6; ++i) {
        ASSERT_TRUE(complete(own({.key = QByteArray::number(i)})));
        advance(1s);
    }
    ASSERT_TRUE(store().release(own({.key = "abandoned"})));
    own({.key = "running"});
    // Expiries are 4 s, 5 s, ... 9 s ahead.
    EXPECT_EQ(store().expiryForecast(2s, 5), (std::vector<std::uint64_t> {0, 0, 2, 2, 2}));
    EXPECT_EQ(store().expiryForecast(4s, 2), (std::vector<std::uint64_t> {0, 4}));
    advance(4s);
    EXPECT_EQ(store().expiryForecast(1s, 3), (std::vector<std::uint64_t> {0, 1, 1})) << "the first is expired";
}

TEST_P(StoreContract, ASweepNeverRemovesAnAttempt)
{
    open(ttlPolicy(0s));
    own({.key = "live"});
    own({.key = "lapsed", .lease = 1s});
    ASSERT_TRUE(store().markUnknown(own({.key = "unknown"})));
    ASSERT_TRUE(complete(own({.key = "done"})));
    advance(2s);
    EXPECT_EQ(store().sweepNow(), 1U);
    EXPECT_EQ(state({.key = "live"}), State::InProgress);
    EXPECT_EQ(state({.key = "lapsed"}), State::LeaseExpired);
    EXPECT_EQ(state({.key = "unknown"}), State::OutcomeUnknown);
    EXPECT_FALSE(exists({.key = "done"}));
}

TEST_P(StoreContract, TheStoreSweepsItself)
{
    Policy policy = ttlPolicy(1500ms);
    policy.sweepInterval = 1s;
    openSweeping(policy);
    ASSERT_TRUE(complete(own()));
    advance(1999ms);
    EXPECT_EQ(store().counters().records, 1U) << "expired at 1.5 s, the next pass is at 2 s";
    advance(1ms);
    EXPECT_EQ(store().counters().records, 0U);
}

} // namespace idem::test
