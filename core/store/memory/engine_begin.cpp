// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/constant_time.h"
#include "core/store/memory/engine.h"

#include <algorithm>

namespace idem::memory {

namespace {

/// RFC 9651 section 3.3.3: what a structured-field String may hold.
bool isPrintableAscii(QByteArrayView bytes)
{
    return std::all_of(bytes.begin(), bytes.end(), [](char byte) { return byte >= 0x20 && byte <= 0x7e; });
}

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
    verdict.token = record.token;
    verdict.leaseEnd = record.leaseEnd;
    return verdict;
}

Verdict replayVerdict(const Record &record, Instant now)
{
    Verdict verdict = Verdict::describing(OutcomeKind::Replay, record, now);
    verdict.response = record.response;
    verdict.failed = record.state == State::Failed;
    verdict.late = record.late;
    verdict.storedAt = record.changedWall;
    verdict.expiresAt = record.expiresAt.value_or(Instant::max());
    return verdict;
}

} // namespace

void Engine::beginAsync(const BeginRequest &request, BeginCallback callback)
{
    const IdentityView identity(request.tenant, request.caller, request.key);
    if (const auto reason = checkKey(request.key)) {
        Verdict verdict = Verdict::rejected(*reason);
        rejectUnseen(request, verdict);
        callback(toOutcome(std::move(verdict), identity, m_store));
        return;
    }
    const Attempt attempt {
        identity, hashOf(identity), request.fingerprint, request.attemptId, request.owner, boundedLease(request.lease)};
    std::optional<Verdict> verdict;
    {
        Section section(*this, shardOf(attempt.hash));
        verdict = beginLocked(section, attempt, std::min(request.wait, m_policy.maxWait), callback);
    }
    if (verdict) {
        callback(toOutcome(*std::move(verdict), identity, m_store));
    }
}

std::optional<RejectReason> Engine::checkKey(QByteArrayView key) const
{
    if (key.isEmpty()) {
        return RejectReason::KeyMissing;
    }
    if (key.size() > m_policy.maxKeyBytes) {
        return RejectReason::KeyTooLong;
    }
    if (key.size() < m_policy.minKeyBytes) {
        return RejectReason::KeyTooShort;
    }
    if (!isPrintableAscii(key)) {
        return RejectReason::KeyMalformed;
    }
    return std::nullopt;
}

void Engine::rejectUnseen(const BeginRequest &request, Verdict &verdict)
{
    // Counted and told without the key: it is not one, and of any length.
    const IdentityView identity(request.tenant, request.caller, {});
    Section section(*this, shardOf(hashOf(identity)));
    countOutcome(section, nullptr, identity, verdict);
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
    m_events.publish(std::move(event));
}

std::optional<Verdict> Engine::beginLocked(
    Section &section, const Attempt &attempt, Duration wait, BeginCallback &callback)
{
    Record *record = nullptr;
    Verdict verdict = Verdict::rejected(RejectReason::Closed);
    if (!m_isClosed.load(std::memory_order_acquire)) {
        record = section.shard.records.find(attempt.hash, attempt.identity);
        if (record && record->waits && record->isLapsed(section.now)) {
            settleWaiters(section, *record); // who waited longer goes first, even when the timer is late
        }
        verdict = decide(section, record, attempt);
        const bool mayWait = verdict.kind == OutcomeKind::InProgress && wait > Duration::zero();
        if (mayWait && enqueue(section, *record, attempt, wait, callback)) {
            return std::nullopt;
        }
    }
    countOutcome(section, record, attempt.identity, verdict);
    return verdict;
}

Verdict Engine::decide(Section &section, Record *&record, const Attempt &attempt)
{
    if (!record) {
        record = insertRecord(section, attempt.identity, attempt.hash);
        return record ? grant(section, *record, attempt, false) : Verdict::rejected(RejectReason::AtCapacity);
    }
    if (record->isExpired(section.now)) {
        noteExpired(section, *record);
        startNewLife(section, *record);
        return grant(section, *record, attempt, false);
    }
    const bool comparesPayload = m_policy.semantics.fingerprinted && record->state != State::Abandoned;
    if (comparesPayload && !equalsInConstantTime(record->fingerprint, attempt.fingerprint)) {
        return Verdict::describing(OutcomeKind::Mismatch, *record, section.now);
    }
    switch (record->state) {
    case State::InProgress:
    case State::LeaseExpired:
        return decideInProgress(section, *record, attempt);
    case State::OutcomeUnknown:
        return Verdict::describing(OutcomeKind::Unknown, *record, section.now);
    case State::Completed:
    case State::Failed: {
        if (!record->bodyOmitted) {
            return replayVerdict(*record, section.now);
        }
        Verdict verdict = Verdict::describing(OutcomeKind::NotStored, *record, section.now);
        verdict.status = record->status;
        return verdict;
    }
    case State::Abandoned:
        return grant(section, *record, attempt, false);
    }
    Q_UNREACHABLE();
}

Verdict Engine::decideInProgress(Section &section, Record &record, const Attempt &attempt)
{
    if (!record.isLapsed(section.now)) {
        const bool isSameAttempt =
            !attempt.attemptId.isEmpty() && equalsInConstantTime(record.attemptId, attempt.attemptId);
        return isSameAttempt ? freshVerdict(record) : Verdict::describing(OutcomeKind::InProgress, record, section.now);
    }
    noteWatch(section.shard, record, section.now);
    const bool mayTakeOver = m_policy.lapse == LapsePolicy::TakeoverAlways
        || (m_policy.lapse == LapsePolicy::Takeover && !record.sideEffect);
    return mayTakeOver ? grant(section, record, attempt, true)
                       : Verdict::describing(OutcomeKind::Unknown, record, section.now);
}

Verdict Engine::grant(Section &section, Record &record, const Attempt &attempt, bool takesOver)
{
    leaveState(section.shard, record);
    section.free(std::exchange(record.response, nullptr));
    record.status = 0;
    record.omittedDigest.clear();
    record.late = false;
    record.bodyOmitted = false;
    record.sideEffect = false;
    record.operatorEnded = false;
    record.tookOver = takesOver;
    ++record.attempt;
    record.fence = nextFence();
    record.token = section.shard.tokens.next();
    record.lease = attempt.lease ? attempt.lease : m_policy.lease;
    record.startedAt = section.now;
    record.renewedAt.reset();
    record.leaseEnd.reset();
    if (record.lease) {
        record.leaseEnd = saturatingAdd(section.now, *record.lease);
    }
    record.expiresAt.reset();
    record.fingerprint = attempt.fingerprint.toByteArray();
    record.attemptId = attempt.attemptId.toByteArray();
    record.owner = attempt.owner.toByteArray();
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
            record->expiresAt = saturatingAdd(section.now, m_policy.ttl);
            verdict.expiresAt = *record->expiresAt;
        }
    }
    emitEvent(*record, EventKind::Begun, section.now, {verdict.kind});
}

} // namespace idem::memory
