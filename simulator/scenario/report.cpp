// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/report.h"

#include "simulator/scenario/named_json.h"
#include "simulator/scenario/outcome.h"

#include <QJsonArray>

#include <algorithm>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

QJsonValue toJson(const Lesson &lesson, std::optional<double> answer)
{
    if (lesson.predict.isEmpty()) {
        return QJsonValue::Null;
    }
    return QJsonObject {{u"predict"_s, lesson.predict}, {u"count"_s, lesson.predictCount},
        {u"answer"_s, answer ? QJsonValue(*answer) : QJsonValue(QJsonValue::Null)}, {u"happens"_s, lesson.happens},
        {u"why"_s, lesson.why}};
}

} // namespace

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
    report.lesson = scenario.lesson;
    if (!report.lesson.predict.isEmpty()) {
        const Expected question {.name = report.lesson.predictCount};
        report.answer = valueOf(question, {.counts = report.counts, .measures = report.measures});
    }
    return report;
}

QJsonObject toJson(const Report &report)
{
    QJsonArray expected;
    for (const Verdict &verdict : report.verdicts) {
        expected.append(QJsonObject {{u"name"_s, verdict.expected.name}, {u"expected"_s, verdict.expected.value},
            {u"tolerance"_s, verdict.expected.tolerance}, {u"measured"_s, verdict.measured},
            {u"z"_s, verdict.z ? QJsonValue(*verdict.z) : QJsonValue(QJsonValue::Null)}, {u"ok"_s, verdict.ok},
            {u"source"_s, verdict.expected.source}});
    }
    QJsonArray violations;
    for (const Violation &violation : report.violations) {
        violations.append(QJsonObject {{u"invariant"_s, toString(violation.invariant)},
            {u"at_ms"_s, std::chrono::duration<double, std::milli>(violation.at).count()},
            {u"what"_s, violation.what}});
    }
    return {{u"scenario"_s, report.scenario}, {u"title"_s, report.title}, {u"version"_s, report.version},
        {u"seed"_s, static_cast<qint64>(report.seed)}, {u"trace_hash"_s, traceText(report.traceHash)},
        {u"virtual_seconds"_s, report.virtualSeconds}, {u"wall_seconds"_s, report.wallSeconds},
        {u"events"_s, static_cast<qint64>(report.events)}, {u"complete"_s, report.complete}, {u"ok"_s, report.ok()},
        {u"counts"_s, toJson(report.counts)}, {u"measures"_s, toJson(report.measures)}, {u"violations"_s, violations},
        {u"unreached"_s, QJsonArray::fromStringList(QStringList(report.unreached.begin(), report.unreached.end()))},
        {u"expected"_s, expected}, {u"lesson"_s, toJson(report.lesson, report.answer)}};
}

} // namespace idem::sim
