// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/record.h"
#include "core/store/memory/waiting.h"

#include <cstring>
#include <new>
#include <numeric>

namespace idem::memory {

namespace {

std::size_t byteCount(const IdentityView &identity, const AttemptTexts &texts)
{
    return std::size_t(identity.tenant.size() + identity.caller.size() + identity.key.size() + texts.fingerprint.size()
        + texts.attemptId.size() + texts.owner.size());
}

} // namespace

RecordExtras::RecordExtras() = default;
RecordExtras::~RecordExtras() = default;

// The response's bytes lie behind the texts of the same block.
Record::Record(const IdentityView &identity, const AttemptTexts &texts, const ResponseView *response)
    : StoredResponse(sizeof(Record) + memory::byteCount(identity, texts), response)
{
    char *at = textBegin();
    const auto copy = [&](Text which, QByteArrayView bytes) {
        Q_ASSERT(bytes.size() <= maxTextBytes);
        m_textBytes[which] = std::uint8_t(bytes.size());
        if (!bytes.isEmpty()) {
            std::memcpy(at, bytes.data(), std::size_t(bytes.size()));
            at += bytes.size();
        }
    };
    copy(Tenant, identity.tenant);
    copy(Caller, identity.caller);
    copy(Key, identity.key);
    copy(Fingerprint, texts.fingerprint);
    copy(AttemptId, texts.attemptId);
    copy(Owner, texts.owner);
}

Record::Ptr Record::make(const IdentityView &identity, const AttemptTexts &texts, const ResponseView *response)
{
    const std::size_t bytes =
        sizeof(Record) + memory::byteCount(identity, texts) + (response ? StoredResponse::byteCount(*response) : 0);
    void *const block = ::operator new(bytes);
    auto *const record = new (block) Record(identity, texts, response);
    record->ref.storeRelaxed(1); // the store's own
    return Ptr(record);
}

void Record::copyLife(Record &other)
{
    fence = other.fence;
    deadline = other.deadline;
    startedAt = other.startedAt;
    changedWall = other.changedWall;
    createdWall = other.createdWall;
    attempt = other.attempt;
    replays = other.replays;
    conflicts = other.conflicts;
    mismatches = other.mismatches;
    state = other.state;
    hasDeadline = other.hasDeadline;
    watchNoted = other.watchNoted;
    late = other.late;
    bodyOmitted = other.bodyOmitted;
    sideEffect = other.sideEffect;
    tookOver = other.tookOver;
    operatorEnded = other.operatorEnded;
    extras = std::move(other.extras);
}

std::size_t Record::blockBytes() const
{
    const std::size_t textBytes = std::accumulate(m_textBytes.begin(), m_textBytes.end(), std::size_t {0});
    return sizeof(Record) + textBytes + dataBytes();
}

RecordExtras &Record::needExtras()
{
    if (!extras) {
        extras = std::make_unique<RecordExtras>();
    }
    return *extras;
}

RecordView Record::view(Instant now, Duration stuckAfter) const
{
    const AttemptTexts ofAttempt = texts();
    RecordView view;
    view.identity = identity().toIdentity();
    view.state = stateAt(now);
    view.fence = fence;
    view.attempt = attempt;
    view.owner = ofAttempt.owner.toByteArray();
    view.fingerprint = ofAttempt.fingerprint.toByteArray();
    view.createdAt = createdAt();
    view.startedAt = startedAt;
    view.renewedAt = extras ? extras->renewedAt : std::nullopt;
    view.leaseEnd = leaseEnd();
    view.expiresAt = expiresAt();
    view.createdWall = createdWall;
    view.changedWall = changedWall;
    view.late = late;
    view.bodyOmitted = bodyOmitted;
    view.sideEffect = sideEffect;
    view.stuck = isStuck(now, stuckAfter);
    view.status = answerStatus();
    view.replays = replays;
    view.conflicts = conflicts;
    view.mismatches = mismatches;
    view.waiting = waitingCount();
    view.observedAt = now;
    return view;
}

FilterSubject Record::subject(Instant now, Duration stuckAfter) const
{
    return {
        .identity = identity(),
        .state = stateAt(now),
        .fence = fence,
        .attempt = attempt,
        .owner = texts().owner,
        .startedAt = startedAt,
        .leaseEnd = leaseEnd(),
        .expiresAt = expiresAt(),
        .status = answerStatus(),
        .replays = replays,
        .conflicts = conflicts,
        .mismatches = mismatches,
        .waiting = waitingCount(),
        .stuck = isStuck(now, stuckAfter),
        .late = late,
        .bodyOmitted = bodyOmitted,
        .sideEffect = sideEffect,
        .id = extras && extras->id ? &*extras->id : nullptr,
        .now = now,
    };
}

std::uint32_t Record::waitingCount() const
{
    return waits() ? std::uint32_t(waits()->waiters.size()) : 0;
}

} // namespace idem::memory
