// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory/record.h"

#include <deque>
#include <vector>

namespace idem::memory {

/// Records of one shard by deadline, the earliest first. Leases and times to live of one length end in the order in
/// which they began, so most deadlines are pushed behind all others: those stand in a line, where a push, a removal and
/// taking the first cost the same however many there are, and touch no other record. The rest is in a binary heap.
/// Records know their own places, so that any can be taken out. A record is in one queue at most. Its real deadline may
/// have moved on since it was pushed; who takes the top looks at the record and pushes it again. Guarded by the shard's
/// lock.
class DeadlineQueue
{
public:
    [[nodiscard]] bool isEmpty() const { return m_line.empty() && m_heap.empty(); }
    /// Precondition, as of top(): not empty.
    [[nodiscard]] Instant topDeadline() const { return first().when; }
    [[nodiscard]] Record &top() const { return *first().record; }
    /// The record that stands `ahead` places behind the line's first, if any: about the one that is the top after so
    /// many. For prefetching.
    [[nodiscard]] const Record *peek(std::size_t ahead) const
    {
        return ahead < m_line.size() ? m_line[ahead].record : nullptr;
    }

    /// Precondition: the record is in no queue.
    void push(Record &record, Instant when);
    /// Does nothing for a record that is in no queue.
    void remove(Record &record);
    /// Gives back memory that past loads needed.
    void squeeze();

private:
    struct Entry
    {
        Instant when;
        Record *record; ///< null in the line: removed; never at its ends
    };

    // A record's slot: 0 is none; in the heap its index + 1; in the line this bit and its number.
    static constexpr std::uint32_t lineBit = 0x8000'0000;

    [[nodiscard]] const Entry &first() const;
    void removeFromLine(Record &record);
    void removeFromHeap(Record &record);
    void closeRanks();
    void place(std::size_t index, Entry entry);
    void siftUp(std::size_t index, Entry entry);
    void siftDown(std::size_t index, Entry entry);

    std::deque<Entry> m_line;
    std::uint32_t m_firstNumber = 0; ///< of the line's first entry, without lineBit; wraps around
    std::size_t m_gaps = 0; ///< removed entries in the line
    std::vector<Entry> m_heap;
};

} // namespace idem::memory
