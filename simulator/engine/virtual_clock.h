// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

#include <atomic>

namespace idem::sim {

/// Virtual time: stands still until it is set. It starts at zero; civil time starts on 1 January 2026, 00:00 UTC, in
/// every run. Thread-safety: read from any thread, set from one.
class VirtualClock final : public Clock
{
public:
    [[nodiscard]] Instant now() const override;
    [[nodiscard]] WallTime wallNow() const override;

    /// Precondition: `moment` is not before now().
    void advanceTo(Instant moment);

private:
    std::atomic<Duration::rep> m_now {0};
};

/// A virtual clock as one instance of a service sees it: ahead by an offset that whoever speaks for the instance sets.
/// Thread-safety: as VirtualClock; the offset is set and read by the run's thread only.
class SkewedClock final : public Clock
{
public:
    /// `base` must outlive it.
    explicit SkewedClock(const VirtualClock &base)
        : m_base(base)
    {
    }
    [[nodiscard]] Instant now() const override { return m_base.now() + m_offset.load(std::memory_order_relaxed); }
    [[nodiscard]] WallTime wallNow() const override
    {
        return m_base.wallNow() + m_offset.load(std::memory_order_relaxed);
    }
    void setOffset(Duration offset) { m_offset.store(offset, std::memory_order_relaxed); }

private:
    const VirtualClock &m_base;
    std::atomic<Duration> m_offset {Duration::zero()};
};

} // namespace idem::sim
