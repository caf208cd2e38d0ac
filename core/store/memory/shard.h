// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/event.h"
#include "core/store/memory/deadline_queue.h"
#include "core/store/memory/guarded.h"
#include "core/store/memory/record_index.h"

#include <cstring>
#include <unordered_map>

namespace idem::memory {

/// An id is a keyed digest, so any of its bytes hash it.
struct RecordIdHash
{
    std::size_t operator()(const RecordId &id) const
    {
        std::size_t hash = 0;
        std::memcpy(&hash, id.bytes.data(), sizeof(hash));
        return hash;
    }
};

/// A part of a store. It and all its records are guarded by one lock: see Guarded.
struct Shard
{
    RecordIndex records;
    DeadlineQueue watches; ///< in progress and not yet noted, by Record::watchAt
    DeadlineQueue expiries; ///< finished and abandoned
    Counters counters; ///< this shard's part; `stuck` is not kept
    std::uint64_t overdue = 0; ///< in progress without a lease, and noted
    std::uint64_t snapshotNumber = 0; ///< of the last snapshot that this shard is part of
    Counters snapshot; ///< this shard's part of it
    std::uint64_t nextSerial = 1; ///< for waiters and lease timers
    bool isIndexed = false; ///< records are entered in byId
    std::unordered_map<RecordId, Record *, RecordIdHash> byId;

    [[nodiscard]] std::uint64_t &countOf(State state) { return counters.byState[static_cast<std::size_t>(state)]; }
};

} // namespace idem::memory
