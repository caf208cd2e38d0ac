// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/engine.h"

namespace idem::memory {

namespace {

/// `value += part`, unless that would pass `limit`.
bool addWithin(std::atomic<qint64> &value, qint64 part, qint64 limit)
{
    qint64 sum = value.load(std::memory_order_relaxed);
    do {
        if (part > 0 && part > limit - sum) {
            return false;
        }
    } while (!value.compare_exchange_weak(sum, sum + part, std::memory_order_acquire, std::memory_order_relaxed));
    return true;
}

} // namespace

bool Engine::takeBytes(qint64 bytes)
{
    return addWithin(m_bytes, bytes, *m_policy.maxBytes);
}

bool Engine::takeRoom(Section &section, qint64 records, qint64 bytes)
{
    if (records > 0 && !addWithin(m_records, records, m_policy.maxRecords)) {
        return false;
    }
    if (m_policy.maxBytes && !takeBytes(bytes)) {
        m_records.fetch_sub(records, std::memory_order_relaxed);
        return false;
    }
    // Who made the room may come after a snapshot that is newer than this section: so must what takes it.
    joinSnapshot(section.shard);
    section.shard.counters.records += std::uint64_t(records);
    section.shard.counters.bytes += std::uint64_t(bytes);
    return true;
}

void Engine::giveRoom(Section &section, qint64 records, qint64 bytes)
{
    section.shard.counters.records -= std::uint64_t(records);
    section.shard.counters.bytes -= std::uint64_t(bytes);
    m_records.fetch_sub(records, std::memory_order_release);
    if (m_policy.maxBytes) {
        m_bytes.fetch_sub(bytes, std::memory_order_release);
    }
}

Record *Engine::insertRecord(Section &section, const Attempt &attempt)
{
    RecordPtr made = Record::make(attempt.identity(), attempt.texts());
    if (!takeRoom(section, 1, qint64(made->blockBytes()))) {
        section.free(std::move(made));
        return nullptr;
    }
    Shard &shard = section.shard;
    Record &record = shard.records.insert(attempt.hash, std::move(made));
    startNewLife(section, record);
    if (shard.isIndexed) {
        record.needExtras().id = idOf(attempt.identity());
        shard.byId.emplace(*record.extras->id, &record);
    }
    return &record;
}

Record &Engine::replaceRecord(Section &section, std::size_t hash, Record &old, RecordPtr fresh, qint64 roomTaken)
{
    Record &record = *fresh;
    record.copyLife(old);
    // What is kept, is kept: who must stay within the cap asks before.
    const qint64 growth = qint64(record.blockBytes()) - qint64(old.blockBytes());
    section.shard.counters.bytes += std::uint64_t(growth);
    if (m_policy.maxBytes) {
        m_bytes.fetch_add(growth - roomTaken, std::memory_order_release);
    }
    if (record.extras && record.extras->id) {
        section.shard.byId[*record.extras->id] = &record;
    }
    section.free(section.shard.records.replace(hash, old, std::move(fresh)));
    return record;
}

void Engine::removeRecord(Section &section, Record &record)
{
    Shard &shard = section.shard;
    Q_ASSERT(!record.waits());
    leaveState(shard, record);
    if (record.extras && record.extras->id) {
        shard.byId.erase(*record.extras->id);
    }
    giveRoom(section, 1, qint64(record.blockBytes()));
    section.free(shard.records.remove(hashOf(record.identity()), record));
}

bool Engine::evictOldest()
{
    Guarded<Shard> *oldest = nullptr;
    Instant deadline = Instant::max();
    for (Guarded<Shard> &guarded : shards()) {
        Section section(*this, guarded);
        refileProlonged(section.shard);
        if (!section.shard.expiries.isEmpty() && (!oldest || section.shard.expiries.topDeadline() < deadline)) {
            oldest = &guarded;
            deadline = section.shard.expiries.topDeadline();
        }
    }
    if (!oldest) {
        return false;
    }
    Section section(*this, *oldest);
    if (section.shard.expiries.isEmpty()) {
        return true; // somebody else made room meanwhile
    }
    Record &record = section.shard.expiries.top();
    if (record.isExpired(section.now)) {
        noteExpired(section, record);
    } else {
        ++section.shard.counters.evicted;
        emitEvent(record, EventKind::Evicted, section.now);
    }
    removeRecord(section, record);
    return true;
}

void Engine::refileProlonged(Shard &shard)
{
    while (!shard.expiries.isEmpty() && shard.expiries.topDeadline() < shard.expiries.top().deadline) {
        Record &record = shard.expiries.top();
        shard.expiries.remove(record);
        shard.expiries.push(record, record.deadline);
    }
}

void Engine::squeeze()
{
    for (Guarded<Shard> &guarded : shards()) {
        Section section(*this, guarded);
        section.shard.records.squeeze();
        section.shard.watches.squeeze();
        section.shard.expiries.squeeze();
        if (section.shard.byId.empty()) {
            section.shard.byId.rehash(0);
        }
    }
}

} // namespace idem::memory
