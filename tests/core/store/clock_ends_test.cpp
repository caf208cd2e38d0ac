// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory_store.h"
#include "tests/core/store/printing.h"
#include "tests/support/manual_time.h"

#include <gtest/gtest.h>

namespace idem {

using namespace std::chrono_literals;

// A store whose clock stands anywhere in its range, or leaps, as after a long suspend, before any timer has run.

namespace {

class ClockEnds : public testing::Test
{
protected:
    explicit ClockEnds(Policy policy = {})
        : store({.policy = quiet(std::move(policy)), .clock = &clock, .scheduler = &scheduler})
    {
    }

    static Policy quiet(Policy policy)
    {
        policy.sweepInterval = maxPolicyDuration;
        return policy;
    }
    Outcome begin(Duration wait = {}) { return store.begin({"acme", "alice", "order-1", "v1:x", {}, "s", {}, wait}); }
    OutcomeKind ask()
    {
        Outcome outcome = begin();
        if (Fresh *fresh = std::get_if<Fresh>(&outcome)) {
            fresh->claim.detach();
        }
        return kindOf(outcome);
    }
    Ownership own()
    {
        Outcome outcome = begin();
        Fresh *const fresh = std::get_if<Fresh>(&outcome);
        EXPECT_TRUE(fresh);
        return fresh ? fresh->claim.detach() : Ownership {};
    }
    std::shared_ptr<std::optional<Outcome>> beginLater(Duration wait)
    {
        auto later = std::make_shared<std::optional<Outcome>>();
        store.beginAsync({"acme", "alice", "order-1", "v1:x", {}, "waiter", {}, wait},
            [later](Outcome outcome) { later->emplace(std::move(outcome)); });
        return later;
    }
    bool complete(const Ownership &owner) { return store.complete(owner, Response {201, {}, "x"}).has_value(); }
    std::optional<RecordView> record() { return store.find({"acme", "alice", "order-1"}); }

    test::ManualClock clock;
    test::ManualScheduler scheduler {clock};
    MemoryStore store;
};

constexpr Duration ttl = 24h;
constexpr Duration lease = 60s;

} // namespace

TEST_F(ClockEnds, AWholeLifeAtAnyTime)
{
    for (const Instant start : {Instant::min(), Instant::min() + 1us, Instant(-1us), Instant(-24h), Instant(),
             Instant::max() - 365 * 24h, Instant::max() - 2 * ttl}) {
        SCOPED_TRACE(start.time_since_epoch().count());
        clock.setNow(start);
        const Ownership first = own();
        EXPECT_EQ(record()->leaseEnd, start + lease);
        clock.setNow(start + lease - 1us);
        EXPECT_EQ(ask(), OutcomeKind::InProgress);
        clock.setNow(start + lease);
        EXPECT_EQ(store.counters().state(State::LeaseExpired), 1U);
        const Ownership second = own();
        EXPECT_FALSE(complete(first));
        ASSERT_TRUE(complete(second));
        EXPECT_EQ(record()->expiresAt, start + lease + ttl);
        EXPECT_EQ(store.expiryForecast(ttl, 2), (std::vector<std::uint64_t> {0, 1}));
        clock.setNow(start + lease + ttl - 1us);
        EXPECT_EQ(ask(), OutcomeKind::Replay);
        EXPECT_EQ(store.sweepNow(), 0U);
        clock.setNow(start + lease + ttl);
        EXPECT_FALSE(record());
        EXPECT_EQ(store.sweepNow(), 1U);
        EXPECT_EQ(store.counters().bytes, 0U);
    }
}

TEST_F(ClockEnds, DeadlinesBeyondTheEndOfTimeStandAtIt)
{
    clock.setNow(Instant::max() - 30s);
    const Ownership owner = own();
    EXPECT_EQ(record()->leaseEnd, Instant::max());
    EXPECT_EQ(store.renew(owner).value(), Instant::max());
    const auto waiter = beginLater(10s);
    ASSERT_TRUE(complete(owner));
    ASSERT_TRUE(*waiter);
    EXPECT_EQ(std::get<Replay>(**waiter).expiresAt, Instant::max());
    EXPECT_EQ(record()->expiresAt, Instant::max());
    clock.setNow(Instant::max() - 1us);
    EXPECT_EQ(ask(), OutcomeKind::Replay);
    EXPECT_EQ(store.list({.sort = SortKey::Expiry})->records.size(), 1U);
    clock.setNow(Instant::max());
    EXPECT_EQ(store.sweepNow(), 1U);
    // At the last moment itself every span is over.
    EXPECT_TRUE(complete(own()));
    EXPECT_EQ(store.sweepNow(), 1U);
    EXPECT_EQ(store.counters().records, 0U);
}

TEST_F(ClockEnds, FromTheFirstMomentToTheLast)
{
    clock.setNow(Instant::min());
    own();
    clock.setNow(Instant::max());
    const auto view = record();
    ASSERT_TRUE(view);
    EXPECT_EQ(view->state, State::LeaseExpired);
    EXPECT_TRUE(view->stuck);
    EXPECT_EQ(store.counters().stuck, 1U);
    EXPECT_EQ(store.list({})->total, 1U);
    EXPECT_EQ(store.sweepNow(), 0U);
}

TEST_F(ClockEnds, AfterALeapTheOldestWaiterStillGoesFirst)
{
    const Ownership lost = own();
    const auto first = beginLater(20s);
    const auto second = beginLater(25s);
    clock.advance(5h); // and no timer has run yet
    Outcome newcomer = begin();
    EXPECT_EQ(kindOf(newcomer), OutcomeKind::InProgress);
    ASSERT_TRUE(*first);
    ASSERT_TRUE(std::holds_alternative<Fresh>(**first));
    EXPECT_TRUE(std::get<Fresh>(**first).tookOver);
    EXPECT_EQ(std::get<Fresh>(**first).claim.leaseEnd(), clock.now() + lease);
    EXPECT_FALSE(*second);
    EXPECT_FALSE(complete(lost));
    scheduler.advance(0us); // the late timers
    ASSERT_TRUE(*second);
    EXPECT_EQ(kindOf(**second), OutcomeKind::InProgress);
    EXPECT_EQ(store.counters().waiting, 0U);
}

TEST_F(ClockEnds, AfterALeapOneSweepDoesAllThatCameDue)
{
    ASSERT_TRUE(complete(own()));
    std::vector<Ownership> owners;
    for (int i = 0; i < 500; ++i) {
        const QByteArray key = QByteArray::number(i);
        owners.push_back(std::get<Fresh>(store.begin({"acme", "alice", key})).claim.detach());
        if (i % 5 == 0) {
            ASSERT_TRUE(store.release(owners.back()));
        }
    }
    const auto stream = store.subscribe(1000);
    clock.advance(48h);
    EXPECT_EQ(store.sweepNow(), 101U);
    EXPECT_EQ(store.counters().state(State::LeaseExpired), 400U);
    EXPECT_EQ(store.counters().stuck, 400U);
    EXPECT_EQ(stream->take().events.size(), 501U) << "each lapse and each expiry, once";
    EXPECT_EQ(store.sweepNow(), 0U);
    EXPECT_TRUE(stream->take().events.empty());
}

TEST_F(ClockEnds, ALeapOverLeaseAndTtlAtOnce)
{
    const Ownership owner = own();
    clock.advance(30 * 24h);
    EXPECT_EQ(store.sweepNow(), 0U);
    const auto completion = store.complete(owner, Response {201, {}, "x"});
    ASSERT_TRUE(completion) << "nobody took over";
    EXPECT_TRUE(completion->late);
    EXPECT_EQ(record()->expiresAt, clock.now() + ttl) << "its time to live begins now";
    EXPECT_EQ(ask(), OutcomeKind::Replay);
}

TEST_F(ClockEnds, CivilTimeMovesNoRule)
{
    ASSERT_TRUE(complete(own()));
    const WallTime stored = record()->changedWall;
    for (const WallTime wall : {WallTime::min(), WallTime(), WallTime::max()}) {
        clock.setWall(wall);
        Outcome outcome = begin();
        ASSERT_EQ(kindOf(outcome), OutcomeKind::Replay);
        EXPECT_EQ(std::get<Replay>(outcome).storedAt, stored);
        EXPECT_EQ(store.sweepNow(), 0U);
    }
}

} // namespace idem
