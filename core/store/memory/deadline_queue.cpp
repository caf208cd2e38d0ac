// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/deadline_queue.h"

namespace idem::memory {

const DeadlineQueue::Entry &DeadlineQueue::first() const
{
    if (m_line.empty()) {
        return m_heap.front();
    }
    return m_heap.empty() || m_line.front().when <= m_heap.front().when ? m_line.front() : m_heap.front();
}

void DeadlineQueue::push(Record &record, Instant when)
{
    Q_ASSERT(record.queueSlot == 0);
    if (m_line.empty() || when >= m_line.back().when) {
        Q_ASSERT(m_line.size() < lineBit);
        record.queueSlot = lineBit | (m_firstNumber + std::uint32_t(m_line.size()));
        m_line.push_back({when, &record});
        return;
    }
    m_heap.push_back({when, &record});
    siftUp(m_heap.size() - 1, m_heap.back());
}

void DeadlineQueue::remove(Record &record)
{
    if ((record.queueSlot & lineBit) != 0) {
        removeFromLine(record);
    } else if (record.queueSlot != 0) {
        removeFromHeap(record);
    }
    record.queueSlot = 0;
}

void DeadlineQueue::removeFromLine(Record &record)
{
    const std::size_t index = (record.queueSlot - m_firstNumber) & ~lineBit;
    Q_ASSERT(index < m_line.size() && m_line[index].record == &record);
    m_line[index].record = nullptr;
    ++m_gaps;
    while (!m_line.empty() && !m_line.front().record) {
        m_line.pop_front();
        m_firstNumber = (m_firstNumber + 1) & ~lineBit;
        --m_gaps;
    }
    while (!m_line.empty() && !m_line.back().record) {
        m_line.pop_back();
        --m_gaps;
    }
    // One record that stays at the front must not keep the places of all that came and went behind it.
    constexpr std::size_t fewGaps = 64;
    if (m_gaps > fewGaps && m_gaps > m_line.size() / 4 * 3) {
        closeRanks();
    }
}

void DeadlineQueue::closeRanks()
{
    std::deque<Entry> line;
    m_firstNumber = 0;
    m_gaps = 0;
    for (const Entry &entry : m_line) {
        if (entry.record) {
            entry.record->queueSlot = lineBit | std::uint32_t(line.size());
            line.push_back(entry);
        }
    }
    m_line.swap(line);
}

void DeadlineQueue::squeeze()
{
    m_line.shrink_to_fit();
    m_heap.shrink_to_fit();
}

void DeadlineQueue::removeFromHeap(Record &record)
{
    const std::size_t index = record.queueSlot - 1;
    Q_ASSERT(index < m_heap.size() && m_heap[index].record == &record);
    const Entry last = m_heap.back();
    m_heap.pop_back();
    if (index == m_heap.size()) {
        return;
    }
    if (index > 0 && last.when < m_heap[(index - 1) / 2].when) {
        siftUp(index, last);
    } else {
        siftDown(index, last);
    }
}

void DeadlineQueue::place(std::size_t index, Entry entry)
{
    m_heap[index] = entry;
    entry.record->queueSlot = std::uint32_t(index + 1);
}

void DeadlineQueue::siftUp(std::size_t index, Entry entry)
{
    while (index > 0) {
        const std::size_t parent = (index - 1) / 2;
        if (m_heap[parent].when <= entry.when) {
            break;
        }
        place(index, m_heap[parent]);
        index = parent;
    }
    place(index, entry);
}

void DeadlineQueue::siftDown(std::size_t index, Entry entry)
{
    const std::size_t size = m_heap.size();
    for (std::size_t child = 2 * index + 1; child < size; child = 2 * index + 1) {
        if (child + 1 < size && m_heap[child + 1].when < m_heap[child].when) {
            ++child;
        }
        if (entry.when <= m_heap[child].when) {
            break;
        }
        place(index, m_heap[child]);
        index = child;
    }
    place(index, entry);
}

} // namespace idem::memory
