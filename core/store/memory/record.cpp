// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/record.h"
#include "core/store/memory/waiting.h"

#include <cstring>
#include <new>

namespace idem::memory {

namespace {

qsizetype byteCount(const IdentityView &identity)
{
    return identity.tenant.size() + identity.caller.size() + identity.key.size();
}

QByteArrayView copyTo(char *&target, QByteArrayView bytes)
{
    if (!bytes.isEmpty()) {
        std::memcpy(target, bytes.data(), std::size_t(bytes.size()));
    }
    const QByteArrayView copy(target, bytes.size());
    target += bytes.size();
    return copy;
}

IdentityView copyBehind(void *record, const IdentityView &identity)
{
    char *target = static_cast<char *>(record) + sizeof(Record);
    const QByteArrayView tenant = copyTo(target, identity.tenant);
    const QByteArrayView caller = copyTo(target, identity.caller);
    return {tenant, caller, copyTo(target, identity.key)};
}

} // namespace

Record::Record(const IdentityView &identity_, std::size_t hash_)
    : identity(copyBehind(this, identity_))
    , hash(hash_)
{
}

Record::~Record() = default;

Record::Ptr Record::make(const IdentityView &identity, std::size_t hash)
{
    void *block = ::operator new(sizeof(Record) + std::size_t(byteCount(identity)));
    return Ptr(new (block) Record(identity, hash));
}

void Record::Deleter::operator()(Record *record) const
{
    record->~Record();
    ::operator delete(record);
}

RecordView Record::view(Instant now, Duration stuckAfter) const
{
    RecordView view;
    view.identity = identity.toIdentity();
    view.state = stateAt(now);
    view.fence = fence;
    view.attempt = attempt;
    view.owner = owner;
    view.fingerprint = fingerprint;
    view.createdAt = createdAt;
    view.startedAt = startedAt;
    view.renewedAt = renewedAt;
    view.leaseEnd = leaseEnd;
    view.expiresAt = expiresAt;
    view.createdWall = createdWall;
    view.changedWall = changedWall;
    view.late = late;
    view.bodyOmitted = bodyOmitted;
    view.sideEffect = sideEffect;
    view.stuck = isStuck(now, stuckAfter);
    view.status = status;
    view.replays = replays;
    view.conflicts = conflicts;
    view.mismatches = mismatches;
    view.waiting = waits ? std::uint32_t(waits->waiters.size()) : 0;
    view.observedAt = now;
    return view;
}

} // namespace idem::memory
