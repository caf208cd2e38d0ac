// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

#include <cstdint>

namespace idem::sim {

/// A random or constant duration, quantised to microseconds. Never negative.
struct Distribution
{
    enum class Kind : std::uint8_t {
        Constant, ///< `first`
        Uniform, ///< [`first`, `second`)
        Exponential, ///< mean `first`
        Normal, ///< |N|: mean `first`, standard deviation `second`, the sign dropped
        LogNormal, ///< median `first`; the logarithm has the standard deviation `shape`
        Weibull, ///< scale `first`, `shape` k: less than 1 is a heavy tail, 1 the exponential
        Pareto, ///< minimum `first`, `shape` alpha: no mean from 1 down, no variance from 2 down
    };
    Kind kind = Kind::Constant;
    Duration first {};
    Duration second {};
    double shape = 1; ///< > 0
};

/// A duration of `distribution`, decided by 64 uniform bits. A pure function; what lies beyond the range of Duration is
/// its greatest.
[[nodiscard]] Duration draw(const Distribution &distribution, std::uint64_t bits);

/// The expected value in closed form, rounded to microseconds (Uniform's half a microsecond is not counted).
/// Duration::max() when it is infinite (Pareto of shape <= 1).
[[nodiscard]] Duration mean(const Distribution &distribution);

/// `micros` rounded to a whole microsecond; beyond the range of Duration its nearest end, for NaN zero.
[[nodiscard]] Duration toDuration(double micros);

} // namespace idem::sim
