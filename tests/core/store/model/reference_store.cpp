// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/model/reference_store.h"

#include <algorithm>

namespace idem::test {

AnswerPtr toAnswer(const ResponsePtr &stored)
{
    return stored ? std::make_shared<const Response>(stored->toResponse()) : nullptr;
}

ReferenceStore::ReferenceStore(Policy policy)
    : m_policy(std::move(policy))
{
}

// begin

Begun ReferenceStore::begin(const BeginRequest &request, Moment at, Issued issued)
{
    const Identity identity = IdentityView(request.tenant, request.caller, request.key).toIdentity();
    const auto wrong = wrongText(request);
    Begun begun;
    if (const auto reason = wrong ? wrong : refusal(identity, at)) {
        begun.reason = *reason;
    } else {
        begun = decide(request, identity, at, issued);
    }
    ++m_counters.outcomes[static_cast<std::size_t>(begun.kind)];
    // What the limits refuse is told without the key, and no longer than a text may be.
    const Identity shown =
        wrong ? Identity {identity.tenant.left(maxTextBytes), identity.caller.left(maxTextBytes), {}} : identity;
    Rec *record = begun.kind == OutcomeKind::Rejected ? nullptr : &m_records.at(identity);
    tell(Told {.kind = EventKind::Begun, .outcome = begun.kind}, shown, record, at);
    return begun;
}

Begun ReferenceStore::decide(const BeginRequest &request, const Identity &identity, Moment at, Issued issued)
{
    const auto found = m_records.find(identity);
    if (found == m_records.end() || found->second.state == State::Abandoned) {
        return startAttempt(request, identity, at, issued);
    }
    Rec &record = found->second;
    const State state = stateOf(record, at.now);
    if (m_policy.semantics.fingerprinted && record.fingerprint != request.fingerprint) {
        ++record.mismatches;
        return {.kind = OutcomeKind::Mismatch, .issued = {record.proof.fence, {}}, .state = state};
    }
    if (state == State::InProgress) {
        if (!request.attemptId.isEmpty() && record.attemptId == request.attemptId) {
            return sameFresh(record);
        }
        ++record.conflicts;
        return {.kind = OutcomeKind::InProgress,
            .issued = {record.proof.fence, {}},
            .leaseEnd = record.leaseEnd,
            .startedAt = record.startedAt};
    }
    if (state == State::LeaseExpired) {
        const bool takesOver = m_policy.lapse == LapsePolicy::TakeoverAlways
            || (m_policy.lapse == LapsePolicy::Takeover && !record.sideEffect);
        if (takesOver) {
            return startAttempt(request, identity, at, issued);
        }
    }
    if (state == State::LeaseExpired || state == State::OutcomeUnknown) {
        return {.kind = OutcomeKind::Unknown, .issued = {record.proof.fence, {}}, .state = state};
    }
    return replay(record, at);
}

Begun ReferenceStore::startAttempt(const BeginRequest &request, const Identity &identity, Moment at, Issued issued)
{
    const auto [place, isNew] = m_records.try_emplace(identity);
    Rec &record = place->second;
    Rec next;
    next.createdAt = isNew ? at.now : record.createdAt;
    next.createdWall = isNew ? at.wall : record.createdWall;
    next.attempt = isNew ? 1 : record.attempt + 1;
    next.replays = record.replays;
    next.conflicts = record.conflicts;
    next.mismatches = record.mismatches;
    next.history = record.history;
    next.tookOver = !isNew && record.state == State::InProgress;
    if (next.tookOver) {
        ++m_counters.takeovers;
        change(record, State::InProgress, at);
    }
    next.proof = issued;
    next.attemptId = request.attemptId.toByteArray();
    next.owner = request.owner.toByteArray();
    next.fingerprint = request.fingerprint.toByteArray();
    next.lease = m_policy.lease;
    if (request.lease) {
        next.lease = std::clamp<Duration>(*request.lease, 1us, maxPolicyDuration);
    }
    next.startedAt = at.now;
    if (next.lease) {
        next.leaseEnd = saturatingAdd(at.now, *next.lease);
    }
    next.changedWall = at.wall;
    record = next;
    return sameFresh(record);
}

Begun ReferenceStore::sameFresh(const Rec &record)
{
    return {.kind = OutcomeKind::Fresh,
        .issued = record.proof,
        .attempt = record.attempt,
        .tookOver = record.tookOver,
        .leaseEnd = record.leaseEnd};
}

Begun ReferenceStore::replay(Rec &record, Moment at) const
{
    if (record.bodyOmitted) {
        return {.kind = OutcomeKind::NotStored,
            .issued = {record.proof.fence, {}},
            .originalStatus = record.result->status};
    }
    ++record.replays;
    if (m_policy.ttlFrom == ExpiryOrigin::Sliding) {
        record.expiresAt = saturatingAdd(at.now, ttl());
    }
    return {.kind = OutcomeKind::Replay,
        .issued = {record.proof.fence, {}},
        .response = record.result,
        .failed = record.state == State::Failed,
        .late = record.late,
        .storedAt = record.changedWall,
        .expiresAt = *record.expiresAt};
}

// The owner's verbs

/// "compare (token, fence) before they change anything"
tl::expected<ReferenceStore::Rec *, StoreError> ReferenceStore::ownedBy(
    const Ownership &owner, Moment at, const AnswerPtr &evidence)
{
    if (m_closed) {
        return tl::unexpected(errorFor(StoreErrorCode::Closed, nullptr, at.now));
    }
    Rec *record = lookUp(owner.identity, at.now);
    if (!record) {
        return tl::unexpected(errorFor(StoreErrorCode::NotFound, nullptr, at.now));
    }
    if (record->held && record->proof == Issued {owner.fence, owner.token}) {
        return record;
    }
    ++m_counters.staleRefused;
    tell(Told {.kind = EventKind::StaleRefused, .response = evidence ? StoredResponse::make(*evidence) : ResponsePtr()},
        owner.identity, record, at);
    return tl::unexpected(errorFor(StoreErrorCode::StaleOwner, record, at.now));
}

tl::expected<ReferenceStore::Rec *, StoreError> ReferenceStore::ownedInProgress(const Ownership &owner, Moment at)
{
    auto record = ownedBy(owner, at);
    if (record && (*record)->state != State::InProgress) {
        return tl::unexpected(errorFor(StoreErrorCode::WrongState, *record, at.now));
    }
    return record;
}

Result<Completion> ReferenceStore::complete(const Ownership &owner, const Response &response, Moment at)
{
    if (response.status < 100 || response.status > 599) {
        return tl::unexpected(errorFor(StoreErrorCode::Invalid, nullptr, at.now));
    }
    return end(owner, std::make_shared<const Response>(response), State::Completed, at);
}

Result<Completion> ReferenceStore::fail(const Ownership &owner, const QString &reason, Moment at)
{
    const Response problem {409, {{"Content-Type", "application/problem+json"}}, reason.toUtf8()};
    return end(owner, std::make_shared<const Response>(problem), State::Failed, at);
}

Result<Completion> ReferenceStore::end(const Ownership &owner, const AnswerPtr &result, State as, Moment at)
{
    if (!m_closed && !m_policy.semantics.fenced) {
        return overwrite(owner.identity, result, as, at);
    }
    const auto owned = ownedBy(owner, at, result);
    if (!owned) {
        return tl::unexpected(owned.error());
    }
    Rec &record = **owned;
    if (record.state == State::Completed || record.state == State::Failed) {
        if (record.state != as || *record.result != *result) {
            return tl::unexpected(errorFor(StoreErrorCode::DifferentResult, &record, at.now));
        }
        return Completion {.state = as, .late = record.late, .repeated = true, .bodyOmitted = record.bodyOmitted};
    }
    if (record.state != State::InProgress) { // "completing a key nobody holds is refused; nothing is stored"
        return tl::unexpected(errorFor(StoreErrorCode::NotFound, &record, at.now));
    }
    const bool late = stateOf(record, at.now) == State::LeaseExpired;
    if (late && m_policy.late == LatePolicy::Strict) {
        return tl::unexpected(errorFor(StoreErrorCode::LeaseOver, &record, at.now));
    }
    if (!isKept(*result, as)) {
        Completion completion = giveBack(owner.identity, record, record.sideEffect, at);
        completion.late = late;
        m_counters.lateCompletes += late ? 1 : 0;
        return completion;
    }
    change(record, as, at);
    record.late = late;
    keep(record, result);
    ++(as == State::Completed ? m_counters.completed : m_counters.failed);
    m_counters.lateCompletes += late ? 1 : 0;
    tellStored(owner.identity, record, at);
    return Completion {.state = as, .late = late, .bodyOmitted = record.bodyOmitted};
}

/// "release leaves Abandoned by the owner"; `toUnknown`: the outcome is unknown instead, where the preset minds that.
Completion ReferenceStore::giveBack(const Identity &identity, Rec &record, bool toUnknown, Moment at)
{
    const bool isUnknown = toUnknown && !forgetsSideEffects();
    change(record, isUnknown ? State::OutcomeUnknown : State::Abandoned, at);
    m_counters.released += isUnknown ? 0 : 1;
    tell(isUnknown ? EventKind::MarkedUnknown : EventKind::Released, identity, &record, at);
    return {.state = record.state};
}

/// The seeds' complete: the last writer wins (or the first), begun or not.
Result<Completion> ReferenceStore::overwrite(const Identity &identity, const AnswerPtr &result, State as, Moment at)
{
    dropExpired(identity, at);
    const auto [place, isNew] = m_records.try_emplace(identity);
    Rec &record = place->second;
    if (isNew) {
        record.createdAt = at.now;
        record.startedAt = at.now;
        record.createdWall = at.wall;
    }
    const bool overwrote = record.state == State::Completed || record.state == State::Failed;
    if (overwrote && m_policy.semantics.firstResultStands) {
        return tl::unexpected(errorFor(StoreErrorCode::DifferentResult, &record, at.now));
    }
    if (as == State::Failed && !isKept(*result, as)) {
        removeUnfenced(EventKind::Released, identity, {}, at);
        return Completion {.state = State::Abandoned};
    }
    change(record, as, at);
    keep(record, result);
    ++(as == State::Completed ? m_counters.completed : m_counters.failed);
    tellStored(identity, record, at);
    return Completion {.state = as, .overwrote = overwrote, .bodyOmitted = record.bodyOmitted};
}

void ReferenceStore::tellStored(const Identity &identity, Rec &record, Moment at)
{
    const AnswerPtr shown = served(record);
    tell(Told {.kind = record.state == State::Completed ? EventKind::Completed : EventKind::Failed,
             .response = shown ? StoredResponse::make(*shown) : ResponsePtr()},
        identity, &record, at);
}

Result<std::optional<Instant>> ReferenceStore::renew(const Ownership &owner, Moment at)
{
    const auto record = ownedInProgress(owner, at);
    if (!record) {
        return tl::unexpected(record.error());
    }
    if (stateOf(**record, at.now) == State::LeaseExpired) {
        if (m_policy.late == LatePolicy::Strict) {
            return tl::unexpected(errorFor(StoreErrorCode::LeaseOver, *record, at.now));
        }
        change(**record, State::InProgress, at);
    }
    if ((*record)->lease) {
        (*record)->leaseEnd = std::max(*(*record)->leaseEnd, saturatingAdd(at.now, *(*record)->lease));
    }
    (*record)->lapseTold = false;
    (*record)->renewedAt = at.now;
    tell(EventKind::Renewed, owner.identity, *record, at);
    return (*record)->leaseEnd;
}

Result<void> ReferenceStore::release(const Ownership &owner, Moment at)
{
    if (!m_closed && !m_policy.semantics.fenced) {
        return releaseUnfenced(owner.identity, at);
    }
    const auto record = ownedInProgress(owner, at);
    if (!record) {
        return tl::unexpected(record.error());
    }
    giveBack(owner.identity, **record, (*record)->sideEffect, at);
    return {};
}

/// The seed's Release: anybody's, of any record.
Result<void> ReferenceStore::releaseUnfenced(const Identity &identity, Moment at)
{
    if (!lookUp(identity, at.now)) {
        return tl::unexpected(errorFor(StoreErrorCode::NotFound, nullptr, at.now));
    }
    removeUnfenced(EventKind::Released, identity, {}, at);
    return {};
}

Result<void> ReferenceStore::sideEffectStarted(const Ownership &owner, Moment at)
{
    const auto record = ownedInProgress(owner, at);
    if (!record) {
        return tl::unexpected(record.error());
    }
    if (!(*record)->sideEffect) {
        (*record)->sideEffect = true;
        tell(EventKind::SideEffectStarted, owner.identity, *record, at);
    }
    return {};
}

Result<void> ReferenceStore::markUnknown(const Ownership &owner, Moment at)
{
    const auto record = ownedInProgress(owner, at);
    if (!record) {
        return tl::unexpected(record.error());
    }
    giveBack(owner.identity, **record, true, at);
    return {};
}

} // namespace idem::test
