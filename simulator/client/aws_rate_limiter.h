// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

namespace idem::sim {

/// CUBIC as botocore has it (retries/throttling.py): after a throttle the rate falls to 0.7 of what it was, then grows
/// back along a cubic that is flat at the old rate.
class CubicRate
{
public:
    /// `maxRate`, in requests a second, as if it had been throttled at `lastThrottle`.
    CubicRate(double maxRate, Instant lastThrottle);

    /// The rate after a throttle at `rate`.
    double throttled(Instant now, double rate);

    /// The rate that a success allows.
    [[nodiscard]] double succeeded(Instant now) const;

private:
    double m_maxRate;
    double m_flatAfter; ///< seconds after the last throttle
    Instant m_lastThrottle;
};

/// The client's rate limiter of botocore's mode `adaptive` (retries/adaptive.py and bucket.py): off until the first
/// throttle, then a token bucket whose rate CUBIC sets, at least 0.5 a second and at most twice the measured rate. The
/// vendor's callers sleep in turn; here each takes its token at once, into debt, and is told how long to wait, which is
/// the same as long as the rate stays.
class AwsRateLimiter
{
public:
    /// Starts at `start`.
    explicit AwsRateLimiter(Instant start);

    /// How long the next attempt must wait. Takes a token.
    [[nodiscard]] Duration acquire(Instant now);

    /// An answer came.
    void onAnswer(Instant now, bool isThrottled);

    /// Answers a second, smoothed, in half-second buckets.
    [[nodiscard]] double measuredRate() const { return m_measuredRate; }

    /// Tokens a second.
    [[nodiscard]] double fillRate() const { return m_fillRate; }

private:
    void measure(Instant now);
    void refill(Instant now);
    void setRate(Instant now, double rate);

    CubicRate m_cubic;
    bool m_isEnabled = false;
    double m_measuredRate = 0;
    double m_lastBucket; ///< seconds
    double m_answers = 0; ///< in the running bucket
    double m_fillRate = 1;
    double m_maxTokens = 1;
    double m_tokens = 0;
    Instant m_lastRefill;
};

} // namespace idem::sim
