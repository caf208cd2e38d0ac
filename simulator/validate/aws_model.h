// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/client/retry_policy.h"
#include "simulator/engine/event_queue.h"

#include <cstdint>
#include <vector>

namespace idem::sim {

/// The model of AWS's "Exponential Backoff And Jitter": one row with a version number, and clients that start together
/// and must each update it once. A client reads the version and writes with it; a write with an old version fails, and
/// the client waits by its policy and reads again. Each of the four messages takes |N(10 ms, 2 ms)|; the server takes
/// no time and has no queue. Runs on the simulator's event queue, keyed random numbers and retry policies.
/// Thread-safety: one thread at a time; an object serves many runs and keeps its memory.
class AwsModel
{
public:
    struct Options
    {
        RetryPolicy policy {};
        std::uint32_t clients = 1;
        std::uint64_t seed = 1;
    };
    struct Outcome
    {
        Duration time {}; ///< of the last client's success
        std::uint64_t calls = 0; ///< writes that reached the server; reads are not counted
        std::uint64_t failures = 0; ///< of these, with an old version
        std::uint64_t version = 0; ///< of the row at the end; it began at 0
        std::uint64_t events = 0;
        bool monotone = true; ///< no event was handled before an earlier one's time

        /// What holds in every run: each client updated once, and each other write failed.
        [[nodiscard]] bool isConsistent(std::uint32_t clients) const
        {
            return monotone && version == clients && calls == clients + failures;
        }
    };
    [[nodiscard]] Outcome run(const Options &options);

private:
    struct Client
    {
        std::uint64_t version = 0; ///< as it was read
        RetryState retry {};
        bool done = false;
    };
    EventQueue m_queue;
    std::vector<Client> m_clients;
};

} // namespace idem::sim
