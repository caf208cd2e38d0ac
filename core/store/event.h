// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/outcome.h"
#include "core/store/types.h"

#include <array>
#include <memory>
#include <vector>

namespace idem {

/// What happened in a store. Begin events carry an outcome, all others a transition.
enum class EventKind : std::uint8_t {
    Begun, ///< `outcome` tells how
    Completed,
    Failed,
    Released, ///< by its owner
    Abandoned, ///< by an operator
    LeaseLapsed,
    MarkedUnknown, ///< the owner left after announcing a side effect, or an operator said so
    Renewed,
    SideEffectStarted,
    Settled,
    Purged,
    Expired, ///< removed by a sweep, or found expired by a begin
    Evicted, ///< dropped for want of room, before its time: its operation may run again
    StaleRefused, ///< a displaced owner's verb, `response` holds its late result as evidence
};

/// The kind's name in interfaces, snake_case.
[[nodiscard]] QString toString(EventKind kind);

struct StoreEvent
{
    std::uint64_t sequence = 0; ///< from 1, without gaps, in the order of the changes of one record
    EventKind kind = EventKind::Begun;
    std::optional<OutcomeKind> outcome {};
    Instant at {};
    Identity identity {};
    Fence fence = Fence::None;
    std::uint32_t attempt = 0;
    State state = State::InProgress; ///< after the event
    QByteArray owner {}; ///< the owner's display name
    QString reason {}; ///< an operator's reason
    ResponsePtr response {}; ///< Completed: what was stored; StaleRefused: what was refused
};

/// A bounded buffer between a store and one reader. A writer never waits for the reader: when the buffer is full the
/// oldest events go and `missed` says how many, and the reader lists afresh. Thread-safe.
class EventStream
{
public:
    struct Batch
    {
        std::vector<StoreEvent> events;
        std::uint64_t missed = 0; ///< events lost since the last take
    };

    virtual ~EventStream() = default;
    /// Up to `limit` events, oldest first; returns at once.
    virtual Batch take(std::size_t limit = SIZE_MAX) = 0;
};

/// How many, since the store was made. One consistent snapshot.
struct Counters
{
    std::array<std::uint64_t, OutcomeKindCount> outcomes {}; ///< of begin, by kind
    std::array<std::uint64_t, StateCount> byState {}; ///< records now, by state; LeaseExpired is exact
    std::uint64_t records = 0; ///< records now; a finished one past its expiry counts until it is swept
    std::uint64_t bytes = 0; ///< memory of the records now: identities, texts, responses and a fixed part for each
    std::uint64_t stuck = 0; ///< lease expired, outcome unknown, or no lease and older than `stuckAfter`
    std::uint64_t completed = 0;
    std::uint64_t failed = 0;
    std::uint64_t released = 0;
    std::uint64_t abandoned = 0;
    std::uint64_t takeovers = 0;
    std::uint64_t lateCompletes = 0;
    std::uint64_t staleRefused = 0; ///< owner verbs refused as stale
    std::uint64_t expired = 0; ///< swept, or found expired by a begin
    std::uint64_t evicted = 0; ///< dropped for want of room, before their time
    std::uint64_t purged = 0;
    std::uint64_t waiting = 0; ///< begins that wait now

    [[nodiscard]] std::uint64_t outcome(OutcomeKind kind) const { return outcomes[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] std::uint64_t state(State s) const { return byState[static_cast<std::size_t>(s)]; }
};

} // namespace idem
