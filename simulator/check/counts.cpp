// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/counts.h"

namespace idem::sim {

const std::array<Counts::Entry, 29> &Counts::entries()
{
    static constexpr std::array<Entry, 29> table {{
        {"operations", &Counts::operations},
        {"attempts", &Counts::attempts},
        {"arrivals", &Counts::arrivals},
        {"executions", &Counts::executions},
        {"effects", &Counts::effects},
        {"fresh", &Counts::fresh},
        {"replays", &Counts::replays},
        {"conflicts", &Counts::conflicts},
        {"mismatches", &Counts::mismatches},
        {"unknowns", &Counts::unknowns},
        {"rejected", &Counts::rejected},
        {"waits", &Counts::waits},
        {"requests_lost", &Counts::requests_lost},
        {"responses_lost", &Counts::responses_lost},
        {"replies_late", &Counts::replies_late},
        {"timeouts", &Counts::timeouts},
        {"crashes", &Counts::crashes},
        {"double_charges", &Counts::double_charges},
        {"keys_double_charged", &Counts::keys_double_charged},
        {"overwritten_responses", &Counts::overwritten_responses},
        {"stale_completes", &Counts::stale_completes},
        {"late_completes", &Counts::late_completes},
        {"takeovers", &Counts::takeovers},
        {"abandons", &Counts::abandons},
        {"abandons_refused", &Counts::abandons_refused},
        {"stuck_keys", &Counts::stuck_keys},
        {"client_ok", &Counts::client_ok},
        {"client_failed", &Counts::client_failed},
        {"client_unknown", &Counts::client_unknown},
    }};
    return table;
}

std::optional<std::uint64_t> Counts::value(QStringView name) const
{
    for (const Entry &entry : entries()) {
        if (name == QLatin1StringView(entry.name.data(), static_cast<qsizetype>(entry.name.size()))) {
            return this->*entry.member;
        }
    }
    return std::nullopt;
}

} // namespace idem::sim
