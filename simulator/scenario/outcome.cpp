// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/outcome.h"

#include "simulator/scenario/named_json.h"

namespace idem::sim {

using namespace Qt::StringLiterals;

RunOutcome outcomeOf(const Run &run)
{
    return {.traceHash = run.traceHash(), .events = run.events(), .complete = run.isFinished(), .counts = run.counts()};
}

QString traceText(std::uint64_t hash)
{
    return u"%1"_s.arg(hash, 16, 16, QLatin1Char('0'));
}

QStringList differences(const RunOutcome &first, const RunOutcome &then)
{
    QStringList lines;
    const auto compare = [&lines](const QString &name, const QString &one, const QString &other) {
        if (one != other) {
            lines.append(u"%1: %2, then %3"_s.arg(name, one, other));
        }
    };
    const auto end = [](const RunOutcome &outcome) { return outcome.complete ? u"reached"_s : u"not reached"_s; };
    compare(u"trace"_s, traceText(first.traceHash), traceText(then.traceHash));
    compare(u"events"_s, QString::number(first.events), QString::number(then.events));
    compare(u"end"_s, end(first), end(then));
    for (const Counts::Entry &entry : Counts::entries()) {
        compare(nameOf(entry.name), QString::number(first.counts.*entry.member),
            QString::number(then.counts.*entry.member));
    }
    return lines;
}

} // namespace idem::sim
