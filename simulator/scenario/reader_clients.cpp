// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/reader_private.h"

#include <algorithm>
#include <array>
#include <utility>

namespace idem::sim {

using namespace Qt::StringLiterals;

void Reader::readArrival(const Node &node)
{
    Arrival &arrival = m_scenario.clients.arrival;
    using Kind = Arrival::Kind;
    node[u"kind"_s].readName(arrival.kind,
        {{"constant"_L1, Kind::Constant}, {"poisson"_L1, Kind::Poisson}, {"burst"_L1, Kind::Burst},
            {"ramp"_L1, Kind::Ramp}, {"trace"_L1, Kind::Trace}});
    const auto belongsTo = [&](const QString &member, std::initializer_list<Kind> kinds) {
        if (node[member].exists() && std::find(kinds.begin(), kinds.end(), arrival.kind) == kinds.end()) {
            fail(node[member], u"belongs to another kind of arrival"_s);
        }
    };
    belongsTo(u"interval_ms"_s, {Kind::Constant, Kind::Poisson, Kind::Burst});
    belongsTo(u"count"_s, {Kind::Burst});
    belongsTo(u"from_per_s"_s, {Kind::Ramp});
    belongsTo(u"to_per_s"_s, {Kind::Ramp});
    belongsTo(u"length_ms"_s, {Kind::Ramp});
    belongsTo(u"and_back"_s, {Kind::Ramp});
    belongsTo(u"times_ms"_s, {Kind::Trace});
    node[u"interval_ms"_s].read(arrival.interval);
    node[u"count"_s].readCount(arrival.burst);
    node[u"from_per_s"_s].read(arrival.fromRate);
    node[u"to_per_s"_s].read(arrival.toRate);
    node[u"length_ms"_s].read(arrival.length);
    node[u"and_back"_s].read(arrival.andBack);
    for (const Node &item : node[u"times_ms"_s].items()) {
        item.read(arrival.times.emplace_back());
        if (arrival.times.size() > 1 && arrival.times.back() < arrival.times[arrival.times.size() - 2]) {
            fail(item, u"must not be before the one above"_s);
        }
    }
}

void Reader::readRetry(const Node &node)
{
    if (!node.exists()) {
        return;
    }
    RetryPolicy &retry = m_scenario.clients.retry;
    QString name;
    node[u"policy"_s].read(name);
    if (const NamedRetryPolicy *known = findRetryPolicy(QLatin1StringView(name.toLatin1()))) {
        retry = known->policy;
        if (const NamedRetryGate *gate = findRetryGate(known->gate)) {
            m_scenario.clients.budget = gate->options;
        }
    } else {
        fail(node[u"policy"_s], u"is not the name of a retry policy"_s);
    }
    node[u"base_ms"_s].read(retry.base);
    node[u"cap_ms"_s].read(retry.cap);
    node[u"max_attempts"_s].readCount(retry.maxAttempts);
    bool honoursRetryAfter = retry.retryAfter != RetryAfterRule::Ignore;
    node[u"retry_after"_s].read(honoursRetryAfter);
    if (!honoursRetryAfter) {
        retry.retryAfter = RetryAfterRule::Ignore;
    } else if (retry.retryAfter == RetryAfterRule::Ignore) {
        retry.retryAfter = RetryAfterRule::AtLeast;
    }
    const bool grows = retry.algorithm != RetryAlgorithm::None && retry.algorithm != RetryAlgorithm::Fixed;
    if (grows && retry.cap < retry.base) {
        fail(node[u"cap_ms"_s], u"must be at least base_ms"_s);
    }
}

void Reader::readBudget(const Node &node)
{
    if (!node.exists()) {
        return;
    }
    RetryGateOptions &budget = m_scenario.clients.budget;
    QString name;
    node[u"kind"_s].read(name);
    if (const NamedRetryGate *known = findRetryGate(QLatin1StringView(name.toLatin1()))) {
        budget = known->options;
    } else {
        fail(node[u"kind"_s], u"is not the name of a budget, throttle or breaker"_s);
    }
    node[u"shared"_s].read(m_scenario.clients.sharedBudget);
    using Kind = RetryGateOptions::Kind;
    const auto read = [&](const QString &member, std::initializer_list<std::pair<Kind, double *>> owners) {
        const auto *const owner =
            std::find_if(owners.begin(), owners.end(), [&](const auto &entry) { return entry.first == budget.kind; });
        if (owner != owners.end()) {
            node[member].read(*owner->second);
        } else if (node[member].exists()) {
            fail(node[member], u"is none of this kind's numbers"_s);
        }
    };
    read(u"ratio"_s,
        {{Kind::RetryBudget, &budget.retryBudget.percentCanRetry}, {Kind::EnvoyBudget, &budget.envoyBudget.share},
            {Kind::GrpcThrottling, &budget.grpcThrottling.tokenRatio},
            {Kind::BrookerBreaker, &budget.brookerBreaker.maxFailures}, {Kind::SreThrottling, &budget.sreThrottling.k},
            {Kind::PollyBreaker, &budget.pollyBreaker.failureRatio},
            {Kind::Resilience4jBreaker, &budget.resilience4jBreaker.failureRate}});
    read(u"deposit"_s, {{Kind::BrookerBucket, &budget.brookerBucket.deposit}});
    read(u"capacity"_s,
        {{Kind::BrookerBucket, &budget.brookerBucket.capacity},
            {Kind::GrpcThrottling, &budget.grpcThrottling.maxTokens}});
}

void Reader::readDistribution(const Node &node, Distribution &target)
{
    if (!node.exists()) {
        return;
    }
    target = {};
    using Kind = Distribution::Kind;
    node[u"kind"_s].readName(target.kind,
        {{"constant"_L1, Kind::Constant}, {"uniform"_L1, Kind::Uniform}, {"exponential"_L1, Kind::Exponential},
            {"normal"_L1, Kind::Normal}, {"lognormal"_L1, Kind::LogNormal}, {"weibull"_L1, Kind::Weibull},
            {"pareto"_L1, Kind::Pareto}});
    const auto read = [&](const QString &member, std::initializer_list<Kind> kinds, auto &value) {
        const bool belongs = std::find(kinds.begin(), kinds.end(), target.kind) != kinds.end();
        if (belongs) {
            node[member].read(value);
        } else if (node[member].exists()) {
            fail(node[member], u"belongs to another kind of distribution"_s);
        }
    };
    read(u"ms"_s, {Kind::Constant}, target.first);
    read(u"min_ms"_s, {Kind::Uniform, Kind::Pareto}, target.first);
    read(u"max_ms"_s, {Kind::Uniform}, target.second);
    read(u"mean_ms"_s, {Kind::Exponential, Kind::Normal}, target.first);
    read(u"sd_ms"_s, {Kind::Normal}, target.second);
    read(u"median_ms"_s, {Kind::LogNormal}, target.first);
    read(u"scale_ms"_s, {Kind::Weibull}, target.first);
    read(u"shape"_s, {Kind::LogNormal, Kind::Weibull, Kind::Pareto}, target.shape);
    if (target.kind == Kind::Uniform && target.second < target.first) {
        fail(node[u"max_ms"_s], u"must be at least min_ms"_s);
    }
}

} // namespace idem::sim
