// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/event.h"
#include "core/store/memory/deadline_heap.h"
#include "core/store/memory/record_map.h"

#include <QMutex>
#include <QRandomGenerator>

#include <array>
#include <bit>
#include <cstring>
#include <unordered_map>

namespace idem::memory {

/// Owner tokens, drawn from the operating system's generator many at a time: a token is a credential, so no other
/// generator will do, and one call each would cost more than a whole begin.
class TokenSource
{
public:
    OwnerToken next()
    {
        if (m_next == m_tokens.size()) {
            std::array<quint32, 4 * std::tuple_size_v<decltype(m_tokens)>> words;
            QRandomGenerator::system()->fillRange(words.data(), qsizetype(words.size()));
            m_tokens = std::bit_cast<decltype(m_tokens)>(words);
            m_next = 0;
        }
        return std::exchange(m_tokens[m_next++], OwnerToken {});
    }

private:
    std::array<OwnerToken, 16> m_tokens {};
    std::size_t m_next = m_tokens.size();
};

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

/// A part of a store with a lock of its own, which guards everything in it and in its records.
struct alignas(128) Shard
{
    QMutex mutex;
    RecordMap records;
    DeadlineHeap watches; ///< in progress and not yet noted, by Record::watchAt
    DeadlineHeap expiries; ///< finished and abandoned
    Counters counters; ///< this shard's part; `stuck` is not kept
    std::uint64_t overdue = 0; ///< in progress without a lease, and noted
    std::uint64_t snapshotNumber = 0; ///< of the last snapshot that this shard is part of
    Counters snapshot; ///< this shard's part of it
    TokenSource tokens;
    std::uint64_t nextSerial = 1; ///< for waiters and lease timers
    bool isIndexed = false; ///< records are entered in byId
    std::unordered_map<RecordId, Record *, RecordIdHash> byId;

    [[nodiscard]] std::uint64_t &countOf(State state) { return counters.byState[static_cast<std::size_t>(state)]; }
};

} // namespace idem::memory
