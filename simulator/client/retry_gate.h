// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/client/retry_policy.h"

#include <memory>

namespace idem::sim {

/// Faults that AWS SDKs shipped with, to show what they do.
enum class QuotaFault : std::uint8_t {
    None,
    NeverRefills, ///< Go, `adaptive`: once drained, no retry until a restart (aws-sdk-go-v2 #3550)
    NoQuota, ///< Rust: no bucket at all (aws-sdk-rust #1234)
    ForgetsBetweenRequests, ///< Java, ADAPTIVE: all state is new for each request (javadoc of ADAPTIVE_V2)
};

/// Which gate, and its numbers; those of the other kinds are not read. The defaults are the vendor's.
struct RetryGateOptions
{
    enum class Kind : std::uint8_t {
        None, ///< lets everything through: RetryPolicy::maxAttempts alone limits retries
        BrookerBucket, ///< a token bucket of retries, filled by calls (Brooker, "Fixing retries with token buckets")
        BrookerBreaker, ///< no retry while more than a share of all calls has failed (same source)
        AwsQuota, ///< botocore's retry quota, of 2020 or of 2026
        AwsAdaptive, ///< AwsQuota and a client rate limiter (botocore, mode `adaptive`)
        GrpcThrottling, ///< `retryThrottling` of gRPC's service config (proposal A6)
        RetryBudget, ///< Finagle, and after it tower and linkerd
        EnvoyBudget, ///< `retry_budget` of a cluster's circuit breakers
        GatewayApiBudget, ///< Gateway API, GEP-3388 (experimental)
        SreThrottling, ///< client-side throttling (Beyer et al., "Site Reliability Engineering", chapter 21)
        SreBudget, ///< retries are less than a share of a client's requests (same source)
        PollyBreaker, ///< Polly v8's circuit breaker
        Resilience4jBreaker, ///< Resilience4j's circuit breaker on a window of calls
        Bulkhead, ///< Resilience4j: at most so many calls at a time
        RateLimiter, ///< Resilience4j: at most so many calls a period; others wait for a later one
    };
    struct BrookerBucket
    {
        double deposit = 0.1; ///< tokens for each call
        double capacity = 5; ///< tokens; starts full. A retry costs 1 and needs more than 1
        /// False as in his code: each call deposits when it starts. True as in his post: when it succeeds.
        bool depositOnSuccess = false;
    };
    struct BrookerBreaker
    {
        double maxFailures = 0.1; ///< failed attempts over calls, since the start
    };
    struct AwsQuota
    {
        std::uint32_t capacity = 500;
        std::uint32_t retryCost = 5;
        std::uint32_t timeoutCost = 10;
        std::uint32_t throttleCost = 5;
        std::uint32_t refill = 1; ///< for a success at the first attempt; at a later one the last retry's cost returns
        QuotaFault fault = QuotaFault::None;
    };
    struct GrpcThrottling
    {
        double maxTokens = 10; ///< (0, 1000]
        double tokenRatio = 0.1; ///< for each success; a failure costs 1. Three decimals count
    };
    struct RetryBudget
    {
        Duration ttl = std::chrono::seconds(10); ///< how long a request's deposit lasts, 1 s...60 s
        std::uint32_t minRetriesPerSecond = 10;
        double percentCanRetry = 0.2; ///< 0...1000; retries for each request
    };
    struct EnvoyBudget
    {
        double share = 0.2; ///< of the active and pending requests that may be retries
        std::uint32_t minConcurrency = 3; ///< retries at a time that are always allowed
    };
    struct GatewayApiBudget
    {
        double share = 0.2; ///< of the requests in `interval` that may be retries
        Duration interval = std::chrono::seconds(10);
        std::uint32_t minRetries = 10; ///< in `minInterval`, always allowed
        Duration minInterval = std::chrono::seconds(1);
    };
    struct SreThrottling
    {
        double k = 2; ///< requests for each accepted one that are let through
        Duration window = std::chrono::minutes(2);
    };
    struct SreBudget
    {
        double share = 0.1; ///< of the requests that may be retries
        Duration window = std::chrono::minutes(2);
    };
    struct PollyBreaker
    {
        double failureRatio = 0.1;
        std::uint32_t minimumThroughput = 100;
        Duration samplingDuration = std::chrono::seconds(30);
        Duration breakDuration = std::chrono::seconds(5);
    };
    struct Resilience4jBreaker
    {
        std::uint32_t windowSize = 100; ///< calls
        std::uint32_t minimumCalls = 100;
        double failureRate = 0.5; ///< from here on it opens
        Duration openFor = std::chrono::seconds(60);
        std::uint32_t permittedInHalfOpen = 10;
    };
    struct Bulkhead
    {
        std::uint32_t maxConcurrent = 25;
    };
    struct RateLimiter
    {
        std::uint32_t perPeriod = 50;
        Duration period = std::chrono::seconds(1); ///< the vendor's 500 ns would be no limit at our resolution
        Duration maxWait = std::chrono::seconds(5);
    };

    Kind kind = Kind::None;
    BrookerBucket brookerBucket {};
    BrookerBreaker brookerBreaker {};
    AwsQuota awsQuota {}; ///< of AwsAdaptive too
    GrpcThrottling grpcThrottling {};
    RetryBudget retryBudget {};
    EnvoyBudget envoyBudget {};
    GatewayApiBudget gatewayApiBudget {};
    SreThrottling sreThrottling {};
    SreBudget sreBudget {};
    PollyBreaker pollyBreaker {};
    Resilience4jBreaker resilience4jBreaker {};
    Bulkhead bulkhead {};
    RateLimiter rateLimiter {};
};

/// A gate under its vendor's name, with the vendor's defaults.
struct NamedRetryGate
{
    QLatin1StringView name;
    RetryGateOptions options;
    QLatin1StringView source;
};

/// All of them, `none` first. Lives until exit.
[[nodiscard]] std::span<const NamedRetryGate> retryGates();

/// By its exact name; null when there is none.
[[nodiscard]] const NamedRetryGate *findRetryGate(QLatin1StringView name);

/// Decides which attempts a client may send: a quota, budget, throttle, breaker or limiter. Of one client or shared by
/// many, as a scenario says. Deterministic: equal calls give equal answers. Not thread-safe.
///
/// The calls of one operation, in this order; `now` never goes back from call to call:
///   mayStart     the first attempt. False: the operation ends, rejected at home; no other call follows
///   holdBack     before each attempt is sent, so after mayStart and after maySend
///   onSuccess or onFailure   of each attempt that was sent
///   mayRetry     after onFailure, when the policy has attempts left
///   maySend      when the backoff is over. False: this attempt is rejected at home; the operation ends
/// A gate of a server (Envoy's outlier detection) is none of these: it chooses the server, so it belongs to whatever
/// balances load, and would learn of the same onSuccess and onFailure, with the server's number.
class RetryGate
{
public:
    RetryGate() = default;
    virtual ~RetryGate() = default;

    /// A new operation, and the admission of its first attempt. `bits`: 64 uniform bits, for throttles that toss a
    /// coin.
    [[nodiscard]] virtual bool mayStart(Instant now, std::uint64_t bits);

    /// Whether the failed attempt may be followed by another. Takes the retry's cost when true.
    [[nodiscard]] virtual bool mayRetry(Instant now, Failure why);

    /// The admission of a retry at the time when it would be sent. `bits` as in mayStart().
    [[nodiscard]] virtual bool maySend(Instant now, std::uint64_t bits);

    /// How long an attempt is kept back before it goes out; takes its turn. Nothing: it would wait for too long and is
    /// rejected at home, and the operation ends.
    [[nodiscard]] virtual std::optional<Duration> holdBack(Instant now);

    /// Attempt number `attempt` (from 1) succeeded. `last`: why the one before it failed; not read when it is the
    /// first.
    virtual void onSuccess(Instant now, std::uint32_t attempt, Failure last);

    /// Attempt number `attempt` (from 1) failed.
    virtual void onFailure(Instant now, Failure why, std::uint32_t attempt);

    /// A copy with its state, for snapshots.
    [[nodiscard]] virtual std::unique_ptr<RetryGate> clone() const = 0;

    /// A new gate, at its start. Never null.
    [[nodiscard]] static std::unique_ptr<RetryGate> make(const RetryGateOptions &options);

protected:
    RetryGate(const RetryGate &) = default;
    RetryGate &operator=(const RetryGate &) = default;
};

} // namespace idem::sim
