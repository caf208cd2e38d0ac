// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/record_text.h"

#include "app/models/duration_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace idem::app {

namespace {

struct Record
{
    Q_DECLARE_TR_FUNCTIONS(idem::app::Record)
};

double fractionOf(Duration left, Duration whole)
{
    if (whole <= Duration::zero()) {
        return 0;
    }
    return std::clamp(static_cast<double>(left.count()) / static_cast<double>(whole.count()), 0.0, 1.0);
}

Visual visualOfOutcome(OutcomeKind kind)
{
    switch (kind) {
    case OutcomeKind::Fresh:
        return Visual::Fresh;
    case OutcomeKind::InProgress:
        return Visual::Conflict;
    case OutcomeKind::Replay:
        return Visual::Replay;
    case OutcomeKind::Mismatch:
        return Visual::Mismatch;
    case OutcomeKind::Unknown:
    case OutcomeKind::NotStored:
        return Visual::Unknown;
    case OutcomeKind::Rejected:
        return Visual::Failed;
    }
    Q_UNREACHABLE();
}

QString outcomeText(OutcomeKind kind)
{
    static constexpr std::array<const char *, OutcomeKindCount> texts = {
        QT_TRANSLATE_NOOP("idem::app::Record", "fresh"),
        QT_TRANSLATE_NOOP("idem::app::Record", "conflict"),
        QT_TRANSLATE_NOOP("idem::app::Record", "replay"),
        QT_TRANSLATE_NOOP("idem::app::Record", "mismatch"),
        QT_TRANSLATE_NOOP("idem::app::Record", "unknown"),
        QT_TRANSLATE_NOOP("idem::app::Record", "not stored"),
        QT_TRANSLATE_NOOP("idem::app::Record", "rejected"),
    };
    return Record::tr(texts[static_cast<std::size_t>(kind)]);
}

struct EventStyle
{
    Visual visual;
    const char *text;
};
constexpr std::array<EventStyle, 14> eventStyles = {{
    {Visual::Fresh, QT_TRANSLATE_NOOP("idem::app::Record", "begun")},
    {Visual::Completed, QT_TRANSLATE_NOOP("idem::app::Record", "completed")},
    {Visual::Failed, QT_TRANSLATE_NOOP("idem::app::Record", "failed")},
    {Visual::Abandoned, QT_TRANSLATE_NOOP("idem::app::Record", "released")},
    {Visual::Abandoned, QT_TRANSLATE_NOOP("idem::app::Record", "abandoned")},
    {Visual::Stuck, QT_TRANSLATE_NOOP("idem::app::Record", "lease over")},
    {Visual::Unknown, QT_TRANSLATE_NOOP("idem::app::Record", "marked unknown")},
    {Visual::InProgress, QT_TRANSLATE_NOOP("idem::app::Record", "renewed")},
    {Visual::InProgress, QT_TRANSLATE_NOOP("idem::app::Record", "side effect")},
    {Visual::Completed, QT_TRANSLATE_NOOP("idem::app::Record", "settled")},
    {Visual::Expired, QT_TRANSLATE_NOOP("idem::app::Record", "purged")},
    {Visual::Expired, QT_TRANSLATE_NOOP("idem::app::Record", "expired")},
    {Visual::Expired, QT_TRANSLATE_NOOP("idem::app::Record", "evicted")},
    {Visual::Mismatch, QT_TRANSLATE_NOOP("idem::app::Record", "stale, refused")},
}};
static_assert(eventStyles.size() == static_cast<std::size_t>(EventKind::StaleRefused) + 1);

} // namespace

State stateAt(const RecordView &record, Instant now)
{
    const bool lapsed = record.state == State::InProgress && record.leaseEnd && now >= *record.leaseEnd;
    return lapsed ? State::LeaseExpired : record.state;
}

bool isStuckAt(const RecordView &record, Instant now, const Policy &policy)
{
    switch (stateAt(record, now)) {
    case State::LeaseExpired:
    case State::OutcomeUnknown:
        return true;
    case State::InProgress:
        return !record.leaseEnd && now - record.startedAt >= policy.stuckAfter;
    default:
        return false;
    }
}

TimeLeft timeLeftAt(const RecordView &record, Instant now, const Policy &policy)
{
    switch (stateAt(record, now)) {
    case State::InProgress: {
        if (!record.leaseEnd) {
            return {.kind = TimeLeft::Kind::NoLease};
        }
        const Duration whole =
            *record.leaseEnd - std::max(record.startedAt, record.renewedAt.value_or(record.startedAt));
        const Duration left = *record.leaseEnd - now;
        return {.kind = TimeLeft::Kind::Lease, .left = left, .fraction = fractionOf(left, whole)};
    }
    case State::LeaseExpired:
        // A record that the store listed as expired has its lease's end; the clock may lag behind that list.
        return {.kind = TimeLeft::Kind::LeaseOver, .left = record.leaseEnd.value_or(now) - now};
    case State::OutcomeUnknown:
        return {};
    default:
        if (!record.expiresAt) {
            return {};
        }
        const Duration left = std::max(*record.expiresAt - now, Duration::zero());
        return {.kind = TimeLeft::Kind::ToLive, .left = left, .fraction = fractionOf(left, policy.ttl)};
    }
}

Visual visualOf(State state)
{
    switch (state) {
    case State::InProgress:
        return Visual::InProgress;
    case State::Completed:
        return Visual::Completed;
    case State::Failed:
        return Visual::Failed;
    case State::Abandoned:
        return Visual::Abandoned;
    case State::LeaseExpired:
        return Visual::Stuck;
    case State::OutcomeUnknown:
        return Visual::Unknown;
    }
    Q_UNREACHABLE();
}

Visual visualAt(const RecordView &record, Instant now, const Policy &policy)
{
    const State state = stateAt(record, now);
    if (state == State::OutcomeUnknown) {
        return Visual::Unknown;
    }
    if (isStuckAt(record, now, policy)) {
        return Visual::Stuck;
    }
    if (record.expiresAt && now >= *record.expiresAt) {
        return Visual::Expired;
    }
    return visualOf(state);
}

QString timeLeftText(const TimeLeft &timeLeft)
{
    switch (timeLeft.kind) {
    case TimeLeft::Kind::None:
        return {};
    case TimeLeft::Kind::NoLease:
        return Record::tr("no lease");
    case TimeLeft::Kind::Lease:
        return Record::tr("lease %1").arg(durationText(timeLeft.left));
    case TimeLeft::Kind::LeaseOver:
        return Record::tr("over %1").arg(durationText(-timeLeft.left));
    case TimeLeft::Kind::ToLive:
        return Record::tr("TTL %1").arg(durationText(timeLeft.left));
    }
    Q_UNREACHABLE();
}

QString stateWord(State state)
{
    static constexpr std::array<const char *, StateCount> words = {
        QT_TRANSLATE_NOOP("idem::app::Record", "in progress"),
        QT_TRANSLATE_NOOP("idem::app::Record", "completed"),
        QT_TRANSLATE_NOOP("idem::app::Record", "failed"),
        QT_TRANSLATE_NOOP("idem::app::Record", "abandoned"),
        QT_TRANSLATE_NOOP("idem::app::Record", "stuck, its lease is over"),
        QT_TRANSLATE_NOOP("idem::app::Record", "of unknown outcome"),
    };
    return Record::tr(words[static_cast<std::size_t>(state)]);
}

QString recordSentence(const RecordView &record, Instant now, const Policy &policy)
{
    const State state = stateAt(record, now);
    const QString key = bytesText(record.identity.key);
    const QString owner = bytesText(record.owner);
    const QString age = spokenDurationText(now - record.startedAt);
    QString text = state == State::InProgress
        ? Record::tr("%1, in progress for %2, owner %3").arg(key, age, owner)
        : Record::tr("%1, %2, begun %3 ago, owner %4").arg(key, stateWord(state), age, owner);
    if (state == State::InProgress && isStuckAt(record, now, policy)) {
        text += Record::tr(", stuck without a lease");
    }
    return text;
}

QString recordToolTip(const RecordView &record, Instant now, const Policy &policy)
{
    const TimeLeft left = timeLeftAt(record, now, policy);
    QStringList lines {
        Record::tr("Key: %1").arg(bytesText(record.identity.key)),
        Record::tr("Tenant: %1, caller: %2").arg(bytesText(record.identity.tenant), bytesText(record.identity.caller)),
        Record::tr("Record id: %1").arg(record.id.toString()),
        Record::tr("State: %1").arg(stateWord(stateAt(record, now))),
        Record::tr("Owner: %1, attempt %2, fence %3")
            .arg(bytesText(record.owner))
            .arg(record.attempt)
            .arg(toNumber(record.fence)),
        Record::tr("Begun: %1 ago; first seen: %2 ago")
            .arg(fullDurationText(now - record.startedAt), fullDurationText(now - record.createdAt)),
    };
    if (left.kind == TimeLeft::Kind::Lease) {
        lines += Record::tr("Lease left: %1").arg(fullDurationText(left.left));
    } else if (left.kind == TimeLeft::Kind::LeaseOver) {
        lines += Record::tr("Lease over for: %1").arg(fullDurationText(-left.left));
    } else if (left.kind == TimeLeft::Kind::ToLive) {
        lines += Record::tr("Time to live left: %1").arg(fullDurationText(left.left));
    }
    lines += Record::tr("Replays %1, conflicts %2, mismatches %3, waiting %4")
                 .arg(record.replays)
                 .arg(record.conflicts)
                 .arg(record.mismatches)
                 .arg(record.waiting);
    if (record.sideEffect) {
        lines += Record::tr("The owner announced a side effect.");
    }
    if (record.late) {
        lines += Record::tr("The result came after the lease's end.");
    }
    return lines.join(u'\n');
}

Visual visualOf(const StoreEvent &event)
{
    if (event.kind == EventKind::Begun && event.outcome) {
        return visualOfOutcome(*event.outcome);
    }
    return eventStyles[static_cast<std::size_t>(event.kind)].visual;
}

QString eventText(const StoreEvent &event)
{
    if (event.kind == EventKind::Begun && event.outcome) {
        const bool another = *event.outcome == OutcomeKind::Fresh && event.attempt > 1;
        return another ? Record::tr("fresh, attempt %1").arg(event.attempt) : outcomeText(*event.outcome);
    }
    return Record::tr(eventStyles[static_cast<std::size_t>(event.kind)].text);
}

QString bytesText(const QByteArray &bytes)
{
    return QString::fromUtf8(bytes);
}

} // namespace idem::app
