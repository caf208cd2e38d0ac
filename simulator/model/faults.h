// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/engine/random.h"
#include "simulator/model/scenario.h"

namespace idem::sim {

/// Decides which events the faults of a scenario strike. Every fault draws from a stream of its own, by operation and
/// attempt, so that the same attempts are struck in every variant of a scenario. Thread-safety: one thread at a time.
class FaultPlan
{
public:
    explicit FaultPlan(const std::vector<Fault> &faults);

    /// Whether something of `kind` goes wrong now, for this attempt (from 1) of this operation.
    [[nodiscard]] bool strikes(
        Fault::Kind kind, Instant now, const KeyedRandom &random, std::uint64_t operation, std::uint32_t attempt);

private:
    struct Planned
    {
        Fault fault {};
        std::uint32_t stream = 0;
        Duration nextStrike {}; ///< with `every`
    };
    static bool strikes(
        Planned &planned, Duration now, const KeyedRandom &random, std::uint64_t operation, std::uint32_t attempt);

    std::vector<Planned> m_faults;
};

} // namespace idem::sim
