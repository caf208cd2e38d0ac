// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <array>
#include <optional>
#include <string_view>

namespace idem::sim {

/// What a run is measured by besides its counts; the same names in reports and expectations.
/// Milliseconds of virtual time, unless the name says otherwise.
struct Measures
{
    double stuck_ms = 0; ///< how long keys were held although no handler of theirs was running, all added up
    double last_success_ms = 0; ///< when the last operation succeeded
    double peak_attempts_per_s = 0; ///< the most attempts within one second, after the last fault's window
    double mean_wait_ms = 0; ///< in the server's queue, of requests that a worker took
    double waited_share = 0; ///< of those requests, how many had to wait; 0...1
    double mean_queue = 0; ///< requests in the queue, averaged over time
    double latency_mean_ms = 0; ///< of successful operations, from their arrival to their answer
    double latency_p50_ms = 0;
    double latency_p90_ms = 0;
    double latency_p99_ms = 0;
    double latency_p999_ms = 0;
    double latency_max_ms = 0;
    /// The same, corrected for coordinated omission (Tene): a closed loop would have sent while it waited.
    double corrected_p50_ms = 0;
    double corrected_p90_ms = 0;
    double corrected_p99_ms = 0;
    double corrected_p999_ms = 0;

    friend bool operator==(const Measures &, const Measures &) = default;

    struct Entry
    {
        std::string_view name;
        double Measures::*member;
    };
    /// Every measure with its name, in the order of reports.
    static const std::array<Entry, 16> &entries();
    /// Nothing for an unknown name.
    [[nodiscard]] std::optional<double> value(QStringView name) const;
};

} // namespace idem::sim
