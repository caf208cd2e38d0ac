// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/measures.h"

namespace idem::sim {

const std::array<Measures::Entry, 16> &Measures::entries()
{
    static constexpr std::array<Entry, 16> table {{
        {"stuck_ms", &Measures::stuck_ms},
        {"last_success_ms", &Measures::last_success_ms},
        {"peak_attempts_per_s", &Measures::peak_attempts_per_s},
        {"mean_wait_ms", &Measures::mean_wait_ms},
        {"waited_share", &Measures::waited_share},
        {"mean_queue", &Measures::mean_queue},
        {"latency_mean_ms", &Measures::latency_mean_ms},
        {"latency_p50_ms", &Measures::latency_p50_ms},
        {"latency_p90_ms", &Measures::latency_p90_ms},
        {"latency_p99_ms", &Measures::latency_p99_ms},
        {"latency_p999_ms", &Measures::latency_p999_ms},
        {"latency_max_ms", &Measures::latency_max_ms},
        {"corrected_p50_ms", &Measures::corrected_p50_ms},
        {"corrected_p90_ms", &Measures::corrected_p90_ms},
        {"corrected_p99_ms", &Measures::corrected_p99_ms},
        {"corrected_p999_ms", &Measures::corrected_p999_ms},
    }};
    return table;
}

std::optional<double> Measures::value(QStringView name) const
{
    for (const Entry &entry : entries()) {
        if (name == QLatin1StringView(entry.name.data(), static_cast<qsizetype>(entry.name.size()))) {
            return this->*entry.member;
        }
    }
    return std::nullopt;
}

} // namespace idem::sim
