// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/run.h"
#include "simulator/scenario/table.h"

#include <QJsonObject>

#include <tl/expected.hpp>

namespace idem::sim {

/// One scenario under several semantics, all on one seed: what chance decides is the same in each run.
struct Comparison
{
    struct Row
    {
        QString semantics {};
        std::uint64_t traceHash = 0;
        Counts counts {};
        Measures measures {};
    };

    QString scenario {};
    QString title {};
    Seed seed {};
    std::vector<Row> rows {}; ///< of the runs that came to their end
    bool complete = true; ///< false: cancelled before all of them did
};

struct CompareOptions
{
    QStringList semantics {}; ///< empty: all of semanticsNames()
    std::optional<Seed> seed {}; ///< none: the scenario's own
    std::function<bool()> cancelled {}; ///< asked now and then
    std::function<void(double)> progress {}; ///< told 0...1, now and then
};

/// A run for each of the semantics, on the calling thread. Error: a name is unknown, or stands there twice.
[[nodiscard]] tl::expected<Comparison, QString> compareSemantics(
    const Scenario &scenario, const CompareOptions &options);

/// The names of columns are those of reports: semantics, double_charges, false_conflicts ...
[[nodiscard]] Table tableOf(const Comparison &comparison);
/// A table of what differs between semantics.
[[nodiscard]] QString toText(const Comparison &comparison);
/// Members: scenario, title, seed, complete, rows (semantics, trace_hash, counts, measures).
[[nodiscard]] QJsonObject toJson(const Comparison &comparison);

} // namespace idem::sim
