// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/compare.h"

#include "simulator/model/semantics.h"
#include "simulator/scenario/named_json.h"
#include "simulator/scenario/outcome.h"
#include "simulator/scenario/suggestion.h"

#include <QJsonArray>

#include <array>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

struct Column
{
    QLatin1StringView name; ///< of a count or a measure
    QLatin1StringView heading;
};
constexpr std::array<Column, 10> columns {{
    {"double_charges"_L1, "double effects"_L1},
    {"false_conflicts"_L1, "false 409"_L1},
    {"false_mismatches"_L1, "false 422"_L1},
    {"stuck_ms"_L1, "stuck ms"_L1},
    {"lost_results"_L1, "lost results"_L1},
    {"client_ok"_L1, "client ok"_L1},
    {"client_failed"_L1, "client failed"_L1},
    {"client_unknown"_L1, "client unknown"_L1},
    {"replays"_L1, "replays"_L1},
    {"invariant_violations"_L1, "invariants broken"_L1},
}};

QString problemOf(const QStringList &semantics)
{
    const QStringList known = semanticsNames();
    for (const QString &name : semantics) {
        if (!known.contains(name)) {
            const QString near = nearestName(name, known);
            return u"there are no semantics called \"%1\"%2; known are %3"_s.arg(
                name.left(60), near.isEmpty() ? QString() : u" (did you mean %1?)"_s.arg(near), known.join(u", "_s));
        }
        if (semantics.count(name) > 1) {
            return u"the semantics %1 stand there twice"_s.arg(name);
        }
    }
    return {};
}

QStringList rowOf(const Comparison::Row &row)
{
    QStringList cells {row.semantics};
    for (const Column &column : columns) {
        const auto value = valueOf(Expected {.name = column.name}, {.counts = row.counts, .measures = row.measures});
        cells.append(numberText(value.value_or(0)));
    }
    return cells;
}

} // namespace

tl::expected<Comparison, QString> compareSemantics(const Scenario &scenario, const CompareOptions &options)
{
    if (const QString problem = problemOf(options.semantics); !problem.isEmpty()) {
        return tl::unexpected(problem);
    }
    const QStringList names = options.semantics.isEmpty() ? semanticsNames() : options.semantics;
    Comparison result {
        .scenario = scenario.name, .title = scenario.title, .seed = options.seed.value_or(scenario.seed)};
    for (const QString &name : names) {
        Scenario variant = scenario;
        applySemantics(name, variant.store);
        Run run(variant, result.seed);
        constexpr std::uint64_t slice = 10'000;
        while (!run.isFinished()) {
            if (options.cancelled && options.cancelled()) {
                result.complete = false;
                return result;
            }
            run.run(slice);
            if (options.progress) {
                const auto done = static_cast<double>(result.rows.size()) + run.progress();
                options.progress(done / static_cast<double>(names.size()));
            }
        }
        result.rows.push_back(
            {.semantics = name, .traceHash = run.traceHash(), .counts = run.counts(), .measures = run.measures()});
    }
    return result;
}

Table tableOf(const Comparison &comparison)
{
    Table table {.names = {u"semantics"_s}};
    for (const Column &column : columns) {
        table.names.append(column.name);
    }
    for (const Comparison::Row &row : comparison.rows) {
        table.rows.push_back(rowOf(row));
    }
    return table;
}

QString toText(const Comparison &comparison)
{
    Table table = tableOf(comparison);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        table.names[static_cast<qsizetype>(i) + 1] = columns[i].heading;
    }
    return u"%1: %2\nseed %3, the same for every row\n\n"_s.arg(comparison.scenario, comparison.title)
               .arg(static_cast<std::uint64_t>(comparison.seed))
        + toText(table, 1);
}

QJsonObject toJson(const Comparison &comparison)
{
    QJsonArray rows;
    for (const Comparison::Row &row : comparison.rows) {
        rows.append(QJsonObject {{u"semantics"_s, row.semantics}, {u"trace_hash"_s, traceText(row.traceHash)},
            {u"counts"_s, toJson(row.counts)}, {u"measures"_s, toJson(row.measures)}});
    }
    return {{u"scenario"_s, comparison.scenario}, {u"title"_s, comparison.title},
        {u"seed"_s, static_cast<qint64>(comparison.seed)}, {u"complete"_s, comparison.complete}, {u"rows"_s, rows}};
}

} // namespace idem::sim
