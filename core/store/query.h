// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/filter.h"
#include "core/store/types.h"

#include <QString>

#include <vector>

namespace idem {

/// A record as it stood at `observedAt`: a copy, safe to keep.
struct RecordView
{
    RecordId id {};
    Identity identity {};
    State state = State::InProgress;
    Fence fence = Fence::None;
    std::uint32_t attempt = 0;
    QByteArray owner {}; ///< display name of the attempt's owner
    QByteArray fingerprint {};
    Instant createdAt {}; ///< of this life of the record
    Instant startedAt {}; ///< of this attempt
    std::optional<Instant> renewedAt {}; ///< the owner's last renewal, a sign of life
    std::optional<Instant> leaseEnd {}; ///< in progress only
    std::optional<Instant> expiresAt {}; ///< finished or abandoned only
    WallTime createdWall {};
    WallTime changedWall {};
    bool late = false;
    bool bodyOmitted = false;
    bool sideEffect = false; ///< the owner announced one
    bool stuck = false;
    int status = 0; ///< of the stored response; 0 without one
    std::uint32_t replays = 0;
    std::uint32_t conflicts = 0;
    std::uint32_t mismatches = 0;
    std::uint32_t waiting = 0; ///< begins that wait for it now
    Instant observedAt {};
};

/// The orders that every backend offers. Fence order is age order.
enum class SortKey : std::uint8_t { Fence, LeaseEnd, Expiry };

/// Which records, in which order.
struct Query
{
    Filter filter {}; ///< as of the time of the page; without terms, all records
    SortKey sort = SortKey::Fence; ///< records without the sort's moment come last
    bool descending = false;
    std::size_t limit = 500; ///< 1...10,000
    QByteArray cursor {}; ///< from the page before; empty for the first
};

/// One page of a list. The cursor is stable: no record that exists during the whole listing is left out or twice,
/// whatever begins, finishes or is swept meanwhile, as long as its sort value stays.
struct Page
{
    std::vector<RecordView> records {};
    QByteArray nextCursor {}; ///< empty on the last page
    std::uint64_t total = 0; ///< records that match, at the time of this page
    Instant observedAt {};
};

} // namespace idem
