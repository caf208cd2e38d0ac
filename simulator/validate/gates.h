// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/validate/gate.h"

namespace idem::sim {

// What the gates run; gates.cpp lists them under their names. Thread-safe, as their options are.

[[nodiscard]] std::vector<GateResult> runAwsGate(const GateOptions &options);
[[nodiscard]] std::vector<GateResult> runQueuesGate(const GateOptions &options);
[[nodiscard]] std::vector<GateResult> runProbabilityGate(const GateOptions &options);
[[nodiscard]] std::vector<GateResult> runRandomnessGate(const GateOptions &options);
[[nodiscard]] std::vector<GateResult> runOmissionGate(const GateOptions &options);
/// Statistics of the vendors' waits against published formulae and figures measured with other programs.
[[nodiscard]] std::vector<GateResult> runDelaysGate(const GateOptions &options);
/// What quotas, budgets and throttles let through, mostly exact.
[[nodiscard]] std::vector<GateResult> runBudgetsGate(const GateOptions &options);
/// Brooker's sweep of failure rates over four retry strategies ("Fixing retries with token buckets and circuit
/// breakers", 2022).
[[nodiscard]] std::vector<GateResult> runRetrySweepGate(const GateOptions &options);
/// Brooker's collapse of a server whose latency grows with its load (simple_collapse_sim, 2022).
[[nodiscard]] std::vector<GateResult> runCollapseGate(const GateOptions &options);
/// The verdicts on a server that stalls (Bronson et al., "Metastable Failures in Distributed Systems", HotOS 2021), on
/// the whole simulator and its store.
[[nodiscard]] std::vector<GateResult> runMetastabilityGate(const GateOptions &options);
/// The presets that are built in, with the options' seed.
[[nodiscard]] std::vector<GateResult> runPresetsGate(const GateOptions &options);

} // namespace idem::sim
