// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/scheduler.h"

#include <atomic>
#include <map>
#include <mutex>
#include <optional>

namespace idem::test {

/// A clock that stands until it is moved. Thread-safe.
class ManualClock final : public Clock
{
public:
    [[nodiscard]] Instant now() const override { return Instant(Duration(m_now.load())); }
    [[nodiscard]] WallTime wallNow() const override { return WallTime(Duration(m_wall.load())); }

    void setNow(Instant now) { m_now = now.time_since_epoch().count(); }
    /// May go back, like civil time.
    void setWall(WallTime wall) { m_wall = wall.time_since_epoch().count(); }
    /// Both go on together.
    void advance(Duration span)
    {
        m_now += span.count();
        m_wall += span.count();
    }

private:
    std::atomic<Duration::rep> m_now {1'000'000'000};
    std::atomic<Duration::rep> m_wall {1'767'225'600'000'000}; // 2026-01-01T00:00:00Z
};

/// Runs its calls on the thread that advances the clock, in the order of their moments, each at its own.
/// Thread-safe, but for advance(), which is one thread's at a time.
class ManualScheduler final : public Scheduler
{
public:
    explicit ManualScheduler(ManualClock &clock)
        : m_clock(clock)
    {
    }

    TimerId callAt(Instant when, std::function<void()> call) override;
    TimerId every(Duration interval, std::function<void()> call) override;
    /// Never waits: advance() and cancel() are expected on one thread.
    void cancel(TimerId id) override;

    /// Moves the clock on by `span`, running what comes due on the way.
    void advance(Duration span);
    /// How many calls are scheduled.
    [[nodiscard]] std::size_t pending() const;

private:
    struct Call
    {
        TimerId id;
        std::optional<Duration> interval;
        std::function<void()> call;
    };

    TimerId add(Instant when, std::optional<Duration> interval, std::function<void()> call);
    std::function<void()> takeDue(Instant until);

    ManualClock &m_clock;
    mutable std::mutex m_mutex;
    TimerId m_nextId = 1;
    std::multimap<Instant, Call> m_calls; // of one moment: in the order in which they were added
};

} // namespace idem::test
