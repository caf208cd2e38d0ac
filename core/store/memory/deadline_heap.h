// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory/record.h"

#include <vector>

namespace idem::memory {

/// Records of one shard by deadline, the earliest first: a binary heap whose records know their own places, so that one
/// can be taken out of the middle. A record is in one heap at most. Its real deadline may have moved on since it was
/// pushed; who takes the top looks at the record and pushes it again. Guarded by the shard's lock.
class DeadlineHeap
{
public:
    [[nodiscard]] bool isEmpty() const { return m_entries.empty(); }
    [[nodiscard]] Instant topDeadline() const { return m_entries.front().when; }
    [[nodiscard]] Record &top() const { return *m_entries.front().record; }

    /// Precondition: the record is in no heap. O(1) for a deadline behind all others, O(log n) for any.
    void push(Record &record, Instant when);
    /// Does nothing for a record that is in no heap.
    void remove(Record &record);

private:
    struct Entry
    {
        Instant when;
        Record *record;
    };

    void place(std::size_t index, Entry entry);
    void siftUp(std::size_t index, Entry entry);
    void siftDown(std::size_t index, Entry entry);

    std::vector<Entry> m_entries;
};

} // namespace idem::memory
