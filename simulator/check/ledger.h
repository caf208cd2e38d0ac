// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/check/counts.h"

#include <cstdint>
#include <vector>

namespace idem::sim {

/// How an operation ended for its client.
enum class ClientEnd : std::uint8_t {
    None, ///< not yet
    Ok, ///< a success arrived
    GaveUp, ///< no attempt left: the client does not know what happened
    Error, ///< an error that no retry will change
};

/// The truth that no client and no store sees: what really happened, operation by operation. 12 bytes for each, kept
/// for the whole run, because an effect may come long after its client has gone. Thread-safety: one thread at a time.
class Ledger
{
public:
    /// Precondition: operations are opened in order: 0, 1, 2 ...
    void open(std::uint64_t operation, std::uint32_t client = 0);
    /// The world saw the effect of an open operation.
    void effect(std::uint64_t operation);
    /// Precondition: the operation is open and has not ended.
    void end(std::uint64_t operation, ClientEnd how);

    [[nodiscard]] std::uint64_t opened() const { return m_entries.size(); }
    [[nodiscard]] std::uint64_t ended() const { return m_ended; }
    [[nodiscard]] std::uint32_t client(std::uint64_t operation) const { return m_entries[operation].client; }
    [[nodiscard]] std::uint64_t effects(std::uint64_t operation) const { return m_entries[operation].effects; }

    /// Fills in `operations`, `effects`, the double charges and what clients got, as of now: a client that gave up
    /// counts as failed while there is no effect, and as unknown once there is one.
    void report(Counts &counts) const;

private:
    struct Entry
    {
        std::uint32_t effects = 0;
        std::uint32_t client = 0;
        ClientEnd end = ClientEnd::None;
    };

    std::vector<Entry> m_entries;
    std::uint64_t m_ended = 0;
    std::uint64_t m_effects = 0;
    std::uint64_t m_doubles = 0;
    std::uint64_t m_keysDoubled = 0;
    std::uint64_t m_ok = 0;
    std::uint64_t m_errors = 0;
    std::uint64_t m_gaveUpWithout = 0;
    std::uint64_t m_gaveUpWith = 0;
};

} // namespace idem::sim
