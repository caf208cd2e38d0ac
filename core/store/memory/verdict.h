// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory/record.h"
#include "core/store/store.h"

namespace idem::memory {

/// An outcome as it is decided inside a critical section: plain values, so that the guard, which copies the identity,
/// is made after the lock is free.
struct Verdict
{
    OutcomeKind kind = OutcomeKind::Rejected;
    State state = State::InProgress;
    bool tookOver = false;
    bool failed = false;
    bool late = false;
    bool waits = false; ///< in progress, and told later
    bool evicts = false; ///< rejected at capacity, unless evicting makes room
    RejectReason reject = RejectReason::Closed;
    const char *tooLong = ""; ///< which text is
    int status = 0;
    std::uint32_t attempt = 0;
    Fence fence = Fence::None;
    OwnerToken token {};
    Instant startedAt {};
    bool hasLease = false;
    Instant deadline {}; ///< the lease's end, if there is one; of a replay the expiry
    WallTime storedAt {};
    ResponsePtr response {};

    static Verdict rejected(RejectReason reason);
    /// An outcome that only tells of the record.
    static Verdict describing(OutcomeKind kind, const Record &record, Instant now);
};

/// What the caller of begin gets. Not to be called with a lock held.
[[nodiscard]] Outcome toOutcome(Verdict &&verdict, const IdentityView &identity, Store &store);

} // namespace idem::memory
