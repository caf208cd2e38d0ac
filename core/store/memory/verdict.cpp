// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/verdict.h"

namespace idem::memory {

using namespace Qt::StringLiterals;

namespace {

QString malformedKeyMessage(const KeyPolicy &policy)
{
    if (policy.uuidOnly) {
        return u"The idempotency key is not a UUID."_s;
    }
    return policy.pattern.isEmpty()
        ? u"The idempotency key has a character outside printable ASCII."_s
        : u"The idempotency key is not printable ASCII that matches the pattern of the store's policy."_s;
}

QString rejectMessage(const Verdict &verdict, const Policy &policy)
{
    switch (verdict.reject) {
    case RejectReason::KeyMissing:
        return u"The idempotency key is missing."_s;
    case RejectReason::KeyTooLong:
        return u"The idempotency key is longer than %1 bytes."_s.arg(policy.key.maxBytes);
    case RejectReason::KeyTooShort:
        return u"The idempotency key is shorter than %1 bytes."_s.arg(policy.key.minBytes);
    case RejectReason::KeyMalformed:
        return malformedKeyMessage(policy.key);
    case RejectReason::TextTooLong:
        return u"The %1 is longer than %2 bytes."_s.arg(QLatin1StringView(verdict.tooLong)).arg(Record::maxTextBytes);
    case RejectReason::AtCapacity:
        return policy.maxBytes ? u"The store holds its limit of %L1 records or of %L2 bytes."_s.arg(policy.maxRecords)
                                     .arg(*policy.maxBytes)
                               : u"The store holds its limit of %L1 records."_s.arg(policy.maxRecords);
    case RejectReason::Closed:
        return u"The store was shut down."_s;
    case RejectReason::Unavailable:
        return u"The store cannot be reached."_s;
    }
    Q_UNREACHABLE();
}

} // namespace

Verdict Verdict::rejected(RejectReason reason)
{
    Verdict verdict;
    verdict.reject = reason;
    return verdict;
}

Verdict Verdict::describing(OutcomeKind kind, const Record &record, Instant now)
{
    Verdict verdict;
    verdict.kind = kind;
    verdict.state = record.stateAt(now);
    verdict.fence = record.fence;
    verdict.startedAt = record.startedAt;
    verdict.hasLease = record.state == State::InProgress && record.hasDeadline;
    verdict.deadline = record.deadline;
    return verdict;
}

namespace {

// Each outcome is made where it stays: what was just written in parts is slow to copy as a whole.

Outcome freshOutcome(const Verdict &verdict, const IdentityView &identity, Store &store)
{
    const auto leaseEnd = verdict.hasLease ? std::optional(verdict.deadline) : std::nullopt;
    Outcome outcome(std::in_place_type<Fresh>);
    auto *const fresh = std::get_if<Fresh>(&outcome);
    fresh->claim = Claim(store, {identity, verdict.fence, verdict.token}, leaseEnd);
    fresh->attempt = verdict.attempt;
    fresh->tookOver = verdict.tookOver;
    return outcome;
}

Outcome inProgressOutcome(const Verdict &verdict)
{
    Outcome outcome(std::in_place_type<InProgress>);
    auto *const inProgress = std::get_if<InProgress>(&outcome);
    inProgress->fence = verdict.fence;
    inProgress->startedAt = verdict.startedAt;
    if (verdict.hasLease) {
        inProgress->leaseEnd.emplace(verdict.deadline);
    }
    return outcome;
}

Outcome replayOutcome(Verdict &&verdict)
{
    Outcome outcome(std::in_place_type<Replay>);
    auto *const replay = std::get_if<Replay>(&outcome);
    replay->response = std::move(verdict.response);
    replay->failed = verdict.failed;
    replay->late = verdict.late;
    replay->fence = verdict.fence;
    replay->storedAt = verdict.storedAt;
    replay->expiresAt = verdict.deadline;
    return outcome;
}

} // namespace

Outcome toOutcome(Verdict &&verdict, const IdentityView &identity, Store &store)
{
    switch (verdict.kind) {
    case OutcomeKind::Fresh:
        return freshOutcome(verdict, identity, store);
    case OutcomeKind::InProgress:
        return inProgressOutcome(verdict);
    case OutcomeKind::Replay:
        return replayOutcome(std::move(verdict));
    case OutcomeKind::Mismatch:
        return Mismatch {verdict.fence, verdict.state};
    case OutcomeKind::Unknown:
        return Unknown {verdict.fence, verdict.state};
    case OutcomeKind::NotStored:
        return NotStored {verdict.status, verdict.fence};
    case OutcomeKind::Rejected:
        return Rejected {verdict.reject, rejectMessage(verdict, store.policy())};
    }
    Q_UNREACHABLE();
}

} // namespace idem::memory
