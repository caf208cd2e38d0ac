// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/event.h"

#include <atomic>
#include <mutex>

namespace idem::memory {

/// Numbers a store's events and hands them to its subscriptions. Thread-safe; taken inside a shard's lock, never the
/// other way round.
class EventHub
{
public:
    EventHub();

    /// False: nobody listens, so no event need be built.
    [[nodiscard]] bool isActive() const { return m_subscribers->load(std::memory_order_acquire) > 0; }
    [[nodiscard]] std::shared_ptr<EventStream> subscribe(std::size_t capacity);
    /// Numbers the event, too.
    void publish(StoreEvent &event);

private:
    class Stream;

    const std::shared_ptr<std::atomic<int>> m_subscribers; ///< outlives the hub: a stream may be the last to go
    std::mutex m_mutex;
    std::uint64_t m_sequence = 0;
    std::vector<std::weak_ptr<Stream>> m_streams;
};

} // namespace idem::memory
