// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"
#include "simulator/engine/distribution.h"

#include <cstdint>
#include <vector>

namespace idem::sim {

/// A queue of theory on the simulator's event queue and random numbers: Poisson arrivals, equal servers, first come
/// first served. It begins empty and runs until the last customer has left.
struct QueueModel
{
    std::uint32_t servers = 1;
    std::uint64_t room = UINT64_MAX; ///< in queue and service together; who finds it full goes away
    Duration arrivalInterval {}; ///< mean
    Distribution service {};
    std::uint64_t customers = 1; ///< who arrive
    Duration longSojourn = Duration::max(); ///< who stays longer is counted
    std::uint64_t seed = 1;

    /// What became of a number of customers.
    struct Tally
    {
        double arrived = 0;
        double served = 0;
        double waited = 0; ///< found every server busy
        double turnedAway = 0;
        double stayedLong = 0;
        double waits = 0; ///< sum of the times in queue, us
        double sojourns = 0; ///< sum of the times from arrival to departure, us
    };
    struct Outcome
    {
        Tally all {};
        /// The same in stretches of equal numbers of arrivals. Each is much longer than the queue's memory, so that
        /// they are nearly independent: how they differ tells the standard error of a result (method of batch means).
        std::vector<Tally> batches {};
        double presence = 0; ///< integral of the number present over time, us
        Duration time {}; ///< of the last event
    };
    static constexpr std::uint64_t batchCount = 50;

    /// Precondition: `customers` is a multiple of batchCount. Thread-safe.
    [[nodiscard]] Outcome run() const;
};

} // namespace idem::sim
