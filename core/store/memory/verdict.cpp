// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/verdict.h"

namespace idem::memory {

using namespace Qt::StringLiterals;

namespace {

QString rejectMessage(RejectReason reason, const Policy &policy)
{
    switch (reason) {
    case RejectReason::KeyMissing:
        return u"The idempotency key is missing."_s;
    case RejectReason::KeyTooLong:
        return u"The idempotency key is longer than %1 bytes."_s.arg(policy.maxKeyBytes);
    case RejectReason::KeyTooShort:
        return u"The idempotency key is shorter than %1 bytes."_s.arg(policy.minKeyBytes);
    case RejectReason::KeyMalformed:
        return u"The idempotency key has a character outside printable ASCII."_s;
    case RejectReason::AtCapacity:
        return u"The store holds its limit of %1 records."_s.arg(policy.maxRecords);
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
    verdict.leaseEnd = record.leaseEnd;
    return verdict;
}

Outcome toOutcome(Verdict verdict, const IdentityView &identity, Store &store)
{
    switch (verdict.kind) {
    case OutcomeKind::Fresh:
        return Fresh {Claim(store, {identity.toIdentity(), verdict.fence, verdict.token}, verdict.leaseEnd),
            verdict.attempt, verdict.tookOver};
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
        return Rejected {verdict.reject, rejectMessage(verdict.reject, store.policy())};
    }
    Q_UNREACHABLE();
}

} // namespace idem::memory
