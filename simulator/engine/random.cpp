// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/random.h"

#include <cmath>

namespace idem::sim {

Duration uniformBelow(std::uint64_t bits, Duration bound)
{
    if (bound <= Duration::zero()) {
        return Duration::zero();
    }
    // The high half of the 128-bit product, from 32-bit halves: bound * bits / 2^64, rounded down.
    const auto count = static_cast<std::uint64_t>(bound.count());
    const std::uint64_t countHigh = count >> 32;
    const std::uint64_t countLow = count & 0xffffffffU;
    const std::uint64_t bitsHigh = bits >> 32;
    const std::uint64_t bitsLow = bits & 0xffffffffU;
    const std::uint64_t middle = countHigh * bitsLow + ((countLow * bitsLow) >> 32);
    const std::uint64_t middleLow = (middle & 0xffffffffU) + countLow * bitsHigh;
    return Duration(static_cast<Duration::rep>(countHigh * bitsHigh + (middle >> 32) + (middleLow >> 32)));
}

Duration exponential(std::uint64_t bits, Duration mean)
{
    // 1 - u lies in (0, 1], so the logarithm is finite: at most 53 ln 2 = 36.7 means.
    const double multiple = -std::log(1.0 - toUnit(bits));
    return Duration(std::llround(multiple * static_cast<double>(mean.count())));
}

} // namespace idem::sim
