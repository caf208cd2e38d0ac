// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/faults.h"

#include "simulator/model/draw.h"

namespace idem::sim {

FaultPlan::FaultPlan(const std::vector<Fault> &faults)
{
    auto stream = static_cast<std::uint32_t>(Stream::FirstFault);
    for (const Fault &fault : faults) {
        m_faults.push_back(
            {.fault = fault, .stream = stream++, .nextStrike = fault.from + fault.every.value_or(Duration::zero())});
    }
}

bool FaultPlan::strikes(
    Fault::Kind kind, Instant now, const KeyedRandom &random, std::uint64_t operation, std::uint32_t attempt)
{
    for (Planned &planned : m_faults) {
        if (planned.fault.kind == kind && strikes(planned, now.time_since_epoch(), random, operation, attempt)) {
            return true;
        }
    }
    return false;
}

bool FaultPlan::strikes(
    Planned &planned, Duration now, const KeyedRandom &random, std::uint64_t operation, std::uint32_t attempt)
{
    const Fault &fault = planned.fault;
    if (now < fault.from || (fault.until && now >= *fault.until)
        || (fault.firstAttempts > 0 && attempt > fault.firstAttempts)) {
        return false;
    }
    if (!fault.every) {
        return toUnit(random.bits(planned.stream, operation, attempt)) < fault.probability;
    }
    if (now < planned.nextStrike) {
        return false;
    }
    // The end of the period that `now` lies in; periods without a chance are not made up for.
    planned.nextStrike = now + *fault.every - (now - fault.from) % *fault.every;
    return true;
}

} // namespace idem::sim
