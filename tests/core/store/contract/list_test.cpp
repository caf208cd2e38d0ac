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
    query.filter = Filter::keysStartingWith(prefix);
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
    expired.filter = Filter::inStates({State::LeaseExpired});
    EXPECT_TRUE(list(expired).empty());
    advance(5s);
    EXPECT_EQ(list(expired), (std::vector<QByteArray> {"lapsing"}));
    Query some;
    some.filter = Filter::inStates({State::InProgress, State::Completed});
    EXPECT_EQ(list(some), (std::vector<QByteArray> {"running", "done"}));
    Query stuck;
    stuck.filter = Filter::stuck();
    EXPECT_EQ(list(stuck), (std::vector<QByteArray> {"lapsing", "unknown"}));
}

TEST_P(StoreContract, FiltersByTenantAndKeyPrefix)
{
    own({.key = "pay-1"});
    own({.key = "pay-2", .tenant = "globex"});
    own({.key = "ship-1"});
    Query acme;
    acme.filter = Filter::ofTenant("acme");
    EXPECT_EQ(list(acme), (std::vector<QByteArray> {"pay-1", "ship-1"}));
    EXPECT_EQ(list(byKey("pay-")), (std::vector<QByteArray> {"pay-1", "pay-2"}));
    EXPECT_TRUE(list(byKey("PAY")).empty());
    acme.filter = acme.filter.with(Filter::keysStartingWith("pay-"));
    EXPECT_EQ(list(acme), (std::vector<QByteArray> {"pay-1"}));
}

TEST_P(StoreContract, AFilterSelectsWhatTheViewsShow)
{
    Policy policy;
    policy.maxBodyBytes = 10;
    policy.finalAnswers = FinalPreset::StripeV1; // keeps a 502
    open(policy);
    ASSERT_TRUE(complete(own({.key = "large", .tenant = "globex", .owner = "server 1"}), 502, "more than ten"));
    ask({.key = "large", .tenant = "globex"});
    ASSERT_TRUE(complete(own({.key = "small", .caller = "bob"}), 404, "{}"));
    ask({.key = "small", .caller = "bob"});
    ask({.key = "small", .caller = "bob", .fingerprint = "v1:other"});
    const Ownership late = own({.key = "late", .lease = 1s});
    ASSERT_TRUE(abandon(own({.key = "abandoned"})));
    advance(1s);
    ASSERT_TRUE(complete(late, 201, "{}"));
    ask({.key = "abandoned"});
    own({.key = "lapsed", .lease = 1s});
    ASSERT_TRUE(store().sideEffectStarted(own({.key = "waited-for", .lease = 1h})));
    const auto waiting = beginLater({.key = "waited-for", .wait = 30s});
    ask({.key = "waited-for"});
    ASSERT_TRUE(store().markUnknown(own({.key = "unknown"})));
    advance(1s);

    const auto all = store().list({});
    ASSERT_TRUE(all);
    ASSERT_EQ(all->records.size(), 7U);
    QStringList texts {QStringLiteral("lease_left:<=0s"), QStringLiteral("age:2s"), QStringLiteral("age:>1s"),
        QStringLiteral("ttl_left:<24h"), QStringLiteral("status:4xx,5xx"), QStringLiteral("status:<502"),
        QStringLiteral("fence:%1").arg(toNumber(late.fence)), QStringLiteral("a"), QStringLiteral("key:?a*"),
        QStringLiteral("owner:server-?"), QStringLiteral("replays:0"), QStringLiteral("waiting:1 conflicts:>0"),
        QStringLiteral("id:%1,%2").arg(all->records[2].id.toString(), all->records[5].id.toString())};
    for (const FilterFieldInfo &info : Filter::fields()) {
        texts += info.example.toString();
    }
    int telling = 0;
    for (const QString &text : texts) {
        for (const QString &sign : {QString(), QStringLiteral("-")}) {
            const auto filter = Filter::parse(sign + text);
            ASSERT_TRUE(filter) << text.toStdString();
            std::vector<QByteArray> expected;
            for (const RecordView &view : all->records) {
                if (filter->matches(FilterSubject::of(view))) {
                    expected.push_back(view.identity.key);
                }
            }
            EXPECT_EQ(list({.filter = *filter}), expected) << (sign + text).toStdString();
            telling += !expected.empty() && expected.size() < all->records.size() ? 1 : 0;
        }
    }
    EXPECT_GT(telling, texts.size() * 2 * 3 / 4) << "most select some records and leave some out";
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
