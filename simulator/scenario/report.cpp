// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/report.h"

#include <QJsonArray>

#include <algorithm>

namespace idem::sim {

using namespace Qt::StringLiterals;

bool Report::ok() const
{
    const bool reached = !complete || unreached.empty();
    return reached && std::all_of(verdicts.begin(), verdicts.end(), [](const Verdict &verdict) { return verdict.ok; });
}

Report makeReport(const Run &run, double wallSeconds, const QString &version)
{
    const Scenario &scenario = run.scenario();
    Report report {.scenario = scenario.name,
        .title = scenario.title,
        .version = version,
        .seed = run.seed(),
        .traceHash = run.traceHash(),
        .virtualSeconds = std::chrono::duration<double>(run.elapsed()).count(),
        .wallSeconds = wallSeconds,
        .events = run.events(),
        .complete = run.isFinished(),
        .counts = run.counts(),
        .measures = run.measures(),
        .violations = run.violations(),
        .unreached = run.unreached()};
    report.verdicts =
        judge(scenario.expected, {.counts = report.counts, .measures = report.measures, .series = &run.series()});
    return report;
}

QJsonObject toJson(const Report &report)
{
    QJsonObject counts;
    for (const Counts::Entry &entry : Counts::entries()) {
        counts.insert(QString::fromLatin1(entry.name.data(), static_cast<qsizetype>(entry.name.size())),
            static_cast<qint64>(report.counts.*entry.member));
    }
    QJsonArray expected;
    for (const Verdict &verdict : report.verdicts) {
        expected.append(QJsonObject {{u"name"_s, verdict.expected.name}, {u"expected"_s, verdict.expected.value},
            {u"tolerance"_s, verdict.expected.tolerance}, {u"measured"_s, verdict.measured},
            {u"z"_s, verdict.z ? QJsonValue(*verdict.z) : QJsonValue(QJsonValue::Null)}, {u"ok"_s, verdict.ok},
            {u"source"_s, verdict.expected.source}});
    }
    return {{u"scenario"_s, report.scenario}, {u"title"_s, report.title}, {u"version"_s, report.version},
        {u"seed"_s, static_cast<qint64>(report.seed)},
        {u"trace_hash"_s, u"%1"_s.arg(report.traceHash, 16, 16, QLatin1Char('0'))},
        {u"virtual_seconds"_s, report.virtualSeconds}, {u"wall_seconds"_s, report.wallSeconds},
        {u"events"_s, static_cast<qint64>(report.events)}, {u"complete"_s, report.complete}, {u"ok"_s, report.ok()},
        {u"counts"_s, counts}, {u"expected"_s, expected}};
}

} // namespace idem::sim
