// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace idem::sim {

/// What happened in a run, as the world and the clients saw it; the same names in reports, expectations and plots.
struct Counts
{
    std::uint64_t operations = 0; ///< that clients wanted
    std::uint64_t attempts = 0; ///< sent by clients, hedges too
    std::uint64_t retries = 0; ///< attempts beyond the first that followed a failure
    std::uint64_t hedges = 0; ///< attempts that did not wait for one
    std::uint64_t duplicates = 0; ///< deliveries that the network made up
    std::uint64_t arrivals = 0; ///< that reached the server
    std::uint64_t executions = 0; ///< handler starts
    std::uint64_t effects = 0; ///< what the world saw happen
    std::uint64_t fresh = 0;
    std::uint64_t replays = 0;
    std::uint64_t conflicts = 0;
    std::uint64_t mismatches = 0;
    std::uint64_t unknowns = 0; ///< answered "outcome unknown"
    std::uint64_t rejected = 0; ///< refused by the store
    std::uint64_t overloads = 0; ///< answered 503 by the server: its queue is full, it is down, or the store is
    std::uint64_t unguarded = 0; ///< executions without the store's grant, though there is a store
    std::uint64_t waits = 0; ///< arrivals that waited for another attempt's answer
    std::uint64_t requests_lost = 0;
    std::uint64_t responses_lost = 0;
    std::uint64_t replies_late = 0; ///< reached a client that had stopped waiting
    std::uint64_t timeouts = 0;
    std::uint64_t crashes = 0; ///< of handlers
    std::uint64_t client_crashes = 0;
    std::uint64_t handler_errors = 0; ///< handlers that ended without their effect
    std::uint64_t local_refusals = 0; ///< attempts that the client's own budget, throttle or breaker forbade
    std::uint64_t double_charges = 0; ///< effects beyond the first of an operation
    std::uint64_t keys_double_charged = 0; ///< operations with more than one effect
    std::uint64_t wrong_replays = 0; ///< replays of another operation's answer
    std::uint64_t false_conflicts = 0; ///< conflicts although no handler of the key was running
    std::uint64_t false_mismatches = 0; ///< mismatches although the payload was the key's own
    std::uint64_t lost_results = 0; ///< effects whose result the store did not keep
    std::uint64_t overwritten_responses = 0;
    std::uint64_t stale_completes = 0; ///< refused late results
    std::uint64_t late_completes = 0; ///< accepted after the lease's end
    std::uint64_t takeovers = 0;
    std::uint64_t abandons = 0; ///< accepted ones of the operator
    std::uint64_t abandons_refused = 0;
    std::uint64_t settles = 0;
    std::uint64_t purges = 0;
    std::uint64_t evictions = 0;
    std::uint64_t stuck_keys = 0; ///< now
    std::uint64_t client_ok = 0; ///< operations whose client got a final success
    std::uint64_t client_failed = 0; ///< gave up with no effect, or got a final error
    std::uint64_t client_unknown = 0; ///< gave up although the effect happened
    std::uint64_t invariant_violations = 0; ///< see Monitor

    friend bool operator==(const Counts &, const Counts &) = default;

    struct Entry
    {
        std::string_view name;
        std::uint64_t Counts::*member;
    };
    /// Every count with its name, in the order of reports.
    static const std::array<Entry, 45> &entries();
    /// Nothing for an unknown name.
    [[nodiscard]] std::optional<std::uint64_t> value(QStringView name) const;
};

} // namespace idem::sim
