// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/report.h"

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype lineWidth = 80;

QString number(double value)
{
    return QString::number(value, 'g', 10);
}

/// One count, 38 columns: the name on the left, the number on the right.
QString cell(const Counts::Entry &entry, const Counts &counts)
{
    constexpr int nameWidth = 24;
    constexpr int numberWidth = 14;
    const QString name = QString::fromLatin1(entry.name.data(), static_cast<qsizetype>(entry.name.size()));
    return u"%1%2"_s.arg(name, -nameWidth).arg(counts.*entry.member, numberWidth);
}

/// Down the left column first.
QStringList countLines(const Counts &counts)
{
    const auto &entries = Counts::entries();
    const std::size_t rows = (entries.size() + 1) / 2;
    QStringList lines;
    for (std::size_t row = 0; row < rows; ++row) {
        QString line = cell(entries[row], counts);
        if (row + rows < entries.size()) {
            line += u"    "_s + cell(entries[row + rows], counts);
        }
        lines.append(line);
    }
    return lines;
}

QString verdictLine(
    const QString &name, const QString &expected, const QString &tolerance, const QString &measured, const QString &z)
{
    return u"%1%2%3%4%5"_s.arg(name, -23).arg(expected, 13).arg(tolerance, 13).arg(measured, 13).arg(z, 9);
}

QStringList verdictLines(const std::vector<Verdict> &verdicts)
{
    QStringList lines {verdictLine(u"expectation"_s, u"expected"_s, u"tolerance"_s, u"measured"_s, u"z"_s)};
    for (const Verdict &verdict : verdicts) {
        const Expected &expected = verdict.expected;
        lines.append(verdictLine(expected.name, number(expected.value),
                         expected.tolerance > 0 ? u"+-"_s + number(expected.tolerance) : u"exact"_s,
                         number(verdict.measured), verdict.z ? QString::number(*verdict.z, 'f', 2) : u"-"_s)
            + (verdict.ok ? u"     ok"_s : u"   FAIL"_s));
    }
    return lines;
}

} // namespace

QString toText(const Report &report)
{
    QStringList lines;
    lines.append(u"%1: %2"_s.arg(report.scenario, report.title).left(lineWidth));
    lines.append(u"seed %1, trace %2, version %3"_s.arg(static_cast<std::uint64_t>(report.seed))
                     .arg(report.traceHash, 16, 16, QLatin1Char('0'))
                     .arg(report.version));
    lines.append(u"%1 s of virtual time, %2 events, %3 s of wall time"_s.arg(report.virtualSeconds, 0, 'f', 3)
                     .arg(report.events)
                     .arg(report.wallSeconds, 0, 'f', 3));
    if (!report.complete) {
        lines.append(u"Stopped before its end: every number is as of then."_s);
    }
    lines.append(QString());
    lines += countLines(report.counts);
    if (!report.verdicts.empty()) {
        lines.append(QString());
        lines += verdictLines(report.verdicts);
        lines.append(report.ok() ? u"All expectations hold."_s : u"Not all expectations hold."_s);
    }
    return lines.join(u'\n') + u'\n';
}

} // namespace idem::sim
