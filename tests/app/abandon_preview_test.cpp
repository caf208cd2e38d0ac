// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/abandon_preview.h"
#include "app/models/record_text.h"

#include <QTest>

using namespace idem;
using namespace idem::app;

namespace {

constexpr Instant start {};

RecordView record()
{
    return {.identity = {.tenant = "acme", .caller = "web", .key = "op-42"},
        .state = State::InProgress,
        .fence = Fence {12},
        .attempt = 2,
        .owner = "w3",
        .startedAt = start,
        .renewedAt = start + 4s,
        .leaseEnd = start + 14s,
        .sideEffect = true,
        .waiting = 5};
}

} // namespace

class AbandonPreviewTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsALiveOwner()
    {
        const AbandonPreview preview = abandonPreview(record(), start + 6s);
        QCOMPARE(preview.key, QStringLiteral("op-42"));
        QCOMPARE(preview.tenant, QStringLiteral("acme"));
        QCOMPARE(preview.owner, QStringLiteral("w3"));
        QCOMPARE(preview.fence, Fence {12});
        QCOMPARE(preview.age, Duration(6s));
        QCOMPARE(preview.sinceRenewal, std::optional<Duration>(2s));
        QCOMPARE(preview.leaseLeft, std::optional<Duration>(8s));
        QCOMPARE(preview.waiting, 5U);
        QVERIFY(preview.sideEffect);
        QVERIFY(preview.ownerAlive);
        QVERIFY(preview.refusal.isEmpty());
    }

    void anOwnerIsNotAliveBeyondItsLease()
    {
        const AbandonPreview preview = abandonPreview(record(), start + 14s);
        QVERIFY(preview.state == State::LeaseExpired);
        QVERIFY(!preview.ownerAlive);
        QVERIFY(preview.refusal.isEmpty());
    }

    void aFinishedOneIsRefused()
    {
        for (const State state : {State::Completed, State::Failed, State::Abandoned, State::OutcomeUnknown}) {
            RecordView finished = record();
            finished.state = state;
            QVERIFY2(!abandonPreview(finished, start).refusal.isEmpty(), qPrintable(toString(state)));
        }
    }

    void wantsAReason()
    {
        QVERIFY(!reasonProblem({}).isEmpty());
        QVERIFY(!reasonProblem(QStringLiteral(" \n ")).isEmpty());
        QVERIFY(reasonProblem(QStringLiteral("host died")).isEmpty());
        QVERIFY(reasonProblem(QString(1'000, u'x')).isEmpty());
        QVERIFY(!reasonProblem(QString(1'001, u'x')).isEmpty());
    }

    void tellsWhatChanged()
    {
        const AbandonPreview before = abandonPreview(record(), start + 6s);
        RecordView now = record();
        now.fence = Fence {15};
        now.owner = "w4";
        now.state = State::Completed;
        const QString changed = describeRefusal(before, {.code = StoreErrorCode::FenceMismatch}, now);
        for (const QString &part : {QStringLiteral("w3"), QStringLiteral("12"), QStringLiteral("w4"),
                 QStringLiteral("15"), stateWord(State::Completed)}) {
            QVERIFY2(changed.contains(part), qPrintable(changed));
        }
        QVERIFY(describeRefusal(before, {.code = StoreErrorCode::NotFound}, {}).contains(QStringLiteral("no longer")));
        QVERIFY(
            describeRefusal(before, {.code = StoreErrorCode::LiveOwner}, record()).contains(QStringLiteral("alive")));
    }
};

QTEST_GUILESS_MAIN(AbandonPreviewTest)
#include "abandon_preview_test.moc"
