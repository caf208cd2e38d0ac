// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/duration_text.h"
#include "app/models/key_table_model.h"
#include "app/models/palette.h"
#include "simulator/model/run.h"
#include "tests/app/test_scenarios.h"

#include <QAbstractItemModelTester>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

#include <set>

using namespace idem;
using namespace idem::app;

namespace {

QByteArrayList keysOf(const KeyTableModel &model)
{
    QByteArrayList keys;
    for (int row = 0; row < model.rowCount(); ++row) {
        keys += model.recordAt(row).identity.key;
    }
    return keys;
}

/// What the store itself lists, newest first.
QByteArrayList listedKeys(const Store &store)
{
    QByteArrayList keys;
    Query query {.descending = true, .limit = 10'000};
    const Result<Page> page = store.list(query);
    for (const RecordView &record : page->records) {
        keys += record.identity.key;
    }
    return keys;
}

/// Counts everything that a view would have to react to.
class SignalCount
{
public:
    explicit SignalCount(const KeyTableModel &model)
        : m_spies {new QSignalSpy(&model, &KeyTableModel::rowsInserted),
            new QSignalSpy(&model, &KeyTableModel::rowsRemoved), new QSignalSpy(&model, &KeyTableModel::dataChanged),
            new QSignalSpy(&model, &KeyTableModel::layoutChanged), new QSignalSpy(&model, &KeyTableModel::modelReset)}
    {
    }
    ~SignalCount() { qDeleteAll(m_spies); }
    SignalCount(const SignalCount &) = delete;
    SignalCount &operator=(const SignalCount &) = delete;

    [[nodiscard]] qsizetype total() const
    {
        qsizetype sum = 0;
        for (const QSignalSpy *spy : m_spies) {
            sum += spy->count();
        }
        return sum;
    }

private:
    QList<QSignalSpy *> m_spies;
};

} // namespace

class KeyTableModelTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void followsALiveRun_data()
    {
        QTest::addColumn<int>("column");
        QTest::addColumn<bool>("descending");
        QTest::newRow("newest first") << int(KeyTableModel::FenceColumn) << true;
        QTest::newRow("by key") << int(KeyTableModel::KeyColumn) << false;
        QTest::newRow("by state") << int(KeyTableModel::StateColumn) << false;
        QTest::newRow("by time left") << int(KeyTableModel::LeftColumn) << true;
        QTest::newRow("by replays") << int(KeyTableModel::ReplaysColumn) << true;
    }

    void followsALiveRun()
    {
        QFETCH(int, column);
        QFETCH(bool, descending);
        sim::Run run(livelyScenario());
        KeyTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setStore(run.store());
        model.sort(column, descending ? Qt::DescendingOrder : Qt::AscendingOrder);
        int most = 0;
        for (Duration time = 200ms; time <= 25s; time += 200ms) {
            run.runUntil(time);
            model.refresh();
            most = std::max(most, model.rowCount());
            const QByteArrayList keys = keysOf(model);
            const QSet<QByteArray> shown(keys.begin(), keys.end());
            QCOMPARE(shown.size(), keys.size());
            // A record past its time to live is absent from the list before the sweep's event removes its row.
            for (const QByteArray &key : listedKeys(*run.store())) {
                QVERIFY2(shown.contains(key), key.constData());
            }
        }
        QVERIFY(most > 50);
        QVERIFY(model.rowCount() < most); // and expired ones went
        model.setStore(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void sortsByRawValues()
    {
        sim::Run run(livelyScenario());
        run.runUntil(6s);
        KeyTableModel model;
        model.setStore(run.store());
        for (int column = 0; column < KeyTableModel::ColumnCount; ++column) {
            if (column == KeyTableModel::LeftColumn) {
                continue; // by moment, whatever kind of time is left
            }
            model.sort(column, Qt::AscendingOrder);
            for (int row = 1; row < model.rowCount(); ++row) {
                const QVariant above = model.index(row - 1, column).data(KeyTableModel::SortRole);
                const QVariant below = model.index(row, column).data(KeyTableModel::SortRole);
                if (column == KeyTableModel::KeyColumn) {
                    QVERIFY(above.toByteArray() < below.toByteArray());
                } else {
                    QVERIFY2(QVariant::compare(above, below) != QPartialOrdering::Greater,
                        qPrintable(QString::number(column)));
                }
            }
        }
    }

    void keepsSelectionsOverUpdates()
    {
        sim::Run run(livelyScenario());
        run.runUntil(3s);
        KeyTableModel model;
        model.setStore(run.store());
        const QPersistentModelIndex index(model.index(0, KeyTableModel::KeyColumn));
        const QByteArray key = model.recordAt(0).identity.key;
        model.sort(KeyTableModel::StateColumn, Qt::AscendingOrder);
        run.runUntil(4s);
        model.refresh();
        QVERIFY(index.isValid());
        QCOMPARE(model.recordAt(index.row()).identity.key, key);
        QCOMPARE(model.rowOf(model.recordAt(index.row()).identity), index.row());
    }

    void aThousandEventsCostAFewSignals()
    {
        sim::Run run(burstScenario());
        KeyTableModel model;
        model.setStore(run.store());
        const SignalCount begun(model);
        run.runUntil(10ms); // all arrive at 5 ms
        model.refresh();
        QCOMPARE(model.rowCount(), 1'000);
        QVERIFY2(begun.total() <= 2, qPrintable(QString::number(begun.total())));
        const SignalCount completed(model);
        run.runUntil(200ms);
        model.refresh();
        QVERIFY2(completed.total() <= 2, qPrintable(QString::number(completed.total())));
        QCOMPARE(model.index(0, KeyTableModel::StatusColumn).data().toString(), QStringLiteral("201"));
    }

    void countdownsSendNoSignal()
    {
        sim::Run run(stuckScenario());
        run.runUntil(1s);
        KeyTableModel model;
        model.setStore(run.store());
        model.refresh();
        const SignalCount signals_(model);
        const QModelIndex left = model.index(0, KeyTableModel::LeftColumn);
        // Begun 5 ms after the start with a lease of 5 s.
        QCOMPARE(left.data().toString(), QStringLiteral("lease 4 s"));
        run.runUntil(3s);
        QCOMPARE(left.data().toString(), QStringLiteral("lease 2 s"));
        QCOMPARE(model.index(0, KeyTableModel::AgeColumn).data().toString(), QStringLiteral("2 s"));
        QVERIFY(qAbs(left.data(KeyTableModel::FractionRole).toDouble() - 2.005 / 5) < 0.0011);
        run.runUntil(8s);
        QCOMPARE(left.data().toString(), QStringLiteral("over 2 s"));
        QCOMPARE(model.index(0, 0).data(KeyTableModel::VisualRole).toInt(), static_cast<int>(Visual::Stuck));
        QCOMPARE(signals_.total(), 0);
    }

    void standsStillWhilePaused()
    {
        sim::Run run(livelyScenario());
        run.runUntil(2s);
        KeyTableModel model;
        model.setStore(run.store());
        model.setPaused(true);
        const QByteArrayList before = keysOf(model);
        const QString age = model.index(0, KeyTableModel::AgeColumn).data().toString();
        run.runUntil(4s);
        model.refresh();
        QCOMPARE(keysOf(model), before);
        QCOMPARE(model.index(0, KeyTableModel::AgeColumn).data().toString(), age);
        QVERIFY(model.pendingEvents() > 0);
        model.setPaused(false);
        QCOMPARE(keysOf(model), listedKeys(*run.store()));
        QCOMPARE(model.pendingEvents(), 0U);
    }

    void listsAfreshWhenEventsWereMissed()
    {
        sim::Scenario scenario = burstScenario();
        scenario.clients.operations = 40'000; // 80,000 events: more than the stream holds
        sim::Run run(scenario);
        KeyTableModel model;
        model.setStore(run.store());
        run.runUntil(1s);
        model.refresh();
        QCOMPARE(model.rowCount(), 40'000);
        QVERIFY(model.recordAt(0).state == State::Completed);
    }

    void keepsTheNewestRowsOnly()
    {
        sim::Run run(burstScenario());
        KeyTableModel model(KeyTableModel::Options {.maxRows = 100});
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setStore(run.store());
        run.runUntil(10ms);
        model.refresh();
        QCOMPARE(model.rowCount(), 100);
        QVERIFY(model.isFull());
        QCOMPARE(keysOf(model), listedKeys(*run.store()).first(100));
    }

    void listsWhatIsStuck()
    {
        sim::Run run(stuckScenario());
        KeyTableModel model(KeyTableModel::Options {.stuckOnly = true});
        model.setStore(run.store());
        run.runUntil(4s);
        model.relist();
        QCOMPARE(model.rowCount(), 0);
        run.runUntil(8s);
        model.relist();
        QCOMPARE(model.rowCount(), 1);
    }

    void speaksARowAsASentence()
    {
        sim::Run run(stuckScenario());
        run.runUntil(3s + 5ms);
        KeyTableModel model;
        model.setStore(run.store());
        const RecordView &record = model.recordAt(0);
        const QString sentence = model.index(0, 0).data(Qt::AccessibleTextRole).toString();
        QCOMPARE(sentence,
            QStringLiteral("%1, in progress for 3 seconds, owner %2")
                .arg(QString::fromUtf8(record.identity.key), QString::fromUtf8(record.owner)));
        const QString toolTip = model.index(0, 0).data(Qt::ToolTipRole).toString();
        QVERIFY(toolTip.contains(record.id.toString()));
        QVERIFY(toolTip.contains(QStringLiteral("Lease left: 2.000 s")));
    }
};

QTEST_GUILESS_MAIN(KeyTableModelTest)
#include "key_table_model_test.moc"
