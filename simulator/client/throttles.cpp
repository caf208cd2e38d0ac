// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/gate_factories.h"
#include "simulator/client/sliding_sum.h"
#include "simulator/engine/random.h"

#include <algorithm>

namespace idem::sim {

namespace {

/// Rejects at home with probability max(0, (requests - K accepts) / (requests + 1)). What is rejected at home counts as
/// a request too; an answer that is not a failure of the server counts as accepted.
class SreThrottlingGate final : public CloneableGate<SreThrottlingGate>
{
public:
    explicit SreThrottlingGate(const RetryGateOptions::SreThrottling &options)
        : m_options(options)
        , m_requests(options.window, slotCount)
        , m_accepts(options.window, slotCount)
    {
    }

    bool mayStart(Instant now, std::uint64_t bits) override { return admit(now, bits); }
    bool maySend(Instant now, std::uint64_t bits) override { return admit(now, bits); }
    void onSuccess(Instant now, std::uint32_t /*attempt*/, Failure /*last*/) override { m_accepts.add(now, 1); }
    void onFailure(Instant now, Failure why, std::uint32_t /*attempt*/) override
    {
        if (why == Failure::Conflict) {
            m_accepts.add(now, 1);
        }
    }

private:
    static constexpr std::size_t slotCount = 120;

    bool admit(Instant now, std::uint64_t bits)
    {
        const auto requests = static_cast<double>(m_requests.sum(now));
        const auto accepts = static_cast<double>(m_accepts.sum(now));
        const double rejection = std::max(0.0, (requests - m_options.k * accepts) / (requests + 1));
        m_requests.add(now, 1);
        return toUnit(bits) >= rejection;
    }

    RetryGateOptions::SreThrottling m_options;
    SlidingSum m_requests;
    SlidingSum m_accepts;
};

class BulkheadGate final : public CloneableGate<BulkheadGate>
{
public:
    explicit BulkheadGate(const RetryGateOptions::Bulkhead &options)
        : m_options(options)
    {
    }

    bool mayStart(Instant /*now*/, std::uint64_t /*bits*/) override { return enter(); }
    bool maySend(Instant /*now*/, std::uint64_t /*bits*/) override { return enter(); }
    void onSuccess(Instant /*now*/, std::uint32_t /*attempt*/, Failure /*last*/) override { --m_active; }
    void onFailure(Instant /*now*/, Failure /*why*/, std::uint32_t /*attempt*/) override { --m_active; }

private:
    bool enter()
    {
        if (m_active >= m_options.maxConcurrent) {
            return false;
        }
        ++m_active;
        return true;
    }

    RetryGateOptions::Bulkhead m_options;
    std::uint32_t m_active = 0;
};

/// As AtomicRateLimiter: permits come in full at the start of each period; who waits reserves one of a later period.
class RateLimiterGate final : public CloneableGate<RateLimiterGate>
{
public:
    explicit RateLimiterGate(const RetryGateOptions::RateLimiter &options)
        : m_options(options)
        , m_permits(options.perPeriod)
    {
    }

    std::optional<Duration> holdBack(Instant now) override
    {
        const std::int64_t limit = m_options.perPeriod;
        const Duration::rep period = now.time_since_epoch() / m_options.period;
        // Debts of many periods are paid off in as many: with a long silence the product would overflow.
        const Duration::rep passed = std::min<Duration::rep>(period - m_period, 1 + (limit - m_permits) / limit);
        m_permits = std::min(limit, m_permits + passed * limit);
        m_period = period;
        Duration wait {};
        if (m_permits <= 0) {
            const Duration::rep periods = 1 + -m_permits / limit;
            wait = (period + periods) * m_options.period - now.time_since_epoch();
        }
        if (wait > m_options.maxWait) {
            return std::nullopt;
        }
        --m_permits;
        return wait;
    }

private:
    RetryGateOptions::RateLimiter m_options;
    std::int64_t m_permits; ///< below zero: reserved of later periods
    Duration::rep m_period = 0;
};

} // namespace

std::unique_ptr<RetryGate> makeSreThrottling(const RetryGateOptions &options)
{
    return std::make_unique<SreThrottlingGate>(options.sreThrottling);
}

std::unique_ptr<RetryGate> makeBulkhead(const RetryGateOptions &options)
{
    return std::make_unique<BulkheadGate>(options.bulkhead);
}

std::unique_ptr<RetryGate> makeRateLimiter(const RetryGateOptions &options)
{
    return std::make_unique<RateLimiterGate>(options.rateLimiter);
}

} // namespace idem::sim
