// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/aws_rate_limiter.h"
#include "simulator/client/gate_factories.h"

#include <algorithm>
#include <cmath>

namespace idem::sim {

namespace {

class BrookerBucketGate final : public CloneableGate<BrookerBucketGate>
{
public:
    explicit BrookerBucketGate(const RetryGateOptions::BrookerBucket &options)
        : m_options(options)
        , m_tokens(options.capacity)
    {
    }

    bool mayStart(Instant /*now*/, std::uint64_t /*bits*/) override
    {
        if (!m_options.depositOnSuccess) {
            deposit();
        }
        return true;
    }
    bool mayRetry(Instant /*now*/, Failure /*why*/) override
    {
        constexpr double cost = 1;
        if (m_tokens <= cost) {
            return false;
        }
        m_tokens -= cost;
        return true;
    }
    void onSuccess(Instant /*now*/, std::uint32_t /*attempt*/, Failure /*last*/) override
    {
        if (m_options.depositOnSuccess) {
            deposit();
        }
    }

private:
    void deposit() { m_tokens = std::min(m_tokens + m_options.deposit, m_options.capacity); }

    RetryGateOptions::BrookerBucket m_options;
    double m_tokens;
};

/// The quota's arithmetic, of both AWS gates.
class AwsQuota
{
public:
    explicit AwsQuota(const RetryGateOptions::AwsQuota &options)
        : m_options(options)
        , m_available(options.capacity)
    {
    }

    bool take(Failure why)
    {
        if (m_options.fault == QuotaFault::NoQuota) {
            return true;
        }
        const std::uint32_t price = cost(why);
        if (price > m_available) {
            return false;
        }
        m_available -= price;
        return true;
    }
    void give(std::uint32_t attempt, Failure last)
    {
        if (m_options.fault != QuotaFault::NeverRefills) {
            const std::uint32_t amount = attempt > 1 ? cost(last) : m_options.refill;
            m_available = std::min(m_options.capacity, m_available + amount);
        }
    }

private:
    [[nodiscard]] std::uint32_t cost(Failure why) const
    {
        switch (why) {
        case Failure::TimedOut:
            return m_options.timeoutCost;
        case Failure::Throttled:
            return m_options.throttleCost;
        case Failure::Transient:
        case Failure::Conflict:
            return m_options.retryCost;
        }
        Q_UNREACHABLE();
    }

    RetryGateOptions::AwsQuota m_options;
    std::uint32_t m_available;
};

class AwsQuotaGate final : public CloneableGate<AwsQuotaGate>
{
public:
    explicit AwsQuotaGate(const RetryGateOptions::AwsQuota &options)
        : m_options(options)
        , m_quota(options)
    {
    }

    bool mayStart(Instant /*now*/, std::uint64_t /*bits*/) override
    {
        if (m_options.fault == QuotaFault::ForgetsBetweenRequests) {
            m_quota = AwsQuota(m_options);
        }
        return true;
    }
    bool mayRetry(Instant /*now*/, Failure why) override { return m_quota.take(why); }
    void onSuccess(Instant /*now*/, std::uint32_t attempt, Failure last) override { m_quota.give(attempt, last); }

private:
    RetryGateOptions::AwsQuota m_options;
    AwsQuota m_quota;
};

class AwsAdaptiveGate final : public CloneableGate<AwsAdaptiveGate>
{
public:
    explicit AwsAdaptiveGate(const RetryGateOptions::AwsQuota &options)
        : m_options(options)
        , m_quota(options)
        , m_limiter(Instant())
    {
    }

    bool mayStart(Instant now, std::uint64_t /*bits*/) override
    {
        if (m_options.fault == QuotaFault::ForgetsBetweenRequests) {
            m_quota = AwsQuota(m_options);
            m_limiter = AwsRateLimiter(now);
        }
        return true;
    }
    bool mayRetry(Instant /*now*/, Failure why) override { return m_quota.take(why); }
    std::optional<Duration> holdBack(Instant now) override { return m_limiter.acquire(now); }
    void onSuccess(Instant now, std::uint32_t attempt, Failure last) override
    {
        m_quota.give(attempt, last);
        m_limiter.onAnswer(now, false);
    }
    void onFailure(Instant now, Failure why, std::uint32_t /*attempt*/) override
    {
        m_limiter.onAnswer(now, why == Failure::Throttled);
    }

private:
    RetryGateOptions::AwsQuota m_options;
    AwsQuota m_quota;
    AwsRateLimiter m_limiter;
};

/// Counts in thousandths of a token, as the proposal asks.
class GrpcThrottlingGate final : public CloneableGate<GrpcThrottlingGate>
{
public:
    explicit GrpcThrottlingGate(const RetryGateOptions::GrpcThrottling &options)
        : m_most(std::llround(options.maxTokens * token))
        , m_ratio(static_cast<std::int64_t>(options.tokenRatio * token + roundingSlack))
        , m_tokens(m_most)
    {
    }

    bool mayRetry(Instant /*now*/, Failure /*why*/) override { return m_tokens > m_most / 2; }
    void onSuccess(Instant /*now*/, std::uint32_t /*attempt*/, Failure /*last*/) override
    {
        m_tokens = std::min(m_most, m_tokens + m_ratio);
    }
    void onFailure(Instant /*now*/, Failure /*why*/, std::uint32_t /*attempt*/) override
    {
        m_tokens = std::max<std::int64_t>(0, m_tokens - token);
    }

private:
    static constexpr std::int64_t token = 1000;
    static constexpr double roundingSlack = 1e-6; ///< further decimals are cut off, but 0.29 is not 0.28999...

    std::int64_t m_most;
    std::int64_t m_ratio;
    std::int64_t m_tokens;
};

} // namespace

std::unique_ptr<RetryGate> makeBrookerBucket(const RetryGateOptions &options)
{
    return std::make_unique<BrookerBucketGate>(options.brookerBucket);
}

std::unique_ptr<RetryGate> makeAwsQuota(const RetryGateOptions &options)
{
    return std::make_unique<AwsQuotaGate>(options.awsQuota);
}

std::unique_ptr<RetryGate> makeAwsAdaptive(const RetryGateOptions &options)
{
    return std::make_unique<AwsAdaptiveGate>(options.awsQuota);
}

std::unique_ptr<RetryGate> makeGrpcThrottling(const RetryGateOptions &options)
{
    return std::make_unique<GrpcThrottlingGate>(options.grpcThrottling);
}

} // namespace idem::sim
