// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/event_table_model.h"
#include "app/models/palette.h"
#include "simulator/model/run.h"
#include "tests/app/test_scenarios.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace idem;
using namespace idem::app;

class EventTableModelTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsEveryEventNewestFirst()
    {
        sim::Run run(livelyScenario());
        const auto oracle = run.store()->subscribe();
        EventTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setStore(run.store(), run.store()->clock().now());
        for (Duration time = 100ms; time <= 10s; time += 100ms) {
            run.runUntil(time);
            model.refresh();
        }
        const std::vector<StoreEvent> events = oracle->take().events;
        QVERIFY(events.size() > 500);
        QCOMPARE(model.rowCount(), static_cast<int>(events.size()));
        for (int row = 0; row < model.rowCount(); ++row) {
            QCOMPARE(model.eventAt(row).sequence, events[events.size() - 1 - static_cast<std::size_t>(row)].sequence);
        }
    }

    void keepsTheLastFiveThousand()
    {
        sim::Scenario scenario = burstScenario();
        scenario.clients.operations = 4'000; // 4,000 begun, then 4,000 completed
        sim::Run run(scenario);
        EventTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setStore(run.store(), run.store()->clock().now());
        run.runUntil(10ms);
        model.refresh();
        QCOMPARE(model.rowCount(), 4'000);
        run.runUntil(1s);
        model.refresh();
        QCOMPARE(model.rowCount(), 5'000);
        QVERIFY(model.eventAt(0).kind == EventKind::Completed);
        QVERIFY(model.eventAt(4'999).kind == EventKind::Begun);
    }

    void pauses()
    {
        sim::Run run(burstScenario());
        EventTableModel model;
        model.setStore(run.store(), run.store()->clock().now());
        model.setPaused(true);
        run.runUntil(10ms);
        const QSignalSpy inserted(&model, &EventTableModel::rowsInserted);
        model.refresh();
        QCOMPARE(model.rowCount(), 0);
        model.setPaused(false);
        QCOMPARE(model.rowCount(), 1'000);
        QCOMPARE(inserted.count(), 1);
    }

    void tellsWhatHappened()
    {
        sim::Run run(stuckScenario());
        EventTableModel model;
        model.setStore(run.store(), run.store()->clock().now());
        run.runUntil(8s);
        model.refresh();
        const int last = model.rowCount() - 1;
        QCOMPARE(model.index(last, EventTableModel::EventColumn).data().toString(), QStringLiteral("fresh"));
        QCOMPARE(model.index(last, EventTableModel::TimeColumn).data().toString(), QStringLiteral("00:00.0"));
        QCOMPARE(model.index(last, 0).data(EventTableModel::VisualRole).toInt(), static_cast<int>(Visual::Fresh));
        QCOMPARE(model.index(0, EventTableModel::EventColumn).data().toString(), QStringLiteral("lease over"));
    }
};

QTEST_GUILESS_MAIN(EventTableModelTest)
#include "event_table_model_test.moc"
