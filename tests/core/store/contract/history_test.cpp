// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

#include <algorithm>

namespace idem::test {

// Events and counters: two tellings of the same history.

namespace {

struct Seen
{
    EventKind kind;
    std::optional<OutcomeKind> outcome {};
    std::optional<State> state {};

    friend bool operator==(const Seen &, const Seen &) = default;
};

void PrintTo(const Seen &seen, std::ostream *out)
{
    *out << idem::toString(seen.kind).toStdString();
    if (seen.outcome) {
        *out << '/' << idem::toString(*seen.outcome).toStdString();
    }
    if (seen.state) {
        *out << '/' << idem::toString(*seen.state).toStdString();
    }
}

std::vector<Seen> seen(const EventStream::Batch &batch)
{
    std::vector<Seen> result;
    for (const StoreEvent &event : batch.events) {
        result.push_back({event.kind, event.outcome, event.state});
    }
    return result;
}

Seen begun(OutcomeKind outcome, State state)
{
    return {EventKind::Begun, outcome, state};
}

} // namespace

TEST_P(StoreContract, EventsTellARecordsStoryInOrder)
{
    const auto stream = store().subscribe();
    const Ownership owner = own();
    ask();
    ask({.fingerprint = "v1:other"});
    ASSERT_TRUE(store().renew(owner));
    ASSERT_TRUE(store().sideEffectStarted(owner));
    ASSERT_TRUE(complete(owner, 201, "answer"));
    ASSERT_TRUE(complete(owner, 201, "answer"));
    ask();
    ASSERT_TRUE(store().purge(owner.identity, owner.fence, QStringLiteral("by request")));

    const auto batch = stream->take();
    EXPECT_EQ(batch.missed, 0U);
    EXPECT_EQ(seen(batch),
        (std::vector<Seen> {
            begun(OutcomeKind::Fresh, State::InProgress),
            begun(OutcomeKind::InProgress, State::InProgress),
            begun(OutcomeKind::Mismatch, State::InProgress),
            {EventKind::Renewed, {}, State::InProgress},
            {EventKind::SideEffectStarted, {}, State::InProgress},
            {EventKind::Completed, {}, State::Completed},
            begun(OutcomeKind::Replay, State::Completed),
            {EventKind::Purged, {}, State::Completed},
        }));
    for (std::size_t i = 0; i < batch.events.size(); ++i) {
        EXPECT_EQ(batch.events[i].sequence, i + 1);
        EXPECT_EQ(batch.events[i].identity, owner.identity);
        EXPECT_EQ(batch.events[i].fence, owner.fence);
        EXPECT_EQ(batch.events[i].owner, "server-1");
        EXPECT_EQ(batch.events[i].at, now());
    }
    EXPECT_EQ(batch.events[5].response->body(), "answer");
    EXPECT_EQ(batch.events[7].reason, QStringLiteral("by request"));
    EXPECT_TRUE(stream->take().events.empty());
}

TEST_P(StoreContract, EventsOfTheOtherEnds)
{
    const auto stream = store().subscribe();
    ASSERT_TRUE(store().fail(own({.key = "failed"}), QStringLiteral("no")));
    ASSERT_TRUE(store().release(own({.key = "released"})));
    ASSERT_TRUE(complete(own({.key = "transient"}), 503));
    const Ownership unknown = own({.key = "unknown"});
    ASSERT_TRUE(store().markUnknown(unknown));
    ASSERT_TRUE(store().settle(unknown.identity, {unknown.fence, QStringLiteral("seen at the bank"), {}}));
    ASSERT_TRUE(abandon(own({.key = "abandoned"}), AbandonAs::Unknown));
    const auto batch = stream->take();
    const Seen fresh = begun(OutcomeKind::Fresh, State::InProgress);
    EXPECT_EQ(seen(batch),
        (std::vector<Seen> {
            fresh,
            {EventKind::Failed, {}, State::Failed},
            fresh,
            {EventKind::Released, {}, State::Abandoned},
            fresh,
            {EventKind::Released, {}, State::Abandoned},
            fresh,
            {EventKind::MarkedUnknown, {}, State::OutcomeUnknown},
            {EventKind::Settled, {}, State::Abandoned},
            fresh,
            {EventKind::Abandoned, {}, State::OutcomeUnknown},
        }));
    EXPECT_EQ(batch.events[8].reason, QStringLiteral("seen at the bank"));
    EXPECT_EQ(batch.events[10].reason, QStringLiteral("the server is gone"));
}

TEST_P(StoreContract, ALapseIsToldOnceWhoeverSeesIt)
{
    for (const int noticedBy : {0, 1, 2, 3, 4}) {
        SCOPED_TRACE(noticedBy);
        open({});
        const Ownership owner = own();
        advance(60s);
        const auto stream = store().subscribe();
        switch (noticedBy) {
        case 0:
            store().sweepNow();
            break;
        case 1:
            static_cast<void>(store().counters());
            break;
        case 2:
            ASSERT_TRUE(complete(owner));
            break;
        case 3:
            ASSERT_TRUE(store().release(owner));
            break;
        default:
            ASSERT_TRUE(abandon(owner));
        }
        store().sweepNow();
        static_cast<void>(store().counters());
        ask();
        store().sweepNow();
        const auto batch = stream->take();
        ASSERT_FALSE(batch.events.empty());
        EXPECT_EQ(batch.events.front().kind, EventKind::LeaseLapsed);
        EXPECT_EQ(batch.events.front().state, State::LeaseExpired);
        EXPECT_EQ(std::ranges::count(batch.events, EventKind::LeaseLapsed, &StoreEvent::kind), 1);
    }
}

TEST_P(StoreContract, ALeaseThatLapsesTwiceIsToldTwice)
{
    const Ownership owner = own();
    const auto stream = store().subscribe();
    advance(60s);
    store().sweepNow();
    ASSERT_TRUE(store().renew(owner));
    advance(60s);
    store().sweepNow();
    EXPECT_EQ(seen(stream->take()),
        (std::vector<Seen> {
            {EventKind::LeaseLapsed, {}, State::LeaseExpired},
            {EventKind::Renewed, {}, State::InProgress},
            {EventKind::LeaseLapsed, {}, State::LeaseExpired},
        }));
}

TEST_P(StoreContract, ATakeoverTellsTheLapseFirst)
{
    own();
    const auto stream = store().subscribe();
    advance(60s);
    own();
    EXPECT_EQ(seen(stream->take()),
        (std::vector<Seen> {
            {EventKind::LeaseLapsed, {}, State::LeaseExpired},
            begun(OutcomeKind::Fresh, State::InProgress),
        }));
}

TEST_P(StoreContract, AStaleResultIsKeptAsEvidenceAndNeverServed)
{
    const Ownership first = own();
    advance(60s);
    const Ownership second = own();
    const auto stream = store().subscribe();
    EXPECT_EQ(refusalOf(complete(first, 201, "charged twice")), StoreErrorCode::StaleOwner);
    const auto batch = stream->take();
    ASSERT_EQ(batch.events.size(), 1U);
    EXPECT_EQ(batch.events[0].kind, EventKind::StaleRefused);
    EXPECT_EQ(batch.events[0].fence, second.fence);
    EXPECT_EQ(batch.events[0].response->body(), "charged twice");
    EXPECT_FALSE(store().response(first.identity));
    ASSERT_TRUE(complete(second, 201, "charged"));
    EXPECT_EQ(expect<Replay>().response->body(), "charged");
}

TEST_P(StoreContract, ExpiryIsToldBySweepAndByBegin)
{
    ASSERT_TRUE(complete(own({.key = "swept"})));
    ASSERT_TRUE(complete(own({.key = "begun"})));
    advance(24h);
    const auto stream = store().subscribe();
    own({.key = "begun"});
    store().sweepNow();
    EXPECT_EQ(seen(stream->take()),
        (std::vector<Seen> {
            {EventKind::Expired, {}, State::Completed},
            begun(OutcomeKind::Fresh, State::InProgress),
            {EventKind::Expired, {}, State::Completed},
        }));
    EXPECT_EQ(store().counters().expired, 2U);
}

TEST_P(StoreContract, RejectionsAreToldWithoutTheKey)
{
    const auto stream = store().subscribe();
    ask(QByteArray("a\nb"));
    const auto batch = stream->take();
    ASSERT_EQ(batch.events.size(), 1U);
    EXPECT_EQ(batch.events[0].outcome, OutcomeKind::Rejected);
    EXPECT_EQ(batch.events[0].identity, (Identity {"acme", "alice", ""}));
}

TEST_P(StoreContract, AFullStreamLosesTheOldestAndSaysHowMany)
{
    const auto stream = store().subscribe(3);
    for (int i = 0; i < 10; ++i) {
        own({.key = QByteArray::number(i)});
    }
    const auto batch = stream->take();
    EXPECT_EQ(batch.missed, 7U);
    ASSERT_EQ(batch.events.size(), 3U);
    EXPECT_EQ(batch.events[0].sequence, 8U);
    EXPECT_EQ(batch.events[2].sequence, 10U);
    own({.key = "more"});
    EXPECT_EQ(stream->take().missed, 0U);
}

TEST_P(StoreContract, AStreamIsTakenInParts)
{
    const auto stream = store().subscribe();
    for (int i = 0; i < 5; ++i) {
        own({.key = QByteArray::number(i)});
    }
    EXPECT_EQ(stream->take(2).events.back().sequence, 2U);
    EXPECT_EQ(stream->take(2).events.back().sequence, 4U);
    EXPECT_EQ(stream->take(2).events.size(), 1U);
}

TEST_P(StoreContract, SubscriptionsBeginWhenTheyAreMadeAndHaveNoGaps)
{
    const auto first = store().subscribe();
    own({.key = "a"});
    const auto second = store().subscribe();
    own({.key = "b"});
    own({.key = "c"});
    EXPECT_EQ(first->take().events.size(), 3U);
    const auto batch = second->take();
    ASSERT_EQ(batch.events.size(), 2U);
    EXPECT_EQ(batch.events[0].sequence, 2U);
    EXPECT_EQ(batch.events[1].sequence, 3U);
}

TEST_P(StoreContract, AStreamOutlivesItsStore)
{
    const auto stream = store().subscribe();
    own();
    open({});
    EXPECT_EQ(stream->take().events.size(), 1U);
    own();
    EXPECT_TRUE(stream->take().events.empty());
}

TEST_P(StoreContract, CountersOfAMixedHistory)
{
    Policy policy;
    policy.ttl = 10s;
    open(policy);
    const Ownership completed = own({.key = "completed"});
    ASSERT_TRUE(complete(completed));
    ask("completed");
    ask("completed");
    ASSERT_TRUE(store().fail(own({.key = "failed"}), QStringLiteral("no")));
    ASSERT_TRUE(store().release(own({.key = "released"})));
    ASSERT_TRUE(abandon(own({.key = "abandoned"})));
    ASSERT_TRUE(store().markUnknown(own({.key = "unknown"})));
    own({.key = "running"});
    ask("running");
    ask({.key = "running", .fingerprint = "v1:other"});
    ask("unknown");
    ask(QByteArray());
    own({.key = "lapsed", .lease = 1s});
    advance(1s);

    Counters counters = store().counters();
    EXPECT_EQ(counters.outcomes, (std::array<std::uint64_t, OutcomeKindCount> {7, 1, 2, 1, 1, 0, 1}));
    EXPECT_EQ(counters.byState, (std::array<std::uint64_t, StateCount> {1, 1, 1, 2, 1, 1}));
    EXPECT_EQ(counters.records, 7U);
    EXPECT_EQ(counters.stuck, 2U);
    EXPECT_EQ(counters.completed, 1U);
    EXPECT_EQ(counters.failed, 1U);
    EXPECT_EQ(counters.released, 1U);
    EXPECT_EQ(counters.abandoned, 1U);
    EXPECT_EQ(counters.takeovers, 0U);

    own({.key = "lapsed"});
    advance(9s);
    EXPECT_EQ(store().counters().records, 7U) << "expired, and counted until swept";
    EXPECT_EQ(store().sweepNow(), 4U);
    counters = store().counters();
    EXPECT_EQ(counters.takeovers, 1U);
    EXPECT_EQ(counters.expired, 4U);
    EXPECT_EQ(counters.records, 3U);
    EXPECT_EQ(counters.byState, (std::array<std::uint64_t, StateCount> {2, 0, 0, 0, 0, 1}));
}

} // namespace idem::test
