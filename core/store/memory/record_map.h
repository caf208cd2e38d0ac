// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory/record.h"

#include <QHash>

namespace idem::memory {

/// The records of one shard by identity: the one place that knows which hash map is used. Owns them; a record's address
/// is stable until it is removed. Guarded by the shard's lock.
class RecordMap
{
public:
    RecordMap() = default;
    RecordMap(const RecordMap &) = delete;
    RecordMap &operator=(const RecordMap &) = delete;
    ~RecordMap()
    {
        forEach([](Record &record) { Record::Deleter()(&record); });
    }

    /// Null when absent. Copies nothing; `hash` is the identity's.
    [[nodiscard]] Record *find(std::size_t hash, const IdentityView &identity) const
    {
        return m_records.value(Key {hash, &identity}, nullptr);
    }

    /// Precondition: no record of this identity is there.
    Record &insert(RecordPtr record)
    {
        Record *const raw = record.release();
        Q_ASSERT(!m_records.contains(Key {raw->hash, &raw->identity}));
        m_records.insert(Key {raw->hash, &raw->identity}, raw);
        return *raw;
    }

    /// Precondition: the record is in this map.
    [[nodiscard]] RecordPtr remove(Record &record)
    {
        m_records.remove(Key {record.hash, &record.identity});
        return RecordPtr(&record);
    }

    template <typename Function> void forEach(Function function) const
    {
        for (Record *record : m_records) {
            function(*record);
        }
    }

private:
    /// Points at a record's own identity or, in a look-up, at the caller's.
    struct Key
    {
        std::size_t hash;
        const IdentityView *identity;

        friend bool operator==(const Key &left, const Key &right)
        {
            return left.hash == right.hash && *left.identity == *right.identity;
        }
        friend std::size_t qHash(const Key &key, std::size_t) { return key.hash; }
    };

    QHash<Key, Record *> m_records;
};

} // namespace idem::memory
