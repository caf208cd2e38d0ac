// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/engine.h"

#include <QMessageAuthenticationCode>
#include <QRandomGenerator>
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
    , m_hash(SipKey::random())
    , m_tokenSecret(SipKey::random())
    , m_keyCheck(m_policy.key)
    , m_ttl(m_policy.ttl == Duration::zero() ? m_policy.semantics.zeroTtlMeans : m_policy.ttl)
    , m_onSweepHold(std::move(options.onSweepHold))
    , m_shardCount(std::size_t(options.shards))
    , m_shardShift(std::numeric_limits<std::size_t>::digits - 1 - std::countr_zero(m_shardCount))
    , m_shards(std::make_unique<Guarded<Shard>[]>(m_shardCount))
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

OwnerToken Engine::tokenOf(Fence fence) const
{
    const quint64 message = qToLittleEndian(quint64(toNumber(fence)));
    SipHash<2, 4> hash(m_tokenSecret);
    hash.widen();
    hash.add({reinterpret_cast<const char *>(&message), sizeof(message)});
    return {std::bit_cast<std::array<std::uint8_t, 16>>(hash.finish128())};
}

Guarded<Shard> &Engine::shardOf(std::size_t hash)
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

void Engine::startNewLife(Section &section, Record &record)
{
    record.attempt = 0;
    record.replays = 0;
    record.conflicts = 0;
    record.mismatches = 0;
    record.startedAt = section.now;
    record.createdWall = {};
    if (record.extras) {
        record.extras->createdAt.reset();
        record.extras->history.clear();
    }
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
    const bool isNoted = record.watchNoted;
    record.watchNoted = false;
    --shard.countOf(isNoted && record.hasDeadline ? State::LeaseExpired : State::InProgress);
    if (isNoted && !record.hasDeadline) {
        --shard.overdue;
    }
}

void Engine::enterState(Shard &shard, Record &record, State state)
{
    record.state = state;
    record.changedWall = m_clock.wallNow();
    if (record.createdWall == WallTime {}) {
        record.createdWall = record.changedWall; // a life starts
    }
    ++shard.countOf(state);
    if (state == State::InProgress) {
        shard.watches.push(record, record.watchAt(m_policy.stuckAfter));
    } else if (record.hasDeadline) {
        shard.expiries.push(record, record.deadline);
    }
}

void Engine::noteWatch(Shard &shard, Record &record, Instant now)
{
    if (record.watchNoted) {
        return;
    }
    shard.watches.remove(record);
    record.watchNoted = true;
    if (!record.hasDeadline) {
        ++shard.overdue;
        return;
    }
    --shard.countOf(State::InProgress);
    ++shard.countOf(State::LeaseExpired);
    emitEvent(record, EventKind::LeaseLapsed, now);
}

Record &Engine::finish(Section &section, std::size_t hash, Record &record, const Answer &answer)
{
    const bool isKept = answer.omittedDigest.isEmpty();
    const ResponseView statusOnly {answer.response.status};
    leaveState(section.shard, record);
    Record &finished = replaceRecord(section, hash, record,
        Record::make(record.identity(), record.texts(), isKept ? &answer.response : &statusOnly), answer.roomTaken);
    finished.bodyOmitted = !isKept;
    if (!isKept) {
        finished.needExtras().omittedDigest = answer.omittedDigest;
    }
    const Instant origin = m_policy.ttlFrom == ExpiryOrigin::Begin ? finished.startedAt : section.now;
    finished.deadline = saturatingAdd(origin, m_ttl);
    finished.hasDeadline = true;
    enterState(section.shard, finished, answer.state);
    return finished;
}

void Engine::endUnfinished(Section &section, Record &record, State state)
{
    leaveState(section.shard, record);
    record.hasDeadline = state == State::Abandoned;
    if (record.hasDeadline) {
        record.deadline = saturatingAdd(section.now, m_ttl);
    }
    enterState(section.shard, record, state);
}

void Engine::emitEvent(Record &record, EventKind kind, Instant now, EventDetail detail)
{
    if (!tellsEvents()) {
        return;
    }
    StoreEvent event;
    event.kind = kind;
    event.outcome = detail.outcome;
    event.at = now;
    event.fence = record.fence;
    event.attempt = record.attempt;
    event.state = record.stateAt(now);
    event.owner = record.texts().owner.toByteArray();
    event.reason = std::move(detail.reason);
    event.response = std::move(detail.response);
    event.identity = record.identity().toIdentity();
    m_events.publish(event);
    if (m_policy.historyEvents > 0) {
        auto &history = record.needExtras().history;
        if (history.size() == std::size_t(m_policy.historyEvents)) {
            history.erase(history.begin());
        }
        event.identity = {}; // the record has it
        history.push_back(std::move(event));
    }
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
