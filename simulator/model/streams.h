// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace idem::sim {

/// The sources of randomness in a run; each draws numbers of its own (see KeyedRandom). The fault with index i draws
/// from FirstFault + i, and what it needs beside (a delay) from FirstFaultDetail + i.
enum class Stream : std::uint32_t {
    Arrival,
    Request,
    Response,
    Service,
    Backoff,
    Think,
    Key,
    Routing,
    Gate,
    FirstFault = 1000,
    FirstFaultDetail = 1'000'000,
};

} // namespace idem::sim
