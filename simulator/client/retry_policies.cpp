// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/retry_policy.h"

#include <algorithm>
#include <array>

namespace idem::sim {

namespace {

using namespace std::chrono_literals;
using enum RetryAlgorithm;
using Name = QLatin1StringView;

/// A vendor without an upper bound of its own.
constexpr Duration noCap = Duration::max();

constexpr RetryPolicy awsStandard2020 {
    .algorithm = FullJitter, .base = 1s, .cap = 20s, .maxAttempts = 3, .retriesConflict = false};

constexpr RetryPolicy awsStandard2026 {.algorithm = AwsStandard2026,
    .base = 50ms,
    .cap = 20s,
    .maxAttempts = 3,
    .throttledBase = 1s,
    .retryAfter = RetryAfterRule::AwsClamp,
    .retriesConflict = false};

constexpr RetryPolicy awsDynamoDb2026 {.algorithm = AwsStandard2026,
    .base = 25ms,
    .cap = 20s,
    .maxAttempts = 4,
    .throttledBase = 1s,
    .retryAfter = RetryAfterRule::AwsClamp,
    .retriesConflict = false};

constexpr RetryPolicy grpc2024 {.algorithm = Grpc,
    .base = 100ms,
    .cap = 1s,
    .jitter = 0.2,
    .maxAttempts = 4,
    .retryAfter = RetryAfterRule::Instead};

constexpr RetryPolicy grpc2017 {
    .algorithm = FullJitter, .base = 100ms, .cap = 1s, .maxAttempts = 4, .retryAfter = RetryAfterRule::Instead};

constexpr RetryPolicy envoy {.algorithm = Envoy,
    .base = 25ms,
    .cap = 250ms,
    .maxAttempts = 2,
    .retryAfter = RetryAfterRule::EnvoyJitter,
    .retryAfterCeiling = 300s};

constexpr RetryPolicy polly(RetryAlgorithm algorithm, double jitter)
{
    return {.algorithm = algorithm, .base = 2s, .cap = noCap, .jitter = jitter, .maxAttempts = 4};
}

constexpr RetryPolicy resilience4j {
    .algorithm = Resilience4j, .base = 500ms, .cap = noCap, .multiplier = 1.5, .jitter = 0.5, .maxAttempts = 3};

constexpr RetryPolicy tower {.algorithm = Tower, .base = 50ms, .cap = noCap, .jitter = 0.99};

constexpr RetryPolicy stripe {.algorithm = Stripe,
    .base = 500ms,
    .cap = 5s,
    .maxAttempts = 3,
    .retryAfter = RetryAfterRule::AtLeast,
    .retryAfterCeiling = 60s};

} // namespace

std::span<const NamedRetryPolicy> retryPolicies()
{
    static constexpr Name noGate("none");
    static constexpr Name aws("AWS, \"Exponential Backoff And Jitter\", 2015; our base, cap and attempts");
    static constexpr Name botocore("botocore, retries/standard.py, version 2.0");
    static constexpr Name botocore2026("botocore, retries/standard.py, version 2.1 (AWS_NEW_RETRIES_2026)");
    static constexpr Name finagle("Finagle, Backoff.scala; our start, maximum and attempts");
    static constexpr Name pollyV8("Polly v8, RetryHelper.cs; its default is constant without jitter");
    static constexpr std::array policies {
        NamedRetryPolicy {Name("none"), {.algorithm = None}, noGate, aws},
        NamedRetryPolicy {Name("fixed"), {.algorithm = Fixed}, noGate, Name("")},
        NamedRetryPolicy {Name("linear"), {.algorithm = Linear}, noGate, Name("")},
        NamedRetryPolicy {Name("exponential"), {.algorithm = Exponential}, noGate, aws},
        NamedRetryPolicy {Name("full-jitter"), {.algorithm = FullJitter}, noGate, aws},
        NamedRetryPolicy {Name("equal-jitter"), {.algorithm = EqualJitter}, noGate, aws},
        NamedRetryPolicy {Name("decorrelated-jitter"), {.algorithm = DecorrelatedJitter}, noGate, aws},
        NamedRetryPolicy {Name("aws-standard-2020"), awsStandard2020, Name("aws-quota-2020"), botocore},
        NamedRetryPolicy {Name("aws-standard-2026"), awsStandard2026, Name("aws-quota-2026"), botocore2026},
        NamedRetryPolicy {Name("aws-dynamodb-2026"), awsDynamoDb2026, Name("aws-quota-2026"), botocore2026},
        NamedRetryPolicy {
            Name("aws-adaptive"), awsStandard2020, Name("aws-adaptive"), Name("botocore, retries/adaptive.py")},
        NamedRetryPolicy {
            Name("grpc-a6"), grpc2024, Name("grpc-throttling"), Name("gRPC proposal A6, text of 2024, its example")},
        NamedRetryPolicy {Name("grpc-a6-2017"), grpc2017, Name("grpc-throttling"),
            Name("gRPC proposal A6, text of 2017, its example")},
        NamedRetryPolicy {
            Name("envoy"), envoy, Name("envoy-budget"), Name("Envoy, route_components.proto, RetryPolicy")},
        NamedRetryPolicy {Name("polly-v8"), polly(PollyConstant, 0), Name("polly-breaker"), pollyV8},
        NamedRetryPolicy {Name("polly-v8-constant"), polly(PollyConstant, 0.5), Name("polly-breaker"), pollyV8},
        NamedRetryPolicy {Name("polly-v8-linear"), polly(PollyLinear, 0.5), Name("polly-breaker"), pollyV8},
        NamedRetryPolicy {Name("polly-v8-exponential"), polly(PollyExponential, 0.5), Name("polly-breaker"), pollyV8},
        NamedRetryPolicy {Name("resilience4j"), resilience4j, Name("resilience4j-breaker"),
            Name("Resilience4j, IntervalFunction.ofExponentialRandomBackoff")},
        NamedRetryPolicy {Name("resilience4j-fixed"), {.algorithm = Fixed, .base = 500ms, .maxAttempts = 3},
            Name("resilience4j-breaker"), Name("Resilience4j, RetryConfig")},
        NamedRetryPolicy {
            Name("tower"), tower, Name("retry-budget"), Name("tower, ExponentialBackoffMaker; our attempts")},
        NamedRetryPolicy {
            Name("finagle-exponential"), {.algorithm = FinagleExponential}, Name("retry-budget"), finagle},
        NamedRetryPolicy {Name("finagle-equal"), {.algorithm = FinagleEqual}, Name("retry-budget"), finagle},
        NamedRetryPolicy {
            Name("finagle-decorrelated"), {.algorithm = FinagleDecorrelated}, Name("retry-budget"), finagle},
        NamedRetryPolicy {Name("stripe"), stripe, noGate, Name("stripe-python, _http_client.py")},
    };
    return policies;
}

const NamedRetryPolicy *findRetryPolicy(QLatin1StringView name)
{
    const std::span all = retryPolicies();
    const auto found = std::ranges::find(all, name, &NamedRetryPolicy::name);
    return found == all.end() ? nullptr : &*found;
}

} // namespace idem::sim
