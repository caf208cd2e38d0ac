// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/counts.h"

namespace idem::sim {

const std::array<Counts::Entry, 45> &Counts::entries()
{
    static constexpr std::array<Entry, 45> table {{
        {"operations", &Counts::operations},
        {"attempts", &Counts::attempts},
        {"retries", &Counts::retries},
        {"hedges", &Counts::hedges},
        {"duplicates", &Counts::duplicates},
        {"arrivals", &Counts::arrivals},
        {"executions", &Counts::executions},
        {"effects", &Counts::effects},
        {"fresh", &Counts::fresh},
        {"replays", &Counts::replays},
        {"conflicts", &Counts::conflicts},
        {"mismatches", &Counts::mismatches},
        {"unknowns", &Counts::unknowns},
        {"rejected", &Counts::rejected},
        {"overloads", &Counts::overloads},
        {"unguarded", &Counts::unguarded},
        {"waits", &Counts::waits},
        {"requests_lost", &Counts::requests_lost},
        {"responses_lost", &Counts::responses_lost},
        {"replies_late", &Counts::replies_late},
        {"timeouts", &Counts::timeouts},
        {"crashes", &Counts::crashes},
        {"client_crashes", &Counts::client_crashes},
        {"handler_errors", &Counts::handler_errors},
        {"local_refusals", &Counts::local_refusals},
        {"double_charges", &Counts::double_charges},
        {"keys_double_charged", &Counts::keys_double_charged},
        {"wrong_replays", &Counts::wrong_replays},
        {"false_conflicts", &Counts::false_conflicts},
        {"false_mismatches", &Counts::false_mismatches},
        {"lost_results", &Counts::lost_results},
        {"overwritten_responses", &Counts::overwritten_responses},
        {"stale_completes", &Counts::stale_completes},
        {"late_completes", &Counts::late_completes},
        {"takeovers", &Counts::takeovers},
        {"abandons", &Counts::abandons},
        {"abandons_refused", &Counts::abandons_refused},
        {"settles", &Counts::settles},
        {"purges", &Counts::purges},
        {"evictions", &Counts::evictions},
        {"stuck_keys", &Counts::stuck_keys},
        {"client_ok", &Counts::client_ok},
        {"client_failed", &Counts::client_failed},
        {"client_unknown", &Counts::client_unknown},
        {"invariant_violations", &Counts::invariant_violations},
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
