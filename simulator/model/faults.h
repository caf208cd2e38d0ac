// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/engine/random.h"
#include "simulator/model/scenario.h"

#include <array>
#include <vector>

namespace idem::sim {

/// Who meets a fault.
struct Chance
{
    std::uint64_t operation = 0;
    std::uint32_t attempt = 1; ///< from 1
    std::uint32_t client = 0;
    std::uint32_t instance = 0;
};

/// Decides which events the faults of a scenario strike. Every fault draws from a stream of its own, by operation and
/// attempt, so that the same attempts are struck in every variant of a scenario. Thread-safety: one thread at a time.
class FaultPlan
{
public:
    /// No fault strikes from `heal` on.
    FaultPlan(std::vector<Fault> faults, std::optional<Duration> heal);

    /// True when the scenario has a fault of `kind` at all.
    [[nodiscard]] bool has(Fault::Kind kind) const { return !m_byKind[static_cast<std::size_t>(kind)].empty(); }
    /// The first fault of `kind` that strikes this chance now; null when none does.
    [[nodiscard]] const Fault *strike(Fault::Kind kind, Instant now, const KeyedRandom &random, const Chance &chance)
    {
        return has(kind) ? find(kind, now.time_since_epoch(), random, chance) : nullptr;
    }
    /// When something that starts at `now` and takes `span` ends in `instance`, the stalls on its way left out.
    [[nodiscard]] Instant endBeyondStalls(Instant now, Duration span, std::uint32_t instance) const;
    /// How far `instance`'s clock is ahead at `now`.
    [[nodiscard]] Duration clockOffset(Instant now, std::uint32_t instance) const;
    /// The faults that happen at one moment: their `from`.
    [[nodiscard]] const std::vector<Fault> &faults() const { return m_faults; }
    /// When the last window of a fault ends; the start of the run when none has one.
    [[nodiscard]] Duration lastWindowEnd() const;

private:
    [[nodiscard]] const Fault *find(Fault::Kind kind, Duration now, const KeyedRandom &random, const Chance &chance);
    [[nodiscard]] bool isWithin(const Fault &fault, Duration now) const;

    struct State
    {
        Duration nextStrike {}; ///< with `every`
        std::uint64_t strikes = 0;
    };
    std::vector<Fault> m_faults;
    std::vector<State> m_states;
    std::array<std::vector<std::uint32_t>, FaultKindCount> m_byKind; ///< indices
    Duration m_heal = Duration::max();
};

} // namespace idem::sim
