// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store.h"
#include "simulator/check/counts.h"
#include "simulator/model/scenario.h"

#include <memory>

namespace idem::sim {

/// One run of a scenario in virtual time, against the production store on the virtual clock.
/// Deterministic: scenario, seed and the calls made from outside decide everything.
/// Thread-safety: one thread at a time; the store may be read from others.
class Run
{
public:
    Run(Scenario scenario, Seed seed);
    explicit Run(const Scenario &scenario); ///< with the scenario's own seed
    ~Run();
    Run(const Run &) = delete;
    Run &operator=(const Run &) = delete;

    /// Handles the next event; false when there is none left.
    bool step();
    /// Handles every event up to and including virtual time `until` (since the start), at most `limit` of them; returns
    /// how many. Afterwards, unless the limit ended it, elapsed() == until.
    std::uint64_t runUntil(Duration until, std::uint64_t limit = UINT64_MAX);
    /// Handles at most `limit` events, as fast as possible; returns how many.
    std::uint64_t run(std::uint64_t limit);
    void toEnd();

    /// True when every operation has settled and nothing but the store's own sweeps is left.
    [[nodiscard]] bool isFinished() const;
    /// 0...1: settled operations of those that the scenario asks for (or of its duration).
    [[nodiscard]] double progress() const;

    [[nodiscard]] Duration elapsed() const; ///< virtual time since the start
    [[nodiscard]] std::uint64_t events() const; ///< handled so far
    /// A hash over every handled event: equal for equal runs.
    [[nodiscard]] std::uint64_t traceHash() const;
    /// As of now; `stuck_keys` is counted afresh.
    [[nodiscard]] Counts counts() const;

    [[nodiscard]] const Scenario &scenario() const;
    [[nodiscard]] Seed seed() const;
    /// Null when the scenario runs without a store.
    [[nodiscard]] Store *store();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace idem::sim
