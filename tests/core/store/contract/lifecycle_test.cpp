// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

#include <algorithm>
#include <future>
#include <stdexcept>
#include <thread>

namespace idem::test {

// Whole lives of a record: owners that die in any way, operations longer than their lease, and one expiry for all.

namespace {

Policy policyOf(Duration lease, Duration ttl)
{
    Policy policy;
    policy.lease = lease;
    policy.ttl = ttl;
    return policy;
}

const QString why = QStringLiteral("ticket 42");

} // namespace

TEST_P(StoreContract, AnExceptionThatTravelsInAFutureFreesTheKey)
{
    std::packaged_task<void(Claim)> handler([](const Claim &) { throw std::runtime_error("no route"); });
    std::future<void> result = handler.get_future();
    std::jthread worker(std::move(handler), claim());
    EXPECT_THROW(result.get(), std::runtime_error);
    worker.join();
    EXPECT_EQ(state(), State::Abandoned);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, AThreadThatEndsWithItsGuardFreesTheKey)
{
    std::jthread([guard = claim({.key = "untouched"})] { EXPECT_TRUE(guard.isActive()); }).join();
    EXPECT_EQ(state({.key = "untouched"}), State::Abandoned);
    std::jthread([guard = claim({.key = "charged"})]() mutable { EXPECT_TRUE(guard.sideEffectStarted()); }).join();
    EXPECT_EQ(state({.key = "charged"}), State::OutcomeUnknown);
}

TEST_P(StoreContract, AnOwnerThatDiesIsToldByTheSweepAndStuckInTheList)
{
    Policy policy = policyOf(30s, 24h);
    policy.sweepInterval = 1s;
    openSweeping(policy);
    const auto stream = store().subscribe();
    const Ownership dead = own({.key = "dead"});
    const Ownership running = own({.key = "running"});
    for (int second = 1; second <= 30; ++second) {
        advance(1s);
        if (second % 10 == 0) {
            ASSERT_TRUE(store().renew(running));
        }
    }
    std::vector<QByteArray> lapsed;
    for (const StoreEvent &event : stream->take().events) {
        if (event.kind == EventKind::LeaseLapsed) {
            EXPECT_EQ(event.fence, dead.fence);
            EXPECT_EQ(event.at, now());
            lapsed.push_back(event.identity.key);
        }
    }
    EXPECT_EQ(lapsed, (std::vector<QByteArray> {"dead"}));
    Query stuck;
    stuck.filter = Filter::stuck();
    EXPECT_EQ(list(stuck), (std::vector<QByteArray> {"dead"}));
    EXPECT_EQ(state({.key = "dead"}), State::LeaseExpired);
    EXPECT_TRUE(exists({.key = "dead"})) << "a lease's end is no expiry: the record is there for its 24 h and beyond";
}

TEST_P(StoreContract, AnOperationOfThreeLeasesRunsOnceWithAHeartbeat)
{
    open(policyOf(30s, 24h));
    const Ownership owner = own();
    for (int beat = 0; beat < 9; ++beat) {
        advance(10s);
        EXPECT_EQ(ask(), OutcomeKind::InProgress);
        EXPECT_EQ(store().sweepNow(), 0U);
        ASSERT_TRUE(store().renew(owner));
    }
    const auto completion = complete(owner);
    ASSERT_TRUE(completion);
    EXPECT_FALSE(completion->late);
    EXPECT_EQ(store().counters().takeovers, 0U);
}

TEST_P(StoreContract, AnOperationOfThreeLeasesRunsAgainWithoutAHeartbeat)
{
    open(policyOf(30s, 24h));
    const Ownership first = own();
    advance(30s);
    const Ownership second = own();
    advance(30s);
    const Ownership third = own();
    advance(30s);
    for (const Ownership &displaced : {first, second}) {
        EXPECT_EQ(refusalOf(complete(displaced)), StoreErrorCode::StaleOwner);
    }
    EXPECT_TRUE(complete(third)) << "of three runs one counts";
    EXPECT_EQ(store().counters().takeovers, 2U);
    EXPECT_EQ(store().counters().completed, 1U);
    EXPECT_EQ(store().counters().staleRefused, 2U);
}

TEST_P(StoreContract, LeaseAndTtlAreTwoSettings)
{
    open(policyOf(30s, 5s));
    own();
    advance(5s);
    EXPECT_EQ(ask(), OutcomeKind::InProgress) << "a short ttl ends no lease";
    open(policyOf(5s, 30s));
    ASSERT_TRUE(complete(own()));
    advance(5s);
    EXPECT_EQ(ask(), OutcomeKind::Replay) << "a short lease ends no answer";
}

TEST_P(StoreContract, EveryPathAgreesOnTheExpiryOfAFailure)
{
    open(policyOf(30s, 1000ms));
    const Ownership owner = own();
    ASSERT_TRUE(store().fail(owner, why));
    advance(999'999us);
    EXPECT_EQ(beginLater({.wait = 10s})->kind(), OutcomeKind::Replay);
    EXPECT_TRUE(store().response(owner.identity));
    EXPECT_EQ(list({}).size(), 1U);
    advance(1us);
    EXPECT_FALSE(exists());
    EXPECT_FALSE(store().response(owner.identity));
    EXPECT_TRUE(list({}).empty());
    EXPECT_EQ(refusalOf(store().fail(owner, why)), StoreErrorCode::NotFound);
    EXPECT_EQ(beginLater({.wait = 10s})->kind(), OutcomeKind::Fresh) << "at once: there is nothing to wait for";
}

TEST_P(StoreContract, ExpiryIsOneMomentWhoeverTellsIt)
{
    for (const ExpiryOrigin from : {ExpiryOrigin::Completion, ExpiryOrigin::Begin, ExpiryOrigin::Sliding}) {
        Policy policy = policyOf(30s, 60s);
        policy.ttlFrom = from;
        open(policy);
        const Instant begun = now();
        const Ownership owner = own();
        advance(7s);
        ASSERT_TRUE(complete(owner));
        advance(11s);
        const Instant told = expect<Replay>().expiresAt;
        EXPECT_EQ(told,
            from == ExpiryOrigin::Begin            ? begun + 60s
                : from == ExpiryOrigin::Completion ? begun + 67s
                                                   : begun + 78s);
        EXPECT_EQ(record().expiresAt, told);
        EXPECT_EQ(store().list({})->records.front().expiresAt, told);
        const auto ahead = std::chrono::duration_cast<std::chrono::seconds>(told - now()).count();
        std::vector<std::uint64_t> forecast(100);
        forecast[std::size_t(ahead)] = 1;
        EXPECT_EQ(store().expiryForecast(1s, 100), forecast);
        advance(told - now() - 1us);
        EXPECT_TRUE(exists());
        advance(1us);
        EXPECT_FALSE(exists());
        EXPECT_EQ(store().sweepNow(), 1U);
    }
}

TEST_P(StoreContract, EveryEndHasAnExpiryThatLaterCallsKeep)
{
    Policy policy = policyOf(30s, 60s);
    policy.maxBodyBytes = 1000;
    open(policy);
    const auto unknown = [this](const QByteArray &key) {
        Ownership owner = own({.key = key});
        EXPECT_TRUE(store().markUnknown(owner));
        return owner;
    };
    ASSERT_TRUE(complete(own({.key = "completed"})));
    ASSERT_TRUE(complete(own({.key = "tombstone"}), 201, QByteArray(1001, 'x')));
    ASSERT_TRUE(store().fail(own({.key = "failed"}), why));
    ASSERT_TRUE(store().release(own({.key = "released"})));
    ASSERT_TRUE(complete(own({.key = "transient"}), 503));
    ASSERT_TRUE(abandon(own({.key = "abandoned"}), AbandonAs::Release));
    ASSERT_TRUE(abandon(own({.key = "ended"}), AbandonAs::Failed));
    const Ownership ran = unknown("settled-executed");
    ASSERT_TRUE(store().settle(ran.identity, {ran.fence, why, Response {200, {}, {}}}));
    const Ownership idle = unknown("settled-not-executed");
    ASSERT_TRUE(store().settle(idle.identity, {idle.fence, why, {}}));
    const Instant expiry = now() + 60s;

    advance(13s);
    ask("completed");
    ask({.key = "completed", .fingerprint = "v1:other"});
    ask("tombstone");
    ask("failed");
    const auto page = store().list({});
    ASSERT_EQ(page->records.size(), 9U);
    for (const RecordView &view : page->records) {
        EXPECT_EQ(view.expiresAt, expiry) << view.identity.key.toStdString();
        EXPECT_FALSE(view.leaseEnd) << view.identity.key.toStdString();
    }
    advance(47s);
    EXPECT_EQ(store().sweepNow(), 9U);
}

} // namespace idem::test
