// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/restartable_store.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace idem::sim {

/// What a subscriber holds: after a restart it reads on from the new store.
class RestartableStore::Stream final : public EventStream
{
public:
    Stream(std::shared_ptr<EventStream> source, std::size_t capacity)
        : m_source(std::move(source))
        , m_capacity(capacity)
    {
    }

    Batch take(std::size_t limit) override
    {
        Batch batch;
        batch.missed = std::exchange(m_kept.missed, 0);
        const auto end = m_kept.events.begin() + static_cast<std::ptrdiff_t>(std::min(limit, m_kept.events.size()));
        std::move(m_kept.events.begin(), end, std::back_inserter(batch.events));
        m_kept.events.erase(m_kept.events.begin(), end);
        if (batch.events.size() < limit) {
            Batch more = m_source->take(limit - batch.events.size());
            std::move(more.events.begin(), more.events.end(), std::back_inserter(batch.events));
            batch.missed += more.missed;
        }
        return batch;
    }

    /// What is still in the old source is kept.
    void replace(Store &store)
    {
        m_kept = take(SIZE_MAX);
        m_source = store.subscribe(m_capacity);
    }

private:
    std::shared_ptr<EventStream> m_source;
    std::size_t m_capacity;
    Batch m_kept {};
};

RestartableStore::RestartableStore(std::function<std::unique_ptr<Store>()> make)
    : ForwardingStore(make())
    , m_make(std::move(make))
{
}

void RestartableStore::restart()
{
    within().close();
    std::unique_ptr<Store> next = m_make();
    std::erase_if(m_streams, [](const std::weak_ptr<Stream> &stream) { return stream.expired(); });
    for (const std::weak_ptr<Stream> &stream : m_streams) {
        if (const std::shared_ptr<Stream> open = stream.lock()) {
            open->replace(*next);
        }
    }
    replaceWithin(std::move(next));
}

std::shared_ptr<EventStream> RestartableStore::subscribe(std::size_t capacity)
{
    auto stream = std::make_shared<Stream>(within().subscribe(capacity), capacity);
    m_streams.push_back(stream);
    return stream;
}

} // namespace idem::sim
