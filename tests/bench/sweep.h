// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace idem::bench {

/// The command line `sweep KEYS`: what sweeps of this project's store cost. False: not understood.
/// - pause_ms of sweep_none, sweep_1pct and sweep_all: the longest time that one lock is held while nothing, one key in
///   a hundred, or everything expires at one instant
/// - of sweep_all also hold_p999_ms (of all holds), removed (records) and ns_per_expired (the sweep's wall time for
/// one)
/// - begin_max_ms and begin_p999_ms: a begin of a new key by another thread while the same is swept once more
bool runSweep(const std::string &impl, const std::vector<std::string> &arguments);

} // namespace idem::bench
