// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory/record.h"
#include "core/store/scheduler.h"
#include "core/store/store.h"

#include <list>
#include <optional>

namespace idem::memory {

/// What begin decides on: a request, and the hash of its identity.
struct Attempt
{
    const BeginRequest &request;
    std::size_t hash;

    [[nodiscard]] IdentityView identity() const { return {request.tenant, request.caller, request.key}; }
    [[nodiscard]] AttemptTexts texts() const { return {request.fingerprint, request.attemptId, request.owner}; }
};

/// A begin that waits for its key. Owns its bytes; the identity is the record's.
struct Waiter
{
    std::uint64_t id = 0; ///< unique in its shard
    QByteArray fingerprint {};
    QByteArray attemptId {};
    QByteArray owner {};
    std::optional<Duration> lease {};
    BeginCallback callback {};
    TimerId deadlineTimer = 0; ///< 0 once it fired
};

/// The begins that wait for one key, oldest first; exists only while there is one.
struct WaitList
{
    std::list<Waiter> waiters {};
    TimerId leaseTimer = 0; ///< 0: not armed
    std::uint64_t leaseTimerSerial = 0; ///< tells the armed timer's call from a cancelled one's
    Instant leaseTimerAt {};
};

} // namespace idem::memory
