// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/constant_time.h"
#include "core/store/memory/engine.h"

#include <algorithm>

namespace idem::memory {

namespace {

/// The ownership that a record is under, as its owner was or is told.
Verdict freshVerdict(const Record &record)
{
    Verdict verdict;
    verdict.kind = OutcomeKind::Fresh;
    verdict.tookOver = record.tookOver;
    verdict.attempt = record.attempt;
    verdict.fence = record.fence;
    verdict.hasLease = record.hasDeadline;
    verdict.deadline = record.deadline;
    return verdict;
}

Verdict replayVerdict(const Record &record, Instant now)
{
    Verdict verdict = Verdict::describing(OutcomeKind::Replay, record, now);
    verdict.response = record.response();
    verdict.failed = record.state == State::Failed;
    verdict.late = record.late;
    verdict.storedAt = record.changedWall;
    verdict.deadline = record.deadline;
    return verdict;
}

/// Which of the request's texts is too long; null when none is.
const char *tooLongText(const BeginRequest &request)
{
    const auto isTooLong = [](QByteArrayView text) { return text.size() > Record::maxTextBytes; };
    return isTooLong(request.tenant)     ? "tenant"
        : isTooLong(request.caller)      ? "caller"
        : isTooLong(request.fingerprint) ? "fingerprint"
        : isTooLong(request.attemptId)   ? "attempt id"
        : isTooLong(request.owner)       ? "owner"
                                         : nullptr;
}

} // namespace

Outcome Engine::begin(const BeginRequest &request)
{
    const IdentityView identity(request.tenant, request.caller, request.key);
    if (const auto refused = checkLimits(request)) {
        return toOutcome(refuse(request, *refused), identity);
    }
    return toOutcome(beginAtOnce(attemptOf(request)), identity);
}

void Engine::beginAsync(const BeginRequest &request, BeginCallback callback)
{
    const IdentityView identity(request.tenant, request.caller, request.key);
    if (const auto refused = checkLimits(request)) {
        callback(toOutcome(refuse(request, *refused), identity));
        return;
    }
    Verdict verdict = beginChecked(attemptOf(request), std::min(request.wait, m_policy.maxWait), callback);
    if (!verdict.waits) {
        callback(toOutcome(std::move(verdict), identity));
    }
}

std::vector<Outcome> Engine::beginMany(std::span<const BeginRequest> requests)
{
    // In steps over all requests, so that their cache misses overlap: places, then records, then the work itself.
    QVarLengthArray<std::size_t, 16> hashes;
    for (const BeginRequest &request : requests) {
        hashes.append(attemptOf(request).hash);
        Peek(shardOf(hashes.last())).shard.records.prefetchSlot(hashes.last());
    }
    for (const std::size_t hash : hashes) {
        Peek(shardOf(hash)).shard.records.prefetchRecord(hash);
    }
    std::vector<Outcome> outcomes;
    outcomes.reserve(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const Attempt attempt {requests[i], hashes[qsizetype(i)]};
        const auto refused = checkLimits(attempt.request);
        outcomes.push_back(
            toOutcome(refused ? refuse(attempt.request, *refused) : beginAtOnce(attempt), attempt.identity()));
    }
    return outcomes;
}

Outcome Engine::toOutcome(Verdict &&verdict, const IdentityView &identity)
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
    if (const char *const text = tooLongText(request)) {
        Verdict verdict = Verdict::rejected(RejectReason::TextTooLong);
        verdict.tooLong = text;
        return verdict;
    }
    return std::nullopt;
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

Verdict Engine::beginAtOnce(const Attempt &attempt)
{
    BeginCallback none;
    return beginChecked(attempt, Duration::zero(), none);
}

Verdict Engine::beginChecked(const Attempt &attempt, Duration wait, BeginCallback &callback)
{
    bool mayEvict = m_policy.atCapacity == AtCapacity::EvictOldest;
    while (true) {
        Verdict verdict = beginLocked(attempt, wait, callback, mayEvict);
        if (!verdict.evicts) {
            return verdict;
        }
        mayEvict = evictOldest();
    }
}

Verdict Engine::beginLocked(const Attempt &attempt, Duration wait, BeginCallback &callback, bool mayEvict)
{
    Section section(*this, shardOf(attempt.hash), attempt.hash);
    if (m_isClosed.load(std::memory_order_acquire)) {
        Verdict verdict = Verdict::rejected(RejectReason::Closed);
        countOutcome(section, nullptr, attempt.identity(), verdict);
        return verdict;
    }
    Record *record = section.shard.records.find(attempt.hash, attempt.identity());
    if (record && record->waits() && record->isLapsed(section.now)) {
        record = &settleWaiters(section, *record); // who waited longer goes first, even when the timer is late
    }
    Verdict verdict = decide(section, record, attempt);
    if (verdict.kind == OutcomeKind::InProgress && wait > Duration::zero()) {
        verdict.waits = enqueue(section, *record, attempt, wait, callback);
    }
    verdict.evicts = mayEvict && !record;
    if (!verdict.waits && !verdict.evicts) {
        countOutcome(section, record, attempt.identity(), verdict);
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
    if (comparesPayload && !equalsInConstantTime(record->texts().fingerprint, attempt.request.fingerprint)) {
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
        const bool isSameAttempt = !attempt.request.attemptId.isEmpty()
            && equalsInConstantTime(record->texts().attemptId, attempt.request.attemptId);
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
    record = &replaceRecord(section, attempt.hash, *record, Record::make(attempt.identity(), attempt.texts()));
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
    if (attempt.request.lease) {
        record.needExtras().lease = std::clamp(*attempt.request.lease, Duration(1), Duration(maxPolicyDuration));
    }
    record.hasDeadline = attempt.request.lease || m_policy.lease;
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
            verdict.deadline = record->deadline;
        }
    }
    if (tellsEvents()) {
        emitEvent(*record, EventKind::Begun, section.now, {verdict.kind});
    }
}

} // namespace idem::memory
