// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/section.h"

#include "core/store/memory/engine.h"

#include <deque>

namespace idem::memory {

namespace {

/// The callbacks that one thread still has to make for one engine. A callback that ends a claim wakes the next waiter:
/// queueing it here, instead of calling it from inside, keeps the stack flat however many wait.
struct PendingCalls
{
    const Engine *engine;
    std::deque<Wakeup> queue;
    PendingCalls *outer;
};

thread_local PendingCalls *innermost = nullptr;

PendingCalls *pendingCallsOf(const Engine &engine)
{
    PendingCalls *calls = innermost;
    while (calls && calls->engine != &engine) {
        calls = calls->outer;
    }
    return calls;
}

void call(Engine &engine, std::vector<Wakeup> wakeups)
{
    PendingCalls calls {&engine, {}, innermost};
    PendingCalls *const running = pendingCallsOf(engine);
    PendingCalls &target = running ? *running : calls;
    std::move(wakeups.begin(), wakeups.end(), std::back_inserter(target.queue));
    if (running) {
        return;
    }
    innermost = &calls;
    while (!calls.queue.empty()) {
        Wakeup next = std::move(calls.queue.front());
        calls.queue.pop_front();
        next.callback(engine.toOutcome(std::move(next.verdict), next.identity));
    }
    innermost = calls.outer;
}

} // namespace

Section::Section(Engine &engine, Guarded<Shard> &guarded)
    : shard(guarded.m_value)
    , m_engine(engine)
    , m_lock(&guarded.m_mutex)
    , now(engine.clock().now())
{
    engine.joinSnapshot(shard);
}

Section::Section(Engine &engine, Guarded<Shard> &guarded, std::size_t hash)
    : shard(guarded.m_value)
    , m_engine(engine)
    , m_lock(&guarded.m_mutex)
    , now((shard.records.prefetchSlot(hash), engine.clock().now()))
{
    engine.joinSnapshot(shard);
}

Section::~Section()
{
    m_lock.unlock();
    if (!m_deferred) {
        return;
    }
    for (const TimerId timer : m_deferred->cancelled) {
        m_engine.scheduler().cancel(timer);
    }
    if (!m_deferred->wakeups.empty()) {
        call(m_engine, std::move(m_deferred->wakeups));
    }
}

} // namespace idem::memory
