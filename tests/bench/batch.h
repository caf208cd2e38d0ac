// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace idem::bench {

/// The command line `batch KEYS`: replays of uniform keys from a full store, 16 by beginMany() and one by one by
/// begin(), in turns. Workload `batch`: many_Mops and single_Mops, million replays a second, and their ratio.
/// False: not understood.
bool runBatch(const std::string &impl, const std::vector<std::string> &arguments);

} // namespace idem::bench
