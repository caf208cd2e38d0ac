// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/run.h"

namespace idem::sim {

using namespace std::chrono_literals;

inline Distribution constant(Duration value)
{
    return {Distribution::Kind::Constant, value, {}};
}
inline Distribution uniform(Duration from, Duration to)
{
    return {Distribution::Kind::Uniform, from, to};
}
inline Distribution exponentialWith(Duration mean)
{
    return {Distribution::Kind::Exponential, mean, {}};
}

/// `operations` 1 ms apart, 5 ms each way, 10 ms of service, time-out 1 s, 4 attempts 100 ms apart; no lease.
inline Scenario plain(std::uint64_t operations)
{
    Scenario scenario;
    scenario.name = QStringLiteral("plain");
    scenario.clients.operations = operations;
    scenario.clients.count = 3;
    scenario.clients.arrival = {Arrival::Kind::Constant, 1ms};
    scenario.store.policy.lease = std::nullopt;
    return scenario;
}

inline Counts countsOf(Scenario scenario, Seed seed = Seed {1})
{
    Run run(std::move(scenario), seed);
    run.toEnd();
    return run.counts();
}

} // namespace idem::sim
