// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/scenario.h"

namespace idem::sim {

/// The sources of randomness in a run; each draws numbers of its own (see KeyedRandom). The fault with index i draws
/// from FirstFault + i.
enum class Stream : std::uint32_t { Arrival, Request, Response, Service, Backoff, FirstFault = 1000 };

/// A duration of `distribution`, decided by 64 uniform bits.
[[nodiscard]] Duration draw(const Distribution &distribution, std::uint64_t bits);

/// How long a client waits before retry `index` (from 0), decided by 64 uniform bits. At most the policy's cap for the
/// kinds that grow. No index overflows.
[[nodiscard]] Duration retryDelay(const RetryPolicy &policy, std::uint32_t index, std::uint64_t bits);

} // namespace idem::sim
