// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/bench/rivals/rival.h"

#include <absl/container/flat_hash_map.h>
#include <absl/strings/string_view.h>

namespace idem::bench::rivals {

/// For LockedMaps: Abseil's Swiss table, which looks up by a view as it is.
class AbslMap
{
public:
    using Body = std::string;
    Entry<Body> *find(std::string_view key)
    {
        const auto found = m_map.find(text(key));
        return found == m_map.end() ? nullptr : &found->second;
    }
    Entry<Body> &insert(std::string_view key) { return m_map.try_emplace(text(key)).first->second; }
    void erase(std::string_view key) { m_map.erase(text(key)); }

private:
    static absl::string_view text(std::string_view key) { return {key.data(), key.size()}; }

    absl::flat_hash_map<std::string, Entry<Body>> m_map;
};

} // namespace idem::bench::rivals
