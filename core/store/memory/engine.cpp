// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/engine.h"

#include <QMessageAuthenticationCode>
#include <QtEndian>

#include <bit>

namespace idem::memory {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype idSecretBytes = 32;

QByteArray randomBytes(qsizetype count)
{
    QByteArray bytes(count, Qt::Uninitialized);
    for (char &byte : bytes) {
        byte = char(QRandomGenerator::system()->bounded(256));
    }
    return bytes;
}

void addPart(QMessageAuthenticationCode &code, QByteArrayView part)
{
    const quint32 size = qToBigEndian(quint32(part.size()));
    code.addData(reinterpret_cast<const char *>(&size), sizeof(size));
    code.addData(part.data(), part.size());
}

} // namespace

Engine::Engine(Store &store, MemoryStoreOptions options)
    : m_store(store)
    , m_policy(std::move(options.policy))
    , m_clock(options.clock ? *options.clock : SystemClock::instance())
    , m_ownScheduler(options.scheduler ? nullptr : std::make_unique<ThreadScheduler>(m_clock))
    , m_scheduler(options.scheduler ? *options.scheduler : *m_ownScheduler)
    , m_idSecret(options.idSecret.isEmpty() ? randomBytes(idSecretBytes) : std::move(options.idSecret))
    , m_hashSecret(QRandomGenerator::system()->generate64())
    , m_shardCount(std::size_t(options.shards))
    , m_shardShift(std::numeric_limits<std::size_t>::digits - 1 - std::countr_zero(m_shardCount))
    , m_shards(std::make_unique<Shard[]>(m_shardCount))
{
    Q_ASSERT_X(m_policy.problems().isEmpty(), "MemoryStore", "policy.problems() is not empty");
    Q_ASSERT(std::has_single_bit(m_shardCount) && m_shardCount <= 4096);
    Q_ASSERT(m_idSecret.size() == idSecretBytes);
    m_sweepTimer = m_scheduler.every(m_policy.sweepInterval, gated([this] { sweepNow(); }));
}

Engine::~Engine()
{
    close();
    m_gate->shut();
}

std::size_t Engine::hashOf(const IdentityView &identity) const
{
    std::size_t hash = qHashBits(identity.tenant.data(), std::size_t(identity.tenant.size()), m_hashSecret);
    hash = qHashBits(identity.caller.data(), std::size_t(identity.caller.size()), hash);
    return qHashBits(identity.key.data(), std::size_t(identity.key.size()), hash);
}

Shard &Engine::shardOf(std::size_t hash)
{
    // The high bits: the map inside the shard uses the low ones. Two steps, because a shift by all bits is undefined.
    return m_shards[(hash >> 1) >> m_shardShift];
}

RecordId Engine::idOf(const IdentityView &identity) const
{
    QMessageAuthenticationCode code(QCryptographicHash::Sha256, m_idSecret);
    addPart(code, identity.tenant);
    addPart(code, identity.caller);
    addPart(code, identity.key);
    const QByteArray digest = code.result();
    RecordId id;
    std::copy(digest.begin(), digest.end(), id.bytes.begin());
    return id;
}

Record *Engine::findLive(Section &section, const IdentityView &identity, std::size_t hash) const
{
    Record *const record = section.shard.records.find(hash, identity);
    return record && !record->isExpired(section.now) ? record : nullptr;
}

Record *Engine::insertRecord(Section &section, const IdentityView &identity, std::size_t hash)
{
    qint64 count = m_records.load(std::memory_order_relaxed);
    do {
        if (count >= m_policy.maxRecords) {
            return nullptr;
        }
    } while (!m_records.compare_exchange_weak(count, count + 1, std::memory_order_relaxed));

    Shard &shard = section.shard;
    Record &record = shard.records.insert(Record::make(identity, hash));
    startNewLife(section, record);
    ++shard.counters.records;
    ++shard.countOf(record.state);
    if (shard.isIndexed) {
        record.id = std::make_unique<RecordId>(idOf(identity));
        shard.byId.emplace(*record.id, &record);
    }
    return &record;
}

void Engine::removeRecord(Section &section, Record &record)
{
    Shard &shard = section.shard;
    Q_ASSERT(!record.waits);
    leaveState(shard, record);
    --shard.counters.records;
    if (record.id) {
        shard.byId.erase(*record.id);
    }
    section.free(shard.records.remove(record));
    m_records.fetch_sub(1, std::memory_order_relaxed);
}

void Engine::startNewLife(Section &section, Record &record)
{
    record.attempt = 0;
    record.replays = 0;
    record.conflicts = 0;
    record.mismatches = 0;
    record.startedAt = section.now;
    record.createdAt = section.now;
    record.createdWall = m_clock.wallNow();
}

void Engine::noteExpired(Section &section, Record &record)
{
    ++section.shard.counters.expired;
    emitEvent(record, EventKind::Expired, section.now);
}

void Engine::leaveState(Shard &shard, Record &record)
{
    if (record.state != State::InProgress) {
        shard.expiries.remove(record);
        --shard.countOf(record.state);
        return;
    }
    shard.watches.remove(record);
    const bool isNoted = std::exchange(record.watchNoted, false);
    --shard.countOf(isNoted && record.leaseEnd ? State::LeaseExpired : State::InProgress);
    if (isNoted && !record.leaseEnd) {
        --shard.overdue;
    }
}

void Engine::enterState(Shard &shard, Record &record, State state)
{
    record.state = state;
    record.changedWall = m_clock.wallNow();
    ++shard.countOf(state);
    if (state == State::InProgress) {
        shard.watches.push(record, record.watchAt(m_policy.stuckAfter));
    } else if (record.expiresAt) {
        shard.expiries.push(record, *record.expiresAt);
    }
}

void Engine::noteWatch(Shard &shard, Record &record, Instant now)
{
    if (record.watchNoted) {
        return;
    }
    shard.watches.remove(record);
    record.watchNoted = true;
    if (!record.leaseEnd) {
        ++shard.overdue;
        return;
    }
    --shard.countOf(State::InProgress);
    ++shard.countOf(State::LeaseExpired);
    emitEvent(record, EventKind::LeaseLapsed, now);
}

void Engine::finish(Section &section, Record &record, const Answer &answer)
{
    leaveState(section.shard, record);
    section.free(std::exchange(record.response, answer.response));
    record.status = answer.status;
    record.bodyOmitted = !answer.response;
    record.omittedDigest = answer.omittedDigest;
    record.leaseEnd.reset();
    const Instant origin = m_policy.ttlFrom == ExpiryOrigin::Begin ? record.startedAt : section.now;
    record.expiresAt = saturatingAdd(origin, m_policy.ttl);
    enterState(section.shard, record, answer.state);
}

void Engine::endUnfinished(Section &section, Record &record, State state)
{
    leaveState(section.shard, record);
    section.free(std::exchange(record.response, nullptr));
    record.status = 0;
    record.leaseEnd.reset();
    record.expiresAt.reset();
    if (state == State::Abandoned) {
        record.expiresAt = saturatingAdd(section.now, m_policy.ttl);
    }
    enterState(section.shard, record, state);
}

void Engine::emitEvent(const Record &record, EventKind kind, Instant now, EventDetail detail)
{
    if (!m_events.isActive()) {
        return;
    }
    StoreEvent event;
    event.kind = kind;
    event.outcome = detail.outcome;
    event.at = now;
    event.identity = record.identity.toIdentity();
    event.fence = record.fence;
    event.attempt = record.attempt;
    event.state = record.stateAt(now);
    event.owner = record.owner;
    event.reason = std::move(detail.reason);
    event.response = std::move(detail.response);
    m_events.publish(std::move(event));
}

StoreError refusal(StoreErrorCode code, QString message, const Record &record, Instant now)
{
    return {code, std::move(message), record.fence, record.stateAt(now)};
}

StoreError notFound()
{
    return {StoreErrorCode::NotFound, u"There is no such record, or its time to live is over."_s};
}

StoreError storeClosed()
{
    return {StoreErrorCode::Closed, u"The store was shut down."_s};
}

StoreError wrongState(const Record &record, Instant now)
{
    const auto say = [&](QString message) {
        return refusal(StoreErrorCode::WrongState, std::move(message), record, now);
    };
    switch (record.stateAt(now)) {
    case State::InProgress:
        return say(u"This record is in progress: use abandon."_s);
    case State::LeaseExpired:
        return say(u"This record's lease is over: use abandon."_s);
    case State::Completed:
        return say(u"This record is completed: use purge."_s);
    case State::Failed:
        return say(u"This record is failed: use purge."_s);
    case State::Abandoned:
        return say(u"This record is abandoned: use purge."_s);
    case State::OutcomeUnknown:
        return say(u"This record's outcome is unknown: use settle."_s);
    }
    Q_UNREACHABLE();
}

} // namespace idem::memory
