// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/bench/rivals/rival.h"

#include <unordered_map>

namespace idem::bench::rivals {

/// For LockedMaps: the standard's map, as most code uses it, with a std::string made for each look-up.
class StdMap
{
public:
    using Body = std::string;
    Entry<Body> *find(std::string_view key)
    {
        const auto found = m_map.find(std::string(key));
        return found == m_map.end() ? nullptr : &found->second;
    }
    Entry<Body> &insert(std::string_view key) { return m_map[std::string(key)]; }
    void erase(std::string_view key) { m_map.erase(std::string(key)); }

private:
    std::unordered_map<std::string, Entry<Body>> m_map;
};

} // namespace idem::bench::rivals
