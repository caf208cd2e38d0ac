// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/forwarding_store.h"

namespace idem::sim {

Outcome ForwardingStore::adopted(Outcome outcome)
{
    if (auto *fresh = std::get_if<Fresh>(&outcome)) {
        const std::optional<Instant> leaseEnd = fresh->claim.leaseEnd();
        fresh->claim = Claim(*this, fresh->claim.detach(), leaseEnd);
    }
    return outcome;
}

void ForwardingStore::beginAsync(const BeginRequest &request, BeginCallback callback)
{
    m_within->beginAsync(
        request, [this, callback = std::move(callback)](Outcome outcome) { callback(adopted(std::move(outcome))); });
}

Result<Completion> ForwardingStore::complete(const OwnershipView &owner, const ResponseView &response)
{
    return m_within->complete(owner, response);
}

Result<Completion> ForwardingStore::fail(const OwnershipView &owner, const QString &reason)
{
    return m_within->fail(owner, reason);
}

Result<std::optional<Instant>> ForwardingStore::renew(const OwnershipView &owner)
{
    return m_within->renew(owner);
}

Result<void> ForwardingStore::release(const OwnershipView &owner)
{
    return m_within->release(owner);
}

Result<void> ForwardingStore::sideEffectStarted(const OwnershipView &owner)
{
    return m_within->sideEffectStarted(owner);
}

Result<void> ForwardingStore::markUnknown(const OwnershipView &owner)
{
    return m_within->markUnknown(owner);
}

Result<RecordView> ForwardingStore::abandon(const IdentityView &identity, const AbandonRequest &request)
{
    return m_within->abandon(identity, request);
}

Result<RecordView> ForwardingStore::settle(const IdentityView &identity, const SettleRequest &request)
{
    return m_within->settle(identity, request);
}

Result<void> ForwardingStore::purge(const IdentityView &identity, Fence expectedFence, const QString &reason)
{
    return m_within->purge(identity, expectedFence, reason);
}

std::optional<RecordView> ForwardingStore::find(const IdentityView &identity) const
{
    return m_within->find(identity);
}

std::optional<RecordView> ForwardingStore::find(const RecordId &id) const
{
    return m_within->find(id);
}

ResponsePtr ForwardingStore::response(const IdentityView &identity) const
{
    return m_within->response(identity);
}

Result<std::vector<StoreEvent>> ForwardingStore::history(const IdentityView &identity) const
{
    return m_within->history(identity);
}

Result<Page> ForwardingStore::list(const Query &query) const
{
    return m_within->list(query);
}

Counters ForwardingStore::counters() const
{
    return m_within->counters();
}

std::vector<std::uint64_t> ForwardingStore::expiryForecast(Duration step, std::size_t buckets) const
{
    return m_within->expiryForecast(step, buckets);
}

std::shared_ptr<EventStream> ForwardingStore::subscribe(std::size_t capacity)
{
    return m_within->subscribe(capacity);
}

std::uint64_t ForwardingStore::sweepNow()
{
    return m_within->sweepNow();
}

void ForwardingStore::close()
{
    m_within->close();
}

const Policy &ForwardingStore::policy() const
{
    return m_within->policy();
}

const Clock &ForwardingStore::clock() const
{
    return m_within->clock();
}

} // namespace idem::sim
