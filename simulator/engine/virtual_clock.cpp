// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/virtual_clock.h"

#include <QtGlobal>

namespace idem::sim {

Instant VirtualClock::now() const
{
    return Instant(Duration(m_now.load(std::memory_order_relaxed)));
}

WallTime VirtualClock::wallNow() const
{
    constexpr WallTime start = std::chrono::sys_days(std::chrono::January / 1 / 2026);
    return start + now().time_since_epoch();
}

void VirtualClock::advanceTo(Instant moment)
{
    Q_ASSERT(moment >= now());
    m_now.store(moment.time_since_epoch().count(), std::memory_order_relaxed);
}

} // namespace idem::sim
