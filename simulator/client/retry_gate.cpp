// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/retry_gate.h"

#include "simulator/client/gate_factories.h"

#include <QtGlobal>

#include <algorithm>
#include <array>

namespace idem::sim {

bool RetryGate::mayStart(Instant /*now*/, std::uint64_t /*bits*/)
{
    return true;
}

bool RetryGate::mayRetry(Instant /*now*/, Failure /*why*/)
{
    return true;
}

bool RetryGate::maySend(Instant /*now*/, std::uint64_t /*bits*/)
{
    return true;
}

std::optional<Duration> RetryGate::holdBack(Instant /*now*/)
{
    return Duration::zero();
}

void RetryGate::onSuccess(Instant /*now*/, std::uint32_t /*attempt*/, Failure /*last*/)
{
}

void RetryGate::onFailure(Instant /*now*/, Failure /*why*/, std::uint32_t /*attempt*/)
{
}

namespace {

/// Lets everything through.
class OpenGate final : public CloneableGate<OpenGate>
{
};

using Kind = RetryGateOptions::Kind;

RetryGateOptions aws2026(RetryGateOptions::Kind kind = Kind::AwsQuota)
{
    RetryGateOptions options {.kind = kind};
    options.awsQuota.retryCost = 14;
    options.awsQuota.timeoutCost = 14;
    return options;
}

RetryGateOptions awsFault(RetryGateOptions::Kind kind, QuotaFault fault)
{
    RetryGateOptions options {.kind = kind};
    options.awsQuota.fault = fault;
    return options;
}

} // namespace

std::unique_ptr<RetryGate> RetryGate::make(const RetryGateOptions &options)
{
    switch (options.kind) {
    case Kind::None:
        return std::make_unique<OpenGate>();
    case Kind::BrookerBucket:
        return makeBrookerBucket(options);
    case Kind::BrookerBreaker:
        return makeBrookerBreaker(options);
    case Kind::AwsQuota:
        return makeAwsQuota(options);
    case Kind::AwsAdaptive:
        return makeAwsAdaptive(options);
    case Kind::GrpcThrottling:
        return makeGrpcThrottling(options);
    case Kind::RetryBudget:
        return makeRetryBudget(options);
    case Kind::EnvoyBudget:
        return makeEnvoyBudget(options);
    case Kind::GatewayApiBudget:
        return makeGatewayApiBudget(options);
    case Kind::SreThrottling:
        return makeSreThrottling(options);
    case Kind::SreBudget:
        return makeSreBudget(options);
    case Kind::PollyBreaker:
        return makePollyBreaker(options);
    case Kind::Resilience4jBreaker:
        return makeResilience4jBreaker(options);
    case Kind::Bulkhead:
        return makeBulkhead(options);
    case Kind::RateLimiter:
        return makeRateLimiter(options);
    }
    Q_UNREACHABLE();
}

std::span<const NamedRetryGate> retryGates()
{
    using Name = QLatin1StringView;
    static const std::array gates {
        NamedRetryGate {Name("none"), {}, Name("")},
        NamedRetryGate {Name("brooker-bucket"), {.kind = Kind::BrookerBucket},
            Name("Brooker, \"Fixing retries with token buckets and circuit breakers\", 2022; his retry_sim")},
        NamedRetryGate {Name("brooker-breaker"), {.kind = Kind::BrookerBreaker}, Name("as brooker-bucket")},
        NamedRetryGate {
            Name("aws-quota-2020"), {.kind = Kind::AwsQuota}, Name("botocore, retries/standard.py, version 2.0")},
        NamedRetryGate {Name("aws-quota-2026"), aws2026(), Name("botocore, retries/standard.py, version 2.1")},
        NamedRetryGate {Name("aws-adaptive"), {.kind = Kind::AwsAdaptive},
            Name("botocore, retries/adaptive.py, throttling.py, bucket.py")},
        NamedRetryGate {Name("aws-adaptive-go-fault"), awsFault(Kind::AwsAdaptive, QuotaFault::NeverRefills),
            Name("aws-sdk-go-v2 #3550")},
        NamedRetryGate {
            Name("aws-quota-rust-fault"), awsFault(Kind::AwsQuota, QuotaFault::NoQuota), Name("aws-sdk-rust #1234")},
        NamedRetryGate {Name("aws-adaptive-java-fault"),
            awsFault(Kind::AwsAdaptive, QuotaFault::ForgetsBetweenRequests),
            Name("aws-sdk-java-v2, RetryMode.ADAPTIVE_V2")},
        NamedRetryGate {
            Name("grpc-throttling"), {.kind = Kind::GrpcThrottling}, Name("gRPC proposal A6, retryThrottling")},
        NamedRetryGate {Name("retry-budget"), {.kind = Kind::RetryBudget},
            Name("Finagle, RetryBudget.scala; tower and linkerd have the same")},
        NamedRetryGate {Name("envoy-budget"), {.kind = Kind::EnvoyBudget},
            Name("Envoy, config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget")},
        NamedRetryGate {Name("gateway-api-budget"), {.kind = Kind::GatewayApiBudget}, Name("Gateway API, GEP-3388")},
        NamedRetryGate {Name("sre-throttling"), {.kind = Kind::SreThrottling},
            Name("Beyer et al., \"Site Reliability Engineering\", 2016, chapter 21")},
        NamedRetryGate {Name("sre-budget"), {.kind = Kind::SreBudget}, Name("as sre-throttling")},
        NamedRetryGate {
            Name("polly-breaker"), {.kind = Kind::PollyBreaker}, Name("Polly v8, CircuitBreakerStrategyOptions")},
        NamedRetryGate {Name("resilience4j-breaker"), {.kind = Kind::Resilience4jBreaker},
            Name("Resilience4j, CircuitBreakerConfig")},
        NamedRetryGate {Name("resilience4j-bulkhead"), {.kind = Kind::Bulkhead}, Name("Resilience4j, BulkheadConfig")},
        NamedRetryGate {Name("resilience4j-rate-limiter"), {.kind = Kind::RateLimiter},
            Name("Resilience4j, RateLimiterConfig; the period is ours")},
    };
    return gates;
}

const NamedRetryGate *findRetryGate(QLatin1StringView name)
{
    const std::span all = retryGates();
    const auto found = std::ranges::find(all, name, &NamedRetryGate::name);
    return found == all.end() ? nullptr : &*found;
}

} // namespace idem::sim
