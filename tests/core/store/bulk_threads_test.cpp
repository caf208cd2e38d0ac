// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/bulk.h"
#include "core/store/memory_store.h"
#include "tests/core/store/printing.h"
#include "tests/support/manual_time.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

namespace idem {

using namespace std::chrono_literals;

namespace {

const QString why = QStringLiteral("ticket 42");

QByteArray keyOf(int number)
{
    return "order-" + QByteArray::number(number);
}

Ownership own(Store &store, const QByteArray &key)
{
    return std::get<Fresh>(store.begin({"acme", "alice", key})).claim.detach();
}

BulkRequest bulk(BulkVerb verb)
{
    BulkRequest request;
    request.tenant = "acme";
    request.verb = verb;
    return request;
}

/// A store in which something happens before each page of a list.
class Interrupted final : public Store
{
public:
    Interrupted(Store &store, std::function<void()> beforePage)
        : m_store(store)
        , m_beforePage(std::move(beforePage))
    {
    }

    Result<Page> list(const Query &query) const override
    {
        m_beforePage();
        return m_store.list(query);
    }

    void beginAsync(const BeginRequest &request, BeginCallback callback) override
    {
        m_store.beginAsync(request, std::move(callback));
    }
    Result<Completion> complete(const OwnershipView &owner, const ResponseView &response) override
    {
        return m_store.complete(owner, response);
    }
    Result<Completion> fail(const OwnershipView &owner, const QString &reason) override
    {
        return m_store.fail(owner, reason);
    }
    Result<std::optional<Instant>> renew(const OwnershipView &owner) override { return m_store.renew(owner); }
    Result<void> release(const OwnershipView &owner) override { return m_store.release(owner); }
    Result<void> sideEffectStarted(const OwnershipView &owner) override { return m_store.sideEffectStarted(owner); }
    Result<void> markUnknown(const OwnershipView &owner) override { return m_store.markUnknown(owner); }
    Result<RecordView> abandon(const IdentityView &identity, const AbandonRequest &request) override
    {
        return m_store.abandon(identity, request);
    }
    Result<RecordView> settle(const IdentityView &identity, const SettleRequest &request) override
    {
        return m_store.settle(identity, request);
    }
    Result<void> purge(const IdentityView &identity, Fence expectedFence, const QString &reason) override
    {
        return m_store.purge(identity, expectedFence, reason);
    }
    std::optional<RecordView> find(const IdentityView &identity) const override { return m_store.find(identity); }
    std::optional<RecordView> find(const RecordId &id) const override { return m_store.find(id); }
    ResponsePtr response(const IdentityView &identity) const override { return m_store.response(identity); }
    Result<std::vector<StoreEvent>> history(const IdentityView &identity) const override
    {
        return m_store.history(identity);
    }
    Counters counters() const override { return m_store.counters(); }
    std::vector<std::uint64_t> expiryForecast(Duration step, std::size_t buckets) const override
    {
        return m_store.expiryForecast(step, buckets);
    }
    std::shared_ptr<EventStream> subscribe(std::size_t capacity) override { return m_store.subscribe(capacity); }
    std::uint64_t sweepNow() override { return m_store.sweepNow(); }
    void close() override { m_store.close(); }
    const Policy &policy() const override { return m_store.policy(); }
    const Clock &clock() const override { return m_store.clock(); }

private:
    Store &m_store;
    std::function<void()> m_beforePage;
};

} // namespace

TEST(BulkThreads, TwoBulksSweepsAndOwnersAtOnce)
{
    constexpr int keys = 6000;
    test::ManualClock clock;
    Policy policy;
    policy.ttl = 1s;
    policy.sweepInterval = 1ms;
    MemoryStore store({.policy = policy, .clock = &clock});
    std::vector<Ownership> owners;
    for (int i = 0; i < keys; ++i) {
        owners.push_back(own(store, keyOf(i)));
    }
    BulkReviews reviews(store);
    std::atomic<std::uint64_t> completed = 0;
    std::atomic<std::uint64_t> abandoned = 0;
    std::atomic<std::uint64_t> purged = 0;
    std::barrier start(6);
    const auto abandonAll = [&] {
        const auto review = reviews.review(bulk(BulkVerb::Abandon));
        ASSERT_TRUE(review);
        ASSERT_EQ(review->items.size(), std::size_t(keys));
        start.arrive_and_wait();
        const auto report = reviews.run(review->token, {std::size_t(keys), why});
        ASSERT_TRUE(report);
        EXPECT_EQ(report->done + report->refused, std::size_t(keys));
        abandoned += report->done;
    };
    const auto purgeOften = [&] {
        start.arrive_and_wait();
        for (int pass = 0; pass < 20; ++pass) {
            const auto review = reviews.review(bulk(BulkVerb::Purge));
            ASSERT_TRUE(review);
            const auto report = reviews.run(review->token, {review->items.size(), why});
            ASSERT_TRUE(report);
            purged += report->done;
        }
    };
    const auto completeBackwards = [&] {
        start.arrive_and_wait();
        for (int i = keys - 1; i >= 0; --i) {
            completed += store.complete(owners[std::size_t(i)], Response {201, {}, {}}) ? 1 : 0;
        }
    };
    const auto sweepOften = [&] {
        start.arrive_and_wait();
        for (int pass = 0; pass < 200; ++pass) { // 2 s in all: a time to live, and no lease
            clock.advance(5ms);
            store.sweepNow();
        }
    };
    {
        std::vector<std::jthread> threads;
        threads.emplace_back(abandonAll);
        threads.emplace_back(abandonAll);
        threads.emplace_back(purgeOften);
        threads.emplace_back(completeBackwards);
        threads.emplace_back(sweepOften);
        threads.emplace_back(sweepOften);
    }
    EXPECT_EQ(completed + abandoned, std::uint64_t(keys)) << "each ended once";
    const Counters counters = store.counters();
    EXPECT_EQ(counters.completed, completed);
    EXPECT_EQ(counters.abandoned, abandoned);
    EXPECT_EQ(counters.purged, purged);
    clock.advance(1s);
    store.sweepNow();
    EXPECT_EQ(store.counters().records, 0U);
    EXPECT_EQ(store.counters().expired + purged, std::uint64_t(keys)) << "each went once";
}

TEST(BulkThreads, ATokenRunsOnceOnAnyNumberOfThreads)
{
    MemoryStore store;
    BulkReviews reviews(store);
    for (int round = 0; round < 50; ++round) {
        own(store, keyOf(round));
        const auto review = reviews.review(bulk(BulkVerb::Abandon));
        ASSERT_TRUE(review);
        std::atomic<int> ran = 0;
        std::barrier start(8);
        {
            std::vector<std::jthread> threads;
            for (int i = 0; i < 8; ++i) {
                threads.emplace_back([&] {
                    start.arrive_and_wait();
                    ran += reviews.run(review->token, {review->items.size(), why}) ? 1 : 0;
                });
            }
        }
        EXPECT_EQ(ran, 1);
    }
    EXPECT_EQ(store.counters().abandoned, 50U);
}

TEST(BulkThreads, WhatBeginsAnewBetweenTwoPagesIsReviewedOnce)
{
    MemoryStore store;
    std::vector<Ownership> owners;
    for (int i = 0; i < 4; ++i) {
        owners.push_back(own(store, keyOf(i)));
    }
    int pages = 0;
    Ownership anew;
    Interrupted interrupted(store, [&] {
        if (++pages == 2) { // the first page held orders 0 and 1
            ASSERT_TRUE(store.release(owners[0]));
            anew = own(store, keyOf(0));
        }
    });
    BulkOptions options;
    options.pageRecords = 2;
    options.maxItems = 4;
    BulkReviews reviews(interrupted, options);
    const auto review = reviews.review(bulk(BulkVerb::Abandon));
    ASSERT_TRUE(review);
    EXPECT_EQ(pages, 3);
    ASSERT_EQ(review->items.size(), 4U);
    EXPECT_EQ(review->items[0].identity, anew.identity);
    EXPECT_EQ(review->items[0].fence, anew.fence) << "as it was seen last";
    EXPECT_EQ(reviews.run(review->token, {4, why})->done, 4U);
}

TEST(BulkThreads, ABoundHoldsForWhatComesBetweenTwoPages)
{
    MemoryStore store;
    own(store, keyOf(0));
    own(store, keyOf(1));
    int pages = 0;
    Interrupted interrupted(store, [&] { own(store, "later-" + QByteArray::number(++pages)); });
    BulkOptions options;
    options.pageRecords = 1;
    options.maxItems = 5;
    BulkReviews reviews(interrupted, options);
    const auto review = reviews.review(bulk(BulkVerb::Abandon)); // one more before each page, without an end
    ASSERT_FALSE(review);
    EXPECT_EQ(review.error().code, StoreErrorCode::Invalid);
    EXPECT_EQ(pages, 4) << "2 + 4 records are more than 5";
}

} // namespace idem
