// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/scheduler.h"
#include "tests/support/manual_time.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>
#include <set>
#include <thread>
#include <vector>

namespace idem {

using namespace std::chrono_literals;

namespace {

Instant fromNow(Duration span)
{
    return SystemClock::instance().now() + span;
}

/// Ten times and more what anything here may take.
constexpr auto patience = 30s;

bool isReady(const std::future<void> &future)
{
    return future.wait_for(patience) == std::future_status::ready;
}

} // namespace

TEST(ThreadScheduler, RunsACallNotBeforeItsMoment)
{
    ThreadScheduler scheduler;
    std::promise<Instant> ran;
    const Instant when = fromNow(20ms);
    scheduler.callAt(when, [&] { ran.set_value(SystemClock::instance().now()); });
    auto future = ran.get_future();
    ASSERT_EQ(future.wait_for(patience), std::future_status::ready);
    EXPECT_GE(future.get(), when);
}

TEST(ThreadScheduler, RunsCallsInTheOrderOfTheirMomentsOnItsOwnThread)
{
    ThreadScheduler scheduler;
    std::vector<int> order; // only touched on the scheduler's thread until done
    std::set<std::thread::id> threads;
    std::promise<void> done;
    const Instant base = fromNow(50ms);
    scheduler.callAt(base + 3ms, [&] { order.push_back(3); });
    scheduler.callAt(base + 1ms, [&] { order.push_back(1); });
    scheduler.callAt(base + 2ms, [&] { order.push_back(2); });
    scheduler.callAt(base - 1h, [&] { threads.insert(std::this_thread::get_id()); });
    scheduler.callAt(base + 4ms, [&] {
        threads.insert(std::this_thread::get_id());
        done.set_value();
    });
    ASSERT_TRUE(isReady(done.get_future()));
    EXPECT_EQ(order, (std::vector {1, 2, 3}));
    EXPECT_EQ(threads.size(), 1U);
    EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
}

TEST(ThreadScheduler, ACancelledCallNeverRuns)
{
    ThreadScheduler scheduler;
    std::atomic<bool> ran = false;
    std::promise<void> later;
    const Instant when = fromNow(50ms);
    const TimerId id = scheduler.callAt(when, [&] { ran = true; });
    scheduler.callAt(when + 20ms, [&] { later.set_value(); });
    scheduler.cancel(id);
    scheduler.cancel(id);
    scheduler.cancel(0);
    scheduler.cancel(987'654);
    ASSERT_TRUE(isReady(later.get_future()));
    EXPECT_FALSE(ran);
}

TEST(ThreadScheduler, CancelWaitsForTheRunningCall)
{
    ThreadScheduler scheduler;
    std::latch started(1);
    std::atomic<bool> finished = false;
    const TimerId id = scheduler.callAt(fromNow(0ms), [&] {
        started.count_down();
        std::this_thread::sleep_for(50ms);
        finished = true;
    });
    started.wait();
    scheduler.cancel(id);
    EXPECT_TRUE(finished);
}

TEST(ThreadScheduler, CancelDoesNotWaitForAnotherCall)
{
    ThreadScheduler scheduler;
    std::latch started(1);
    std::latch release(1);
    scheduler.callAt(fromNow(0ms), [&] {
        started.count_down();
        release.wait();
    });
    const TimerId other = scheduler.callAt(fromNow(1h), [] {});
    started.wait();
    scheduler.cancel(other);
    release.count_down();
}

TEST(ThreadScheduler, ACallMayCancelItselfAndOthers)
{
    ThreadScheduler scheduler;
    std::promise<void> done;
    std::atomic<TimerId> own = 0;
    std::atomic<int> ticks = 0;
    std::latch ready(1);
    own = scheduler.every(1ms, [&] {
        ready.wait();
        if (++ticks == 3) {
            scheduler.cancel(own);
            done.set_value();
        }
    });
    ready.count_down();
    ASSERT_TRUE(isReady(done.get_future()));
    std::promise<void> later;
    scheduler.callAt(fromNow(20ms), [&] { later.set_value(); });
    ASSERT_TRUE(isReady(later.get_future()));
    EXPECT_EQ(ticks, 3);
}

TEST(ThreadScheduler, AnEarlierCallIsNotDelayedByALaterOne)
{
    ThreadScheduler scheduler;
    std::promise<void> ran;
    scheduler.callAt(fromNow(std::chrono::days(300)), [] { ADD_FAILURE() << "ran 300 days early"; });
    scheduler.callAt(Instant::max(), [] { ADD_FAILURE() << "ran at the end of time"; });
    scheduler.callAt(fromNow(5ms), [&] { ran.set_value(); });
    EXPECT_TRUE(isReady(ran.get_future()));
}

TEST(ThreadScheduler, AMomentInThePastMeansAtOnce)
{
    ThreadScheduler scheduler;
    std::promise<void> ran;
    scheduler.callAt(Instant::min(), [&] { ran.set_value(); });
    EXPECT_TRUE(isReady(ran.get_future()));
}

TEST(ThreadScheduler, ItsEndForgetsWhatIsLeft)
{
    std::atomic<bool> ran = false;
    {
        ThreadScheduler scheduler;
        scheduler.callAt(fromNow(1h), [&] { ran = true; });
        scheduler.every(1h, [&] { ran = true; });
    }
    EXPECT_FALSE(ran);
}

TEST(ThreadScheduler, ManyThreadsScheduleAndCancel)
{
    ThreadScheduler scheduler;
    std::atomic<int> ran = 0;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 8; ++t) {
            threads.emplace_back([&] {
                for (int i = 0; i < 500; ++i) {
                    scheduler.callAt(fromNow(0ms), [&] { ++ran; });
                    scheduler.cancel(scheduler.callAt(fromNow(1h), [&] { ran += 1'000'000; }));
                }
            });
        }
    }
    std::promise<void> last;
    scheduler.callAt(fromNow(1ms), [&] { last.set_value(); });
    ASSERT_TRUE(isReady(last.get_future()));
    EXPECT_EQ(ran, 4000);
}

TEST(ManualScheduler, RunsWhatComesDueAtItsOwnMoment)
{
    test::ManualClock clock;
    test::ManualScheduler scheduler(clock);
    const Instant start = clock.now();
    std::vector<Duration> ran;
    const auto note = [&] { ran.push_back(clock.now() - start); };
    scheduler.callAt(start + 30ms, note);
    scheduler.callAt(start + 10ms, [&] {
        note();
        scheduler.callAt(start + 20ms, note);
    });
    const TimerId tick = scheduler.every(25ms, note);
    scheduler.cancel(scheduler.callAt(start + 5ms, note));
    scheduler.advance(60ms);
    EXPECT_EQ(ran, (std::vector<Duration> {10ms, 20ms, 25ms, 30ms, 50ms}));
    EXPECT_EQ(clock.now(), start + 60ms);
    EXPECT_EQ(scheduler.pending(), 1U);
    scheduler.cancel(tick);
    EXPECT_EQ(scheduler.pending(), 0U);
}

} // namespace idem
