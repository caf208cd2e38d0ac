// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/series_csv.h"

#include "simulator/scenario/named_json.h"
#include "simulator/scenario/table.h"

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

QStringList rowOf(double seconds, const Counts &counts)
{
    QStringList row {numberText(seconds)};
    for (const Counts::Entry &entry : Counts::entries()) {
        row.append(QString::number(counts.*entry.member));
    }
    return row;
}

} // namespace

QString seriesCsv(const Run &run)
{
    Table table {.names = {u"virtual_s"_s}};
    for (const Counts::Entry &entry : Counts::entries()) {
        table.names.append(nameOf(entry.name));
    }
    const Duration end = run.elapsed();
    const Counts latest = run.counts();
    const Duration step = run.series().step() * (end / run.series().step() / maxSeriesLines + 1);
    for (Duration at = step; at < end; at += step) {
        table.rows.push_back(rowOf(std::chrono::duration<double>(at).count(), run.series().before(at, latest)));
    }
    table.rows.push_back(rowOf(std::chrono::duration<double>(end).count(), latest));
    return toCsv(table);
}

} // namespace idem::sim
