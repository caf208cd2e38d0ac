// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/bench/rivals/rival.h"

#include <array>
#include <mutex>

namespace idem::bench::rivals {

/// Hash maps, each behind a lock of its own. A Map has a type Body and, by std::string_view, find() (null: absent),
/// insert() of an absent key, and erase(). What can be done without the lock is done without it.
template <typename Map, typename Mutex, std::size_t shards = 1> class LockedMaps
{
public:
    using Body = typename Map::Body;

    Outcome<Body> begin(std::string_view key)
    {
        Shard &shard = shardOf(key);
        const std::scoped_lock lock(shard.mutex);
        if (Entry<Body> *entry = shard.map.find(key)) {
            if (entry->isLive())
                return entry->outcome();
            *entry = {};
        } else {
            shard.map.insert(key);
        }
        return {};
    }

    void complete(std::string_view key, int status, const std::string &text)
    {
        Body body(text.data(), static_cast<int>(text.size()));
        Shard &shard = shardOf(key);
        const std::scoped_lock lock(shard.mutex);
        Entry<Body> *entry = shard.map.find(key);
        (entry ? *entry : shard.map.insert(key)).finish(status, std::move(body));
    }

    void abandon(std::string_view key)
    {
        Shard &shard = shardOf(key);
        const std::scoped_lock lock(shard.mutex);
        shard.map.erase(key);
    }

private:
    /// On cache lines of its own.
    struct alignas(128) Shard
    {
        Mutex mutex;
        Map map;
    };

    Shard &shardOf(std::string_view key)
    {
        if constexpr (shards == 1)
            return m_shards[0];
        else // not by the low bits, which the maps use
            return m_shards[(std::hash<std::string_view>()(key) >> 40) % shards];
    }

    std::array<Shard, shards> m_shards;
};

} // namespace idem::bench::rivals
