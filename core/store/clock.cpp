// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/clock.h"

#include <ctime>

namespace idem {

Instant SystemClock::now() const
{
    timespec time {};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    const auto sinceBoot = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    return Instant(std::chrono::duration_cast<Duration>(sinceBoot));
}

WallTime SystemClock::wallNow() const
{
    // Coarse: a tenth of the cost, and a few milliseconds late, which no display and no stored date minds.
    timespec time {};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &time);
    const auto sinceEpoch = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    return WallTime(std::chrono::duration_cast<Duration>(sinceEpoch));
}

const SystemClock &SystemClock::instance()
{
    static const SystemClock clock;
    return clock;
}

} // namespace idem
