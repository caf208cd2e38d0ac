// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/constant_time.h"
#include "core/store/memory/engine.h"

#include <algorithm>
#include <array>

namespace idem::memory {

namespace {

std::optional<Duration> boundedLease(std::optional<Duration> lease)
{
    return lease ? std::optional(std::clamp(*lease, Duration(1), Duration(maxPolicyDuration))) : std::nullopt;
}

/// The ownership that a record is under, as its owner was or is told.
Verdict freshVerdict(const Record &record)
{
    Verdict verdict;
    verdict.kind = OutcomeKind::Fresh;
    verdict.tookOver = record.tookOver;
    verdict.attempt = record.attempt;
    verdict.fence = record.fence;
    verdict.leaseEnd = record.leaseEnd();
    return verdict;
}

Verdict replayVerdict(const Record &record, Instant now)
{
    Verdict verdict = Verdict::describing(OutcomeKind::Replay, record, now);
    verdict.response = record.response();
    verdict.failed = record.state == State::Failed;
    verdict.late = record.late;
    verdict.storedAt = record.changedWall;
    verdict.expiresAt = record.deadline;
    return verdict;
}

bool isTooLong(QByteArrayView text)
{
    return text.size() > Record::maxTextBytes;
}

} // namespace

Outcome Engine::begin(const BeginRequest &request)
{
    const IdentityView identity(request.tenant, request.caller, request.key);
    if (const auto refused = checkLimits(request)) {
        return toOutcome(refuse(request, *refused), identity);
    }
    BeginCallback none;
    return toOutcome(*beginChecked(makeAttempt(request), Duration::zero(), none), identity);
}

void Engine::beginAsync(const BeginRequest &request, BeginCallback callback)
{
    const IdentityView identity(request.tenant, request.caller, request.key);
    if (const auto refused = checkLimits(request)) {
        callback(toOutcome(refuse(request, *refused), identity));
        return;
    }
    auto verdict = beginChecked(makeAttempt(request), std::min(request.wait, m_policy.maxWait), callback);
    if (verdict) {
        callback(toOutcome(*std::move(verdict), identity));
    }
}

std::vector<Outcome> Engine::beginMany(std::span<const BeginRequest> requests)
{
    // In steps over all requests, so that their cache misses overlap: places, then records, then the work itself.
    QVarLengthArray<std::size_t, 64> hashes;
    for (const BeginRequest &request : requests) {
        hashes.append(hashOf({request.tenant, request.caller, request.key}));
    }
    for (const std::size_t hash : hashes) {
        Peek(shardOf(hash)).shard.records.prefetchSlot(hash);
    }
    for (const std::size_t hash : hashes) {
        Peek(shardOf(hash)).shard.records.prefetchRecord(hash);
    }
    std::vector<Outcome> outcomes;
    outcomes.reserve(requests.size());
    for (const BeginRequest &request : requests) {
        outcomes.push_back(begin(request));
    }
    return outcomes;
}

Outcome Engine::toOutcome(Verdict verdict, const IdentityView &identity)
{
    if (verdict.kind == OutcomeKind::Fresh) {
        verdict.token = tokenOf(verdict.fence);
    }
    return memory::toOutcome(std::move(verdict), identity, m_store);
}

std::optional<Verdict> Engine::checkLimits(const BeginRequest &request) const
{
    if (const auto reason = m_keyCheck.check(request.key)) {
        return Verdict::rejected(*reason);
    }
    constexpr std::array names {"tenant", "caller", "fingerprint", "attempt id", "owner"};
    const std::array texts {request.tenant, request.caller, request.fingerprint, request.attemptId, request.owner};
    const auto *const found = std::find_if(texts.begin(), texts.end(), isTooLong);
    if (found == texts.end()) {
        return std::nullopt;
    }
    Verdict verdict = Verdict::rejected(RejectReason::TextTooLong);
    verdict.tooLong = names[std::size_t(found - texts.begin())];
    return verdict;
}

Attempt Engine::makeAttempt(const BeginRequest &request) const
{
    const IdentityView identity(request.tenant, request.caller, request.key);
    return {identity, hashOf(identity), {request.fingerprint, request.attemptId, request.owner},
        boundedLease(request.lease)};
}

Verdict Engine::refuse(const BeginRequest &request, Verdict verdict)
{
    // Counted and told without the key: it is not one, and of any length.
    const auto part = [](QByteArrayView text) { return text.first(std::min(text.size(), Record::maxTextBytes)); };
    const IdentityView identity(part(request.tenant), part(request.caller), {});
    Section section(*this, shardOf(hashOf(identity)));
    countOutcome(section, nullptr, identity, verdict);
    return verdict;
}

void Engine::emitRejected(const IdentityView &identity, Instant now)
{
    if (!m_events.isActive()) {
        return;
    }
    StoreEvent event;
    event.outcome = OutcomeKind::Rejected;
    event.at = now;
    event.identity = identity.toIdentity();
    m_events.publish(event);
}

std::optional<Verdict> Engine::beginChecked(const Attempt &attempt, Duration wait, BeginCallback &callback)
{
    bool mayEvict = m_policy.atCapacity == AtCapacity::EvictOldest;
    while (true) {
        {
            Section section(*this, shardOf(attempt.hash));
            auto verdict = beginLocked(section, attempt, wait, callback, mayEvict);
            if (!verdict || verdict->kind != OutcomeKind::Rejected || !verdict->mayEvict) {
                return verdict;
            }
        }
        mayEvict = evictOldest();
    }
}

std::optional<Verdict> Engine::beginLocked(
    Section &section, const Attempt &attempt, Duration wait, BeginCallback &callback, bool mayEvict)
{
    Record *record = nullptr;
    Verdict verdict = Verdict::rejected(RejectReason::Closed);
    if (!m_isClosed.load(std::memory_order_acquire)) {
        record = section.shard.records.find(attempt.hash, attempt.identity);
        if (record && record->waits() && record->isLapsed(section.now)) {
            record = &settleWaiters(section, *record); // who waited longer goes first, even when the timer is late
        }
        verdict = decide(section, record, attempt);
        const bool mayWait = verdict.kind == OutcomeKind::InProgress && wait > Duration::zero();
        if (mayWait && enqueue(section, *record, attempt, wait, callback)) {
            return std::nullopt;
        }
        verdict.mayEvict = mayEvict && !record;
    }
    if (!verdict.mayEvict) {
        countOutcome(section, record, attempt.identity, verdict);
    }
    return verdict;
}

Verdict Engine::decide(Section &section, Record *&record, const Attempt &attempt)
{
    if (!record) {
        record = insertRecord(section, attempt);
        return record ? startAttempt(section, *record, attempt, false) : Verdict::rejected(RejectReason::AtCapacity);
    }
    if (record->isExpired(section.now)) {
        noteExpired(section, *record);
        startNewLife(section, *record);
        return regrant(section, record, attempt, false);
    }
    const bool comparesPayload = m_policy.semantics.fingerprinted && record->state != State::Abandoned;
    if (comparesPayload && !equalsInConstantTime(record->texts().fingerprint, attempt.texts.fingerprint)) {
        return Verdict::describing(OutcomeKind::Mismatch, *record, section.now);
    }
    switch (record->state) {
    case State::InProgress:
    case State::LeaseExpired:
        return decideInProgress(section, record, attempt);
    case State::OutcomeUnknown:
        return Verdict::describing(OutcomeKind::Unknown, *record, section.now);
    case State::Completed:
    case State::Failed: {
        if (!record->bodyOmitted) {
            return replayVerdict(*record, section.now);
        }
        Verdict verdict = Verdict::describing(OutcomeKind::NotStored, *record, section.now);
        verdict.status = record->status();
        return verdict;
    }
    case State::Abandoned:
        return regrant(section, record, attempt, false);
    }
    Q_UNREACHABLE();
}

Verdict Engine::decideInProgress(Section &section, Record *&record, const Attempt &attempt)
{
    if (!record->isLapsed(section.now)) {
        const bool isSameAttempt = !attempt.texts.attemptId.isEmpty()
            && equalsInConstantTime(record->texts().attemptId, attempt.texts.attemptId);
        return isSameAttempt ? freshVerdict(*record)
                             : Verdict::describing(OutcomeKind::InProgress, *record, section.now);
    }
    noteWatch(section.shard, *record, section.now);
    const bool mayTakeOver = m_policy.lapse == LapsePolicy::TakeoverAlways
        || (m_policy.lapse == LapsePolicy::Takeover && !record->sideEffect);
    return mayTakeOver ? regrant(section, record, attempt, true)
                       : Verdict::describing(OutcomeKind::Unknown, *record, section.now);
}

Verdict Engine::regrant(Section &section, Record *&record, const Attempt &attempt, bool takesOver)
{
    leaveState(section.shard, *record);
    if (record->attempt > 0 && !(record->extras && record->extras->createdAt)) {
        record->needExtras().createdAt = record->startedAt;
    }
    record = &replaceRecord(section, attempt.hash, *record, Record::make(attempt.identity, attempt.texts));
    if (record->extras) {
        record->extras->lease.reset();
        record->extras->renewedAt.reset();
        record->extras->omittedDigest.clear();
    }
    return startAttempt(section, *record, attempt, takesOver);
}

Verdict Engine::startAttempt(Section &section, Record &record, const Attempt &attempt, bool takesOver)
{
    record.late = false;
    record.bodyOmitted = false;
    record.sideEffect = false;
    record.operatorEnded = false;
    record.tookOver = takesOver;
    ++record.attempt;
    record.fence = nextFence();
    record.startedAt = section.now;
    if (attempt.lease) {
        record.needExtras().lease = attempt.lease;
    }
    record.hasDeadline = attempt.lease || m_policy.lease;
    if (record.hasDeadline) {
        record.deadline = saturatingAdd(section.now, leaseOf(record));
    }
    enterState(section.shard, record, State::InProgress);
    if (takesOver) {
        ++section.shard.counters.takeovers;
    }
    return freshVerdict(record);
}

void Engine::countOutcome(Section &section, Record *record, const IdentityView &identity, Verdict &verdict)
{
    ++section.shard.counters.outcomes[static_cast<std::size_t>(verdict.kind)];
    if (!record) {
        emitRejected(identity, section.now);
        return;
    }
    if (verdict.kind == OutcomeKind::InProgress) {
        ++record->conflicts;
    } else if (verdict.kind == OutcomeKind::Mismatch) {
        ++record->mismatches;
    } else if (verdict.kind == OutcomeKind::Replay) {
        ++record->replays;
        if (m_policy.ttlFrom == ExpiryOrigin::Sliding) {
            // Its place in the order of expiries stays; the sweep looks here before it removes.
            record->deadline = saturatingAdd(section.now, m_ttl);
            verdict.expiresAt = record->deadline;
        }
    }
    emitEvent(*record, EventKind::Begun, section.now, {verdict.kind});
}

} // namespace idem::memory
