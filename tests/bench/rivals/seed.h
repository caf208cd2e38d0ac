// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/bench/rivals/rival.h"

#include <mutex>
#include <unordered_map>
#include <variant>

namespace idem::bench::rivals {

/// Looks up a std::string by a view of one, without making one.
struct ViewHash
{
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

/// The design of the Rust store that this project began with, the measure of all others: one mutex over one hash map;
/// all is done under the lock, a reply is copied there, and the key is copied and looked up anew to insert it.
class Seed
{
    struct InProgress
    {
    };
    struct Cached
    {
        int status;
        std::string body;
        SteadyClock::time_point storedAt;
    };

public:
    Outcome<std::string> begin(std::string_view key)
    {
        const std::scoped_lock lock(m_mutex);
        if (const auto found = m_entries.find(key); found != m_entries.end()) {
            const auto *cached = std::get_if<Cached>(&found->second);
            if (!cached)
                return {Kind::InProgress};
            if (SteadyClock::now() - cached->storedAt < ttl)
                return {Kind::Replay, cached->status, cached->body};
        }
        m_entries.insert_or_assign(std::string(key), InProgress {});
        return {};
    }

    void complete(std::string_view key, int status, std::string_view body)
    {
        const std::scoped_lock lock(m_mutex);
        m_entries.insert_or_assign(std::string(key), Cached {status, std::string(body), SteadyClock::now()});
    }

    void abandon(std::string_view key)
    {
        const std::scoped_lock lock(m_mutex);
        if (const auto found = m_entries.find(key); found != m_entries.end())
            m_entries.erase(found);
    }

private:
    std::mutex m_mutex;
    std::unordered_map<std::string, std::variant<InProgress, Cached>, ViewHash, std::equal_to<>> m_entries;
};

} // namespace idem::bench::rivals
