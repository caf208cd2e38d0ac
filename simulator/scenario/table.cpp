// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/table.h"

#include <algorithm>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

QString csvCell(const QString &text)
{
    const bool needsQuotes = std::any_of(
        text.begin(), text.end(), [](QChar c) { return c == u',' || c == u'"' || c == u'\n' || c == u'\r'; });
    return needsQuotes ? u'"' + QString(text).replace(u'"', u"\"\""_s) + u'"' : text;
}

QString csvLine(const QStringList &cells)
{
    QStringList quoted;
    for (const QString &cell : cells) {
        quoted.append(csvCell(cell));
    }
    return quoted.join(u',') + u'\n';
}

/// The names over several lines, the last words on the last one.
std::vector<QStringList> headOf(const QStringList &names)
{
    std::vector<QStringList> words;
    qsizetype height = 1;
    for (const QString &name : names) {
        words.push_back(name.split(u' '));
        height = std::max(height, words.back().size());
    }
    std::vector<QStringList> head(static_cast<std::size_t>(height));
    for (const QStringList &parts : words) {
        const qsizetype above = height - parts.size();
        for (qsizetype line = 0; line < height; ++line) {
            head[static_cast<std::size_t>(line)].append(line < above ? QString() : parts[line - above]);
        }
    }
    return head;
}

} // namespace

QString toText(const Table &table, int leftColumns)
{
    std::vector<QStringList> lines = headOf(table.names);
    lines.insert(lines.end(), table.rows.begin(), table.rows.end());
    std::vector<qsizetype> widths(static_cast<std::size_t>(table.names.size()));
    for (const QStringList &cells : lines) {
        for (std::size_t i = 0; i < widths.size(); ++i) {
            widths[i] = std::max(widths[i], cells[static_cast<qsizetype>(i)].size());
        }
    }
    QString text;
    for (const QStringList &cells : lines) {
        QString line;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const QString &cell = cells[static_cast<qsizetype>(i)];
            line += i == 0 ? QString() : u"  "_s;
            line += static_cast<int>(i) < leftColumns ? cell.leftJustified(widths[i]) : cell.rightJustified(widths[i]);
        }
        while (line.endsWith(u' ')) {
            line.chop(1);
        }
        text += line + u'\n';
    }
    return text;
}

QString toCsv(const Table &table)
{
    QString text = csvLine(table.names);
    for (const QStringList &row : table.rows) {
        text += csvLine(row);
    }
    return text;
}

QString numberText(double value)
{
    return QString::number(value, 'g', 10);
}

} // namespace idem::sim
