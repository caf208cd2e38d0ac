// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace idem {

/// All durations of the store, in microseconds; never a bare integer.
using Duration = std::chrono::microseconds;

/// Marks the time points of a store's own clock, so that they cannot be mixed with wall time.
struct MonotonicTag
{
    using rep = Duration::rep;
    using period = Duration::period;
    using duration = Duration;
    using time_point = std::chrono::time_point<MonotonicTag>;
    static constexpr bool is_steady = true;
};

/// A moment on the store's monotonic clock; its zero has no meaning outside the process.
using Instant = MonotonicTag::time_point;

/// A moment of civil time, for display and persistence only; no rule of the store compares one.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Duration>;

/// Where a store reads the time. Injected, so that tests and the simulator own time.
/// Thread-safety: both functions may be called from any thread.
class Clock
{
public:
    virtual ~Clock() = default;

    /// Never goes back. Counts the time that the machine sleeps.
    [[nodiscard]] virtual Instant now() const = 0;

    /// Civil time, which may jump.
    [[nodiscard]] virtual WallTime wallNow() const = 0;
};

/// The clock of the running machine: CLOCK_BOOTTIME, which counts suspend (so a lease does not outlive a closed lid).
class SystemClock final : public Clock
{
public:
    [[nodiscard]] Instant now() const override;
    [[nodiscard]] WallTime wallNow() const override;

    /// The process-wide instance; lives until exit.
    static const SystemClock &instance();
};

/// `moment + span` without overflow: the ends of the range absorb what lies beyond them.
[[nodiscard]] constexpr Instant saturatingAdd(Instant moment, Duration span)
{
    Duration::rep sum = 0;
    if (__builtin_add_overflow(moment.time_since_epoch().count(), span.count(), &sum)) {
        return span.count() > 0 ? Instant::max() : Instant::min();
    }
    return Instant(Duration(sum));
}

} // namespace idem
