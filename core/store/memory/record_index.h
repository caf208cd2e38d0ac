// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory/record.h"

#include <vector>

namespace idem::memory {

/// The records of one shard by identity: the one place that knows how they are found. Owns them. Guarded by the shard's
/// lock.
///
/// Open addressing with linear probing over (hash, pointer): a look-up reads one or two neighbouring cache lines and
/// then the record; growing reads and writes this table only, never a record. Removing shifts back what follows
/// (D. E. Knuth, "The Art of Computer Programming", vol. 3, algorithm 6.4 R), so that nothing is left behind by keys
/// that came and went.
class RecordIndex
{
public:
    RecordIndex() = default;
    RecordIndex(const RecordIndex &) = delete;
    RecordIndex &operator=(const RecordIndex &) = delete;
    ~RecordIndex()
    {
        forEach([](Record &record) { Record::Deleter()(&record); });
    }

    [[nodiscard]] std::size_t size() const { return m_size; }

    /// Null when absent. Copies nothing; `hash` is the identity's.
    [[nodiscard]] Record *find(std::size_t hash, const IdentityView &identity) const
    {
        if (m_slots.empty()) {
            return nullptr;
        }
        for (std::size_t i = hash & m_mask; m_slots[i].record; i = (i + 1) & m_mask) {
            if (m_slots[i].hash == hash && m_slots[i].record->is(identity)) {
                return m_slots[i].record;
            }
        }
        return nullptr;
    }

    /// Precondition: no record of this identity is there.
    Record &insert(std::size_t hash, RecordPtr record);
    /// Puts `record`, of the same identity, in the place of `old`, which the caller gets.
    [[nodiscard]] RecordPtr replace(std::size_t hash, Record &old, RecordPtr record);
    [[nodiscard]] RecordPtr remove(std::size_t hash, Record &record);

    template <typename Function> void forEach(Function function) const
    {
        constexpr std::size_t ahead = 8;
        for (std::size_t i = 0; i < m_slots.size(); ++i) {
            __builtin_prefetch(m_slots[(i + ahead) & m_mask].record);
            if (m_slots[i].record) {
                function(*m_slots[i].record);
            }
        }
    }

    /// Gives back memory that past loads needed.
    void squeeze();

    /// Brings the place of `hash` into the cache; later, the record that stands there.
    void prefetchSlot(std::size_t hash) const { __builtin_prefetch(m_slots.data() + (hash & m_mask)); }
    void prefetchRecord(std::size_t hash) const;

private:
    struct Slot
    {
        std::size_t hash = 0;
        Record *record = nullptr; ///< null: free
    };

    [[nodiscard]] std::size_t slotOf(std::size_t hash, const Record &record) const;
    void resize(std::size_t slotCount);

    std::vector<Slot> m_slots; ///< a power of two, or none
    std::size_t m_mask = 0;
    std::size_t m_size = 0;
};

} // namespace idem::memory
