// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/record_index.h"

#include <bit>

namespace idem::memory {

namespace {

constexpr std::size_t leastSlots = 8;

/// Room for `records` and a quarter more, so that probes stay short.
std::size_t slotsFor(std::size_t records)
{
    return std::max(leastSlots, std::bit_ceil(records + records / 3 + 1));
}

} // namespace

Record &RecordIndex::insert(std::size_t hash, RecordPtr record)
{
    if (m_slots.size() < slotsFor(m_size + 1)) {
        resize(slotsFor(m_size + 1));
    }
    std::size_t i = hash & m_mask;
    while (m_slots[i].record) {
        Q_ASSERT(m_slots[i].hash != hash || !(m_slots[i].record->identity() == record->identity()));
        i = (i + 1) & m_mask;
    }
    m_slots[i] = {hash, record.release()};
    ++m_size;
    return *m_slots[i].record;
}

RecordPtr RecordIndex::replace(std::size_t hash, Record &old, RecordPtr record)
{
    m_slots[slotOf(hash, old)].record = record.release();
    return RecordPtr(&old);
}

RecordPtr RecordIndex::remove(std::size_t hash, Record &record)
{
    std::size_t hole = slotOf(hash, record);
    for (std::size_t i = (hole + 1) & m_mask; m_slots[i].record; i = (i + 1) & m_mask) {
        // What belongs behind the hole stays: its distance from its own place is less than from the hole's.
        const std::size_t fromOwnPlace = (i - m_slots[i].hash) & m_mask;
        const std::size_t fromHole = (i - hole) & m_mask;
        if (fromOwnPlace >= fromHole) {
            m_slots[hole] = m_slots[i];
            hole = i;
        }
    }
    m_slots[hole] = {};
    --m_size;
    return RecordPtr(&record);
}

void RecordIndex::squeeze()
{
    const std::size_t least = m_size == 0 ? 0 : slotsFor(m_size);
    if (least < m_slots.size()) {
        resize(least);
    }
}

void RecordIndex::prefetchRecord(std::size_t hash) const
{
    if (m_slots.empty()) {
        return;
    }
    for (std::size_t i = hash & m_mask; m_slots[i].record; i = (i + 1) & m_mask) {
        if (m_slots[i].hash == hash) {
            constexpr std::size_t cacheLine = 64;
            const char *const block = reinterpret_cast<const char *>(m_slots[i].record);
            __builtin_prefetch(block);
            __builtin_prefetch(block + cacheLine);
            __builtin_prefetch(block + 2 * cacheLine);
            return;
        }
    }
}

std::size_t RecordIndex::slotOf(std::size_t hash, const Record &record) const
{
    std::size_t i = hash & m_mask;
    while (m_slots[i].record != &record) {
        Q_ASSERT(m_slots[i].record);
        i = (i + 1) & m_mask;
    }
    return i;
}

void RecordIndex::resize(std::size_t slotCount)
{
    std::vector<Slot> old(slotCount);
    old.swap(m_slots);
    m_mask = slotCount == 0 ? 0 : slotCount - 1;
    for (const Slot &slot : old) {
        if (!slot.record) {
            continue;
        }
        std::size_t i = slot.hash & m_mask;
        while (m_slots[i].record) {
            i = (i + 1) & m_mask;
        }
        m_slots[i] = slot;
    }
}

} // namespace idem::memory
