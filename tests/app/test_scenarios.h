// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulator/model/scenario.h"

namespace idem::app {

using namespace std::chrono_literals;

/// A small shop on a bad network: every kind of outcome and transition within some 20 seconds.
inline sim::Scenario livelyScenario()
{
    sim::Scenario scenario;
    scenario.name = QStringLiteral("lively");
    scenario.title = QStringLiteral("Lively");
    scenario.clients = {.count = 4,
        .operations = 300,
        .arrival = {.kind = sim::Arrival::Kind::Poisson, .interval = 50ms},
        .timeout = 500ms,
        .retry = {.algorithm = sim::RetryAlgorithm::FullJitter, .base = 200ms, .cap = 2s, .maxAttempts = 8}};
    scenario.server.service = {sim::Distribution::Kind::Uniform, 50ms, 800ms};
    scenario.store.policy.lease = 2s;
    scenario.store.policy.ttl = 5s;
    scenario.faults = {{.kind = sim::Fault::Kind::ResponseLost, .probability = 0.3},
        {.kind = sim::Fault::Kind::CrashAfterBegin, .probability = 0.05}};
    return scenario;
}

/// One operation whose first handler dies at once and whose client asks again 20 s after its time-out, at 21 s. The
/// lease is over from 5 s on and the key is held: stuck until somebody frees it.
inline sim::Scenario stuckScenario()
{
    sim::Scenario scenario;
    scenario.name = QStringLiteral("stuck");
    scenario.title = QStringLiteral("One stuck key");
    scenario.clients = {.count = 1,
        .operations = 1,
        .timeout = 1s,
        .retry = {.algorithm = sim::RetryAlgorithm::Fixed, .base = 20s, .maxAttempts = 4}};
    scenario.store.policy.lease = 5s;
    scenario.store.policy.ttl = 1h;
    scenario.store.policy.lapse = LapsePolicy::Hold;
    scenario.faults = {{.kind = sim::Fault::Kind::CrashAfterBegin, .firstAttempts = 1}};
    return scenario;
}

/// A thousand operations that arrive at once and run for 50 ms, over a network of 5 ms.
inline sim::Scenario burstScenario()
{
    sim::Scenario scenario;
    scenario.name = QStringLiteral("burst");
    scenario.title = QStringLiteral("Burst");
    scenario.clients = {.count = 10, .operations = 1'000, .timeout = 10s};
    scenario.server.service = {sim::Distribution::Kind::Constant, 50ms, {}};
    return scenario;
}

} // namespace idem::app
