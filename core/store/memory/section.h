// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory/shard.h"
#include "core/store/memory/verdict.h"
#include "core/store/memory/waiting.h"

#include <QVarLengthArray>

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
    Section(Engine &engine, Guarded<Shard> &guarded);
    /// About one identity, whose place in the index is fetched while the clock is read.
    Section(Engine &engine, Guarded<Shard> &guarded, std::size_t hash);
    Section(const Section &) = delete;
    Section &operator=(const Section &) = delete;
    ~Section();

    void wake(Wakeup wakeup) { needDeferred().wakeups.push_back(std::move(wakeup)); }
    /// 0 is ignored.
    void cancel(TimerId timer)
    {
        if (timer != 0) {
            needDeferred().cancelled.push_back(timer);
        }
    }
    void free(RecordPtr record) { m_records.push_back(std::move(record)); }

    Shard &shard;

private:
    struct Deferred
    {
        std::vector<TimerId> cancelled;
        std::vector<Wakeup> wakeups;
    };

    Deferred &needDeferred()
    {
        if (!m_deferred) {
            m_deferred = std::make_unique<Deferred>();
        }
        return *m_deferred;
    }

    Engine &m_engine;
    QVarLengthArray<RecordPtr, 4> m_records; ///< freed after the destructor's body, that is, without the lock
    std::unique_ptr<Deferred> m_deferred; ///< few sections have one
    QMutexLocker<QMutex> m_lock;

public:
    const Instant now; ///< read after the lock is taken
};

/// A critical section that only looks: reads no clock.
class Peek
{
public:
    explicit Peek(Guarded<Shard> &guarded)
        : shard(guarded.m_value)
        , m_lock(&guarded.m_mutex)
    {
    }

    const Shard &shard;

private:
    QMutexLocker<QMutex> m_lock;
};

} // namespace idem::memory
