// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/faults.h"

#include "simulator/model/streams.h"

#include <algorithm>
#include <utility>

namespace idem::sim {

FaultPlan::FaultPlan(std::vector<Fault> faults, std::optional<Duration> heal)
    : m_faults(std::move(faults))
    , m_heal(heal.value_or(Duration::max()))
{
    // Stalls are looked through in the order of time.
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < m_faults.size(); ++i) {
        order.push_back(i);
        m_states.push_back({.nextStrike = m_faults[i].from + m_faults[i].every.value_or(Duration::zero())});
    }
    std::stable_sort(order.begin(), order.end(),
        [this](std::uint32_t left, std::uint32_t right) { return m_faults[left].from < m_faults[right].from; });
    for (const std::uint32_t index : order) {
        m_byKind[static_cast<std::size_t>(m_faults[index].kind)].push_back(index);
    }
}

bool FaultPlan::isWithin(const Fault &fault, Duration now) const
{
    return now < m_heal && now >= fault.from && (!fault.until || now < *fault.until);
}

const Fault *FaultPlan::find(Fault::Kind kind, Duration now, const KeyedRandom &random, const Chance &chance)
{
    for (const std::uint32_t index : m_byKind[static_cast<std::size_t>(kind)]) {
        const Fault &fault = m_faults[index];
        State &state = m_states[index];
        const bool isTarget = isWithin(fault, now) && (!fault.instance || *fault.instance == chance.instance)
            && (!fault.client || *fault.client == chance.client)
            && (fault.firstAttempts == 0 || chance.attempt <= fault.firstAttempts)
            && (fault.everyOperation == 0 || chance.operation % fault.everyOperation == 0)
            && (fault.firstChances == 0 || state.strikes < fault.firstChances);
        if (!isTarget) {
            continue;
        }
        if (fault.every) {
            if (now < state.nextStrike) {
                continue;
            }
            // The end of the period that `now` lies in; periods without a chance are not made up for.
            state.nextStrike = now + *fault.every - (now - fault.from) % *fault.every;
        } else if (fault.probability < 1) {
            const auto stream = static_cast<std::uint32_t>(Stream::FirstFault) + index;
            if (toUnit(random.bits(stream, chance.operation, chance.attempt)) >= fault.probability) {
                continue;
            }
        }
        ++state.strikes;
        return &fault;
    }
    return nullptr;
}

Instant FaultPlan::endBeyondStalls(Instant now, Duration span, std::uint32_t instance) const
{
    Instant end = saturatingAdd(now, span);
    for (const std::uint32_t index : m_byKind[static_cast<std::size_t>(Fault::Kind::Stall)]) {
        const Fault &fault = m_faults[index];
        const Instant from {fault.from};
        const Instant until {std::min(fault.until.value_or(Duration::max()), m_heal)};
        if ((!fault.instance || *fault.instance == instance) && now < until && end >= from) {
            end = saturatingAdd(end, until - std::max(from, now));
        }
    }
    return end;
}

Duration FaultPlan::clockOffset(Instant now, std::uint32_t instance) const
{
    Duration offset {};
    for (const std::uint32_t index : m_byKind[static_cast<std::size_t>(Fault::Kind::ClockSkew)]) {
        const Fault &fault = m_faults[index];
        if (isWithin(fault, now.time_since_epoch()) && (!fault.instance || *fault.instance == instance)) {
            offset += fault.offset;
        }
    }
    return offset;
}

Duration FaultPlan::lastWindowEnd() const
{
    Duration last {};
    for (const Fault &fault : m_faults) {
        last = std::max(last, fault.until.value_or(Duration::zero()));
    }
    return std::min(last, m_heal);
}

} // namespace idem::sim
