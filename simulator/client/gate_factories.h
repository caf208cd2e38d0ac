// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/client/retry_gate.h"

namespace idem::sim {

/// What RetryGate::make() chooses from; each family of gates has a file of its own.
using GateFactory = std::unique_ptr<RetryGate>(const RetryGateOptions &options);
GateFactory makeBrookerBucket;
GateFactory makeAwsQuota;
GateFactory makeAwsAdaptive;
GateFactory makeGrpcThrottling;
GateFactory makeRetryBudget;
GateFactory makeEnvoyBudget;
GateFactory makeGatewayApiBudget;
GateFactory makeSreBudget;
GateFactory makeSreThrottling;
GateFactory makeBrookerBreaker;
GateFactory makePollyBreaker;
GateFactory makeResilience4jBreaker;
GateFactory makeBulkhead;
GateFactory makeRateLimiter;

/// Gives a gate its clone().
template <typename Gate> class CloneableGate : public RetryGate
{
public:
    [[nodiscard]] std::unique_ptr<RetryGate> clone() const final
    {
        return std::make_unique<Gate>(static_cast<const Gate &>(*this));
    }
};

} // namespace idem::sim
