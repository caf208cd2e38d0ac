// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

#include <algorithm>

namespace idem::test {

// Lists and pages.

namespace {

Query byKey(const QByteArray &prefix)
{
    Query query;
    query.keyPrefix = prefix;
    return query;
}

} // namespace

TEST_P(StoreContract, FenceOrderIsAgeOrder)
{
    for (const char *key : {"a", "b", "c"}) {
        own({.key = key});
    }
    EXPECT_EQ(list({}), (std::vector<QByteArray> {"a", "b", "c"}));
    Query newestFirst;
    newestFirst.descending = true;
    EXPECT_EQ(list(newestFirst), (std::vector<QByteArray> {"c", "b", "a"}));
    advance(60s);
    own({.key = "a"});
    EXPECT_EQ(list({}), (std::vector<QByteArray> {"b", "c", "a"})) << "a new attempt is new";
}

TEST_P(StoreContract, EveryMemberOfAView)
{
    const Instant created = now();
    const Ownership owner = own({.attemptId = "try-1"});
    ask();
    ask({.fingerprint = "v1:other"});
    advance(2s);
    ASSERT_TRUE(store().renew(owner));
    ASSERT_TRUE(store().sideEffectStarted(owner));
    const auto page = store().list({});
    ASSERT_EQ(page->records.size(), 1U);
    const RecordView &view = page->records.front();
    EXPECT_EQ(view.id, store().find(owner.identity)->id);
    EXPECT_EQ(view.identity, owner.identity);
    EXPECT_EQ(view.state, State::InProgress);
    EXPECT_EQ(view.fence, owner.fence);
    EXPECT_EQ(view.attempt, 1U);
    EXPECT_EQ(view.owner, "server-1");
    EXPECT_EQ(view.fingerprint, "v1:payload");
    EXPECT_EQ(view.createdAt, created);
    EXPECT_EQ(view.startedAt, created);
    EXPECT_EQ(view.renewedAt, created + 2s);
    EXPECT_EQ(view.leaseEnd, created + 62s);
    EXPECT_EQ(view.expiresAt, std::nullopt);
    EXPECT_TRUE(view.sideEffect);
    EXPECT_FALSE(view.stuck);
    EXPECT_EQ(view.conflicts, 1U);
    EXPECT_EQ(view.mismatches, 1U);
    EXPECT_EQ(view.replays, 0U);
    EXPECT_EQ(view.observedAt, now());
    EXPECT_EQ(page->observedAt, now());
    EXPECT_EQ(page->total, 1U);
}

TEST_P(StoreContract, StatesAreDerivedAtTheTimeOfTheList)
{
    own({.key = "lapsing", .lease = 5s});
    own({.key = "running"});
    ASSERT_TRUE(complete(own({.key = "done"})));
    ASSERT_TRUE(store().markUnknown(own({.key = "unknown"})));
    Query expired;
    expired.states = {State::LeaseExpired};
    EXPECT_TRUE(list(expired).empty());
    advance(5s);
    EXPECT_EQ(list(expired), (std::vector<QByteArray> {"lapsing"}));
    Query some;
    some.states = {State::InProgress, State::Completed};
    EXPECT_EQ(list(some), (std::vector<QByteArray> {"running", "done"}));
    Query stuck;
    stuck.stuckOnly = true;
    EXPECT_EQ(list(stuck), (std::vector<QByteArray> {"lapsing", "unknown"}));
}

TEST_P(StoreContract, FiltersByTenantAndKeyPrefix)
{
    own({.key = "pay-1"});
    own({.key = "pay-2", .tenant = "globex"});
    own({.key = "ship-1"});
    Query acme;
    acme.tenant = "acme";
    EXPECT_EQ(list(acme), (std::vector<QByteArray> {"pay-1", "ship-1"}));
    EXPECT_EQ(list(byKey("pay-")), (std::vector<QByteArray> {"pay-1", "pay-2"}));
    EXPECT_TRUE(list(byKey("PAY")).empty());
    acme.keyPrefix = "pay-";
    EXPECT_EQ(list(acme), (std::vector<QByteArray> {"pay-1"}));
}

TEST_P(StoreContract, SortsByLeaseEndAndExpiryWithTheOthersLast)
{
    own({.key = "lease-30", .lease = 30s});
    own({.key = "lease-10", .lease = 10s});
    ASSERT_TRUE(store().markUnknown(own({.key = "unknown"})));
    ASSERT_TRUE(complete(own({.key = "expires-first"})));
    advance(1s);
    ASSERT_TRUE(complete(own({.key = "expires-second"})));
    Query query;
    query.sort = SortKey::LeaseEnd;
    EXPECT_EQ(
        list(query), (std::vector<QByteArray> {"lease-10", "lease-30", "unknown", "expires-first", "expires-second"}));
    query.descending = true;
    EXPECT_EQ(
        list(query), (std::vector<QByteArray> {"lease-30", "lease-10", "expires-second", "expires-first", "unknown"}));
    query.sort = SortKey::Expiry;
    EXPECT_EQ(
        list(query), (std::vector<QByteArray> {"expires-second", "expires-first", "unknown", "lease-10", "lease-30"}));
    query.descending = false;
    EXPECT_EQ(
        list(query), (std::vector<QByteArray> {"expires-first", "expires-second", "lease-30", "lease-10", "unknown"}));
}

TEST_P(StoreContract, PagesCoverEverythingOnceInEveryOrder)
{
    std::vector<QByteArray> all;
    for (int i = 0; i < 103; ++i) {
        const QByteArray key = QByteArray::number(i);
        all.push_back(key);
        const Ownership owner = own({.key = key, .lease = Duration(100'000 + i % 7)});
        if (i % 3 == 0) {
            ASSERT_TRUE(complete(owner));
        }
    }
    std::ranges::sort(all);
    for (const SortKey sort : {SortKey::Fence, SortKey::LeaseEnd, SortKey::Expiry}) {
        for (const bool isDescending : {false, true}) {
            for (const std::size_t limit : {std::size_t(1), std::size_t(10), std::size_t(103), std::size_t(10'000)}) {
                Query query;
                query.sort = sort;
                query.descending = isDescending;
                query.limit = limit;
                std::vector<QByteArray> keys = walk(query);
                std::ranges::sort(keys);
                EXPECT_EQ(keys, all) << int(sort) << isDescending << limit;
            }
        }
    }
}

TEST_P(StoreContract, PagesAreStableUnderInsertsAndSweeps)
{
    Policy policy;
    policy.ttl = 10s;
    open(policy);
    std::vector<QByteArray> staying;
    for (int i = 0; i < 60; ++i) {
        const QByteArray key = "stay-" + QByteArray::number(i);
        own({.key = key});
        staying.push_back(key);
        ASSERT_TRUE(complete(own({.key = "leave-" + QByteArray::number(i)})));
    }
    for (const bool isDescending : {false, true}) {
        int inserted = 0;
        Query query = byKey("stay-");
        query.limit = 7;
        query.descending = isDescending;
        std::vector<QByteArray> keys = walk(query, [&] {
            own({.key = "new-" + QByteArray::number(inserted++) + (isDescending ? "d" : "a")});
            advance(1s);
            store().sweepNow();
        });
        if (isDescending) {
            std::ranges::reverse(keys);
        }
        EXPECT_EQ(keys, staying);
    }
}

TEST_P(StoreContract, TotalCountsWhatMatchesNotWhatIsShown)
{
    for (int i = 0; i < 25; ++i) {
        own({.key = "k" + QByteArray::number(i)});
    }
    own({.key = "other"});
    Query query = byKey("k");
    query.limit = 10;
    const auto page = store().list(query);
    EXPECT_EQ(page->records.size(), 10U);
    EXPECT_EQ(page->total, 25U);
    EXPECT_FALSE(page->nextCursor.isEmpty());
    query.limit = 25;
    EXPECT_TRUE(store().list(query)->nextCursor.isEmpty()) << "exactly the last page";
}

TEST_P(StoreContract, BadLimitsAndCursorsAreRefused)
{
    own({.key = "a"});
    own({.key = "b"});
    Query query;
    for (const std::size_t limit : {std::size_t(0), std::size_t(10'001), SIZE_MAX}) {
        query.limit = limit;
        EXPECT_EQ(refusalOf(store().list(query)), StoreErrorCode::Invalid);
    }
    query.limit = 1;
    const QByteArray cursor = store().list(query)->nextCursor;
    for (const QByteArray &bad :
        {QByteArray("x"), QByteArray("####"), cursor + "A", cursor.chopped(1), QByteArray(9999, 'A')}) {
        query.cursor = bad;
        const auto refused = store().list(query);
        ASSERT_EQ(refusalOf(refused), StoreErrorCode::Invalid) << bad.toStdString();
        EXPECT_FALSE(refused.error().message.isEmpty());
    }
    query.cursor = cursor;
    EXPECT_TRUE(store().list(query));
    query.descending = true;
    EXPECT_EQ(refusalOf(store().list(query)), StoreErrorCode::Invalid) << "of another order";
}

TEST_P(StoreContract, FindsByIdBeforeAndAfterTheIndexIsBuilt)
{
    const Ownership first = own({.key = "first"});
    const RecordId firstId = record({.key = "first"}).id;
    EXPECT_EQ(store().find(firstId)->identity, first.identity);
    const Ownership second = own({.key = "second"});
    const RecordId secondId = record({.key = "second"}).id;
    EXPECT_EQ(store().find(secondId)->identity, second.identity);
    EXPECT_EQ(store().find(secondId)->id, secondId);
    EXPECT_FALSE(store().find(RecordId {}));

    ASSERT_TRUE(complete(first));
    ASSERT_TRUE(store().purge(first.identity, first.fence, QStringLiteral("gone")));
    EXPECT_FALSE(store().find(firstId));
    own({.key = "first"});
    EXPECT_TRUE(store().find(firstId)) << "an id names an identity, whatever its lives";
    EXPECT_EQ(record({.key = "first"}).id, firstId);
}

TEST_P(StoreContract, ReadingIsNoReplay)
{
    const Ownership owner = own();
    ASSERT_TRUE(complete(owner));
    const std::string before = snapshot();
    EXPECT_TRUE(store().response(owner.identity));
    EXPECT_TRUE(store().find(owner.identity));
    list({});
    EXPECT_EQ(snapshot(), before);
    EXPECT_EQ(store().counters().outcome(OutcomeKind::Replay), 0U);
}

} // namespace idem::test
