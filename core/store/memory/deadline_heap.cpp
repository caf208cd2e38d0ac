// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/deadline_heap.h"

namespace idem::memory {

void DeadlineHeap::push(Record &record, Instant when)
{
    Q_ASSERT(record.heapSlot == 0);
    m_entries.push_back({when, &record});
    siftUp(m_entries.size() - 1, m_entries.back());
}

void DeadlineHeap::remove(Record &record)
{
    if (record.heapSlot == 0) {
        return;
    }
    const std::size_t index = record.heapSlot - 1;
    Q_ASSERT(index < m_entries.size() && m_entries[index].record == &record);
    record.heapSlot = 0;
    const Entry last = m_entries.back();
    m_entries.pop_back();
    if (index == m_entries.size()) {
        return;
    }
    if (index > 0 && last.when < m_entries[(index - 1) / 2].when) {
        siftUp(index, last);
    } else {
        siftDown(index, last);
    }
}

void DeadlineHeap::place(std::size_t index, Entry entry)
{
    m_entries[index] = entry;
    entry.record->heapSlot = std::uint32_t(index + 1);
}

void DeadlineHeap::siftUp(std::size_t index, Entry entry)
{
    while (index > 0) {
        const std::size_t parent = (index - 1) / 2;
        if (m_entries[parent].when <= entry.when) {
            break;
        }
        place(index, m_entries[parent]);
        index = parent;
    }
    place(index, entry);
}

void DeadlineHeap::siftDown(std::size_t index, Entry entry)
{
    const std::size_t size = m_entries.size();
    for (std::size_t child = 2 * index + 1; child < size; child = 2 * index + 1) {
        if (child + 1 < size && m_entries[child + 1].when < m_entries[child].when) {
            ++child;
        }
        if (entry.when <= m_entries[child].when) {
            break;
        }
        place(index, m_entries[child]);
        index = child;
    }
    place(index, entry);
}

} // namespace idem::memory
