// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>

namespace idem::memory {

/// Keeps timers away from a store that is gone. A timer's call holds a shared reference to the gate and passes it first;
/// the store's destructor shuts it and waits for the calls inside. Thread-safe.
class CallGate
{
public:
    /// True: the store lives until leave().
    bool enter()
    {
        const std::lock_guard lock(m_mutex);
        if (m_shut) {
            return false;
        }
        ++m_inside;
        return true;
    }

    void leave()
    {
        const std::lock_guard lock(m_mutex);
        --m_inside;
        m_left.notify_all();
    }

    /// No call passes any more; returns once the last one has left. Not to be called from inside one.
    void shut()
    {
        std::unique_lock lock(m_mutex);
        m_shut = true;
        m_left.wait(lock, [this] { return m_inside == 0; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_left;
    int m_inside = 0;
    bool m_shut = false;
};

} // namespace idem::memory
