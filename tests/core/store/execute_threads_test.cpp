// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/execute.h"
#include "core/store/memory_store.h"
#include "tests/core/store/printing.h"
#include "tests/support/manual_time.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>
#include <pthread.h>
#include <stdexcept>
#include <thread>
#include <vector>

namespace idem {

using namespace std::chrono_literals;

namespace {

BeginRequest asking(Duration wait = {})
{
    return {.tenant = "acme", .caller = "alice", .key = "order-1", .fingerprint = "v1:payload", .wait = wait};
}

Response created(const QByteArray &body = "once")
{
    return {201, {}, body};
}

Response unexpectedRun(Execution & /*execution*/)
{
    ADD_FAILURE() << "the operation ran";
    return {};
}

template <typename Reason> bool isBecause(const ExecuteResult &result)
{
    return !result && std::holds_alternative<Reason>(result.error());
}

/// A memory store on a clock that stands until the test moves it.
class ExecuteThreads : public testing::Test
{
protected:
    ExecuteThreads() { open({}); }

    void open(const Policy &policy)
    {
        m_store.reset();
        m_store = std::make_unique<MemoryStore>(
            MemoryStoreOptions {.policy = policy, .clock = &m_clock, .scheduler = &m_scheduler});
    }
    MemoryStore &store() { return *m_store; }
    void advance(Duration span) { m_scheduler.advance(span); }

    /// Returns when so many calls wait.
    void awaitWaiters(std::uint64_t count)
    {
        const auto limit = std::chrono::steady_clock::now() + 60s;
        while (store().counters().waiting != count) {
            ASSERT_LT(std::chrono::steady_clock::now(), limit);
            std::this_thread::sleep_for(100us);
        }
    }

    /// A call on a thread of its own that holds the key until `end` is counted down, then ends as `ending` does.
    std::future<ExecuteResult> lead(std::latch &end, Operation ending)
    {
        std::promise<void> running;
        std::future<void> isRunning = running.get_future();
        auto leader = std::async(std::launch::async, [this, &end, &running, ending = std::move(ending)] {
            return execute(store(), asking(), [&](Execution &execution) {
                running.set_value();
                end.wait();
                return ending(execution);
            });
        });
        isRunning.wait();
        return leader;
    }
    std::future<ExecuteResult> follow(Operation operation, Duration wait = 10s)
    {
        return std::async(std::launch::async,
            [this, wait, operation = std::move(operation)] { return execute(store(), asking(wait), operation); });
    }

    /// Expects of two waiters behind a leader that ends without an answer that one runs and both get its answer.
    void expectWaitersTakeOverFrom(const std::function<void(std::latch &)> &leadAndEnd);

private:
    test::ManualClock m_clock;
    test::ManualScheduler m_scheduler {m_clock};
    std::unique_ptr<MemoryStore> m_store;
};

} // namespace

TEST_F(ExecuteThreads, AHundredWaitersGetTheOneResult)
{
    Policy policy;
    policy.maxWaitersPerKey = 100;
    open(policy);
    std::latch end(1);
    auto leader = lead(end, [](Execution &) { return created(); });
    std::vector<std::future<ExecuteResult>> waiters;
    for (int i = 0; i < 100; ++i) {
        waiters.push_back(follow(unexpectedRun));
    }
    awaitWaiters(100);
    end.count_down();
    const ExecuteResult own = leader.get();
    ASSERT_TRUE(own);
    EXPECT_FALSE(own->shared);
    for (auto &waiter : waiters) {
        const ExecuteResult result = waiter.get();
        ASSERT_TRUE(result);
        EXPECT_TRUE(result->shared);
        EXPECT_EQ(*result->response, created());
    }
    EXPECT_EQ(store().counters().outcome(OutcomeKind::Fresh), 1U);
    EXPECT_EQ(store().counters().waiting, 0U);
}

TEST_F(ExecuteThreads, CallersAtOnceRunOnceForEachKey)
{
    constexpr int threads = 16;
    constexpr int keys = 50;
    MemoryStore real;
    std::vector<std::atomic<int>> runs(keys);
    {
        std::vector<std::jthread> callers;
        for (int thread = 0; thread < threads; ++thread) {
            callers.emplace_back([&] {
                for (int i = 0; i < keys; ++i) {
                    const QByteArray key = "order-" + QByteArray::number(i);
                    const BeginRequest request {.tenant = "acme", .caller = "alice", .key = key, .wait = 30s};
                    const ExecuteResult result = execute(real, request, [&](Execution &) {
                        ++runs[std::size_t(i)];
                        std::this_thread::yield();
                        return created(key);
                    });
                    ASSERT_TRUE(result);
                    EXPECT_EQ(result->response->body(), key);
                }
            });
        }
    }
    for (const auto &count : runs) {
        EXPECT_EQ(count, 1);
    }
}

void ExecuteThreads::expectWaitersTakeOverFrom(const std::function<void(std::latch &)> &leadAndEnd)
{
    std::latch holding(1);
    std::jthread leader([&] { leadAndEnd(holding); });
    holding.wait();
    std::atomic<int> runs = 0;
    const Operation operation = [&runs](Execution &) {
        ++runs;
        return created("the waiter's");
    };
    auto first = follow(operation);
    auto second = follow(operation);
    leader.join();
    int shared = 0;
    for (auto *waiter : {&first, &second}) {
        ASSERT_EQ(waiter->wait_for(60s), std::future_status::ready) << "left behind by an ended leader";
        const ExecuteResult result = waiter->get();
        ASSERT_TRUE(result);
        EXPECT_EQ(result->response->body(), "the waiter's") << "never an empty success";
        shared += result->shared ? 1 : 0;
    }
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(shared, 1);
}

namespace {

/// Holds the key until both waiters wait.
template <typename Ending> Operation holding(std::latch &isHeld, const MemoryStore &store, Ending ending)
{
    return [&isHeld, &store, ending](Execution &) -> Response {
        isHeld.count_down();
        while (store.counters().waiting < 2) {
            std::this_thread::sleep_for(100us);
        }
        return ending();
    };
}

} // namespace

TEST_F(ExecuteThreads, WaitersGoOnAfterALeadersException)
{
    expectWaitersTakeOverFrom([this](std::latch &isHeld) {
        auto leader = std::async(std::launch::async, [&] {
            const auto ending = []() -> Response { throw std::runtime_error("no route"); };
            return execute(store(), asking(), holding(isHeld, store(), ending));
        });
        EXPECT_THROW(static_cast<void>(leader.get()), std::runtime_error);
    });
}

TEST_F(ExecuteThreads, WaitersGoOnAfterALeadersThrownInt)
{
    expectWaitersTakeOverFrom([this](std::latch &isHeld) {
        std::packaged_task<ExecuteResult()> task([&] {
            const auto ending = []() -> Response { throw 7; };
            return execute(store(), asking(), holding(isHeld, store(), ending));
        });
        auto leader = task.get_future();
        std::jthread(std::move(task)).join();
        EXPECT_THROW(static_cast<void>(leader.get()), int);
    });
}

TEST_F(ExecuteThreads, WaitersGoOnAfterALeadersThreadExits)
{
    expectWaitersTakeOverFrom([this](std::latch &isHeld) {
        struct Exiting
        {
            MemoryStore *store;
            std::latch *isHeld;
        } exiting {&store(), &isHeld};
        pthread_t thread {};
        const auto run = [](void *argument) -> void * {
            const auto *leader = static_cast<Exiting *>(argument);
            const auto ending = []() -> Response { pthread_exit(nullptr); };
            static_cast<void>(execute(*leader->store, asking(), holding(*leader->isHeld, *leader->store, ending)));
            ADD_FAILURE() << "the thread went on";
            return nullptr;
        };
        ASSERT_EQ(pthread_create(&thread, nullptr, run, &exiting), 0);
        ASSERT_EQ(pthread_join(thread, nullptr), 0);
    });
}

TEST_F(ExecuteThreads, WaitersRunInTurnWhileAnswersAreNotFinal)
{
    std::latch end(1);
    std::atomic<int> running = 0;
    std::atomic<int> runs = 0;
    const Operation busy = [&](Execution &) {
        EXPECT_EQ(++running, 1) << "two at once";
        const int number = ++runs;
        std::this_thread::yield();
        --running;
        return Response {503, {}, QByteArray::number(number)};
    };
    auto leader = lead(end, busy);
    std::vector<std::future<ExecuteResult>> waiters;
    for (int i = 0; i < 10; ++i) {
        waiters.push_back(follow(busy));
    }
    awaitWaiters(10);
    end.count_down();
    ASSERT_TRUE(leader.get());
    for (auto &waiter : waiters) {
        const ExecuteResult result = waiter.get();
        ASSERT_TRUE(result);
        EXPECT_EQ(result->response->status(), 503);
        EXPECT_FALSE(result->shared);
        EXPECT_FALSE(result->stored);
    }
    EXPECT_EQ(runs, 11);
}

TEST_F(ExecuteThreads, AWaitEndsAtItsDeadlineHoweverContendedTheKey)
{
    std::latch end(1);
    auto leader = lead(end, [](Execution &) { return created(); });
    auto victim = follow(unexpectedRun, 3s);
    awaitWaiters(1);
    std::atomic<bool> stop = false;
    std::vector<std::jthread> contenders;
    for (int i = 0; i < 20; ++i) {
        contenders.emplace_back([&] {
            while (!stop) {
                EXPECT_TRUE(isBecause<InProgress>(execute(store(), asking(), unexpectedRun)));
                std::this_thread::yield();
            }
        });
    }
    advance(3s - 1us);
    EXPECT_EQ(store().counters().waiting, 1U);
    advance(1us);
    ASSERT_EQ(victim.wait_for(60s), std::future_status::ready);
    EXPECT_TRUE(isBecause<InProgress>(victim.get()));
    stop = true;
    contenders.clear();
    end.count_down();
    EXPECT_TRUE(leader.get());
}

TEST_F(ExecuteThreads, AWaitIsBoundedWhileOthersStealAndGiveBack)
{
    MemoryStore real;
    std::atomic<bool> stop = false;
    std::latch started(20);
    std::vector<std::jthread> stealers;
    for (int i = 0; i < 20; ++i) {
        stealers.emplace_back([&] {
            started.count_down();
            while (!stop) {
                const ExecuteResult result = execute(real, asking(10ms), [](Execution &) { return Response {503}; });
                EXPECT_TRUE(result || isBecause<InProgress>(result));
            }
        });
    }
    started.wait();
    for (int i = 0; i < 5; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const ExecuteResult result = execute(real, asking(200ms), [](Execution &) { return Response {503}; });
        EXPECT_TRUE(result || isBecause<InProgress>(result));
        EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
    }
    stop = true;
}

TEST_F(ExecuteThreads, AWaiterTakesOverAtTheLeasesEndAndTheLateResultIsStale)
{
    Policy policy;
    policy.lease = 5s;
    open(policy);
    std::latch end(1);
    auto leader = lead(end, [](Execution &) { return created("late"); });
    auto heir = follow([](Execution &execution) {
        EXPECT_EQ(execution.attempt(), 2U);
        return created("in time");
    });
    awaitWaiters(1);
    advance(5s - 1us);
    EXPECT_EQ(store().counters().waiting, 1U);
    advance(1us);
    const ExecuteResult taken = heir.get();
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->response->body(), "in time");
    EXPECT_FALSE(taken->shared);
    end.count_down();
    const ExecuteResult late = leader.get();
    ASSERT_TRUE(isBecause<RefusedResult>(late));
    EXPECT_EQ(std::get<RefusedResult>(late.error()).error.code, StoreErrorCode::StaleOwner);
}

TEST_F(ExecuteThreads, CloseWakesWaiters)
{
    std::latch end(1);
    auto leader = lead(end, [](Execution &) { return created(); });
    auto waiter = follow(unexpectedRun);
    awaitWaiters(1);
    store().close();
    const ExecuteResult woken = waiter.get();
    ASSERT_TRUE(isBecause<Rejected>(woken));
    EXPECT_EQ(std::get<Rejected>(woken.error()).reason, RejectReason::Closed);
    end.count_down();
    EXPECT_TRUE(isBecause<RefusedResult>(leader.get()));
}

TEST_F(ExecuteThreads, AWaiterOnItsOwnKeyIsWokenByItsDeadline)
{
    auto recursive = follow([this](Execution &) {
        EXPECT_TRUE(isBecause<InProgress>(execute(store(), asking(3s), unexpectedRun)));
        return created();
    });
    awaitWaiters(1);
    advance(3s);
    EXPECT_TRUE(recursive.get());
}

TEST_F(ExecuteThreads, GoSeedsWaitersOfAThrowReturnAnEmptySuccess)
{
    Policy policy;
    policy.semantics.emptyResultAfterThrow = true;
    open(policy);
    std::latch end(1);
    auto leader = lead(end, [](Execution &) -> Response { throw std::runtime_error("panic"); });
    auto waiter = follow(unexpectedRun);
    awaitWaiters(1);
    end.count_down();
    EXPECT_THROW(static_cast<void>(leader.get()), std::runtime_error);
    const ExecuteResult result = waiter.get();
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->shared);
    EXPECT_EQ(*result->response, (Response {200, {}, {}}));
}

} // namespace idem
