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
    : m_make(std::move(make))
    , m_store(m_make())
{
}

RestartableStore::~RestartableStore() = default;

void RestartableStore::restart()
{
    m_store->close();
    std::unique_ptr<Store> next = m_make();
    std::erase_if(m_streams, [](const std::weak_ptr<Stream> &stream) { return stream.expired(); });
    for (const std::weak_ptr<Stream> &stream : m_streams) {
        if (const std::shared_ptr<Stream> open = stream.lock()) {
            open->replace(*next);
        }
    }
    m_store = std::move(next);
}

void RestartableStore::beginAsync(const BeginRequest &request, BeginCallback callback)
{
    m_store->beginAsync(request, [this, callback = std::move(callback)](Outcome outcome) {
        if (auto *fresh = std::get_if<Fresh>(&outcome)) {
            // A claim that speaks to this store, because the one within may be another by then.
            const std::optional<Instant> leaseEnd = fresh->claim.leaseEnd();
            fresh->claim = Claim(*this, fresh->claim.detach(), leaseEnd);
        }
        callback(std::move(outcome));
    });
}

std::shared_ptr<EventStream> RestartableStore::subscribe(std::size_t capacity)
{
    auto stream = std::make_shared<Stream>(m_store->subscribe(capacity), capacity);
    m_streams.push_back(stream);
    return stream;
}

Result<Completion> RestartableStore::complete(const OwnershipView &owner, const ResponseView &response)
{
    return m_store->complete(owner, response);
}

Result<Completion> RestartableStore::fail(const OwnershipView &owner, const QString &reason)
{
    return m_store->fail(owner, reason);
}

Result<std::optional<Instant>> RestartableStore::renew(const OwnershipView &owner)
{
    return m_store->renew(owner);
}

Result<void> RestartableStore::release(const OwnershipView &owner)
{
    return m_store->release(owner);
}

Result<void> RestartableStore::sideEffectStarted(const OwnershipView &owner)
{
    return m_store->sideEffectStarted(owner);
}

Result<void> RestartableStore::markUnknown(const OwnershipView &owner)
{
    return m_store->markUnknown(owner);
}

Result<RecordView> RestartableStore::abandon(const IdentityView &identity, const AbandonRequest &request)
{
    return m_store->abandon(identity, request);
}

Result<RecordView> RestartableStore::settle(const IdentityView &identity, const SettleRequest &request)
{
    return m_store->settle(identity, request);
}

Result<void> RestartableStore::purge(const IdentityView &identity, Fence expectedFence, const QString &reason)
{
    return m_store->purge(identity, expectedFence, reason);
}

std::optional<RecordView> RestartableStore::find(const IdentityView &identity) const
{
    return m_store->find(identity);
}

std::optional<RecordView> RestartableStore::find(const RecordId &id) const
{
    return m_store->find(id);
}

ResponsePtr RestartableStore::response(const IdentityView &identity) const
{
    return m_store->response(identity);
}

Result<std::vector<StoreEvent>> RestartableStore::history(const IdentityView &identity) const
{
    return m_store->history(identity);
}

Result<Page> RestartableStore::list(const Query &query) const
{
    return m_store->list(query);
}

Counters RestartableStore::counters() const
{
    return m_store->counters();
}

std::vector<std::uint64_t> RestartableStore::expiryForecast(Duration step, std::size_t buckets) const
{
    return m_store->expiryForecast(step, buckets);
}

std::uint64_t RestartableStore::sweepNow()
{
    return m_store->sweepNow();
}

void RestartableStore::close()
{
    return m_store->close();
}

const Policy &RestartableStore::policy() const
{
    return m_store->policy();
}

const Clock &RestartableStore::clock() const
{
    return m_store->clock();
}

} // namespace idem::sim
