// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/report.h"

#include "simulator/scenario/named_json.h"
#include "simulator/scenario/table.h"

#include <algorithm>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype lineWidth = 80;

QString number(double value)
{
    return numberText(value);
}

QString number(std::uint64_t value)
{
    return QString::number(value);
}

/// One count or measure, 38 columns: the name on the left, the number on the right.
template <typename Named> QString cell(const typename Named::Entry &entry, const Named &named)
{
    constexpr int nameWidth = 24;
    constexpr int numberWidth = 14;
    const QString name = nameOf(entry.name);
    return u"%1%2"_s.arg(name, -nameWidth).arg(number(named.*entry.member), numberWidth);
}

/// Down the left column first.
template <typename Named> QStringList tableOf(const Named &named)
{
    const auto &entries = Named::entries();
    const std::size_t rows = (entries.size() + 1) / 2;
    QStringList lines;
    for (std::size_t row = 0; row < rows; ++row) {
        QString line = cell(entries[row], named);
        if (row + rows < entries.size()) {
            line += u"    "_s + cell(entries[row + rows], named);
        }
        lines.append(line);
    }
    return lines;
}

/// `text` in lines of at most 80 columns, broken at spaces; lines after the first are indented by `indent`, the first
/// one by two less.
QStringList wrapped(const QString &text, int indent)
{
    QStringList lines;
    QString line(indent - 2, u' ');
    const auto flush = [&] {
        lines.append(line);
        line = QString(indent, u' ');
    };
    for (QString word : text.simplified().split(u' ')) {
        const bool isFirst = line.trimmed().isEmpty();
        if (!isFirst && line.size() + 1 + word.size() > lineWidth) {
            flush();
        } else if (!isFirst) {
            line += u' ';
        }
        while (line.size() + word.size() > lineWidth) { // longer than a line of its own
            const qsizetype room = lineWidth - line.size();
            line += word.left(room);
            word.remove(0, room);
            flush();
        }
        line += word;
    }
    lines.append(line);
    return lines;
}

/// What went wrong besides the expectations.
QStringList findings(const Report &report)
{
    QStringList lines;
    if (report.counts.invariant_violations > 0) {
        constexpr std::size_t most = 5;
        lines.append(u"Invariants broken: %1 times%2"_s.arg(report.counts.invariant_violations)
                         .arg(report.counts.invariant_violations > most ? u", first:"_s : u":"_s));
        for (std::size_t i = 0; i < std::min(most, report.violations.size()); ++i) {
            const Violation &violation = report.violations[i];
            lines += wrapped(u"%1 at %2 s: %3"_s.arg(toString(violation.invariant))
                                 .arg(std::chrono::duration<double>(violation.at).count(), 0, 'f', 6)
                                 .arg(violation.what),
                4);
        }
    }
    if (!report.unreached.empty()) {
        const QStringList names(report.unreached.begin(), report.unreached.end());
        lines += wrapped(u"Never reached, though the scenario claims it: %1."_s.arg(names.join(u", "_s)), 2);
    }
    return lines;
}

QStringList lessonLines(const Report &report)
{
    QStringList lines = wrapped(u"Predict: "_s + report.lesson.predict, 2);
    if (report.answer) {
        lines.append(u"  %1 = %2"_s.arg(report.lesson.predictCount, number(*report.answer)));
    }
    lines += wrapped(u"What happens: "_s + report.lesson.happens, 2);
    lines += wrapped(u"Why: "_s + report.lesson.why, 2);
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
    lines += tableOf(report.counts);
    lines.append(QString());
    lines += tableOf(report.measures);
    const auto section = [&lines](const QStringList &more) {
        if (!more.isEmpty()) {
            lines.append(QString());
            lines += more;
        }
    };
    section(findings(report));
    if (!report.lesson.predict.isEmpty()) {
        section(lessonLines(report));
    }
    if (!report.verdicts.empty()) {
        section(verdictLines(report.verdicts));
        const bool hold = std::all_of(
            report.verdicts.begin(), report.verdicts.end(), [](const Verdict &verdict) { return verdict.ok; });
        lines.append(hold ? u"All expectations hold."_s : u"Not all expectations hold."_s);
    }
    return lines.join(u'\n') + u'\n';
}

} // namespace idem::sim
