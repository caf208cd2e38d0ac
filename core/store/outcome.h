// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/claim.h"

#include <QString>

#include <variant>

namespace idem {

/// The caller owns the key and runs the operation.
struct Fresh
{
    Claim claim;
    std::uint32_t attempt = 1; ///< counts the ownerships of this record, from 1
    bool tookOver = false; ///< from an owner whose lease was over
};

/// Another attempt owns the key; retry later.
struct InProgress
{
    Fence fence = Fence::None;
    Instant startedAt {};
    std::optional<Instant> leaseEnd {};
};

/// The first answer, as it was.
struct Replay
{
    ResponsePtr response {}; ///< of a failed operation: status 409, body the problem document
    bool failed = false;
    bool late = false;
    Fence fence = Fence::None;
    WallTime storedAt {};
    Instant expiresAt {};
};

/// The key was used with another payload. The record did not change.
struct Mismatch
{
    Fence fence = Fence::None;
    State state = State::InProgress;
};

/// Nobody knows whether the operation ran: the lease is over under `hold`, or the owner left after announcing a side
/// effect. An operator settles it.
struct Unknown
{
    Fence fence = Fence::None;
    State state = State::OutcomeUnknown; ///< or LeaseExpired
};

/// The operation ran, but its result was too large to keep.
struct NotStored
{
    int originalStatus = 0;
    Fence fence = Fence::None;
};

enum class RejectReason : std::uint8_t {
    KeyMissing,
    KeyTooLong,
    KeyTooShort,
    KeyMalformed,
    TextTooLong, ///< the tenant, caller, fingerprint, attempt id or owner; `message` tells which
    AtCapacity,
    Closed,
    Unavailable,
};

/// Refused before any look-up; nothing was stored.
struct Rejected
{
    RejectReason reason = RejectReason::Unavailable;
    QString message {};
};

using Outcome = std::variant<Fresh, InProgress, Replay, Mismatch, Unknown, NotStored, Rejected>;

/// For counters, events and colours: an outcome without its data, in the variant's order.
enum class OutcomeKind : std::uint8_t { Fresh, InProgress, Replay, Mismatch, Unknown, NotStored, Rejected };
constexpr int OutcomeKindCount = 7;

[[nodiscard]] inline OutcomeKind kindOf(const Outcome &outcome)
{
    return static_cast<OutcomeKind>(outcome.index());
}
/// The kind's name in interfaces, snake_case: `fresh`, `in_progress`, `replay` ...
[[nodiscard]] QString toString(OutcomeKind kind);
/// The reason's stable name in interfaces, for example `key-too-long`.
[[nodiscard]] QString toString(RejectReason reason);

} // namespace idem
