// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run.h"

#include <array>

namespace idem::sim {

using namespace Qt::StringLiterals;

QLatin1StringView toString(RunEvent::Kind kind)
{
    static constexpr std::array<QLatin1StringView, 30> names {"started"_L1, "sent"_L1, "request_lost"_L1,
        "duplicated"_L1, "arrived"_L1, "overloaded"_L1, "fresh"_L1, "conflict"_L1, "replay"_L1, "mismatch"_L1,
        "unknown"_L1, "rejected"_L1, "waiting"_L1, "executing"_L1, "effect"_L1, "completed"_L1, "stale"_L1,
        "handler_crashed"_L1, "answered"_L1, "response_lost"_L1, "succeeded"_L1, "answered_late"_L1, "failed"_L1,
        "timed_out"_L1, "refused"_L1, "gave_up"_L1, "client_crashed"_L1, "operator"_L1, "store_restarted"_L1,
        "server_restarted"_L1};
    static_assert(names.size() == static_cast<std::size_t>(RunEvent::Kind::ServerRestarted) + 1);
    return names[static_cast<std::size_t>(kind)];
}

} // namespace idem::sim
