// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

#include <algorithm>
#include <random>

namespace idem::test {

// A record's own history: the tail of what the stream tells of it, kept and forgotten with the record.

namespace {

Policy remembering(int events)
{
    Policy policy;
    policy.historyEvents = events;
    return policy;
}

/// An event without what is the store's own choice.
struct Told
{
    std::uint64_t sequence = 0;
    EventKind kind = EventKind::Begun;
    std::optional<OutcomeKind> outcome {};
    std::uint32_t attempt = 1;
    State state = State::InProgress;

    friend bool operator==(const Told &, const Told &) = default;
};

void PrintTo(const Told &told, std::ostream *out)
{
    *out << told.sequence << ' ' << idem::toString(told.kind).toStdString() << '/'
         << (told.outcome ? idem::toString(*told.outcome).toStdString() : "") << " attempt " << told.attempt << ' '
         << idem::toString(told.state).toStdString();
}

std::vector<Told> told(const Result<std::vector<StoreEvent>> &history)
{
    std::vector<Told> result;
    EXPECT_TRUE(history);
    for (const StoreEvent &event : history.value_or(std::vector<StoreEvent>())) {
        result.push_back({event.sequence, event.kind, event.outcome, event.attempt, event.state});
    }
    return result;
}

/// All of an event but its identity.
void expectSame(const StoreEvent &kept, const StoreEvent &streamed)
{
    EXPECT_EQ(kept.sequence, streamed.sequence);
    EXPECT_EQ(kept.kind, streamed.kind);
    EXPECT_EQ(kept.outcome, streamed.outcome);
    EXPECT_EQ(kept.at, streamed.at);
    EXPECT_EQ(kept.identity, streamed.identity);
    EXPECT_EQ(kept.fence, streamed.fence);
    EXPECT_EQ(kept.attempt, streamed.attempt);
    EXPECT_EQ(kept.state, streamed.state);
    EXPECT_EQ(kept.owner, streamed.owner);
    EXPECT_EQ(kept.reason, streamed.reason);
    ASSERT_EQ(!kept.response, !streamed.response);
    EXPECT_TRUE(!kept.response || kept.response->toResponse() == streamed.response->toResponse());
}

constexpr Told firstBegin {1, EventKind::Begun, OutcomeKind::Fresh, 1, State::InProgress};

} // namespace

TEST_P(StoreContract, HistoryTellsARecordsStoryWithoutASubscriber)
{
    open(remembering(100));
    const Ownership owner = own();
    const Instant begun = now();
    advance(1s);
    ask({.fingerprint = "v1:other", .owner = "server-2"});
    ASSERT_TRUE(store().renew(owner));
    ASSERT_TRUE(complete(owner, 201, "answer"));
    ask();
    const auto history = store().history(owner.identity);
    EXPECT_EQ(told(history),
        (std::vector<Told> {
            firstBegin,
            {2, EventKind::Begun, OutcomeKind::Mismatch, 1, State::InProgress},
            {3, EventKind::Renewed, {}, 1, State::InProgress},
            {4, EventKind::Completed, {}, 1, State::Completed},
            {5, EventKind::Begun, OutcomeKind::Replay, 1, State::Completed},
        }));
    for (const StoreEvent &event : *history) {
        EXPECT_EQ(event.identity, owner.identity);
        EXPECT_EQ(event.fence, owner.fence);
        EXPECT_EQ(event.owner, "server-1");
        EXPECT_EQ(event.at, event.sequence == 1 ? begun : begun + 1s);
        EXPECT_EQ(event.response != nullptr, event.kind == EventKind::Completed);
    }
    EXPECT_EQ((*history)[3].response->body(), "answer");
}

TEST_P(StoreContract, HistoryKeepsTheLastEvents)
{
    for (const int kept : {0, 1, 3, 7, 1000}) {
        SCOPED_TRACE(kept);
        open(remembering(kept));
        const Ownership owner = own();
        for (int i = 0; i < 1499; ++i) {
            ask();
        }
        const auto history = store().history(owner.identity);
        ASSERT_TRUE(history);
        ASSERT_EQ(history->size(), std::size_t(kept));
        for (std::size_t i = 0; i < history->size(); ++i) {
            EXPECT_EQ((*history)[i].sequence, 1500U - std::uint64_t(kept) + i + 1);
        }
    }
}

TEST_P(StoreContract, NobodysHistoryIsNotFound)
{
    for (const int kept : {0, 3}) {
        open(remembering(kept));
        EXPECT_EQ(refusalOf(store().history(identityOf({}))), StoreErrorCode::NotFound);
        ask(QByteArray(256, 'k'));
        EXPECT_EQ(refusalOf(store().history(identityOf({.key = QByteArray(256, 'k')}))), StoreErrorCode::NotFound);
        own();
        EXPECT_EQ(refusalOf(store().history(identityOf({.caller = "bob"}))), StoreErrorCode::NotFound);
        EXPECT_TRUE(store().history(identityOf({})));
    }
}

TEST_P(StoreContract, HistoryGoesOnOverTheAttemptsOfOneLife)
{
    open(remembering(100));
    const Ownership first = own();
    ASSERT_TRUE(store().release(first));
    const Ownership second = own({.owner = "server-2"});
    advance(60s);
    const Ownership third = own({.owner = "server-3"});
    EXPECT_EQ(refusalOf(complete(second, 201, "late")), StoreErrorCode::StaleOwner);
    ASSERT_TRUE(abandon(third, AbandonAs::Unknown));
    ASSERT_TRUE(store().settle(third.identity, {third.fence, QStringLiteral("seen at the bank"), Response {201}}));
    const auto history = store().history(first.identity);
    EXPECT_EQ(told(history),
        (std::vector<Told> {
            firstBegin,
            {2, EventKind::Released, {}, 1, State::Abandoned},
            {3, EventKind::Begun, OutcomeKind::Fresh, 2, State::InProgress},
            {4, EventKind::LeaseLapsed, {}, 2, State::LeaseExpired},
            {5, EventKind::Begun, OutcomeKind::Fresh, 3, State::InProgress},
            {6, EventKind::StaleRefused, {}, 3, State::InProgress},
            {7, EventKind::Abandoned, {}, 3, State::OutcomeUnknown},
            {8, EventKind::Settled, {}, 3, State::Completed},
        }));
    const std::vector<Fence> fences {first.fence, first.fence, second.fence, second.fence, third.fence};
    for (std::size_t i = 0; i < fences.size(); ++i) {
        EXPECT_EQ((*history)[i].fence, fences[i]) << i;
    }
    EXPECT_EQ((*history)[3].owner, "server-2");
    EXPECT_EQ((*history)[5].response->body(), "late") << "the evidence";
    EXPECT_EQ((*history)[6].reason, QStringLiteral("the server is gone"));
    EXPECT_EQ((*history)[7].reason, QStringLiteral("seen at the bank"));
}

TEST_P(StoreContract, ANewLifeHasItsOwnHistory)
{
    open(remembering(100));
    for (const bool isSwept : {false, true}) {
        SCOPED_TRACE(isSwept);
        ASSERT_TRUE(complete(own()));
        ask();
        advance(24h);
        EXPECT_EQ(refusalOf(store().history(identityOf({}))), StoreErrorCode::NotFound) << "expired is absent";
        static_cast<void>(isSwept ? store().sweepNow() : 0);
        const Ownership owner = own();
        const auto history = store().history(owner.identity);
        ASSERT_TRUE(history);
        ASSERT_EQ(history->size(), 1U);
        EXPECT_EQ(history->front().kind, EventKind::Begun);
        EXPECT_EQ(history->front().fence, owner.fence);
        EXPECT_EQ(history->front().attempt, 1U);
        ASSERT_TRUE(store().release(owner));
        advance(24h);
    }
}

TEST_P(StoreContract, HistoryGoesWithItsRecord)
{
    Policy policy = remembering(100);
    policy.maxRecords = 1;
    policy.atCapacity = AtCapacity::EvictOldest;
    open(policy);
    const Ownership purged = own({.key = "purged"});
    ASSERT_TRUE(complete(purged));
    ASSERT_TRUE(store().purge(purged.identity, purged.fence, QStringLiteral("by request")));
    EXPECT_EQ(refusalOf(store().history(purged.identity)), StoreErrorCode::NotFound);
    const Ownership again = own({.key = "purged"});
    EXPECT_EQ(store().history(again.identity)->size(), 1U);
    ASSERT_TRUE(complete(again));
    own({.key = "evicts it"});
    EXPECT_EQ(refusalOf(store().history(again.identity)), StoreErrorCode::NotFound);
}

TEST_P(StoreContract, HistoryTellsAWaitersOutcome)
{
    open(remembering(100));
    const Ownership owner = own();
    const auto waiter = beginLater({.owner = "server-2", .wait = 10s});
    EXPECT_EQ(told(store().history(owner.identity)), (std::vector<Told> {firstBegin}));
    ASSERT_TRUE(store().release(owner));
    ASSERT_EQ(waiter->kind(), OutcomeKind::Fresh);
    EXPECT_EQ(told(store().history(owner.identity)),
        (std::vector<Told> {
            firstBegin,
            {2, EventKind::Released, {}, 1, State::Abandoned},
            {3, EventKind::Begun, OutcomeKind::Fresh, 2, State::InProgress},
        }));
}

TEST_P(StoreContract, HistoryIsReadAfterTheEndOfTheStore)
{
    open(remembering(100));
    const Ownership owner = own();
    const auto waiter = beginLater({.wait = 10s});
    store().close();
    ask();
    EXPECT_EQ(told(store().history(owner.identity)),
        (std::vector<Told> {firstBegin, {2, EventKind::Begun, OutcomeKind::Rejected, 1, State::InProgress}}))
        << "the waiter was told; who came later never met the record";
}

TEST_P(StoreContract, AResponseInAHistoryOutlivesItsRecord)
{
    open(remembering(1));
    const Ownership owner = own();
    ASSERT_TRUE(complete(owner, 201, "answer"));
    const ResponsePtr response = store().history(owner.identity)->back().response;
    ASSERT_TRUE(store().purge(owner.identity, owner.fence, QStringLiteral("by request")));
    open({});
    EXPECT_EQ(response->body(), "answer");
}

TEST_P(StoreContract, HistoryIsTheTailOfTheStream)
{
    for (const int kept : {1, 3, 1000}) {
        SCOPED_TRACE(kept);
        Policy policy = remembering(kept);
        policy.ttl = 20s;
        open(policy);
        own({.key = "before"}); // so that the stream does not begin at 1
        const auto stream = store().subscribe(1'000'000);
        std::mt19937 random(unsigned(kept) + 5);
        std::map<QByteArray, Ownership> owners;
        for (int step = 0; step < 4000; ++step) {
            const QByteArray key = QByteArray::number(random() % 12);
            Outcome outcome = begin({.key = key,
                .fingerprint = random() % 8 == 0 ? "v1:other" : "v1:payload",
                .owner = "server-" + QByteArray::number(random() % 3),
                .lease = 2s});
            if (Fresh *fresh = std::get_if<Fresh>(&outcome)) {
                owners[key] = fresh->claim.detach();
            }
            const Ownership owner = std::next(owners.begin(), random() % owners.size())->second;
            const std::vector<std::function<void()>> verbs {
                [&] { static_cast<void>(complete(owner, 200 + int(random() % 2), "body")); },
                [&] { static_cast<void>(store().fail(owner, QStringLiteral("no"))); },
                [&] { static_cast<void>(store().release(owner)); },
                [&] { static_cast<void>(store().renew(owner)); },
                [&] { static_cast<void>(store().sideEffectStarted(owner)); },
                [&] { static_cast<void>(abandon(owner, AbandonAs(random() % 3))); },
                [&] {
                    static_cast<void>(store().settle(owner.identity, {owner.fence, QStringLiteral("ok"), {}}));
                },
                [&] { static_cast<void>(store().purge(owner.identity, owner.fence, QStringLiteral("go"))); },
                [&] { advance(Duration(random() % 3'000'000)); },
                [&] { store().sweepNow(); },
                [&] { ask(QByteArray()); },
            };
            verbs[random() % verbs.size()]();
        }
        std::map<QByteArray, std::vector<StoreEvent>> lives;
        for (StoreEvent &event : stream->take().events) {
            std::vector<StoreEvent> &life = lives[event.identity.key];
            if (event.kind == EventKind::Expired || event.kind == EventKind::Purged) {
                life.clear();
            } else {
                life.push_back(std::move(event));
            }
        }
        lives.erase("before");
        int compared = 0;
        for (const auto &[key, life] : lives) {
            const auto history = store().history(identityOf({.key = key}));
            if (!history) {
                EXPECT_FALSE(exists({.key = key}));
                continue;
            }
            ASSERT_EQ(history->size(), std::min(life.size(), std::size_t(kept))) << key.toStdString();
            for (std::size_t i = 0; i < history->size(); ++i) {
                expectSame((*history)[i], life[life.size() - history->size() + i]);
            }
            compared += int(history->size());
        }
        EXPECT_GT(compared, 5);
    }
}

} // namespace idem::test
