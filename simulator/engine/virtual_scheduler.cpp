// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/virtual_scheduler.h"

#include <algorithm>
#include <utility>

namespace idem::sim {

VirtualScheduler::VirtualScheduler(EventQueue &queue, const Clock &clock)
    : m_queue(queue)
    , m_clock(clock)
{
}

TimerId VirtualScheduler::add(Instant when, Timer timer)
{
    const TimerId id = ++m_lastId;
    m_timers.emplace(id, std::move(timer));
    m_queue.push({.at = std::max(when, m_clock.now()), .subject = id, .kind = timerKind}, Tie::TimeOut);
    return id;
}

TimerId VirtualScheduler::callAt(Instant when, std::function<void()> call)
{
    ++m_pendingCalls;
    return add(when, {.interval = {}, .call = std::move(call)});
}

TimerId VirtualScheduler::every(Duration interval, std::function<void()> call)
{
    Q_ASSERT(interval > Duration::zero());
    return add(saturatingAdd(m_clock.now(), interval), {.interval = interval, .call = std::move(call)});
}

void VirtualScheduler::cancel(TimerId id)
{
    const auto timer = m_timers.find(id);
    if (timer == m_timers.end()) {
        return;
    }
    if (timer->second.interval == Duration::zero()) {
        --m_pendingCalls;
    }
    m_timers.erase(timer);
}

bool VirtualScheduler::isPending(TimerId id) const
{
    return m_timers.contains(id);
}

bool VirtualScheduler::isBackground(TimerId id) const
{
    const auto timer = m_timers.find(id);
    return timer != m_timers.end() && timer->second.interval > Duration::zero();
}

void VirtualScheduler::fire(TimerId id)
{
    const auto timer = m_timers.find(id);
    Q_ASSERT(timer != m_timers.end());
    if (timer->second.interval > Duration::zero()) {
        m_queue.push({.at = saturatingAdd(m_clock.now(), timer->second.interval), .subject = id, .kind = timerKind},
            Tie::TimeOut);
        // A copy, because the call may cancel its own timer.
        const std::function<void()> call = timer->second.call;
        call();
        return;
    }
    const std::function<void()> call = std::move(timer->second.call);
    --m_pendingCalls;
    m_timers.erase(timer);
    call();
}

} // namespace idem::sim
