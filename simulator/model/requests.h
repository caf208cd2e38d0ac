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
    Looking, ///< between a look into the store and a begin that follows from it
    Beginning, ///< inside the store's begin
    Waiting, ///< in the store, for another attempt's answer; holds no worker
    Claimed, ///< may execute; queued for a worker
    Running, ///< its handler runs
    Answering, ///< its worker is busy with an answer that needed no execution
};

/// An attempt that reached the server and is not yet answered.
struct Request
{
    std::uint64_t operation = 0;
    std::uint64_t key = 0; ///< number of its key
    std::uint64_t execution = 0; ///< number of the handler's run, from 1
    Claim claim {};
    Instant arrivedAt {};
    std::uint32_t attempt = 0;
    std::uint32_t serial = 0; ///< of the slot's tenants, so that an event for a former one is known
    std::uint32_t worker = 0; ///< where workers are limited and it holds one
    std::uint16_t detail = 0; ///< of the message that brought it
    std::uint16_t answer = 0; ///< of Answering
    std::uint8_t instance = 0;
    Phase phase = Phase::Free;
    bool holdsWorker = false;
    bool unguarded = false; ///< executes without a grant
    bool takesOver = false; ///< stores its result over whatever is there, as far as the store lets it
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
        request.holdsWorker = false;
        request.unguarded = false;
        request.takesOver = false;
        return slot;
    }
    /// The request's claim must not be active any more.
    void release(std::uint32_t slot)
    {
        Q_ASSERT(m_slots[slot].phase != Phase::Free && !m_slots[slot].claim.isActive());
        m_slots[slot].phase = Phase::Free;
        ++m_slots[slot].serial;
        m_free.push_back(slot);
    }
    [[nodiscard]] Request &operator[](std::uint32_t slot) { return m_slots[slot]; }
    [[nodiscard]] const Request &operator[](std::uint32_t slot) const { return m_slots[slot]; }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(m_slots.size()); }

    /// Names the request in `slot` and no later one there.
    [[nodiscard]] std::uint64_t nameOf(std::uint32_t slot) const
    {
        return static_cast<std::uint64_t>(m_slots[slot].serial) << 32 | slot;
    }
    [[nodiscard]] static std::uint32_t slotOf(std::uint64_t name) { return static_cast<std::uint32_t>(name); }
    [[nodiscard]] bool isThere(std::uint64_t name) const
    {
        return m_slots[slotOf(name)].phase != Phase::Free && m_slots[slotOf(name)].serial == name >> 32;
    }

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
