// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory_store.h"
#include "tests/core/store/printing.h"
#include "tests/support/manual_time.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <latch>
#include <map>
#include <thread>
#include <vector>

namespace idem {

using namespace std::chrono_literals;

namespace {

QByteArray keyOf(int number)
{
    return "order-" + QByteArray::number(number);
}

/// Runs `work(thread)` on so many threads at once and waits for them all.
template <typename Work> void onThreads(int count, Work work)
{
    std::barrier start(count);
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < count; ++thread) {
        threads.emplace_back([&, thread] {
            start.arrive_and_wait();
            work(thread);
        });
    }
}

std::uint64_t sumOf(const auto &counts)
{
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts) {
        sum += count;
    }
    return sum;
}

Policy quick(Duration sweepInterval = 1ms)
{
    Policy policy;
    policy.sweepInterval = sweepInterval;
    return policy;
}

} // namespace

TEST(Races, SixtyFourThreadsOneEffectForEachKey)
{
    constexpr int threads = 64;
    constexpr int keys = 1000;
    MemoryStore store;
    std::vector<std::atomic<int>> effects(keys);
    std::atomic<int> replaysOfOtherBodies = 0;
    onThreads(threads, [&](int thread) {
        for (int i = 0; i < keys; ++i) {
            const int number = (i + thread * 7) % keys;
            const QByteArray key = keyOf(number);
            Outcome outcome = store.begin({"acme", "alice", key});
            if (Fresh *fresh = std::get_if<Fresh>(&outcome)) {
                ++effects[std::size_t(number)];
                EXPECT_TRUE(fresh->claim.complete(Response {201, {}, key}));
            } else if (const Replay *replay = std::get_if<Replay>(&outcome)) {
                replaysOfOtherBodies += replay->response->body() == key ? 0 : 1;
            } else {
                EXPECT_EQ(kindOf(outcome), OutcomeKind::InProgress);
            }
        }
    });
    for (int i = 0; i < keys; ++i) {
        ASSERT_EQ(effects[std::size_t(i)], 1) << i;
    }
    EXPECT_EQ(replaysOfOtherBodies, 0);
    const Counters counters = store.counters();
    EXPECT_EQ(sumOf(counters.outcomes), std::uint64_t(threads * keys));
    EXPECT_EQ(counters.outcome(OutcomeKind::Fresh), std::uint64_t(keys));
    EXPECT_EQ(counters.state(State::Completed), std::uint64_t(keys));
    EXPECT_EQ(counters.records, std::uint64_t(keys));
}

TEST(Races, WaitersAllLearnTheOneResult)
{
    constexpr int threads = 32;
    constexpr int keys = 100;
    MemoryStore store;
    std::vector<std::atomic<int>> effects(keys);
    onThreads(threads, [&](int) {
        for (int i = 0; i < keys; ++i) {
            const QByteArray key = keyOf(i);
            Outcome outcome = store.begin({"acme", "alice", key, {}, {}, {}, {}, 30s});
            if (Fresh *fresh = std::get_if<Fresh>(&outcome)) {
                ++effects[std::size_t(i)];
                std::this_thread::yield();
                EXPECT_TRUE(fresh->claim.complete(Response {201, {}, key}));
            } else {
                ASSERT_EQ(kindOf(outcome), OutcomeKind::Replay);
                EXPECT_EQ(std::get<Replay>(outcome).response->body(), key);
            }
        }
    });
    for (const auto &count : effects) {
        EXPECT_EQ(count, 1);
    }
    EXPECT_EQ(store.counters().waiting, 0U);
}

TEST(Races, NoWakeUpIsLostWhenEveryHolderGivesBack)
{
    constexpr int threads = 16;
    constexpr int rounds = 200;
    MemoryStore store;
    std::atomic<int> holders = 0;
    std::atomic<int> turns = 0;
    onThreads(threads, [&](int) {
        for (int i = 0; i < rounds; ++i) {
            Outcome outcome = store.begin({"acme", "alice", "one key", {}, {}, {}, {}, 30s});
            ASSERT_EQ(kindOf(outcome), OutcomeKind::Fresh);
            EXPECT_EQ(++holders, 1) << "two owners at once";
            ++turns;
            --holders;
            EXPECT_TRUE(std::get<Fresh>(outcome).claim.release());
        }
    });
    EXPECT_EQ(turns, threads * rounds);
    EXPECT_EQ(store.counters().waiting, 0U);
    EXPECT_EQ(store.counters().released, std::uint64_t(threads * rounds));
}

TEST(Races, AWaitersDeadlineHoldsUnderContention)
{
    MemoryStore store;
    std::atomic<bool> stop = false;
    std::vector<std::jthread> stealers;
    for (int i = 0; i < 8; ++i) {
        stealers.emplace_back([&] {
            while (!stop) {
                static_cast<void>(store.begin({"acme", "alice", "one key", {}, {}, {}, {}, 10ms}));
            }
        });
    }
    for (int i = 0; i < 10; ++i) {
        const auto start = std::chrono::steady_clock::now();
        static_cast<void>(store.begin({"acme", "alice", "one key", {}, {}, {}, {}, 50ms}));
        EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
    }
    stop = true;
}

TEST(Races, CloseWakesSleepersWhateverTheyWaitFor)
{
    MemoryStore store;
    Ownership held = std::get<Fresh>(store.begin({"acme", "alice", "held"})).claim.detach();
    std::latch asleep(8);
    std::atomic<int> closed = 0;
    std::vector<std::jthread> sleepers;
    for (int i = 0; i < 8; ++i) {
        sleepers.emplace_back([&] {
            asleep.count_down();
            const Outcome outcome = store.begin({"acme", "alice", "held", {}, {}, {}, {}, 30s});
            closed += kindOf(outcome) == OutcomeKind::Rejected ? 1 : 0;
        });
    }
    asleep.wait();
    store.close();
    sleepers.clear();
    EXPECT_EQ(closed, 8);
    EXPECT_EQ(store.counters().waiting, 0U);
}

TEST(Races, AStoreMayGoWhileItsTimersRun)
{
    for (int i = 0; i < 50; ++i) {
        std::atomic<int> told = 0;
        {
            MemoryStore store({.policy = quick(100us)});
            std::get<Fresh>(store.begin({"acme", "alice", "held"})).claim.detach();
            for (int w = 0; w < 20; ++w) {
                store.beginAsync(
                    {"acme", "alice", "held", {}, {}, {}, {}, Duration(w * 100)}, [&told](const Outcome &) { ++told; });
            }
            std::this_thread::sleep_for(500us);
        }
        EXPECT_EQ(told, 20);
    }
}

TEST(Races, SweepsDuringBulkAbandon)
{
    constexpr int keys = 20'000;
    test::ManualClock clock;
    Policy policy = quick();
    policy.ttl = 0s;
    MemoryStore store({.policy = policy, .clock = &clock});
    std::vector<Ownership> owners;
    for (int i = 0; i < keys; ++i) {
        owners.push_back(std::get<Fresh>(store.begin({"acme", "alice", keyOf(i)})).claim.detach());
    }
    std::atomic<std::uint64_t> swept = 0;
    std::atomic<int> abandoned = 0;
    std::atomic<bool> done = false;
    std::jthread sweeper([&] {
        while (!done) {
            swept += store.sweepNow();
        }
    });
    std::jthread second([&] {
        while (!done) {
            swept += store.sweepNow();
        }
    });
    onThreads(4, [&](int thread) {
        for (int i = thread; i < keys; i += 4) {
            AbandonRequest request;
            request.expectedFence = owners[std::size_t(i)].fence;
            request.reason = QStringLiteral("bulk");
            abandoned += store.abandon(owners[std::size_t(i)].identity, request) ? 1 : 0;
        }
    });
    done = true;
    sweeper.join();
    second.join();
    store.sweepNow();
    EXPECT_EQ(abandoned, keys);
    const Counters counters = store.counters();
    EXPECT_EQ(counters.expired, std::uint64_t(keys));
    EXPECT_LE(swept, counters.expired) << "the store's own sweeps take some";
    EXPECT_EQ(counters.records, 0U);
}

TEST(Races, ExpiryKeepsUpWithConstantLoad)
{
    Policy policy = quick();
    policy.ttl = 1ms;
    MemoryStore store({.policy = policy});
    std::uint64_t most = 0;
    for (int i = 0; i < 50'000; ++i) {
        Outcome outcome = store.begin({"acme", "alice", keyOf(i)});
        ASSERT_TRUE(std::get<Fresh>(outcome).claim.complete(Response {201, {}, {}}));
        if (i % 1000 == 0) {
            most = std::max(most, store.counters().records);
        }
    }
    EXPECT_LT(most, 40'000U) << "swept while it worked";
    EXPECT_GT(store.counters().expired, 0U);
}

TEST(Races, CountersAreOneSnapshotWhileEverythingMoves)
{
    MemoryStore store({.policy = quick()});
    std::atomic<bool> done = false;
    std::jthread reader([&] {
        while (!done) {
            const Counters counters = store.counters();
            EXPECT_EQ(sumOf(counters.byState), counters.records);
            EXPECT_EQ(counters.completed, counters.state(State::Completed));
            EXPECT_EQ(counters.outcome(OutcomeKind::Fresh),
                counters.completed + counters.released + counters.state(State::InProgress));
        }
    });
    onThreads(4, [&](int thread) {
        for (int i = 0; i < 3000; ++i) {
            Outcome outcome = store.begin({"acme", "alice", keyOf(thread * 100'000 + i)});
            if (i % 3 != 0) {
                EXPECT_TRUE(std::get<Fresh>(outcome).claim.complete(Response {201, {}, {}}));
            }
        }
    });
    done = true;
}

TEST(Races, EventsOfOneRecordKeepTheirOrder)
{
    MemoryStore store({.policy = quick()});
    const auto stream = store.subscribe(1'000'000);
    onThreads(8, [&](int) {
        for (int i = 0; i < 500; ++i) {
            static_cast<void>(store.begin({"acme", "alice", keyOf(i % 5)})); // the guard releases at once
        }
    });
    const auto batch = stream->take();
    EXPECT_EQ(batch.missed, 0U);
    std::map<Identity, Fence> last;
    std::map<Identity, State> state;
    for (std::size_t i = 0; i < batch.events.size(); ++i) {
        const StoreEvent &event = batch.events[i];
        ASSERT_EQ(event.sequence, i + 1);
        ASSERT_GE(event.fence, last[event.identity]);
        if (event.outcome == OutcomeKind::Fresh) {
            ASSERT_GT(event.fence, last[event.identity]);
            ASSERT_TRUE(!state.contains(event.identity) || state[event.identity] == State::Abandoned);
        }
        last[event.identity] = event.fence;
        state[event.identity] = event.state;
    }
}

TEST(Races, TheCapHoldsUnderContention)
{
    Policy policy = quick();
    policy.maxRecords = 100;
    MemoryStore store({.policy = policy});
    std::atomic<int> fresh = 0;
    onThreads(8, [&](int thread) {
        for (int i = 0; i < 100; ++i) {
            Outcome outcome = store.begin({"acme", "alice", keyOf(thread * 1000 + i)});
            if (Fresh *owned = std::get_if<Fresh>(&outcome)) {
                owned->claim.detach();
                ++fresh;
            } else {
                EXPECT_EQ(std::get<Rejected>(outcome).reason, RejectReason::AtCapacity);
            }
        }
    });
    EXPECT_EQ(fresh, 100);
    EXPECT_EQ(store.counters().records, 100U);
}

TEST(Races, AnyNumberOfShards)
{
    for (const int shards : {1, 2, 4096}) {
        MemoryStore store({.shards = shards});
        onThreads(4, [&](int) {
            for (int i = 0; i < 500; ++i) {
                Outcome outcome = store.begin({"acme", "alice", keyOf(i)});
                if (Fresh *fresh = std::get_if<Fresh>(&outcome)) {
                    EXPECT_TRUE(fresh->claim.complete(Response {201, {}, {}}));
                }
            }
        });
        EXPECT_EQ(store.counters().completed, 500U);
        EXPECT_EQ(store.list({.limit = 1000})->records.size(), 500U);
    }
}

TEST(Races, FindingByIdWhileRecordsComeAndGo)
{
    MemoryStore store({.policy = quick()});
    for (int i = 0; i < 2000; ++i) {
        std::get<Fresh>(store.begin({"acme", "alice", keyOf(i)})).claim.detach();
    }
    std::vector<RecordId> ids;
    const auto page = store.list({.limit = 2000});
    for (const RecordView &view : page->records) {
        ids.push_back(view.id);
    }
    onThreads(4, [&](int thread) {
        for (int i = 0; i < 250; ++i) {
            if (thread % 2 == 0) {
                EXPECT_TRUE(store.find(ids[std::size_t(i * 7)]));
            } else {
                const QByteArray key = keyOf(10'000 + thread * 1000 + i);
                Ownership owner = std::get<Fresh>(store.begin({"acme", "alice", key})).claim.detach();
                EXPECT_TRUE(store.find(store.find(owner.identity)->id));
                EXPECT_TRUE(store.release(owner));
                EXPECT_TRUE(store.purge(owner.identity, owner.fence, QStringLiteral("done")));
            }
        }
    });
    EXPECT_EQ(store.counters().records, 2000U);
}

} // namespace idem
