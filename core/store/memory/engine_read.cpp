// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/engine.h"
#include "core/store/memory/list_page.h"

namespace idem::memory {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t maxPageRecords = 10'000;
/// How many lapsed leases are counted in one hold of a lock.
constexpr std::size_t noteChunk = 1000;

void add(Counters &sum, const Counters &part)
{
    for (std::size_t i = 0; i < sum.outcomes.size(); ++i) {
        sum.outcomes[i] += part.outcomes[i];
    }
    for (std::size_t i = 0; i < sum.byState.size(); ++i) {
        sum.byState[i] += part.byState[i];
    }
    sum.records += part.records;
    sum.bytes += part.bytes;
    sum.stuck += part.stuck;
    sum.completed += part.completed;
    sum.failed += part.failed;
    sum.released += part.released;
    sum.abandoned += part.abandoned;
    sum.takeovers += part.takeovers;
    sum.lateCompletes += part.lateCompletes;
    sum.staleRefused += part.staleRefused;
    sum.expired += part.expired;
    sum.evicted += part.evicted;
    sum.purged += part.purged;
    sum.waiting += part.waiting;
}

} // namespace

std::optional<RecordView> Engine::find(const IdentityView &identity)
{
    const std::size_t hash = hashOf(identity);
    std::optional<RecordView> view;
    {
        Section section(*this, shardOf(hash), hash);
        if (const Record *record = findLive(section, identity, hash)) {
            view = record->view(section.now, m_policy.stuckAfter);
        }
    }
    if (view) {
        view->id = idOf(identity);
    }
    return view;
}

std::optional<RecordView> Engine::find(const RecordId &id)
{
    buildIdIndex();
    for (Guarded<Shard> &guarded : shards()) {
        Section section(*this, guarded);
        const auto found = section.shard.byId.find(id);
        if (found != section.shard.byId.end() && !found->second->isExpired(section.now)) {
            RecordView view = found->second->view(section.now, m_policy.stuckAfter);
            view.id = id;
            return view;
        }
    }
    return std::nullopt;
}

void Engine::buildIdIndex()
{
    if (m_hasIdIndex.load(std::memory_order_acquire)) {
        return;
    }
    const std::lock_guard building(m_idIndexMutex);
    if (m_hasIdIndex.load(std::memory_order_relaxed)) {
        return;
    }
    for (Guarded<Shard> &guarded : shards()) {
        // The digests are made without the lock; what is inserted meanwhile enters itself.
        std::vector<std::pair<Identity, std::size_t>> present;
        {
            Section section(*this, guarded);
            section.shard.isIndexed = true;
            section.shard.records.forEach([&](Record &record) {
                present.emplace_back(record.identity().toIdentity(), hashOf(record.identity()));
            });
        }
        std::vector<RecordId> ids;
        ids.reserve(present.size());
        for (const auto &[identity, hash] : present) {
            ids.push_back(idOf(identity));
        }
        Section section(*this, guarded);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            Record *const record = section.shard.records.find(present[i].second, present[i].first);
            if (record && !record->needExtras().id) {
                record->extras->id = ids[i];
                section.shard.byId.emplace(ids[i], record);
            }
        }
    }
    m_hasIdIndex.store(true, std::memory_order_release);
}

ResponsePtr Engine::response(const IdentityView &identity)
{
    const std::size_t hash = hashOf(identity);
    Section section(*this, shardOf(hash), hash);
    const Record *record = findLive(section, identity, hash);
    return record ? record->response() : ResponsePtr();
}

Result<std::vector<StoreEvent>> Engine::history(const IdentityView &identity)
{
    const std::size_t hash = hashOf(identity);
    std::vector<StoreEvent> events;
    {
        Section section(*this, shardOf(hash), hash);
        const Record *const record = findLive(section, identity, hash);
        if (!record) {
            return tl::unexpected(notFound());
        }
        if (record->extras) {
            events.assign(record->extras->history.begin(), record->extras->history.end());
        }
    }
    for (StoreEvent &event : events) {
        event.identity = identity.toIdentity();
    }
    return events;
}

Result<Page> Engine::list(const Query &query)
{
    if (query.limit < 1 || query.limit > maxPageRecords) {
        return tl::unexpected(
            StoreError {StoreErrorCode::Invalid, u"The limit must be 1 to %L1."_s.arg(maxPageRecords)});
    }
    const ListOrder order(query.sort, query.descending);
    std::optional<ListPosition> after;
    if (!query.cursor.isEmpty()) {
        after = order.fromCursor(query.cursor);
        if (!after) {
            return tl::unexpected(StoreError {StoreErrorCode::Invalid, u"The cursor is not one of this list."_s});
        }
    }
    if (query.filter.needsId()) {
        buildIdIndex(); // which gives every record its id, and those to come
    }
    PageCollector collector(order, query.limit, after);
    Instant observedAt {};
    for (Guarded<Shard> &guarded : shards()) {
        Section section(*this, guarded);
        observedAt = section.now;
        section.shard.records.forEach([&](const Record &record) {
            if (record.isExpired(section.now)
                || !query.filter.matches(record.subject(section.now, m_policy.stuckAfter))) {
                return;
            }
            const ListPosition position = order.positionOf(record.fence, record.leaseEnd(), record.expiresAt());
            if (collector.wants(position)) {
                collector.keep(position, record.view(section.now, m_policy.stuckAfter));
            }
        });
    }
    Page page = collector.take(observedAt);
    for (RecordView &view : page.records) {
        view.id = idOf(view.identity);
    }
    return page;
}

Counters Engine::counters()
{
    const std::lock_guard one(m_snapshotMutex);
    const Instant moment = m_clock.now();
    for (Guarded<Shard> &guarded : shards()) {
        bool isDone = false;
        while (!isDone) {
            Section section(*this, guarded);
            isDone = noteDueWatches(section.shard, moment, noteChunk);
        }
    }
    m_snapshotMoment.store(moment);
    m_snapshotNumber.fetch_add(1);
    Counters sum;
    for (Guarded<Shard> &guarded : shards()) {
        const Section section(*this, guarded); // joins the snapshot, unless another entry did
        add(sum, section.shard.snapshot);
    }
    return sum;
}

void Engine::joinSnapshot(Shard &shard)
{
    const std::uint64_t number = m_snapshotNumber.load(std::memory_order_acquire);
    if (shard.snapshotNumber == number) {
        return;
    }
    // Few can have lapsed since counters() noted them.
    noteDueWatches(shard, m_snapshotMoment.load(std::memory_order_relaxed), SIZE_MAX);
    shard.snapshotNumber = number;
    shard.snapshot = shard.counters;
    shard.snapshot.stuck = shard.countOf(State::LeaseExpired) + shard.countOf(State::OutcomeUnknown) + shard.overdue;
}

std::vector<std::uint64_t> Engine::expiryForecast(Duration step, std::size_t buckets)
{
    Q_ASSERT(step > Duration::zero());
    std::vector<std::uint64_t> forecast(buckets, 0);
    for (Guarded<Shard> &guarded : shards()) {
        Section section(*this, guarded);
        section.shard.records.forEach([&](const Record &record) {
            if (!record.isFinished() || record.isExpired(section.now)) {
                return;
            }
            const auto bucket = std::size_t((record.deadline - section.now) / step);
            if (bucket < buckets) {
                ++forecast[bucket];
            }
        });
    }
    return forecast;
}

} // namespace idem::memory
