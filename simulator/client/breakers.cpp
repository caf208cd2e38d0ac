// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/gate_factories.h"
#include "simulator/client/sliding_sum.h"

#include <algorithm>
#include <vector>

namespace idem::sim {

namespace {

class BrookerBreakerGate final : public CloneableGate<BrookerBreakerGate>
{
public:
    explicit BrookerBreakerGate(const RetryGateOptions::BrookerBreaker &options)
        : m_options(options)
    {
    }

    bool mayStart(Instant /*now*/, std::uint64_t /*bits*/) override
    {
        m_calls += 1;
        return true;
    }
    bool mayRetry(Instant /*now*/, Failure /*why*/) override { return m_failures / m_calls <= m_options.maxFailures; }
    void onFailure(Instant /*now*/, Failure /*why*/, std::uint32_t /*attempt*/) override { m_failures += 1; }

private:
    RetryGateOptions::BrookerBreaker m_options;
    double m_calls = 0;
    double m_failures = 0;
};

/// Half-open, it lets one probe through; another only when the first has had no answer for a whole break.
class PollyBreakerGate final : public CloneableGate<PollyBreakerGate>
{
public:
    explicit PollyBreakerGate(const RetryGateOptions::PollyBreaker &options)
        : m_options(options)
        , m_calls(options.samplingDuration, windows)
        , m_failures(options.samplingDuration, windows)
    {
    }

    bool mayStart(Instant now, std::uint64_t /*bits*/) override { return permit(now); }
    bool maySend(Instant now, std::uint64_t /*bits*/) override { return permit(now); }
    void onSuccess(Instant now, std::uint32_t /*attempt*/, Failure /*last*/) override
    {
        if (m_state == State::HalfOpen) {
            m_state = State::Closed;
            reset();
        } else if (m_state == State::Closed) {
            m_calls.add(now, 1);
        }
    }
    void onFailure(Instant now, Failure /*why*/, std::uint32_t /*attempt*/) override
    {
        if (m_state == State::HalfOpen) {
            open(now);
        } else if (m_state == State::Closed) {
            m_calls.add(now, 1);
            m_failures.add(now, 1);
            const std::int64_t calls = m_calls.sum(now);
            const double leastFailures = m_options.failureRatio * static_cast<double>(calls);
            if (calls >= m_options.minimumThroughput && static_cast<double>(m_failures.sum(now)) >= leastFailures) {
                open(now);
            }
        }
    }

private:
    enum class State : std::uint8_t { Closed, Open, HalfOpen };
    static constexpr std::size_t windows = 10;

    bool permit(Instant now)
    {
        if (m_state == State::Closed) {
            return true;
        }
        if (now < m_blockedUntil) {
            return false;
        }
        m_state = State::HalfOpen;
        m_blockedUntil = saturatingAdd(now, m_options.breakDuration);
        return true;
    }
    void open(Instant now)
    {
        m_state = State::Open;
        m_blockedUntil = saturatingAdd(now, m_options.breakDuration);
        reset();
    }
    void reset()
    {
        m_calls.clear();
        m_failures.clear();
    }

    RetryGateOptions::PollyBreaker m_options;
    State m_state = State::Closed;
    Instant m_blockedUntil {};
    SlidingSum m_calls;
    SlidingSum m_failures;
};

/// The vendor's slow calls (60 s) are not counted apart: a client that waits for so long is rare, and one that does not
/// counts them as timed out.
class Resilience4jBreakerGate final : public CloneableGate<Resilience4jBreakerGate>
{
public:
    explicit Resilience4jBreakerGate(const RetryGateOptions::Resilience4jBreaker &options)
        : m_options(options)
    {
    }

    bool mayStart(Instant now, std::uint64_t /*bits*/) override { return permit(now); }
    bool maySend(Instant now, std::uint64_t /*bits*/) override { return permit(now); }
    void onSuccess(Instant now, std::uint32_t /*attempt*/, Failure /*last*/) override { record(now, false); }
    void onFailure(Instant now, Failure /*why*/, std::uint32_t /*attempt*/) override { record(now, true); }

private:
    enum class State : std::uint8_t { Closed, Open, HalfOpen };

    bool permit(Instant now)
    {
        if (m_state == State::Open && now >= m_openUntil) {
            enter(State::HalfOpen);
            m_permitsLeft = m_options.permittedInHalfOpen;
        }
        switch (m_state) {
        case State::Closed:
            return true;
        case State::Open:
            return false;
        case State::HalfOpen:
            if (m_permitsLeft == 0) {
                return false;
            }
            --m_permitsLeft;
            return true;
        }
        Q_UNREACHABLE();
    }
    void record(Instant now, bool hasFailed)
    {
        if (m_state == State::Open) {
            return; // an answer from before it opened
        }
        const bool isHalfOpen = m_state == State::HalfOpen;
        const std::size_t size = isHalfOpen ? m_options.permittedInHalfOpen : m_options.windowSize;
        if (m_outcomes.size() < size) {
            m_outcomes.push_back(hasFailed);
        } else {
            m_outcomes[m_next] = hasFailed;
        }
        m_next = (m_next + 1) % size;
        const std::size_t least = isHalfOpen ? size : std::min<std::size_t>(m_options.minimumCalls, size);
        if (m_outcomes.size() < least) {
            return;
        }
        const auto failures = static_cast<double>(std::ranges::count(m_outcomes, true));
        if (failures >= m_options.failureRate * static_cast<double>(m_outcomes.size())) {
            enter(State::Open);
            m_openUntil = saturatingAdd(now, m_options.openFor);
        } else if (isHalfOpen) {
            enter(State::Closed);
        }
    }
    void enter(State state)
    {
        m_state = state;
        m_outcomes.clear();
        m_next = 0;
    }

    RetryGateOptions::Resilience4jBreaker m_options;
    State m_state = State::Closed;
    Instant m_openUntil {};
    std::uint32_t m_permitsLeft = 0;
    std::vector<bool> m_outcomes; ///< the last so many calls, true for a failure
    std::size_t m_next = 0;
};

} // namespace

std::unique_ptr<RetryGate> makeBrookerBreaker(const RetryGateOptions &options)
{
    return std::make_unique<BrookerBreakerGate>(options.brookerBreaker);
}

std::unique_ptr<RetryGate> makePollyBreaker(const RetryGateOptions &options)
{
    return std::make_unique<PollyBreakerGate>(options.pollyBreaker);
}

std::unique_ptr<RetryGate> makeResilience4jBreaker(const RetryGateOptions &options)
{
    return std::make_unique<Resilience4jBreakerGate>(options.resilience4jBreaker);
}

} // namespace idem::sim
