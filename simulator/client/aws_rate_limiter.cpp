// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/aws_rate_limiter.h"

#include "simulator/engine/distribution.h"

#include <algorithm>
#include <cmath>

namespace idem::sim {

namespace {

constexpr double beta = 0.7;
constexpr double scale = 0.4;
constexpr double microsPerSecond = 1e6;

double toSeconds(Duration duration)
{
    return static_cast<double>(duration.count()) / microsPerSecond;
}

/// When the cubic through beta * rate is flat again: the root of scale * x^3 = rate * (1 - beta).
double flatAfter(double rate)
{
    return std::cbrt(rate * (1 - beta) / scale);
}

} // namespace

CubicRate::CubicRate(double maxRate, Instant lastThrottle)
    : m_maxRate(maxRate)
    , m_flatAfter(flatAfter(maxRate))
    , m_lastThrottle(lastThrottle)
{
}

double CubicRate::throttled(Instant now, double rate)
{
    *this = CubicRate(rate, now);
    return rate * beta;
}

double CubicRate::succeeded(Instant now) const
{
    const double x = toSeconds(now - m_lastThrottle) - m_flatAfter;
    return scale * x * x * x + m_maxRate;
}

AwsRateLimiter::AwsRateLimiter(Instant start)
    : m_cubic(0, start)
    , m_lastBucket(std::floor(toSeconds(start.time_since_epoch())))
    , m_lastRefill(start)
{
}

Duration AwsRateLimiter::acquire(Instant now)
{
    if (!m_isEnabled) {
        return Duration::zero();
    }
    refill(now);
    m_tokens -= 1;
    return m_tokens >= 0 ? Duration::zero() : toDuration(-m_tokens / m_fillRate * microsPerSecond);
}

void AwsRateLimiter::onAnswer(Instant now, bool isThrottled)
{
    measure(now);
    double rate = 0;
    if (isThrottled) {
        rate = m_cubic.throttled(now, m_isEnabled ? std::min(m_measuredRate, m_fillRate) : m_measuredRate);
        m_isEnabled = true;
    } else {
        rate = m_cubic.succeeded(now);
    }
    constexpr double mostGrowth = 2;
    setRate(now, std::min(rate, mostGrowth * m_measuredRate));
}

void AwsRateLimiter::measure(Instant now)
{
    constexpr double bucketsPerSecond = 2;
    constexpr double smoothing = 0.8;
    const double bucket = std::floor(toSeconds(now.time_since_epoch()) * bucketsPerSecond) / bucketsPerSecond;
    m_answers += 1;
    if (bucket > m_lastBucket) {
        m_measuredRate = m_answers / (bucket - m_lastBucket) * smoothing + m_measuredRate * (1 - smoothing);
        m_answers = 0;
        m_lastBucket = bucket;
    }
}

void AwsRateLimiter::refill(Instant now)
{
    m_tokens = std::min(m_maxTokens, m_tokens + m_fillRate * toSeconds(now - m_lastRefill));
    m_lastRefill = now;
}

void AwsRateLimiter::setRate(Instant now, double rate)
{
    constexpr double leastRate = 0.5;
    refill(now);
    m_fillRate = std::max(rate, leastRate);
    m_maxTokens = std::max(rate, 1.0);
    m_tokens = std::min(m_tokens, m_maxTokens);
}

} // namespace idem::sim
