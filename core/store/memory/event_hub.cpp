// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/event_hub.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

namespace idem::memory {

class EventHub::Stream final : public EventStream
{
public:
    Stream(std::size_t capacity, std::shared_ptr<std::atomic<int>> subscribers)
        : m_capacity(std::max<std::size_t>(capacity, 1))
        , m_subscribers(std::move(subscribers))
    {
        m_subscribers->fetch_add(1, std::memory_order_release);
    }
    ~Stream() override { m_subscribers->fetch_sub(1, std::memory_order_release); }

    Batch take(std::size_t limit) override
    {
        Batch batch;
        std::deque<StoreEvent> taken;
        {
            const std::lock_guard lock(m_mutex);
            batch.missed = std::exchange(m_missed, 0);
            if (limit >= m_events.size()) {
                taken.swap(m_events); // nothing is moved while a writer may wait
            } else {
                const auto end = m_events.begin() + std::ptrdiff_t(limit);
                taken.assign(std::make_move_iterator(m_events.begin()), std::make_move_iterator(end));
                m_events.erase(m_events.begin(), end);
            }
        }
        batch.events.assign(std::make_move_iterator(taken.begin()), std::make_move_iterator(taken.end()));
        return batch;
    }

    void push(const StoreEvent &event)
    {
        const std::lock_guard lock(m_mutex);
        if (m_events.size() == m_capacity) {
            m_events.pop_front();
            ++m_missed;
        }
        m_events.push_back(event);
    }

private:
    const std::size_t m_capacity;
    const std::shared_ptr<std::atomic<int>> m_subscribers;
    std::mutex m_mutex;
    std::deque<StoreEvent> m_events;
    std::uint64_t m_missed = 0;
};

EventHub::EventHub()
    : m_subscribers(std::make_shared<std::atomic<int>>(0))
{
}

std::shared_ptr<EventStream> EventHub::subscribe(std::size_t capacity)
{
    auto stream = std::make_shared<Stream>(capacity, m_subscribers);
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_streams, [](const auto &weak) { return weak.expired(); });
    m_streams.push_back(stream);
    return stream;
}

void EventHub::publish(StoreEvent &event)
{
    const std::lock_guard lock(m_mutex);
    event.sequence = ++m_sequence;
    std::erase_if(m_streams, [&event](const std::weak_ptr<Stream> &weak) {
        const auto stream = weak.lock();
        if (stream) {
            stream->push(event);
        }
        return !stream;
    });
}

} // namespace idem::memory
