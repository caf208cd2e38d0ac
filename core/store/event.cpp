// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/event.h"

namespace idem {

namespace {

constexpr std::array<QLatin1StringView, 14> eventNames {
    QLatin1StringView("begun"),
    QLatin1StringView("completed"),
    QLatin1StringView("failed"),
    QLatin1StringView("released"),
    QLatin1StringView("abandoned"),
    QLatin1StringView("lease_lapsed"),
    QLatin1StringView("marked_unknown"),
    QLatin1StringView("renewed"),
    QLatin1StringView("side_effect_started"),
    QLatin1StringView("settled"),
    QLatin1StringView("purged"),
    QLatin1StringView("expired"),
    QLatin1StringView("evicted"),
    QLatin1StringView("stale_refused"),
};

} // namespace

QString toString(EventKind kind)
{
    return eventNames[static_cast<std::size_t>(kind)];
}

} // namespace idem
