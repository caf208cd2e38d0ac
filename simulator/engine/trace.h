// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/engine/random.h"

#include <bit>
#include <cstdint>

namespace idem::sim {

/// A 64-bit hash over what happened, in order: equal histories have equal hashes.
class Trace
{
public:
    void add(std::uint64_t word) { m_hash = (std::rotl(m_hash, 27) ^ mix64(word)) * 0x9e3779b97f4a7c15ULL; }
    [[nodiscard]] std::uint64_t hash() const { return mix64(m_hash); }

private:
    std::uint64_t m_hash = 0x6964656d73636f70ULL;
};

} // namespace idem::sim
