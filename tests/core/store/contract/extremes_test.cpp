// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

namespace idem::test {

// The ends of what policies and requests may say about time.

namespace {

constexpr Duration year = maxPolicyDuration;

Policy spans(std::optional<Duration> lease, Duration ttl, ExpiryOrigin from = ExpiryOrigin::Completion)
{
    Policy policy;
    policy.lease = lease;
    policy.ttl = ttl;
    policy.ttlFrom = from;
    return policy;
}

} // namespace

TEST_P(StoreContract, AnOwnLeaseOfAnyNumberIsClampedAtEveryAttempt)
{
    struct Row
    {
        Duration asked;
        Duration given;
    };
    const std::vector<Row> rows {{Duration::min(), 1us}, {-1us, 1us}, {0us, 1us}, {1us, 1us}, {year - 1us, year - 1us},
        {year, year}, {year + 1us, year}, {Duration::max(), year}};
    for (const Row &row : rows) {
        SCOPED_TRACE(row.asked.count());
        const Ask ask {.key = "k" + QByteArray::number(qlonglong(row.asked.count())), .lease = row.asked};
        auto first = expect<Fresh>(ask);
        EXPECT_EQ(first.claim.leaseEnd(), now() + row.given);
        EXPECT_EQ(record(ask).leaseEnd, now() + row.given);
        EXPECT_EQ(first.claim.renew().value(), now() + row.given);
        ASSERT_TRUE(first.claim.release());
        EXPECT_EQ(expect<Fresh>(ask).claim.leaseEnd(), now() + row.given);
        // A waiter's, too.
        const Ownership owner = own({.key = ask.key});
        Ask waiting = ask;
        waiting.wait = 10s;
        const auto later = beginLater(waiting);
        ASSERT_TRUE(store().release(owner));
        ASSERT_EQ(later->kind(), OutcomeKind::Fresh);
        EXPECT_EQ(std::get<Fresh>(*later->outcome).claim.leaseEnd(), now() + row.given);
    }
}

TEST_P(StoreContract, AWaitOfAnyNumberIsClamped)
{
    own({.lease = year});
    for (const Duration wait : {Duration::min(), Duration(-1us), Duration::zero()}) {
        EXPECT_EQ(beginLater({.wait = wait})->kind(), OutcomeKind::InProgress) << wait.count();
    }
    const auto later = beginLater({.wait = Duration::max()});
    advance(30s - 1us);
    EXPECT_FALSE(later->isKnown());
    advance(1us);
    EXPECT_EQ(later->kind(), OutcomeKind::InProgress);
}

TEST_P(StoreContract, ALeaseAboveTheTtlOutlivesNoRule)
{
    open(spans(1h, 10s));
    const Ownership owner = own();
    advance(1h - 1us);
    EXPECT_EQ(store().sweepNow(), 0U) << "an attempt does not expire";
    EXPECT_EQ(ask(), OutcomeKind::InProgress);
    ASSERT_TRUE(complete(owner));
    EXPECT_EQ(record().expiresAt, now() + 10s);
    advance(10s - 1us);
    EXPECT_EQ(ask(), OutcomeKind::Replay);
    advance(1us);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, ALeaseOfAYearUnderZeroTtl)
{
    open(spans(year, 0s));
    const Ownership owner = own();
    advance(year - 1us);
    EXPECT_EQ(store().sweepNow(), 0U);
    EXPECT_EQ(ask(), OutcomeKind::InProgress);
    EXPECT_EQ(store().renew(owner).value(), now() + year);
    advance(year - 1us);
    const auto completion = complete(owner);
    ASSERT_TRUE(completion);
    EXPECT_FALSE(completion->late);
    EXPECT_FALSE(exists());
    EXPECT_EQ(refusalOf(complete(owner)), StoreErrorCode::NotFound) << "even the repeat: it was never to be replayed";
    EXPECT_EQ(store().sweepNow(), 1U);
    EXPECT_EQ(store().counters().records, 0U);
}

TEST_P(StoreContract, AnswersBornExpiredAreAbsentAtOnce)
{
    open(spans(1h, 60s, ExpiryOrigin::Begin));
    const Ownership owner = own();
    advance(59s);
    const auto waiter = beginLater({.wait = 10s});
    advance(2s);
    ASSERT_TRUE(complete(owner, 201, "too old"));
    ASSERT_EQ(waiter->kind(), OutcomeKind::Fresh) << "the rules of begin, as for who comes now";
    EXPECT_EQ(std::get<Fresh>(*waiter->outcome).attempt, 1U);
    EXPECT_EQ(store().counters().expired, 1U);
    EXPECT_EQ(store().counters().completed, 1U);
    EXPECT_FALSE(store().response(owner.identity));
    EXPECT_EQ(refusalOf(complete(owner, 201, "too old")), StoreErrorCode::StaleOwner);
}

TEST_P(StoreContract, FromBeginCountsFromTheAttemptThatFinished)
{
    open(spans(10s, 60s, ExpiryOrigin::Begin));
    own();
    advance(30s);
    const Ownership second = own();
    const Instant begun = now();
    advance(5s);
    ASSERT_TRUE(complete(second));
    EXPECT_EQ(record().expiresAt, begun + 60s);
    EXPECT_EQ(record().createdAt, begun - 30s);
    // What is abandoned counts from its transition under any policy.
    const Ownership third = own({.key = "abandoned"});
    advance(5s);
    ASSERT_TRUE(store().release(third));
    EXPECT_EQ(record({.key = "abandoned"}).expiresAt, now() + 60s);
}

TEST_P(StoreContract, SlidingUnderZeroAndUnderAYear)
{
    open(spans(60s, 0s, ExpiryOrigin::Sliding));
    ASSERT_TRUE(complete(own()));
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
    open(spans(60s, year, ExpiryOrigin::Sliding));
    ASSERT_TRUE(complete(own()));
    for (int i = 0; i < 20; ++i) {
        advance(year - 1us);
        EXPECT_EQ(expect<Replay>().expiresAt, now() + year);
    }
    advance(year);
    EXPECT_EQ(store().sweepNow(), 1U);
}

TEST_P(StoreContract, AbandonedUnderZeroTtlIsGoneAtOnce)
{
    open(spans(60s, 0s));
    const Ownership owner = own();
    ASSERT_TRUE(store().release(owner));
    EXPECT_FALSE(exists());
    EXPECT_EQ(expect<Fresh>().attempt, 1U) << "another life";
    EXPECT_EQ(store().counters().expired, 1U);
    EXPECT_EQ(store().sweepNow(), 1U) << "the guard gave that one back, too";
}

TEST_P(StoreContract, AQuarterOfAMillenniumOfYears)
{
    open(spans(year, year));
    for (int i = 0; i < 250; ++i) {
        const Ownership owner = own();
        advance(year - 1us);
        ASSERT_EQ(ask(), OutcomeKind::InProgress) << i;
        ASSERT_TRUE(complete(owner));
        advance(year - 1us);
        ASSERT_EQ(ask(), OutcomeKind::Replay) << i;
        advance(1us);
    }
    EXPECT_EQ(store().counters().expired, 249U);
    EXPECT_EQ(store().sweepNow(), 1U);
}

} // namespace idem::test
