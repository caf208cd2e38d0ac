// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/recording.h"

#include "simulator/scenario/named_json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

QString nameOf(OperatorAction::Verb verb)
{
    return verb == OperatorAction::Verb::Abandon ? u"abandon"_s
        : verb == OperatorAction::Verb::Settle   ? u"settle"_s
                                                 : u"purge"_s;
}

QString nameOf(AbandonAs as)
{
    return as == AbandonAs::Release ? u"release"_s : as == AbandonAs::Failed ? u"failed"_s : u"unknown"_s;
}

QJsonObject toJson(const OperatorAction &action)
{
    QJsonObject json {
        {u"action"_s, nameOf(action.verb)}, {u"filter"_s, action.select.toString()}, {u"reason"_s, action.reason}};
    if (action.verb == OperatorAction::Verb::Abandon) {
        json.insert(u"as"_s, nameOf(action.abandonAs));
        json.insert(u"override_live"_s, action.overrideLive);
    } else if (action.verb == OperatorAction::Verb::Settle) {
        json.insert(u"executed"_s, action.settleExecuted);
    }
    return json;
}

QByteArray line(const QJsonObject &json)
{
    return QJsonDocument(json).toJson(QJsonDocument::Compact) + '\n';
}

QByteArray endLine(const RunOutcome &outcome)
{
    return line({{u"trace_hash"_s, traceText(outcome.traceHash)}, {u"events"_s, static_cast<qint64>(outcome.events)},
        {u"complete"_s, outcome.complete}, {u"counts"_s, toJson(outcome.counts)}});
}

} // namespace

QByteArray toJsonLines(const Recording &recording)
{
    Q_ASSERT(!recording.scenario.source.isEmpty());
    // By hand, because the scenario is already JSON and stays as it was written.
    QByteArray text = R"({"idemscope_recording":1,"version":)"
        + QJsonDocument(QJsonArray {recording.version}).toJson(QJsonDocument::Compact).chopped(1).mid(1) + R"(,"seed":)"
        + QByteArray::number(static_cast<qulonglong>(recording.seed)) + R"(,"scenario":)" + recording.scenario.source
        + "}\n";
    for (const History::Intervention &intervention : recording.interventions) {
        text += line(
            {{u"after"_s, static_cast<qint64>(intervention.after)}, {u"intervention"_s, toJson(intervention.action)}});
    }
    return text + endLine(recording.outcome);
}

RunOutcome replay(const Recording &recording, const std::function<bool()> &cancelled)
{
    History history(recording.scenario, recording.seed, {}, recording.interventions);
    history.seek(recording.outcome.complete ? UINT64_MAX : recording.outcome.events, cancelled);
    return outcomeOf(history.run());
}

} // namespace idem::sim
