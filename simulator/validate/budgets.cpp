// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/retry_gate.h"
#include "simulator/engine/distribution.h"
#include "simulator/engine/random.h"
#include "simulator/validate/gates.h"

#include <array>
#include <cmath>
#include <numeric>

namespace idem::sim {

namespace {

using namespace std::chrono_literals;
using namespace Qt::Literals::StringLiterals;

constexpr std::uint32_t gateNumber = 21;
constexpr double sigmas = 4;

std::unique_ptr<RetryGate> makeGate(QLatin1StringView name)
{
    return RetryGate::make(findRetryGate(name)->options);
}

/// One call of which every attempt fails for `why`: the retries that the gate grants.
std::uint32_t retriesOfFailingCall(RetryGate &gate, Instant now, Failure why)
{
    std::uint32_t attempt = 1;
    if (!gate.mayStart(now, 0)) {
        return 0;
    }
    gate.onFailure(now, why, attempt);
    while (gate.mayRetry(now, why)) {
        gate.onFailure(now, why, ++attempt);
    }
    return attempt - 1;
}

GateResult exact(const QString &name, double expected, double measured, const QString &source)
{
    return judged({.gate = u"budgets"_s, .name = name, .expected = expected, .measured = measured, .source = source});
}

/// Retries of a thousand calls that only fail.
GateResult quotaRow(QLatin1StringView gateName, Failure why, const QString &cause, double expected)
{
    const auto gate = makeGate(gateName);
    std::uint32_t retries = 0;
    for (int call = 0; call < 1000; ++call) {
        retries += retriesOfFailingCall(*gate, {}, why);
    }
    return exact(u"%1, all attempts %2: retries ever"_s.arg(gateName, cause), expected, retries,
        u"capacity 500 over the retry's cost"_s);
}

std::vector<GateResult> awsQuotas(const GateOptions & /*options*/)
{
    return {quotaRow("aws-quota-2020"_L1, Failure::Transient, u"fail"_s, 100),
        quotaRow("aws-quota-2020"_L1, Failure::TimedOut, u"time out"_s, 50),
        quotaRow("aws-quota-2026"_L1, Failure::Transient, u"fail"_s, 35),
        quotaRow("aws-quota-2026"_L1, Failure::Throttled, u"are throttled"_s, 100)};
}

std::vector<GateResult> grpcFirstFailures(const GateOptions & /*options*/)
{
    const auto gate = makeGate("grpc-throttling"_L1);
    int granted = 0;
    for (int failure = 0; failure < 5; ++failure) {
        gate->onFailure({}, Failure::Transient, 1);
        granted += gate->mayRetry({}, Failure::Transient) ? 1 : 0;
    }
    return {exact(u"grpc-throttling, retries of the first 5 failures"_s, 4, granted, u"more than half of 10 tokens"_s)};
}

/// Attempts a call when each fails with `probability`, and there are `most` at most.
double attemptsPerCall(
    QLatin1StringView gateName, double probability, std::uint32_t most, int calls, std::uint64_t seed)
{
    const auto gate = makeGate(gateName);
    const KeyedRandom random(seed);
    double sent = 0;
    for (int call = 0; call < calls; ++call) {
        if (!gate->mayStart({}, 0)) {
            continue;
        }
        for (std::uint32_t attempt = 1;; ++attempt) {
            ++sent;
            if (toUnit(random.bits(0, static_cast<std::uint64_t>(call), attempt)) >= probability) {
                gate->onSuccess({}, attempt, Failure::Transient);
                break;
            }
            gate->onFailure({}, Failure::Transient, attempt);
            if (attempt == most || !gate->mayRetry({}, Failure::Transient)) {
                break;
            }
        }
    }
    return sent / calls;
}

std::vector<GateResult> awsPartialFailure(const GateOptions &options)
{
    // What first successes give and what was there at the start is what failed retries keep:
    // .7 calls + 500 = 14 * .3 * retries. Retries until F = (.7 calls + 500) / 14 have failed: sd sqrt(.7 F) / .3.
    const int calls = options.reduced ? 200'000 : 2'000'000;
    constexpr double f = 0.3;
    const double failed = ((1 - f) * calls + 500) / 14;
    const double sigma = std::sqrt((1 - f) * failed) / f / calls;
    return {
        judged({.gate = u"budgets"_s,
                   .name = u"aws-quota-2026, 30 % of attempts fail, 3 at most: attempts a call"_s,
                   .expected = 1 + failed / f / calls,
                   .measured = attemptsPerCall("aws-quota-2026"_L1, f, 3, calls, partSeed(options, gateNumber, 1)),
                   .tolerance = sigmas * sigma,
                   .source = u"balance of the quota; a reference program had 1.169 of 50,000 calls (here 1.16905)"_s},
            sigma)};
}

std::vector<GateResult> grpcPartialFailure(const GateOptions &options)
{
    constexpr int calls = 100'000;
    const auto row = [&](double probability, double expected, double tolerance) {
        return judged({.gate = u"budgets"_s,
            .name = u"grpc-throttling, %1 % of attempts fail, 4 at most: attempts a call"_s.arg(100 * probability),
            .expected = expected,
            .measured = attemptsPerCall("grpc-throttling"_L1, probability, 4, calls, partSeed(options, gateNumber, 2)),
            .tolerance = tolerance,
            .source = u"reference program; break-even at ratio / (1 + ratio) = 9.09 %"_s});
    };
    // Four standard deviations of the attempts, and the published digits.
    return {row(0.05, 1.053, 0.0035), row(0.2, 1.0001, 0.0002)};
}

/// Retries a second of `perSecond` requests a second that all fail and retry as often as they may, in the second
/// minute.
GateResult finagleRow(int perSecond, double expected)
{
    const auto gate = makeGate("retry-budget"_L1);
    std::uint32_t retries = 0;
    for (int request = 0; request < 120 * perSecond; ++request) {
        const Instant now(request * Duration(1s) / perSecond);
        const std::uint32_t granted = retriesOfFailingCall(*gate, now, Failure::Transient);
        retries += now >= Instant(60s) ? granted : 0;
    }
    return exact(u"retry-budget, %1 requests a second, all fail: retries a second"_s.arg(perSecond), expected,
        retries / 60.0, u"20 % of the requests and 10 a second; a reference program had 30.0 at 100"_s);
}

std::vector<GateResult> finagle(const GateOptions & /*options*/)
{
    return {finagleRow(100, 30), finagleRow(1000, 210)};
}

std::vector<GateResult> envoy(const GateOptions & /*options*/)
{
    constexpr int active = 100;
    const auto gate = makeGate("envoy-budget"_L1);
    int started = 0;
    while (started < active && gate->mayStart({}, 0)) {
        ++started;
    }
    int retries = 0;
    for (int failed = 0; failed < active; ++failed) {
        gate->onFailure({}, Failure::Transient, 1);
        if (!gate->mayRetry({}, Failure::Transient)) {
            break;
        }
        ++retries;
    }
    return {exact(u"envoy-budget, 100 active requests: retries at a time"_s, 20, retries, u"20 % of the active"_s)};
}

std::vector<GateResult> sreThrottling(const GateOptions &options)
{
    constexpr int requests = 200;
    constexpr int accepts = 50;
    constexpr int settling = 240;
    const int measured = options.reduced ? 600 : 6000;
    const auto gate = makeGate("sre-throttling"_L1);
    const KeyedRandom random(partSeed(options, gateNumber, 3));
    int sent = 0;
    int accepted = 0; // in the running second
    for (int i = 0; i < requests * (settling + measured); ++i) {
        const Instant now(i * Duration(1s) / requests);
        accepted = i % requests == 0 ? 0 : accepted;
        if (!gate->mayStart(now, random.bits(0, static_cast<std::uint64_t>(i)))) {
            continue;
        }
        sent += now >= Instant(settling * Duration(1s)) ? 1 : 0;
        if (accepted < accepts) {
            ++accepted;
            gate->onSuccess(now, 1, Failure::Transient);
        } else {
            gate->onFailure(now, Failure::Throttled, 1);
        }
    }
    // A coin for each request, which later ones make up for in part: at most the spread of independent coins.
    const double sigma = std::sqrt(requests / 4.0 / measured);
    return {judged({.gate = u"budgets"_s,
        .name = u"sre-throttling, 200 requests a second, 50 accepted: sent a second"_s,
        .expected = 100.3,
        .measured = static_cast<double>(sent) / measured,
        .tolerance = 0.5 + sigmas * sigma,
        .source = u"reference program; min(R, K A) = 100 in the limit"_s})};
}

/// A hundred clients of ten calls a second for ten seconds, of which every attempt fails.
std::vector<GateResult> brookerBucket(const GateOptions &options)
{
    const KeyedRandom random(partSeed(options, gateNumber, 4));
    double calls = 0;
    double attempts = 0;
    for (std::uint64_t client = 0; client < 100; ++client) {
        const auto gate = makeGate("brooker-bucket"_L1);
        Duration at {};
        for (std::uint32_t call = 0; at < 10s; ++call) {
            calls += 1;
            attempts += 1 + retriesOfFailingCall(*gate, Instant(at), Failure::Transient);
            at += exponential(random.bits(0, client, call), 100ms);
        }
    }
    return {judged({.gate = u"budgets"_s,
        .name = u"brooker-bucket, all attempts fail, 101 calls a client: load"_s,
        .expected = 1.14455,
        .measured = attempts / calls,
        .tolerance = 0.00495,
        .source = u"15.1 tokens, less at most one left over: 1.1396...1.1495"_s})};
}

} // namespace

std::vector<GateResult> runBudgetsGate(const GateOptions &options)
{
    static constexpr std::array parts {awsQuotas, grpcFirstFailures, awsPartialFailure, grpcPartialFailure, finagle,
        envoy, sreThrottling, brookerBucket};
    return runCells(options, parts.size(), [&](std::size_t cell) { return parts.at(cell)(options); });
}

} // namespace idem::sim
