// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/manual_time.h"

#include <algorithm>

namespace idem::test {

TimerId ManualScheduler::callAt(Instant when, std::function<void()> call)
{
    return add(when, std::nullopt, std::move(call));
}

TimerId ManualScheduler::every(Duration interval, std::function<void()> call)
{
    return add(saturatingAdd(m_clock.now(), interval), interval, std::move(call));
}

TimerId ManualScheduler::add(Instant when, std::optional<Duration> interval, std::function<void()> call)
{
    const std::lock_guard lock(m_mutex);
    const TimerId id = m_nextId++;
    m_calls.emplace(when, Call {id, interval, std::move(call)});
    return id;
}

void ManualScheduler::cancel(TimerId id)
{
    std::function<void()> forgotten; // destroyed without the lock
    const std::lock_guard lock(m_mutex);
    const auto found = std::find_if(m_calls.begin(), m_calls.end(), [id](const auto &e) { return e.second.id == id; });
    if (found != m_calls.end()) {
        forgotten = std::move(found->second.call);
        m_calls.erase(found);
    }
}

std::function<void()> ManualScheduler::takeDue(Instant until)
{
    const std::lock_guard lock(m_mutex);
    const auto first = m_calls.begin();
    if (first == m_calls.end() || first->first > until) {
        return nullptr;
    }
    if (first->first > m_clock.now()) {
        m_clock.advance(first->first - m_clock.now());
    }
    auto node = m_calls.extract(first);
    if (!node.mapped().interval) {
        return std::move(node.mapped().call);
    }
    std::function<void()> call = node.mapped().call;
    node.key() = saturatingAdd(node.key(), *node.mapped().interval);
    m_calls.insert(std::move(node));
    return call;
}

void ManualScheduler::advance(Duration span)
{
    const Instant until = saturatingAdd(m_clock.now(), span);
    while (const auto call = takeDue(until)) {
        call();
    }
    if (m_clock.now() < until) {
        m_clock.advance(until - m_clock.now());
    }
}

std::size_t ManualScheduler::pending() const
{
    const std::lock_guard lock(m_mutex);
    return m_calls.size();
}

} // namespace idem::test
