// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/run.h"

#include <QJsonObject>

namespace idem::sim {

/// The result of a run, for people and for programs.
struct Report
{
    QString scenario {};
    QString title {};
    QString version {}; ///< of the program
    Seed seed {};
    std::uint64_t traceHash = 0;
    double virtualSeconds = 0;
    double wallSeconds = 0;
    std::uint64_t events = 0;
    bool complete = true; ///< false: cancelled before its end
    Counts counts {};
    Measures measures {};
    std::vector<Violation> violations {}; ///< the first broken invariants
    std::vector<QString> unreached {}; ///< what the scenario claims to reach and the run never did
    std::vector<Verdict> verdicts {};
    Lesson lesson {}; ///< empty where the scenario is none
    std::optional<double> answer {}; ///< to the lesson's question

    /// Every expectation holds (true without any), and the run reached what its scenario claims.
    [[nodiscard]] bool ok() const;
};

[[nodiscard]] Report makeReport(const Run &run, double wallSeconds, const QString &version);

/// Members: scenario, title, version, seed, trace_hash (16 hexadecimal digits), virtual_seconds, wall_seconds, events,
/// complete, ok, counts and measures (by name), violations (the first broken invariants: invariant, at_ms, what),
/// unreached (names), expected (name, expected, tolerance, measured, z or null, ok, source), lesson (predict, count,
/// answer, happens, why; or null).
[[nodiscard]] QJsonObject toJson(const Report &report);

/// Tables of counts, measures and expectations; broken invariants, what was never reached, and the lesson. 80 columns.
[[nodiscard]] QString toText(const Report &report);

} // namespace idem::sim
