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

// The caps while many threads push against them at once.

namespace {

constexpr int threads = 4;
constexpr int keysOfEach = 3000;

QByteArray keyOf(int thread, int number)
{
    return "order-" + QByteArray::number(thread * 1'000'000 + number);
}

class CapacityThreads : public testing::Test
{
protected:
    static MemoryStoreOptions options(const Policy &policy, test::ManualClock &clock, test::ManualScheduler &scheduler)
    {
        MemoryStoreOptions options;
        options.policy = policy;
        options.policy.sweepInterval = maxPolicyDuration;
        options.clock = &clock;
        options.scheduler = &scheduler;
        return options;
    }
    /// Every thread begins and completes keys of its own, while this one watches the counters.
    void run(MemoryStore &store, qsizetype bodyBytes)
    {
        const QByteArray body(bodyBytes, 'b');
        std::atomic<int> working = threads;
        {
            std::vector<std::jthread> workers;
            for (int thread = 0; thread < threads; ++thread) {
                workers.emplace_back([&, thread] {
                    for (int i = 0; i < keysOfEach; ++i) {
                        use(store, keyOf(thread, i), body);
                    }
                    --working;
                });
            }
            while (working > 0) {
                const Counters counters = store.counters();
                mostBytes = std::max(mostBytes, counters.bytes);
                mostRecords = std::max(mostRecords, counters.records);
                std::this_thread::yield();
            }
        }
    }

    std::uint64_t mostBytes = 0;
    std::uint64_t mostRecords = 0;
    std::atomic<std::uint64_t> fresh = 0;
    std::atomic<std::uint64_t> omitted = 0;
    std::atomic<std::uint64_t> refused = 0;
    test::ManualClock clock;
    test::ManualScheduler scheduler {clock};

private:
    void use(MemoryStore &store, const QByteArray &key, const QByteArray &body)
    {
        Outcome outcome = store.begin({"acme", "alice", key});
        if (Fresh *owned = std::get_if<Fresh>(&outcome)) {
            ++fresh;
            const auto completion = owned->claim.complete(Response {200, {}, body});
            EXPECT_TRUE(completion);
            omitted += completion && completion->bodyOmitted ? 1 : 0;
        } else {
            EXPECT_EQ(std::get<Rejected>(outcome).reason, RejectReason::AtCapacity);
            ++refused;
        }
    }
};

} // namespace

TEST_F(CapacityThreads, WhoEvictsKeepsItsAnswerAndTheCap)
{
    Policy policy;
    policy.maxBytes = 4'000'000;
    policy.atCapacity = AtCapacity::EvictOldest;
    MemoryStore store(options(policy, clock, scheduler));
    run(store, 50'000);
    EXPECT_LE(mostBytes, std::uint64_t(*policy.maxBytes));
    EXPECT_EQ(fresh, std::uint64_t(threads * keysOfEach));
    EXPECT_EQ(omitted, 0U) << "there was always somebody to go";
    EXPECT_EQ(refused, 0U);
    const Counters counters = store.counters();
    EXPECT_EQ(counters.records + counters.evicted, fresh);
    EXPECT_GT(counters.evicted, 0U);
    clock.advance(24h);
    EXPECT_EQ(store.sweepNow(), counters.records);
    EXPECT_EQ(store.counters().bytes, 0U);
}

TEST_F(CapacityThreads, WhoIsRefusedLeavesNoByte)
{
    Policy policy;
    policy.maxBytes = 4'000'000;
    MemoryStore store(options(policy, clock, scheduler));
    run(store, 1000);
    EXPECT_LE(mostBytes, std::uint64_t(*policy.maxBytes));
    EXPECT_EQ(fresh + refused, std::uint64_t(threads * keysOfEach));
    EXPECT_GT(refused, 0U);
    EXPECT_EQ(store.counters().records, fresh);
    clock.advance(24h);
    EXPECT_EQ(store.sweepNow(), fresh);
    EXPECT_EQ(store.counters().bytes, 0U);
    // All of the room is there again.
    Outcome outcome = store.begin({"acme", "alice", "large"});
    const auto completion = std::get<Fresh>(outcome).claim.complete(Response {200, {}, QByteArray(1'000'000, 'x')});
    EXPECT_FALSE(completion.value().bodyOmitted);
}

TEST_F(CapacityThreads, RecordsAreEvictedOneForOne)
{
    Policy policy;
    policy.maxRecords = 500;
    policy.atCapacity = AtCapacity::EvictOldest;
    MemoryStore store(options(policy, clock, scheduler));
    run(store, 10);
    EXPECT_LE(mostRecords, 500U);
    EXPECT_EQ(refused, 0U);
    const Counters counters = store.counters();
    EXPECT_EQ(counters.records + counters.evicted, fresh);
    EXPECT_LE(counters.records, 500U);
    EXPECT_GE(counters.records, 500U - threads);
}

} // namespace idem
