// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory_store.h"

#include "core/store/memory/engine.h"

namespace idem {

struct MemoryStore::Private
{
    memory::Engine engine;
};

MemoryStore::MemoryStore(MemoryStoreOptions options)
    : d(new Private {{*this, std::move(options)}})
{
}

MemoryStore::~MemoryStore()
{
    d->engine.close(); // while a woken waiter can still call this store
}

Outcome MemoryStore::begin(const BeginRequest &request)
{
    return request.wait > Duration::zero() ? Store::begin(request) : d->engine.begin(request);
}

std::vector<Outcome> MemoryStore::beginMany(std::span<const BeginRequest> requests)
{
    return d->engine.beginMany(requests);
}

void MemoryStore::beginAsync(const BeginRequest &request, BeginCallback callback)
{
    d->engine.beginAsync(request, std::move(callback));
}

Result<Completion> MemoryStore::complete(const OwnershipView &owner, const ResponseView &response)
{
    return d->engine.complete(owner, response);
}

Result<Completion> MemoryStore::fail(const OwnershipView &owner, const QString &reason)
{
    return d->engine.fail(owner, reason);
}

Result<std::optional<Instant>> MemoryStore::renew(const OwnershipView &owner)
{
    return d->engine.renew(owner);
}

Result<void> MemoryStore::release(const OwnershipView &owner)
{
    return d->engine.release(owner);
}

Result<void> MemoryStore::sideEffectStarted(const OwnershipView &owner)
{
    return d->engine.sideEffectStarted(owner);
}

Result<void> MemoryStore::markUnknown(const OwnershipView &owner)
{
    return d->engine.markUnknown(owner);
}

Result<RecordView> MemoryStore::abandon(const IdentityView &identity, const AbandonRequest &request)
{
    return d->engine.abandon(identity, request);
}

Result<RecordView> MemoryStore::settle(const IdentityView &identity, const SettleRequest &request)
{
    return d->engine.settle(identity, request);
}

Result<void> MemoryStore::purge(const IdentityView &identity, Fence expectedFence, const QString &reason)
{
    return d->engine.purge(identity, expectedFence, reason);
}

std::optional<RecordView> MemoryStore::find(const IdentityView &identity) const
{
    return d->engine.find(identity);
}

std::optional<RecordView> MemoryStore::find(const RecordId &id) const
{
    return d->engine.find(id);
}

ResponsePtr MemoryStore::response(const IdentityView &identity) const
{
    return d->engine.response(identity);
}

Result<std::vector<StoreEvent>> MemoryStore::history(const IdentityView &identity) const
{
    return d->engine.history(identity);
}

Result<Page> MemoryStore::list(const Query &query) const
{
    return d->engine.list(query);
}

Counters MemoryStore::counters() const
{
    return d->engine.counters();
}

std::vector<std::uint64_t> MemoryStore::expiryForecast(Duration step, std::size_t buckets) const
{
    return d->engine.expiryForecast(step, buckets);
}

std::shared_ptr<EventStream> MemoryStore::subscribe(std::size_t capacity)
{
    return d->engine.subscribe(capacity);
}

std::uint64_t MemoryStore::sweepNow()
{
    return d->engine.sweepNow();
}

void MemoryStore::squeeze()
{
    d->engine.squeeze();
}

void MemoryStore::close()
{
    d->engine.close();
}

const Policy &MemoryStore::policy() const
{
    return d->engine.policy();
}

const Clock &MemoryStore::clock() const
{
    return d->engine.clock();
}

} // namespace idem
