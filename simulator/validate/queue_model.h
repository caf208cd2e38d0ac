// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"
#include "simulator/engine/distribution.h"

#include <cstdint>

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

    struct Outcome
    {
        std::uint64_t served = 0;
        std::uint64_t waited = 0; ///< found every server busy
        std::uint64_t turnedAway = 0;
        std::uint64_t stayedLong = 0;
        double waits = 0; ///< sum of the times in queue, us
        double sojourns = 0; ///< sum of the times from arrival to departure, us
        double presence = 0; ///< integral of the number present over time, us
        Duration time {}; ///< of the last event

        [[nodiscard]] double meanWait() const { return waits / static_cast<double>(served); }
        [[nodiscard]] double meanSojourn() const { return sojourns / static_cast<double>(served); }
        [[nodiscard]] double meanPresent() const { return presence / static_cast<double>(time.count()); }
    };
    /// Thread-safe.
    [[nodiscard]] Outcome run() const;
};

} // namespace idem::sim
