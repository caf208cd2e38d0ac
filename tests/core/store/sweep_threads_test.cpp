// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory_store.h"
#include "tests/core/store/printing.h"
#include "tests/support/manual_time.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace idem {

using namespace std::chrono_literals;

// A sweep of very many while others work: it is exact, and holds no lock for long.

namespace {

constexpr std::uint64_t maxRecordsPerHold = 1000; // semantics.md, "Sweep and bounds"

QByteArray keyOf(const char *kind, int number)
{
    return kind + QByteArray::number(number);
}

class SweepThreads : public testing::Test
{
protected:
    static constexpr int expiring = 200'000;

    MemoryStoreOptions options(Policy policy, int shards = 64)
    {
        policy.sweepInterval = maxPolicyDuration;
        MemoryStoreOptions options;
        options.policy = std::move(policy);
        options.clock = &clock;
        options.scheduler = &scheduler;
        options.shards = shards;
        options.onSweepHold = [this](std::chrono::nanoseconds hold) { onHold(hold); };
        return options;
    }
    /// Ends 200,000 records, which will expire at one instant.
    void endMany(MemoryStore &store)
    {
        for (int i = 0; i < expiring; ++i) {
            const QByteArray key = keyOf("old-", i);
            Outcome outcome = store.begin({"acme", "alice", key});
            ASSERT_TRUE(std::get<Fresh>(outcome).claim.complete(Response {201, {}, "x"}));
        }
    }

    test::ManualClock clock;
    test::ManualScheduler scheduler {clock};
    std::function<void(std::chrono::nanoseconds)> onHold = [](std::chrono::nanoseconds) {};
};

} // namespace

TEST_F(SweepThreads, NobodyIsLostAndNobodyIsSweptTwice)
{
    MemoryStore store(options({}));
    std::atomic<std::uint64_t> holds = 0;
    std::atomic<int> negative = 0;
    onHold = [&](std::chrono::nanoseconds hold) {
        ++holds;
        negative += hold < 0ns ? 1 : 0;
    };
    endMany(store);
    clock.advance(24h);
    std::atomic<std::uint64_t> swept = 0;
    std::atomic<bool> isDone = false;
    std::jthread sweeper([&] {
        swept = store.sweepNow();
        isDone = true;
    });
    int begun = 0;
    for (; !isDone || begun < 1000; ++begun) {
        const QByteArray key = keyOf("new-", begun);
        Outcome outcome = store.begin({"acme", "alice", key});
        ASSERT_EQ(kindOf(outcome), OutcomeKind::Fresh) << begun;
        Claim &claim = std::get<Fresh>(outcome).claim;
        if (begun % 2 == 0) {
            ASSERT_TRUE(claim.complete(Response {201, {}, key}));
        } else {
            claim.detach();
        }
    }
    sweeper.join();
    EXPECT_EQ(swept, std::uint64_t(expiring));
    EXPECT_GE(holds, expiring / maxRecordsPerHold);
    EXPECT_EQ(negative, 0);
    const Counters counters = store.counters();
    EXPECT_EQ(counters.expired, std::uint64_t(expiring));
    EXPECT_EQ(counters.records, std::uint64_t(begun));
    EXPECT_EQ(counters.state(State::Completed), std::uint64_t(begun + 1) / 2);
    EXPECT_EQ(counters.state(State::InProgress), std::uint64_t(begun) / 2);
    for (int i = 0; i < begun; ++i) {
        const QByteArray key = keyOf("new-", i);
        ASSERT_EQ(store.find({"acme", "alice", key})->state, i % 2 == 0 ? State::Completed : State::InProgress) << i;
    }
    EXPECT_EQ(store.sweepNow(), 0U);
}

TEST_F(SweepThreads, NoHoldRemovesMoreThanItsBound)
{
    // One shard: without the bound all would go in one hold.
    MemoryStore store(options({}, 1));
    endMany(store);
    std::uint64_t holds = 0;
    std::uint64_t before = 0;
    std::uint64_t most = 0;
    onHold = [&](std::chrono::nanoseconds) {
        ++holds;
        const std::uint64_t expired = store.counters().expired; // may be asked: no lock is held
        most = std::max(most, expired - before);
        before = expired;
    };
    clock.advance(24h);
    EXPECT_EQ(store.sweepNow(), std::uint64_t(expiring));
    EXPECT_GE(holds, expiring / maxRecordsPerHold);
    EXPECT_LE(most, maxRecordsPerHold);
    EXPECT_GT(most, 0U);
}

TEST_F(SweepThreads, LapsedLeasesAreMarkedWithinTheBoundToo)
{
    MemoryStore store(options({}, 1));
    constexpr int leases = 20'000;
    for (int i = 0; i < leases; ++i) {
        const QByteArray key = keyOf("held-", i);
        std::get<Fresh>(store.begin({"acme", "alice", key})).claim.detach();
    }
    const auto stream = store.subscribe(leases);
    std::size_t most = 0;
    std::size_t told = 0;
    onHold = [&](std::chrono::nanoseconds) {
        const std::size_t lapses = stream->take().events.size();
        most = std::max(most, lapses);
        told += lapses;
    };
    clock.advance(60s);
    EXPECT_EQ(store.sweepNow(), 0U);
    EXPECT_EQ(told, std::size_t(leases));
    EXPECT_LE(most, maxRecordsPerHold);
}

TEST_F(SweepThreads, SweepersShareTheWork)
{
    MemoryStore store(options({}));
    endMany(store);
    clock.advance(24h);
    std::atomic<std::uint64_t> swept = 0;
    {
        std::vector<std::jthread> sweepers;
        for (int i = 0; i < 4; ++i) {
            sweepers.emplace_back([&] { swept += store.sweepNow(); });
        }
    }
    EXPECT_EQ(swept, std::uint64_t(expiring)) << "each record is one sweeper's";
    EXPECT_EQ(store.counters().records, 0U);
}

TEST_F(SweepThreads, WhoBeginsAnExpiredKeyMeetsNoSweep)
{
    // The sweep and the next life of the same keys, at once: each expiry is counted once, by one of them.
    MemoryStore store(options({}));
    endMany(store);
    clock.advance(24h);
    std::atomic<std::uint64_t> swept = 0;
    std::jthread sweeper([&] { swept = store.sweepNow(); });
    constexpr int again = 20'000;
    for (int i = 0; i < again; ++i) {
        const QByteArray key = keyOf("old-", expiring - 1 - i);
        Outcome outcome = store.begin({"acme", "alice", key});
        ASSERT_EQ(kindOf(outcome), OutcomeKind::Fresh);
        ASSERT_EQ(std::get<Fresh>(outcome).attempt, 1U);
        std::get<Fresh>(outcome).claim.detach();
    }
    sweeper.join();
    EXPECT_LE(swept, std::uint64_t(expiring));
    EXPECT_GE(swept, std::uint64_t(expiring - again));
    EXPECT_EQ(store.counters().expired, std::uint64_t(expiring));
    EXPECT_EQ(store.counters().records, std::uint64_t(again));
    EXPECT_EQ(store.counters().state(State::InProgress), std::uint64_t(again));
}

} // namespace idem
