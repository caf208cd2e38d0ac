// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/abandon_preview.h"

#include "app/models/record_text.h"

#include <QCoreApplication>

namespace idem::app {

namespace {

struct Abandon
{
    Q_DECLARE_TR_FUNCTIONS(idem::app::Abandon)
};

constexpr qsizetype maxReason = 1'000;

} // namespace

QString abandonRefusal(State state)
{
    switch (state) {
    case State::InProgress:
    case State::LeaseExpired:
        return {};
    case State::OutcomeUnknown:
        return Abandon::tr("Nobody knows whether this operation ran: settle it instead of abandoning it.");
    case State::Abandoned:
        return Abandon::tr("This key is abandoned already: the next attempt runs afresh.");
    case State::Completed:
    case State::Failed:
        return Abandon::tr("This operation is finished: its answer can be purged, but not abandoned.");
    }
    Q_UNREACHABLE();
}

AbandonPreview abandonPreview(const RecordView &record, Instant now)
{
    const State state = stateAt(record, now);
    AbandonPreview preview {
        .identity = record.identity,
        .key = bytesText(record.identity.key),
        .tenant = bytesText(record.identity.tenant),
        .owner = bytesText(record.owner),
        .state = state,
        .fence = record.fence,
        .attempt = record.attempt,
        .age = now - record.startedAt,
        .waiting = record.waiting,
        .sideEffect = record.sideEffect,
        .ownerAlive = state == State::InProgress && record.leaseEnd.has_value(),
        .refusal = abandonRefusal(state),
    };
    if (record.renewedAt) {
        preview.sinceRenewal = now - *record.renewedAt;
    }
    if (record.leaseEnd) {
        preview.leaseLeft = *record.leaseEnd - now;
    }
    return preview;
}

QString reasonProblem(const QString &reason)
{
    if (reason.trimmed().isEmpty()) {
        return Abandon::tr("Write a reason: it goes into the record of what was done.");
    }
    if (reason.size() > maxReason) {
        return Abandon::tr("The reason is longer than 1,000 characters.");
    }
    return {};
}

QString describeRefusal(const AbandonPreview &before, const StoreError &error, const std::optional<RecordView> &now)
{
    if (error.code == StoreErrorCode::Closed) {
        return Abandon::tr("Nothing was abandoned: the store was closed.");
    }
    if (!now) {
        return Abandon::tr("Nothing was abandoned: the key is no longer in the store.");
    }
    if (error.code == StoreErrorCode::LiveOwner) {
        return Abandon::tr("Nothing was abandoned: owner %1 renewed its lease a moment ago, so it is alive.")
            .arg(bytesText(now->owner));
    }
    if (now->fence != before.fence) {
        return Abandon::tr(
            "Nothing was abandoned: the key changed hands, from %1 (fence %2) to %3 (fence %4); it is now %5.")
            .arg(before.owner, QString::number(toNumber(before.fence)), bytesText(now->owner),
                QString::number(toNumber(now->fence)), stateWord(now->state));
    }
    if (now->state != before.state) {
        return Abandon::tr("Nothing was abandoned: the key was %1 and is now %2.")
            .arg(stateWord(before.state), stateWord(now->state));
    }
    return Abandon::tr("Nothing was abandoned: %1").arg(error.message);
}

} // namespace idem::app
