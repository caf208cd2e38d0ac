// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/simulation_controller.h"
#include "tests/app/test_scenarios.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace idem;
using namespace idem::app;

namespace {

/// A controller whose wall clock moves by hand, and by `cost` with each look at it.
struct Player
{
    Duration wall {};
    Duration cost {};
    SimulationController controller {[this] { return wall += cost; }};

    explicit Player(const sim::Scenario &scenario = livelyScenario())
    {
        controller.load(scenario, sim::Seed {7}, QStringLiteral("test"));
    }

    void pass(Duration span)
    {
        wall += span;
        controller.tick();
    }

    [[nodiscard]] const sim::Run &run() const { return *controller.currentRun(); }
};

} // namespace

class SimulationControllerTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waitsAtItsStart()
    {
        Player player;
        QVERIFY(!player.controller.isRunning());
        player.pass(5s);
        QCOMPARE(player.run().elapsed(), Duration(0));
    }

    void followsTheWallClockWithoutDrift()
    {
        Player player;
        player.controller.run();
        for (int i = 0; i < 300; ++i) {
            player.pass(33'333us);
        }
        QCOMPARE(player.run().elapsed(), Duration(300 * 33'333us));
        QVERIFY(player.controller.keepsUp());
    }

    void changesItsSpeedFromNowOn()
    {
        Player player;
        player.controller.run();
        player.pass(1s);
        player.controller.setSpeed(Speed::times(10));
        player.pass(200ms);
        QCOMPARE(player.run().elapsed(), Duration(3s));
        player.controller.setSpeed(Speed::times(0.1));
        player.pass(1s);
        QCOMPARE(player.run().elapsed(), Duration(3'100ms));
    }

    void pausesAndGoesOn()
    {
        Player player;
        player.controller.run();
        player.pass(1s);
        player.controller.pause();
        player.pass(10s);
        QCOMPARE(player.run().elapsed(), Duration(1s));
        player.controller.run();
        player.pass(100ms);
        QCOMPARE(player.run().elapsed(), Duration(1'100ms));
    }

    void stepsOneEvent()
    {
        Player player;
        player.controller.run();
        player.pass(1s);
        const std::uint64_t events = player.run().events();
        player.controller.step();
        QCOMPARE(player.run().events(), events + 1);
        QVERIFY(!player.controller.isRunning());
    }

    void finishesOnceAndTimeGoesOn()
    {
        Player player(stuckScenario());
        const QSignalSpy finished(&player.controller, &SimulationController::finished);
        player.controller.setSpeed(Speed::maximum());
        player.controller.run();
        for (int i = 0; i < 10 && !player.controller.isFinished(); ++i) {
            player.pass(10ms);
        }
        QVERIFY(player.controller.isFinished());
        const Duration end = player.run().elapsed();
        player.pass(2s);
        QCOMPARE(player.run().elapsed(), end + 2s);
        QCOMPARE(finished.count(), 1);
    }

    void restartGivesTheSameRun()
    {
        Player player;
        player.controller.advance(60s);
        const sim::Counts counts = player.run().counts();
        const std::uint64_t hash = player.run().traceHash();
        const QSignalSpy leaving(&player.controller, &SimulationController::storeAboutToChange);
        player.controller.restart(sim::Seed {7});
        QCOMPARE(leaving.count(), 1);
        QCOMPARE(player.run().events(), 0U);
        player.controller.run();
        for (int i = 0; i < 600; ++i) {
            player.pass(100ms);
        }
        QVERIFY(player.run().counts() == counts);
        QCOMPARE(player.run().traceHash(), hash);
        player.controller.restart(sim::Seed {8});
        QVERIFY(player.controller.isRunning());
        player.pass(60s);
        QVERIFY(player.run().traceHash() != hash);
    }

    void saysWhenItCannotKeepUp()
    {
        sim::Scenario scenario = livelyScenario();
        scenario.clients.operations = 1'000'000;
        Player player(scenario);
        player.cost = 3ms; // three looks fill a slice
        player.controller.setSpeed(Speed::times(1'000));
        player.controller.run();
        for (int i = 0; i < 10; ++i) {
            player.pass(500ms);
        }
        QVERIFY(!player.controller.keepsUp());
        QVERIFY(player.run().elapsed() < Duration(5s * 1'000));
        QVERIFY(player.controller.measuredSpeed() > 0);
        // It goes on from where it is: what was dropped is not made up for.
        player.cost = {};
        player.controller.setSpeed(Speed::times(1));
        QVERIFY(player.controller.keepsUp());
        const Duration before = player.run().elapsed();
        player.pass(1s);
        QCOMPARE(player.run().elapsed(), before + 1s);
    }

    void opensBuiltInsAndFiles()
    {
        SimulationController controller;
        const QSignalSpy failed(&controller, &SimulationController::failed);
        QVERIFY(controller.open(QStringLiteral("first-look")));
        QCOMPARE(controller.currentRun()->scenario().name, QStringLiteral("first-look"));
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("broken.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{ \"clients\": 12 ");
        file.close();
        QVERIFY(!controller.open(path));
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.first().first().toString().contains(QStringLiteral("broken.json")));
        QCOMPARE(controller.source(), QStringLiteral("first-look"));
    }

    void playsOnTheEventLoop()
    {
        SimulationController controller;
        controller.load(livelyScenario(), sim::Seed {1}, QStringLiteral("test"));
        controller.setSpeed(Speed::times(100));
        controller.run();
        QTRY_VERIFY_WITH_TIMEOUT(controller.currentRun()->counts().fresh > 10, 30'000);
    }
};

QTEST_GUILESS_MAIN(SimulationControllerTest)
#include "simulation_controller_test.moc"
