// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/bench/rivals/rival.h"

#include <tbb/concurrent_hash_map.h>

namespace idem::bench::rivals {

/// oneTBB's map, which locks each entry by itself; its look-ups need a std::string.
class TbbStore
{
    using Map = tbb::concurrent_hash_map<std::string, Entry<std::string>>;

public:
    Outcome<std::string> begin(std::string_view view)
    {
        const std::string key(view);
        {
            Map::const_accessor entry;
            if (m_map.find(entry, key) && entry->second.isLive())
                return entry->second.outcome();
        }
        Map::accessor entry;
        if (!m_map.insert(entry, key)) { // expired, or somebody was faster
            if (entry->second.isLive())
                return entry->second.outcome();
            entry->second = {};
        }
        return {};
    }

    void complete(std::string_view key, int status, std::string body)
    {
        Map::accessor entry;
        m_map.insert(entry, std::string(key));
        entry->second.finish(status, std::move(body));
    }

    void abandon(std::string_view key) { m_map.erase(std::string(key)); }

private:
    Map m_map;
};

} // namespace idem::bench::rivals
