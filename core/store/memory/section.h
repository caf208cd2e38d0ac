// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory/shard.h"
#include "core/store/memory/verdict.h"
#include "core/store/memory/waiting.h"

namespace idem::memory {

class Engine;

/// A begin that waited, with what it gets.
struct Wakeup
{
    BeginCallback callback;
    Identity identity;
    Verdict verdict;
};

/// One critical section: holds a shard's lock and one reading of the clock, made under it. What must not happen under
/// the lock is collected and done by the destructor after it: timers are cancelled, what was removed is freed, waiters
/// are called in the order in which they were woken.
class Section
{
public:
    Section(Engine &engine, Shard &shard);
    Section(const Section &) = delete;
    Section &operator=(const Section &) = delete;
    ~Section();

    void wake(Wakeup wakeup) { m_wakeups.push_back(std::move(wakeup)); }
    /// 0 is ignored.
    void cancel(TimerId timer)
    {
        if (timer != 0) {
            m_cancelled.push_back(timer);
        }
    }
    void free(RecordPtr record) { m_records.push_back(std::move(record)); }
    void free(ResponsePtr response)
    {
        if (response) {
            m_responses.push_back(std::move(response));
        }
    }

    Shard &shard;
    const Instant now;

private:
    Section(Engine &engine, Shard &locked, QMutexLocker<QMutex> lock);

    Engine &m_engine;
    // Freed after the destructor's body, that is, without the lock.
    std::vector<RecordPtr> m_records;
    std::vector<ResponsePtr> m_responses;
    std::vector<TimerId> m_cancelled;
    std::vector<Wakeup> m_wakeups;
    QMutexLocker<QMutex> m_lock;
};

} // namespace idem::memory
