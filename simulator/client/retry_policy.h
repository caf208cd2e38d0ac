// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

#include <QLatin1StringView>

#include <cstdint>
#include <optional>
#include <span>

namespace idem::sim {

/// How the wait before a retry is computed. n is the retry's index from 0, b the base, U uniform, and
/// v = min(cap, b * multiplier^(n + firstExponent)).
enum class RetryAlgorithm : std::uint8_t {
    None, ///< at once
    Fixed, ///< b
    Linear, ///< min(cap, b * (n + 1))
    Exponential, ///< v
    EqualJitter, ///< v / 2 + U(0, v / 2); AWS, "Exponential Backoff And Jitter" (2015), as the next two
    FullJitter, ///< U(0, v)
    DecorrelatedJitter, ///< s = min(cap, U(b, 3 s)), s before the first retry = b
    AwsStandard2026, ///< U(0, v), with `throttledBase` as b when the server throttled
    Grpc, ///< v * U(1 - jitter, 1 + jitter): exceeds the cap by design
    Envoy, ///< U(0, min(cap, (2^(n + 1) - 1) * b))
    PollyConstant, ///< min(cap, b * (1 + U(-jitter / 2, jitter / 2)))
    PollyLinear, ///< min(cap, b * (n + 1) * (1 + U(-jitter / 2, jitter / 2)))
    PollyExponential, ///< (f(n + U) - f(previous)) * b / 1.4, f(t) = 2^t * tanh(sqrt(4 t)); then min(cap)
    Resilience4j, ///< w = b * multiplier^n; min(cap, U(w (1 - jitter), w (1 + jitter)))
    Tower, ///< min(cap, v + U(0, jitter * v))
    Stripe, ///< max(b, v * U(1/2, 1))
    FinagleExponential, ///< s = b, then U(0, s * 2^n), and the cap for good once s * 2^n reaches it
    FinagleEqual, ///< b, then h + U(0, h) with h = b * 2^(n - 1), and the cap for good once that reaches it
    FinagleDecorrelated, ///< s = b, then U(s, min(cap, 3 s))
};

/// What a policy does with the wait that an answer names (Retry-After, x-amz-retry-after, grpc-retry-pushback-ms).
enum class RetryAfterRule : std::uint8_t {
    Ignore,
    Instead, ///< wait that instead, and start the backoff afresh after it; gRPC's pushback
    AtLeast, ///< the longer of the two; Stripe
    AwsClamp, ///< t = the backoff: max(t, min(it, t + 5 s))
    EnvoyJitter, ///< instead, U(it, 1.5 * it)
};

/// What a client does after a failed attempt. A value; the number of retries ("N-retries") is `maxAttempts` - 1.
struct RetryPolicy
{
    RetryAlgorithm algorithm = RetryAlgorithm::Fixed;
    Duration base = std::chrono::milliseconds(100); ///< >= 0
    Duration cap = std::chrono::seconds(20); ///< Duration::max(): none. None and Fixed do not look at it
    double multiplier = 2; ///< >= 1; of Exponential, the jitters of AWS, Grpc, Resilience4j, Tower and Stripe
    double jitter = 0; ///< a share, of Grpc, Polly*, Resilience4j and Tower
    std::uint32_t firstExponent = 0; ///< added to n; 1 in the simulator of AWS, whose first wait is 2 b
    std::uint32_t maxAttempts = 4; ///< including the first; >= 1
    Duration throttledBase {}; ///< of AwsStandard2026
    RetryAfterRule retryAfter = RetryAfterRule::Ignore;
    Duration retryAfterCeiling = Duration::max(); ///< a longer wait is not believed: the backoff alone decides
    bool retriesConflict = true; ///< whether 409 (the key is in progress) is worth a retry
};

/// A policy under a vendor's name, with the vendor's defaults.
struct NamedRetryPolicy
{
    QLatin1StringView name;
    RetryPolicy policy;
    QLatin1StringView gate; ///< the retry gate that the vendor ships beside it (see retryGates())
    QLatin1StringView source;
};

/// All of them, `none` first. Lives until exit.
[[nodiscard]] std::span<const NamedRetryPolicy> retryPolicies();

/// By its exact name; null when there is none.
[[nodiscard]] const NamedRetryPolicy *findRetryPolicy(QLatin1StringView name);

/// Why an attempt failed, as far as a policy or a gate makes a difference.
enum class Failure : std::uint8_t {
    Transient, ///< 5xx
    Throttled, ///< 429, or 503 with a pushback
    TimedOut, ///< no answer in time
    Conflict, ///< 409
};

/// What an operation must keep from one retry to the next.
struct RetryState
{
    Duration previous {}; ///< the last wait; of PollyExponential the sum of all, before the cap
    std::uint32_t restart = 0; ///< the index from which n counts: a pushback starts the backoff afresh
};

/// The wait before the operation's retry `index` (from 0). Pure but for `state`, which must be the operation's own and
/// is to be passed for each of its retries in turn. No argument overflows.
/// `retryAfter`: the wait that the failed answer named, if it did; a negative one counts as zero.
/// `bits`: 64 uniform bits, of this retry alone.
[[nodiscard]] Duration retryDelay(const RetryPolicy &policy, RetryState &state, std::uint32_t index, Failure failure,
    std::optional<Duration> retryAfter, std::uint64_t bits);

} // namespace idem::sim
