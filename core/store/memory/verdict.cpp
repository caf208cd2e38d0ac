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
    verdict.leaseEnd = record.leaseEnd();
    return verdict;
}

Outcome toOutcome(Verdict verdict, const IdentityView &identity, Store &store)
{
    switch (verdict.kind) {
    case OutcomeKind::Fresh:
        return Fresh {Claim(store, {identity, verdict.fence, verdict.token}, verdict.leaseEnd), verdict.attempt,
            verdict.tookOver};
    case OutcomeKind::InProgress:
        return InProgress {verdict.fence, verdict.startedAt, verdict.leaseEnd};
    case OutcomeKind::Replay:
        return Replay {std::move(verdict.response), verdict.failed, verdict.late, verdict.fence, verdict.storedAt,
            verdict.expiresAt};
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
