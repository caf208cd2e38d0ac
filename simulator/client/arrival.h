// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

#include <cstdint>
#include <vector>

namespace idem::sim {

/// When operations arrive, whatever became of the earlier ones (open loop).
struct Arrival
{
    enum class Kind : std::uint8_t {
        Constant, ///< one each `interval`, the first at 0; 0: all at once
        Poisson, ///< exponential gaps of mean `interval`, before the first too
        Burst, ///< `burst` at once each `interval`, the first at 0
        Ramp, ///< Poisson whose rate goes from `fromRate` to `toRate` over `length` in a straight line, then stays
        Trace, ///< at `times`
    };
    Kind kind = Kind::Constant;
    Duration interval {};
    std::uint64_t burst = 1; ///< >= 1
    double fromRate = 0; ///< operations a second, >= 0
    double toRate = 0; ///< operations a second, >= 0
    Duration length {};
    bool andBack = false; ///< Ramp: after `length` back to `fromRate`, over `length` again, and then stays
    std::vector<Duration> times {}; ///< since the start, ascending
};

/// When operation number `operation` (from 0) arrives, since the start of the run. `previous`: when the one before it
/// did (not read for the first). `bits`: 64 uniform bits of this operation. Duration::max(): it never does, nor do
/// those after it. A pure function.
[[nodiscard]] Duration nextArrival(
    const Arrival &arrival, std::uint64_t operation, Duration previous, std::uint64_t bits);

} // namespace idem::sim
