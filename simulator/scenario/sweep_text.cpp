// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/sweep.h"

#include <QJsonArray>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

/// At commas outside of brackets, braces and strings.
QStringList splitValues(const QString &text)
{
    QStringList values {QString()};
    int depth = 0;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c == u',' && depth <= 0 && !quoted) {
            values.append(QString());
            continue;
        }
        values.last() += c;
        if (quoted && c == u'\\' && i + 1 < text.size()) {
            values.last() += text[++i];
        } else if (c == u'"') {
            quoted = !quoted;
        } else if (!quoted) {
            depth += c == u'[' || c == u'{' ? 1 : c == u']' || c == u'}' ? -1 : 0;
        }
    }
    return values;
}

} // namespace

tl::expected<GridAxis, QString> parseAxis(const QString &text)
{
    const qsizetype equals = text.indexOf(u'=');
    if (equals <= 0) {
        return tl::unexpected(u"an axis must look like path=v1,v2, not \"%1\""_s.arg(text.left(60)));
    }
    GridAxis axis {.path = text.left(equals), .values = splitValues(text.mid(equals + 1))};
    for (const QString &value : axis.values) {
        if (value.isEmpty()) {
            return tl::unexpected(u"an axis must look like path=v1,v2; \"%1\" has an empty value"_s.arg(text.left(60)));
        }
        if (axis.values.count(value) > 1) {
            return tl::unexpected(u"the axis %1 has the value %2 twice"_s.arg(axis.path.left(60), value.left(60)));
        }
    }
    return axis;
}

Table tableOf(const Sweep &sweep)
{
    Table table {.names = sweep.paths};
    for (const QString &name : sweep.names) {
        table.names << name << name + u" sd"_s;
    }
    for (const SweepCell &cell : sweep.cells) {
        QStringList row = cell.values;
        for (const SweepCell::Statistic &statistic : cell.statistics) {
            row << numberText(statistic.mean) << (statistic.deviation ? numberText(*statistic.deviation) : QString());
        }
        table.rows.push_back(row);
    }
    return table;
}

QString toText(const Sweep &sweep)
{
    QString text = u"%1: %2\n%3 of %4 cells, %5 seeds each\n"_s.arg(sweep.scenario, sweep.title)
                       .arg(sweep.cells.size())
                       .arg(sweep.cellsInAll)
                       .arg(sweep.seeds);
    Table table {.names = sweep.paths};
    for (const QString &name : sweep.names) {
        table.names.append(QString(name).replace(u'_', u' '));
    }
    for (const SweepCell &cell : sweep.cells) {
        QStringList row = cell.values;
        for (const SweepCell::Statistic &statistic : cell.statistics) {
            QString value = QString::number(statistic.mean, 'g', 6);
            if (statistic.deviation) {
                value += u" +-"_s + QString::number(*statistic.deviation, 'g', 3);
            }
            row.append(value);
        }
        table.rows.push_back(row);
    }
    return text + u'\n' + toText(table, static_cast<int>(sweep.paths.size()));
}

QJsonObject toJson(const Sweep &sweep)
{
    QJsonArray cells;
    for (const SweepCell &cell : sweep.cells) {
        QJsonObject values;
        for (qsizetype i = 0; i < sweep.paths.size(); ++i) {
            values.insert(sweep.paths[i], cell.values[i]);
        }
        QJsonObject statistics;
        for (qsizetype i = 0; i < sweep.names.size(); ++i) {
            const SweepCell::Statistic &statistic = cell.statistics[static_cast<std::size_t>(i)];
            statistics.insert(sweep.names[i],
                QJsonObject {{u"mean"_s, statistic.mean},
                    {u"sd"_s, statistic.deviation ? QJsonValue(*statistic.deviation) : QJsonValue(QJsonValue::Null)}});
        }
        cells.append(QJsonObject {{u"values"_s, values}, {u"statistics"_s, statistics}});
    }
    return {{u"scenario"_s, sweep.scenario}, {u"title"_s, sweep.title},
        {u"paths"_s, QJsonArray::fromStringList(sweep.paths)}, {u"seeds"_s, static_cast<qint64>(sweep.seeds)},
        {u"complete"_s, sweep.complete()}, {u"cells_in_all"_s, static_cast<qint64>(sweep.cellsInAll)},
        {u"cells"_s, cells}};
}

} // namespace idem::sim
