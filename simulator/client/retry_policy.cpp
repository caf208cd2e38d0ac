// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/retry_policy.h"

#include "simulator/engine/distribution.h"
#include "simulator/engine/random.h"

#include <QtGlobal>

#include <algorithm>
#include <cmath>

namespace idem::sim {

namespace {

using std::chrono::seconds;

/// `duration` * `factor`, at most `top`.
Duration times(Duration duration, std::uint64_t factor, Duration top)
{
    Duration::rep product = 0;
    if (__builtin_mul_overflow(duration.count(), factor, &product)) {
        return top;
    }
    return std::min(Duration(product), top);
}

/// `duration` * 2^`exponent`, at most `top`.
Duration doubled(Duration duration, std::uint32_t exponent, Duration top)
{
    constexpr std::uint32_t bitsOfDuration = 63;
    if (duration <= Duration::zero()) {
        return Duration::zero();
    }
    if (exponent >= bitsOfDuration || duration.count() > (top.count() >> exponent)) {
        return top;
    }
    return Duration(duration.count() << exponent);
}

/// min(top, duration * multiplier^exponent)
Duration grown(Duration duration, double multiplier, std::uint32_t exponent, Duration top)
{
    constexpr double doubling = 2;
    if (multiplier == doubling) { // in whole numbers, so equal on every platform
        return doubled(duration, exponent, top);
    }
    return std::min(toDuration(static_cast<double>(duration.count()) * std::pow(multiplier, exponent)), top);
}

/// `duration` * U(`low`, `high`), rounded.
Duration scaled(Duration duration, double low, double high, std::uint64_t bits)
{
    return toDuration(static_cast<double>(duration.count()) * (low + (high - low) * toUnit(bits)));
}

/// low + U(0, high - low)
Duration between(Duration low, Duration high, std::uint64_t bits)
{
    return low + uniformBelow(bits, high - low);
}

/// Sum of Polly's waits up to retry `index`, before the cap: b / 1.4 * f(n + U). So the sums are exact and a wait is
/// the difference of two.
Duration pollySum(Duration base, std::uint32_t index, std::uint64_t bits)
{
    constexpr double scaling = 1 / 1.4;
    constexpr double factor = 4;
    const double t = index + toUnit(bits);
    return toDuration(static_cast<double>(base.count()) * scaling * std::exp2(t) * std::tanh(std::sqrt(factor * t)));
}

/// One retry of one operation.
struct Retry
{
    const RetryPolicy &policy;
    RetryState &state;
    std::uint32_t n;
    Failure failure;
    std::uint64_t bits;

    [[nodiscard]] Duration v() const
    {
        const std::uint32_t exponent = n > UINT32_MAX - policy.firstExponent ? UINT32_MAX : n + policy.firstExponent;
        const bool isThrottled = policy.algorithm == RetryAlgorithm::AwsStandard2026 && failure == Failure::Throttled;
        return grown(isThrottled ? policy.throttledBase : policy.base, policy.multiplier, exponent, policy.cap);
    }
    [[nodiscard]] Duration capped(Duration wait) const { return std::min(wait, policy.cap); }
    /// Polly's jitter: a share in all, half of it below and half above.
    [[nodiscard]] Duration pollyJittered(Duration wait) const
    {
        return capped(scaled(wait, 1 - policy.jitter / 2, 1 + policy.jitter / 2, bits));
    }
    [[nodiscard]] Duration decorrelated() const
    {
        const Duration previous = state.previous > Duration::zero() ? state.previous : policy.base;
        return capped(between(policy.base, times(previous, 3, Duration::max()), bits));
    }
    [[nodiscard]] Duration finagle() const
    {
        const auto &[algorithm, base, cap, multiplier, jitter, firstExponent, maxAttempts, throttledBase, rule, ceiling,
            retriesConflict] = policy;
        if (n == 0 || base >= cap) {
            return capped(base);
        }
        switch (algorithm) {
        case RetryAlgorithm::FinagleExponential: {
            const Duration top = doubled(state.previous, n, cap);
            return top == cap ? cap : uniformBelow(bits, top);
        }
        case RetryAlgorithm::FinagleEqual: {
            const Duration half = doubled(base, n - 1, cap);
            return half == cap ? cap : std::min(half + uniformBelow(bits, half), cap);
        }
        default:
            return between(state.previous, times(state.previous, 3, cap), bits);
        }
    }
    [[nodiscard]] Duration pollyExponential() const
    {
        const Duration sum = pollySum(policy.base, n, bits);
        const Duration before = std::exchange(state.previous, sum);
        return capped(n == 0 ? sum : sum - before);
    }
    [[nodiscard]] Duration backoff() const;
};

Duration Retry::backoff() const
{
    switch (policy.algorithm) {
    case RetryAlgorithm::None:
        return Duration::zero();
    case RetryAlgorithm::Fixed:
        return policy.base;
    case RetryAlgorithm::Linear:
        return times(policy.base, std::uint64_t {n} + 1, policy.cap);
    case RetryAlgorithm::Exponential:
        return v();
    case RetryAlgorithm::EqualJitter:
        return between(v() / 2, v(), bits);
    case RetryAlgorithm::FullJitter:
    case RetryAlgorithm::AwsStandard2026:
        return uniformBelow(bits, v());
    case RetryAlgorithm::DecorrelatedJitter:
        return decorrelated();
    case RetryAlgorithm::Grpc:
        return scaled(v(), 1 - policy.jitter, 1 + policy.jitter, bits);
    case RetryAlgorithm::Envoy: {
        constexpr std::uint32_t widest = 63;
        return uniformBelow(bits, times(policy.base, (std::uint64_t {1} << std::min(n + 1, widest)) - 1, policy.cap));
    }
    case RetryAlgorithm::PollyConstant:
        return pollyJittered(policy.base);
    case RetryAlgorithm::PollyLinear:
        return pollyJittered(times(policy.base, std::uint64_t {n} + 1, Duration::max()));
    case RetryAlgorithm::PollyExponential:
        return pollyExponential();
    case RetryAlgorithm::Resilience4j:
        return capped(scaled(
            grown(policy.base, policy.multiplier, n, Duration::max()), 1 - policy.jitter, 1 + policy.jitter, bits));
    case RetryAlgorithm::Tower:
        return capped(scaled(v(), 1, 1 + policy.jitter, bits));
    case RetryAlgorithm::Stripe: {
        constexpr double leastShare = 0.5;
        return std::max(policy.base, scaled(v(), leastShare, 1, bits));
    }
    case RetryAlgorithm::FinagleExponential:
    case RetryAlgorithm::FinagleEqual:
    case RetryAlgorithm::FinagleDecorrelated:
        return finagle();
    }
    Q_UNREACHABLE();
}

/// The wait after the server's wish was heard; `backoff` is the policy's own.
Duration heeding(RetryAfterRule rule, Duration wish, Duration backoff, std::uint64_t bits)
{
    switch (rule) {
    case RetryAfterRule::Ignore:
        return backoff;
    case RetryAfterRule::Instead:
        return wish;
    case RetryAfterRule::AtLeast:
        return std::max(backoff, wish);
    case RetryAfterRule::AwsClamp: {
        constexpr Duration slack = seconds(5);
        return std::max(backoff, backoff > Duration::max() - slack ? wish : std::min(wish, backoff + slack));
    }
    case RetryAfterRule::EnvoyJitter: {
        constexpr double spread = 1.5;
        return scaled(wish, 1, spread, bits);
    }
    }
    Q_UNREACHABLE();
}

} // namespace

Duration retryDelay(const RetryPolicy &policy, RetryState &state, std::uint32_t index, Failure failure,
    std::optional<Duration> retryAfter, std::uint64_t bits)
{
    Q_ASSERT(index >= state.restart);
    const Duration backoff = Retry {policy, state, index - state.restart, failure, bits}.backoff();
    if (policy.algorithm != RetryAlgorithm::PollyExponential) {
        state.previous = backoff;
    }
    if (!retryAfter || *retryAfter > policy.retryAfterCeiling) {
        return backoff;
    }
    if (policy.retryAfter == RetryAfterRule::Instead) {
        state = {.previous = Duration::zero(), .restart = index + 1};
    }
    return heeding(policy.retryAfter, std::max(*retryAfter, Duration::zero()), backoff, bits);
}

} // namespace idem::sim
