// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulator/model/run.h"
#include "simulator/scenario/load.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>

namespace idem::app {

/// How fast virtual time goes: a factor of the wall clock's, 0.01...100,000, or as fast as possible.
struct Speed
{
    double factor = 1;
    bool unlimited = false;

    static Speed times(double factor) { return {.factor = factor}; }
    static Speed maximum() { return {.unlimited = true}; }
    friend bool operator==(const Speed &, const Speed &) = default;
};

/// Plays a run on the event loop in slices of a few milliseconds, so that the window never waits for it. Tied to the
/// wall clock without drift; what it cannot keep up with it says and drops. Once every operation has settled time goes
/// on at most at the wall clock's pace when the speed is unlimited, so that keys still expire.
/// Thread-safety: the thread that it lives in.
class SimulationController final : public QObject
{
    Q_OBJECT

public:
    using WallClock = std::function<Duration()>;

    explicit SimulationController(QObject *parent = nullptr);
    /// For tests: another wall clock.
    explicit SimulationController(WallClock wallClock, QObject *parent = nullptr);
    ~SimulationController() override;

    /// The scenario of a built-in's name, or else of a file.
    [[nodiscard]] static tl::expected<sim::Scenario, sim::ScenarioError> find(const QString &nameOrPath);

    /// Replaces the run; it waits at its start. `source`: where the scenario came from, for find().
    void load(const sim::Scenario &scenario, sim::Seed seed, const QString &source);
    /// The same with find() and the scenario's own seed. Emits failed() and keeps the old run when refused.
    bool open(const QString &nameOrPath);
    /// The same scenario again from its start with `seed`; goes on running if it was.
    void restart(sim::Seed seed);

    void run();
    void pause();
    /// Pauses and handles one event.
    void step();
    void setSpeed(Speed speed);
    /// Handles everything of the next `span` of virtual time before it returns.
    void advance(Duration span);
    /// One slice; called by its own timer.
    void tick();

    [[nodiscard]] bool isRunning() const { return m_running; }
    [[nodiscard]] bool isFinished() const { return m_finished; }
    [[nodiscard]] Speed speed() const { return m_speed; }
    /// False while the machine is too slow for the speed asked for.
    [[nodiscard]] bool keepsUp() const { return m_keepsUp; }
    /// Virtual over wall time, over about the last second; 0 when not running.
    [[nodiscard]] double measuredSpeed() const { return m_measuredSpeed; }
    /// Null before the first load().
    [[nodiscard]] const sim::Run *currentRun() const { return m_run.get(); }
    /// Where its scenario came from.
    [[nodiscard]] const QString &source() const { return m_source; }
    /// Null without a run, or when its scenario has no store.
    [[nodiscard]] Store *store() const;

Q_SIGNALS:
    /// The store() so far is about to be destroyed: let go of it.
    void storeAboutToChange();
    /// There is a new run, and perhaps a new store().
    void loaded();
    /// Running, paused, finished, another speed, or keepsUp() changed.
    void stateChanged();
    /// Virtual time went on.
    void advanced();
    /// Every operation has settled.
    void finished();
    /// A sentence for the user.
    void failed(const QString &problem);

private:
    void replaceRun(const sim::Scenario &scenario, sim::Seed seed);
    void anchor();
    void playPaced(Duration sliceStart);
    void playUnlimited(Duration sliceStart);
    void noteProgress();
    void setKeepsUp(bool keepsUp);
    void measure();

    WallClock m_wallClock;
    QTimer m_timer;
    std::unique_ptr<sim::Run> m_run;
    QString m_source;
    Speed m_speed;
    bool m_running = false;
    bool m_finished = false;
    bool m_keepsUp = true;
    int m_goodSlices = 0;
    Duration m_anchorWall {}; ///< virtual time is tied to the wall clock from this pair on
    Duration m_anchorVirtual {};
    Duration m_measureWall {};
    Duration m_measureVirtual {};
    double m_measuredSpeed = 0;
};

} // namespace idem::app
