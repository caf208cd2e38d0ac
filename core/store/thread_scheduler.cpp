// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/scheduler.h"
#include "core/store/timer_part.h"

#include <QtGlobal>

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace idem {

namespace {

struct ScheduledCall
{
    Instant when;
    std::optional<Duration> interval; ///< none: runs once
    std::function<void()> call;
};

} // namespace

struct ThreadScheduler::Private
{
    explicit Private(const Clock &clock_)
        : clock(clock_)
    {
        thread = std::thread([this] { run(); });
    }

    ~Private()
    {
        Q_ASSERT(!isOnThread());
        {
            const std::lock_guard lock(mutex);
            isEnding = true;
            wake.notify_one();
        }
        thread.join();
    }

    [[nodiscard]] bool isOnThread() const { return std::this_thread::get_id() == thread.get_id(); }

    TimerId add(Instant when, std::optional<Duration> interval, std::function<void()> call)
    {
        const std::lock_guard lock(mutex);
        const TimerId id = nextId++;
        calls.emplace(id, ScheduledCall {when, interval, std::move(call)});
        const auto place = order.emplace(when, id).first;
        if (place == order.begin()) {
            wake.notify_one();
        }
        return id;
    }

    void cancel(TimerId id)
    {
        std::function<void()> forgotten; // destroyed without the lock: its captures may call back
        std::unique_lock lock(mutex);
        if (const auto found = calls.find(id); found != calls.end()) {
            order.erase({found->second.when, id});
            forgotten = std::move(found->second.call);
            calls.erase(found);
        }
        if (!isOnThread()) {
            finished.wait(lock, [&] { return running != id; });
        }
        lock.unlock();
    }

    void run()
    {
        std::unique_lock lock(mutex);
        while (!isEnding) {
            const Instant now = clock.now();
            if (order.empty()) {
                wake.wait(lock);
            } else if (order.begin()->first > now) {
                wake.wait_for(lock, timerPart(order.begin()->first - now));
            } else {
                runFirst(lock, now);
            }
        }
    }

    void runFirst(std::unique_lock<std::mutex> &lock, Instant now)
    {
        const TimerId id = order.begin()->second;
        order.erase(order.begin());
        const auto found = calls.find(id);
        std::function<void()> call;
        if (const auto interval = found->second.interval) {
            call = found->second.call;
            const Instant next = saturatingAdd(found->second.when, *interval);
            found->second.when = next > now ? next : saturatingAdd(now, *interval);
            order.emplace(found->second.when, id);
        } else {
            call = std::move(found->second.call);
            calls.erase(found);
        }
        running = id;
        lock.unlock();
        call();
        call = nullptr; // its captures go before cancel() returns
        lock.lock();
        running.reset();
        finished.notify_all();
    }

    const Clock &clock;
    std::mutex mutex; // guards what follows; never held while a call runs
    std::condition_variable wake;
    std::condition_variable finished;
    std::map<TimerId, ScheduledCall> calls;
    std::set<std::pair<Instant, TimerId>> order;
    TimerId nextId = 1;
    std::optional<TimerId> running;
    bool isEnding = false;
    std::thread thread; ///< set before the first call, then constant
};

ThreadScheduler::ThreadScheduler(const Clock &clock)
    : d(std::make_unique<Private>(clock))
{
}

ThreadScheduler::~ThreadScheduler() = default;

TimerId ThreadScheduler::callAt(Instant when, std::function<void()> call)
{
    return d->add(when, std::nullopt, std::move(call));
}

TimerId ThreadScheduler::every(Duration interval, std::function<void()> call)
{
    Q_ASSERT(interval > Duration::zero());
    return d->add(saturatingAdd(d->clock.now(), interval), interval, std::move(call));
}

void ThreadScheduler::cancel(TimerId id)
{
    d->cancel(id);
}

} // namespace idem
