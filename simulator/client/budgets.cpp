// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/gate_factories.h"
#include "simulator/client/sliding_sum.h"

#include <algorithm>
#include <cmath>

namespace idem::sim {

namespace {

using std::chrono::seconds;

constexpr std::size_t slotsOfWindow = 10;

/// Finagle's TokenRetryBudget on a leaky bucket.
class RetryBudgetGate final : public CloneableGate<RetryBudgetGate>
{
public:
    explicit RetryBudgetGate(const RetryGateOptions::RetryBudget &options)
        : m_deposit(options.percentCanRetry > 0 ? scale : 0)
        , m_withdrawal(options.percentCanRetry > 0 ? static_cast<std::int64_t>(scale / options.percentCanRetry) : scale)
        , m_reserve(options.minRetriesPerSecond * (options.ttl / seconds(1)) * m_withdrawal)
        , m_balance(options.ttl, slotsOfWindow)
    {
    }

    bool mayStart(Instant now, std::uint64_t /*bits*/) override
    {
        m_balance.add(now, m_deposit);
        return true;
    }
    bool mayRetry(Instant now, Failure /*why*/) override
    {
        if (m_reserve + m_balance.sum(now) < m_withdrawal) {
            return false;
        }
        m_balance.add(now, -m_withdrawal);
        return true;
    }

private:
    static constexpr std::int64_t scale = 1000;

    std::int64_t m_deposit;
    std::int64_t m_withdrawal;
    std::int64_t m_reserve;
    SlidingSum m_balance;
};

/// A granted retry is active from then on: Envoy counts those that still wait as pending.
class EnvoyBudgetGate final : public CloneableGate<EnvoyBudgetGate>
{
public:
    explicit EnvoyBudgetGate(const RetryGateOptions::EnvoyBudget &options)
        : m_options(options)
    {
    }

    bool mayStart(Instant /*now*/, std::uint64_t /*bits*/) override
    {
        ++m_active;
        return true;
    }
    bool mayRetry(Instant /*now*/, Failure /*why*/) override
    {
        // The request that asks is active until its answer has been dealt with.
        const auto share = static_cast<std::int64_t>(m_options.share * static_cast<double>(m_active + 1));
        if (m_retries >= std::max<std::int64_t>(m_options.minConcurrency, share)) {
            return false;
        }
        ++m_retries;
        ++m_active;
        return true;
    }
    void onSuccess(Instant /*now*/, std::uint32_t attempt, Failure /*last*/) override { finish(attempt); }
    void onFailure(Instant /*now*/, Failure /*why*/, std::uint32_t attempt) override { finish(attempt); }

private:
    void finish(std::uint32_t attempt)
    {
        --m_active;
        if (attempt > 1) {
            --m_retries;
        }
    }

    RetryGateOptions::EnvoyBudget m_options;
    std::int64_t m_active = 0;
    std::int64_t m_retries = 0;
};

class GatewayApiBudgetGate final : public CloneableGate<GatewayApiBudgetGate>
{
public:
    explicit GatewayApiBudgetGate(const RetryGateOptions::GatewayApiBudget &options)
        : m_options(options)
        , m_requests(options.interval, slotsOfWindow)
        , m_retries(options.interval, slotsOfWindow)
        , m_recentRetries(options.minInterval, slotsOfWindow)
    {
    }

    bool mayStart(Instant now, std::uint64_t /*bits*/) override
    {
        m_requests.add(now, 1);
        return true;
    }
    bool mayRetry(Instant now, Failure /*why*/) override
    {
        // Shares are of all requests, this retry among them.
        const auto retries = static_cast<double>(m_retries.sum(now) + 1);
        const auto requests = static_cast<double>(m_requests.sum(now) + 1);
        if (m_recentRetries.sum(now) >= m_options.minRetries && retries > m_options.share * requests) {
            return false;
        }
        m_requests.add(now, 1);
        m_retries.add(now, 1);
        m_recentRetries.add(now, 1);
        return true;
    }

private:
    RetryGateOptions::GatewayApiBudget m_options;
    SlidingSum m_requests;
    SlidingSum m_retries;
    SlidingSum m_recentRetries;
};

class SreBudgetGate final : public CloneableGate<SreBudgetGate>
{
public:
    explicit SreBudgetGate(const RetryGateOptions::SreBudget &options)
        : m_options(options)
        , m_requests(options.window, slotCount)
        , m_retries(options.window, slotCount)
    {
    }

    bool mayStart(Instant now, std::uint64_t /*bits*/) override
    {
        m_requests.add(now, 1);
        return true;
    }
    bool mayRetry(Instant now, Failure /*why*/) override
    {
        const auto retries = static_cast<double>(m_retries.sum(now));
        if (retries >= m_options.share * static_cast<double>(m_requests.sum(now))) {
            return false;
        }
        m_requests.add(now, 1);
        m_retries.add(now, 1);
        return true;
    }

private:
    static constexpr std::size_t slotCount = 120;

    RetryGateOptions::SreBudget m_options;
    SlidingSum m_requests;
    SlidingSum m_retries;
};

} // namespace

std::unique_ptr<RetryGate> makeRetryBudget(const RetryGateOptions &options)
{
    return std::make_unique<RetryBudgetGate>(options.retryBudget);
}

std::unique_ptr<RetryGate> makeEnvoyBudget(const RetryGateOptions &options)
{
    return std::make_unique<EnvoyBudgetGate>(options.envoyBudget);
}

std::unique_ptr<RetryGate> makeGatewayApiBudget(const RetryGateOptions &options)
{
    return std::make_unique<GatewayApiBudgetGate>(options.gatewayApiBudget);
}

std::unique_ptr<RetryGate> makeSreBudget(const RetryGateOptions &options)
{
    return std::make_unique<SreBudgetGate>(options.sreBudget);
}

} // namespace idem::sim
