// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>

namespace idem::memory {

/// Keeps timers away from a store that is gone. A timer's call holds a shared reference to the gate and passes it
/// first; the store's destructor shuts it and waits for the calls inside. Thread-safe.
class CallGate
{
public:
    /// One call's way through the gate.
    class Pass
    {
    public:
        explicit Pass(CallGate &gate)
            : m_gate(gate)
            , m_isOpen(gate.enter())
        {
        }
        Pass(const Pass &) = delete;
        Pass &operator=(const Pass &) = delete;
        ~Pass()
        {
            if (m_isOpen) {
                m_gate.leave();
            }
        }
        /// True: the store lives as long as this.
        [[nodiscard]] bool isOpen() const { return m_isOpen; }

    private:
        CallGate &m_gate;
        const bool m_isOpen;
    };

    /// No call passes any more; returns once the last one has left. Not to be called from inside one.
    void shut()
    {
        std::unique_lock lock(m_mutex);
        m_isShut = true;
        m_left.wait(lock, [this] { return m_inside == 0; });
    }

private:
    bool enter()
    {
        const std::lock_guard lock(m_mutex);
        m_inside += m_isShut ? 0 : 1;
        return !m_isShut;
    }

    void leave()
    {
        const std::lock_guard lock(m_mutex);
        --m_inside;
        m_left.notify_all();
    }

    std::mutex m_mutex;
    std::condition_variable m_left;
    int m_inside = 0;
    bool m_isShut = false;
};

} // namespace idem::memory
