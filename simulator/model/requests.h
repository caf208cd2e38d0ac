// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/claim.h"

#include <QtGlobal>

#include <cstdint>
#include <deque>
#include <vector>

namespace idem::sim {

/// Where a request at the server is.
enum class Phase : std::uint8_t {
    Free, ///< the slot holds no request
    Queued, ///< for a worker, before begin
    Beginning, ///< inside the store's begin
    Waiting, ///< in the store, for another attempt's answer; holds no worker
    Claimed, ///< woken as the owner of its key; queued for a worker
    Running, ///< its handler runs
};

/// An attempt that reached the server and is not yet answered.
struct Request
{
    std::uint64_t operation = 0;
    std::uint64_t execution = 0; ///< number of the handler's run, from 1
    Claim claim {};
    std::uint32_t attempt = 0;
    std::uint32_t worker = 0; ///< meaningful where workers are limited, from Beginning on, Waiting and Claimed aside
    Phase phase = Phase::Free;
};

/// The requests at the server, in slots that are used again: an event names its request by a small number.
/// References stay valid until the slot is released. Thread-safety: one thread at a time.
class RequestPool
{
public:
    std::uint32_t acquire(std::uint64_t operation, std::uint32_t attempt)
    {
        if (m_free.empty()) {
            m_free.push_back(static_cast<std::uint32_t>(m_slots.size()));
            m_slots.emplace_back();
        }
        const std::uint32_t slot = m_free.back();
        m_free.pop_back();
        Request &request = m_slots[slot];
        request.operation = operation;
        request.attempt = attempt;
        request.phase = Phase::Queued;
        return slot;
    }
    /// The request's claim must not be active any more.
    void release(std::uint32_t slot)
    {
        Q_ASSERT(m_slots[slot].phase != Phase::Free && !m_slots[slot].claim.isActive());
        m_slots[slot].phase = Phase::Free;
        m_free.push_back(slot);
    }
    [[nodiscard]] Request &operator[](std::uint32_t slot) { return m_slots[slot]; }

    /// Ends every guard without a word to the store.
    void detachAll()
    {
        for (Request &request : m_slots) {
            if (request.claim.isActive()) {
                request.claim.detach();
            }
        }
    }

private:
    std::deque<Request> m_slots;
    std::vector<std::uint32_t> m_free;
};

} // namespace idem::sim
