// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/client/retry_gate.h"

#include <cstdint>
#include <memory>

namespace idem::sim {

inline RetryGateOptions gateNamed(const char *name)
{
    return findRetryGate(QLatin1StringView(name))->options;
}

/// The moment `duration` after the start.
inline Instant at(Duration duration)
{
    return Instant(duration);
}

/// One call of which every attempt fails for `why`: the retries that the gate grants, at most `most`.
inline std::uint32_t retriesOfFailingCall(RetryGate &gate, Instant now, Failure why, std::uint32_t most)
{
    std::uint32_t attempt = 1;
    if (!gate.mayStart(now, 0)) {
        return 0;
    }
    gate.onFailure(now, why, attempt);
    while (attempt <= most && gate.mayRetry(now, why)) {
        gate.onFailure(now, why, ++attempt);
    }
    return attempt - 1;
}

/// One call that succeeds at once.
inline void succeed(RetryGate &gate, Instant now)
{
    if (gate.mayStart(now, 0)) {
        gate.onSuccess(now, 1, Failure::Transient);
    }
}

} // namespace idem::sim
