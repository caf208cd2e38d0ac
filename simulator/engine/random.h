// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

#include <cstdint>

namespace idem::sim {

/// The finaliser of SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014): a
/// bijection in which every input bit flips every output bit with probability one half.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/// Random numbers by name instead of by draw order: the number of (seed, stream, operation, attempt) is the same
/// whatever else a run draws, so that two variants of a scenario on one seed meet the same fate and differ in the
/// variant only ("common random numbers"). A pure function; thread-safe.
class KeyedRandom
{
public:
    explicit constexpr KeyedRandom(std::uint64_t seed)
        : m_seed(mix64(seed + gamma))
    {
    }

    /// 64 uniform bits.
    [[nodiscard]] constexpr std::uint64_t bits(
        std::uint32_t stream, std::uint64_t operation, std::uint32_t attempt = 0) const
    {
        // SplitMix64 twice: the draw's number picks a generator, the operation's number a place in its sequence.
        const std::uint64_t draw = (static_cast<std::uint64_t>(stream) << 32) | attempt;
        return mix64(mix64(m_seed + (draw + 1) * gamma) + (operation + 1) * gamma);
    }

private:
    static constexpr std::uint64_t gamma = 0x9e3779b97f4a7c15ULL;
    std::uint64_t m_seed;
};

// Transforms of our own, because those of the standard library differ between platforms.

/// [0, 1), a multiple of 2^-53.
[[nodiscard]] constexpr double toUnit(std::uint64_t bits)
{
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// [0, bound) in whole microseconds; 0 when `bound` <= 0. Integers only, so equal on every platform.
[[nodiscard]] Duration uniformBelow(std::uint64_t bits, Duration bound);

/// Exponential with `mean`, by inversion, rounded to microseconds.
[[nodiscard]] Duration exponential(std::uint64_t bits, Duration mean);

} // namespace idem::sim
