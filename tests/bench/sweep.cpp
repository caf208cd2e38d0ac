// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/sweep.h"

#include "tests/bench/ours.h"
#include "tests/bench/workloads.h"

#include <atomic>
#include <thread>

namespace idem::bench {

namespace {

/// Stands until it is moved, so that records expire at one instant.
class HandClock final : public Clock
{
public:
    [[nodiscard]] Instant now() const override { return Instant(Duration(m_now.load(std::memory_order_relaxed))); }
    [[nodiscard]] WallTime wallNow() const override { return WallTime(now().time_since_epoch()); }
    void advance(Duration span) { m_now.fetch_add(span.count(), std::memory_order_relaxed); }

private:
    std::atomic<Duration::rep> m_now {0};
};

constexpr double millisecond = 1e-3;

class SweepBench
{
public:
    SweepBench(std::string impl, std::uint32_t count)
        : m_impl(std::move(impl))
        , m_early(sequence(0, std::max(count / 100, 1U)))
        , m_late(sequence(static_cast<std::uint32_t>(m_early.size()), count - std::max(count / 100, 1U)))
        , m_firstNewKey(count)
    {
    }

    void run()
    {
        runAll(m_subject, m_early);
        m_clock.advance(std::chrono::minutes(1));
        runAll(m_subject, m_late);
        sweep("sweep_none");
        m_clock.advance(std::chrono::minutes(59)); // the TTL of the early ones is over
        sweep("sweep_1pct");
        runAll(m_subject, m_early);
        m_clock.advance(std::chrono::hours(2));
        const Swept all = sweep("sweep_all");
        report(m_impl, {"sweep_all", 1, "hold_p999_ms"}, quantile(m_holds, 0.999) / millisecond);
        report(m_impl, {"sweep_all", 1, "removed"}, static_cast<double>(all.removed));
        report(m_impl, {"sweep_all", 1, "ns_per_expired"}, all.wall / static_cast<double>(all.removed) * 1e9);

        runAll(m_subject, m_early);
        runAll(m_subject, m_late);
        m_clock.advance(std::chrono::hours(2));
        const std::vector<double> begins = beginsWhileSweeping();
        report(m_impl, {"sweep_all", 2, "begin_max_ms"}, quantile(begins, 1) / millisecond);
        report(m_impl, {"sweep_all", 2, "begin_p999_ms"}, quantile(begins, 0.999) / millisecond);
    }

private:
    struct Swept
    {
        std::uint64_t removed = 0;
        double wall = 0;
    };

    /// One sweep; leaves its holds in m_holds.
    Swept sweep(const std::string &workload)
    {
        m_holds.clear();
        const double start = seconds();
        const std::uint64_t removed = m_subject.sweep();
        const double wall = seconds() - start;
        report(m_impl, {workload, 1, "pause_ms"}, quantile(m_holds, 1) / millisecond);
        return {removed, wall};
    }

    /// Seconds of each begin of a new key that another thread makes, one after another, during one sweep.
    std::vector<double> beginsWhileSweeping()
    {
        std::vector<double> begins;
        std::atomic<bool> isBegun = false;
        std::atomic<bool> isSwept = false;
        std::jthread client([&] {
            for (std::uint32_t i = m_firstNewKey; !isSwept; ++i) {
                const Keys key({i});
                const double start = seconds();
                m_subject.hold(key[0]);
                begins.push_back(seconds() - start);
                isBegun = true;
            }
        });
        while (!isBegun)
            std::this_thread::yield();
        m_subject.sweep();
        isSwept = true;
        client.join();
        return begins;
    }

    std::string m_impl;
    Keys m_early; ///< one in a hundred, at least one
    Keys m_late; ///< the others
    std::uint32_t m_firstNewKey;
    HandClock m_clock;
    std::vector<double> m_holds; ///< seconds
    Ours m_subject {MemoryStoreOptions {
        .policy = Ours::policy(), .clock = &m_clock, .onSweepHold = [this](std::chrono::nanoseconds held) {
            m_holds.push_back(std::chrono::duration<double>(held).count());
        }}};
};

} // namespace

bool runSweep(const std::string &impl, const std::vector<std::string> &arguments)
{
    if (arguments.size() != 2 || arguments[0] != "sweep")
        return false;
    const auto count = parseCount(arguments[1]);
    if (!count)
        return false;
    SweepBench(impl, *count).run();
    return true;
}

} // namespace idem::bench
