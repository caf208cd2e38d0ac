// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/abandon_dialog.h"
#include "app/desktop/central_view.h"
#include "app/desktop/key_view.h"
#include "app/desktop/main_window.h"
#include "app/desktop/screenshot.h"
#include "app/desktop/stuck_panel.h"
#include "tests/app/test_scenarios.h"

#include <QAccessible>
#include <QDockWidget>
#include <QImage>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>

using namespace idem;
using namespace idem::app;

namespace {

/// The window on a scenario, at a moment of its virtual time.
struct Desk
{
    MainWindow window;

    Desk(const sim::Scenario &scenario, Duration until)
    {
        applyTheme(ThemeChoice::Light);
        window.simulation().load(scenario, sim::Seed {1}, scenario.name);
        window.show();
        playTo(until);
    }

    void playTo(Duration until)
    {
        window.simulation().advance(until - window.simulation().currentRun()->elapsed());
        window.live().refresh();
    }

    template <typename Widget> Widget &child(const QString &name = {})
    {
        auto *widget = window.findChild<Widget *>(name);
        Q_ASSERT(widget != nullptr);
        return *widget;
    }

    /// Presses the stuck panel's button on its first row.
    AbandonDialog &openAbandon()
    {
        window.raiseDock(QStringLiteral("stuck"));
        window.stuckPanel().view().selectRow(0);
        auto *button = window.stuckPanel().findChild<QPushButton *>();
        QTest::mouseClick(button, Qt::LeftButton);
        return child<AbandonDialog>();
    }

    sim::Counts counts() { return window.simulation().currentRun()->counts(); }
};

} // namespace

class MainWindowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void freesAStuckKey()
    {
        Desk desk(stuckScenario(), 8s);
        QCOMPARE(desk.window.live().stuck().rowCount(), 1);
        QVERIFY(desk.child<QDockWidget>(QStringLiteral("stuck")).windowTitle().contains(QStringLiteral("(1)")));
        QCOMPARE(desk.counts().fresh, 1U);
        QCOMPARE(desk.counts().effects, 0U);

        AbandonDialog &dialog = desk.openAbandon();
        auto *abandon = dialog.findChild<QPushButton *>(QStringLiteral("abandonButton"));
        QVERIFY(!abandon->isEnabled());
        QVERIFY(!abandon->toolTip().isEmpty()); // it says why
        QVERIFY(!abandon->isDefault());
        QTest::keyClicks(dialog.findChild<QPlainTextEdit *>(QStringLiteral("reason")), QStringLiteral("host died"));
        QVERIFY(abandon->isEnabled());
        QTest::mouseClick(abandon, Qt::LeftButton);
        QVERIFY(!dialog.isVisible());
        QVERIFY(desk.window.statusBar()->currentMessage().contains(QStringLiteral("abandoned")));
        QCOMPARE(desk.window.live().stuck().rowCount(), 0);
        const StoreEvent &event = desk.window.live().events().eventAt(0);
        QVERIFY(event.kind == EventKind::Abandoned);
        QCOMPARE(event.reason, QStringLiteral("host died"));

        desk.playTo(25s); // the client asks again at 21 s
        QCOMPARE(desk.counts().fresh, 2U);
        QCOMPARE(desk.counts().effects, 1U);
        EventTableModel &events = desk.window.live().events();
        bool freshAgain = false;
        for (int row = 0; row < events.rowCount(); ++row) {
            freshAgain |= events.eventAt(row).outcome == OutcomeKind::Fresh && events.eventAt(row).attempt == 2;
        }
        QVERIFY(freshAgain);
    }

    void tellsWhatChangedMeanwhile()
    {
        Desk desk(stuckScenario(), 8s);
        AbandonDialog &dialog = desk.openAbandon();
        Store &store = *desk.window.live().store();
        const RecordView record = desk.window.live().stuck().recordAt(0);
        QVERIFY(store.abandon(record.identity, {.expectedFence = record.fence, .reason = QStringLiteral("first")}));
        Outcome outcome = store.begin({.tenant = record.identity.tenant,
            .caller = record.identity.caller,
            .key = record.identity.key,
            .fingerprint = record.fingerprint,
            .owner = "somebody-else"});
        QVERIFY(std::holds_alternative<Fresh>(outcome));

        QTest::keyClicks(dialog.findChild<QPlainTextEdit *>(QStringLiteral("reason")), QStringLiteral("second"));
        QTest::mouseClick(dialog.findChild<QPushButton *>(QStringLiteral("abandonButton")), Qt::LeftButton);
        QVERIFY(dialog.isVisible());
        auto *refusal = dialog.findChild<QLabel *>(QStringLiteral("refusal"));
        QVERIFY(refusal->isVisible());
        QVERIFY2(refusal->text().contains(QStringLiteral("somebody-else")), qPrintable(refusal->text()));
        QVERIFY(store.find(record.identity)->state == State::InProgress); // it was not taken from its new owner
        std::get<Fresh>(outcome).claim.detach();
    }

    void closesTheDialogWithItsStore()
    {
        Desk desk(stuckScenario(), 8s);
        const QPointer<AbandonDialog> dialog(&desk.openAbandon());
        desk.window.simulation().restart(sim::Seed {2});
        QVERIFY(dialog.isNull());
        QCOMPARE(desk.window.live().stuck().rowCount(), 0);
    }

    void pausesItsViewsWithSpace()
    {
        Desk desk(livelyScenario(), 3s);
        QVERIFY(QTest::qWaitForWindowActive(&desk.window));
        KeyView &view = desk.window.central().keys();
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Space);
        QVERIFY(desk.window.live().isPaused());
        const int rows = desk.window.live().keys().rowCount();
        desk.playTo(4s);
        QCOMPARE(desk.window.live().keys().rowCount(), rows);
        QVERIFY(desk.window.live().pendingEvents() > 0);
        QTest::keyClick(&view, Qt::Key_Space);
        QVERIFY(!desk.window.live().isPaused());
    }

    void keepsItsPlaceWhileRowsComeAndGo()
    {
        Desk desk(livelyScenario(), 4s);
        KeyView &view = desk.window.central().keys();
        view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum() / 3);
        const auto keyAtTop = [&] {
            return view.indexAt(QPoint(1, 1)).siblingAtColumn(KeyTableModel::KeyColumn).data();
        };
        const QVariant before = keyAtTop();
        for (Duration time = 4'100ms; time <= 5s; time += 100ms) {
            desk.playTo(time);
            QCOMPARE(keyAtTop(), before);
        }
    }

    void aSelectionEndsWithItsRow()
    {
        Desk desk(livelyScenario(), 4s);
        KeyView &view = desk.window.central().keys();
        view.selectRow(view.model()->rowCount() - 1);
        QVERIFY(view.selectedRecord().has_value());
        QVERIFY(desk.window.actions().action(QStringLiteral("keys.abandon")).isEnabled());
        desk.playTo(40s); // every key of that time has expired
        QVERIFY(!view.selectedRecord().has_value());
        QVERIFY(!desk.window.actions().action(QStringLiteral("keys.abandon")).isEnabled());
    }

    void everyControlHasAName()
    {
        Desk desk(stuckScenario(), 8s);
        QList<QWidget *> roots {
            &desk.window, desk.window.openAbout(), desk.window.openShortcuts(), &desk.openAbandon()};
        for (QWidget *root : roots) {
            for (QWidget *widget : root->findChildren<QWidget *>()) {
                if ((widget->focusPolicy() & Qt::TabFocus) == 0 || !widget->isVisible()) {
                    continue;
                }
                QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(widget);
                QVERIFY2(interface != nullptr && !interface->text(QAccessible::Name).isEmpty(),
                    widget->metaObject()->className());
            }
        }
    }

    void everyActionWorksAndNoTwoShareAKey()
    {
        const MainWindow window;
        QSet<QKeySequence> keys;
        for (const ActionTable::Entry &entry : window.actions().entries()) {
            QVERIFY2(!entry.action->text().isEmpty(), qPrintable(entry.id));
            for (const QKeySequence &key : entry.action->shortcuts()) {
                QVERIFY2(!keys.contains(key), qPrintable(key.toString()));
                keys.insert(key);
            }
        }
        QVERIFY(window.actions().action(QStringLiteral("keys.abandon")).shortcuts().isEmpty());
    }

    void paintsEveryView_data()
    {
        QTest::addColumn<QString>("view");
        for (const QString &view : viewNames()) {
            QTest::newRow(qPrintable(view)) << view;
        }
    }

    void paintsEveryView()
    {
        QFETCH(QString, view);
        const QTemporaryDir folder;
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            MainWindow window;
            window.setTheme(theme);
            window.simulation().load(livelyScenario(), sim::Seed {1}, QStringLiteral("lively"));
            const Options options {.screenshot = folder.filePath(QStringLiteral("shot.png")),
                .view = view,
                .after = std::chrono::seconds(4),
                .size = QSize(1024, 700)};
            const auto taken = takeScreenshot(window, options);
            QVERIFY2(taken.has_value(), taken ? "" : qPrintable(taken.error()));
            const QImage image(options.screenshot);
            QCOMPARE(image.size(), options.size); // it fits: nothing forced the window to grow
            QCOMPARE(image.pixelColor(2, image.height() - 2).lightness() < 128, theme == ThemeChoice::Dark);
        }
        applyTheme(ThemeChoice::Light);
    }

    void remembersItsThemeAndSurvivesBadSettings()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
        settings.setValue(QStringLiteral("geometry"), QByteArray("no geometry"));
        settings.setValue(QStringLiteral("layout"), QByteArray("no layout"));
        settings.setValue(QStringLiteral("columns"), QByteArray("no columns"));
        {
            MainWindow window(&settings);
            window.setTheme(ThemeChoice::Dark);
            window.show();
            QVERIFY(window.isVisible());
            for (const auto &name : {QStringLiteral("simulator"), QStringLiteral("stuck"), QStringLiteral("events")}) {
                QVERIFY(window.findChild<QDockWidget *>(name) != nullptr);
            }
            window.findChild<QDockWidget *>(QStringLiteral("events"))->close();
            window.close();
        }
        QCOMPARE(settings.value(QStringLiteral("theme")).toString(), QStringLiteral("dark"));
        MainWindow again(&settings);
        again.show();
        QVERIFY(again.findChild<QDockWidget *>(QStringLiteral("events"))->isHidden());
        applyTheme(ThemeChoice::Light);
    }
};

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
