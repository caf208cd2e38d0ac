// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/scheduler.h"
#include "simulator/engine/event_queue.h"

#include <map>

namespace idem::sim {

/// The store's timers in virtual time: they are events of kind `timerKind` in the run's own queue, with the timer's id
/// as subject. Whoever pops one calls fire(). At one microsecond a timer comes after the ordinary events.
/// Thread-safety: unlike other schedulers, the run's thread only.
class VirtualScheduler final : public Scheduler
{
public:
    static constexpr std::uint8_t timerKind = 0;

    /// Both must outlive the scheduler.
    VirtualScheduler(EventQueue &queue, const Clock &clock);

    TimerId callAt(Instant when, std::function<void()> call) override;
    TimerId every(Duration interval, std::function<void()> call) override;
    void cancel(TimerId id) override;

    /// False once it was cancelled or has run for the last time: its event is void.
    [[nodiscard]] bool isPending(TimerId id) const;
    /// True for a timer of every(): it goes on for ever, so it keeps no run alive.
    [[nodiscard]] bool isBackground(TimerId id) const;
    /// How many calls of callAt() are to come.
    [[nodiscard]] std::size_t pendingCalls() const { return m_pendingCalls; }
    /// Runs a pending timer's call; a repeating one is pushed again. Precondition: isPending(id), and it is due now.
    void fire(TimerId id);

private:
    struct Timer
    {
        Duration interval {}; ///< 0: once
        std::function<void()> call {};
    };
    TimerId add(Instant when, Timer timer);

    EventQueue &m_queue;
    const Clock &m_clock;
    std::map<TimerId, Timer> m_timers;
    TimerId m_lastId = 0;
    std::size_t m_pendingCalls = 0;
};

} // namespace idem::sim
