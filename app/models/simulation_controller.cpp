// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/simulation_controller.h"

#include <algorithm>

namespace idem::app {

using namespace std::chrono_literals;

namespace {

constexpr Duration slice = 8ms;
constexpr auto pacedInterval = 33ms;
constexpr auto busyInterval = 10ms; // while behind: half of the thread stays the window's
constexpr std::uint64_t eventsPerLook = 256; // at the wall clock
constexpr Duration tolerableLag = 250ms; // of wall time
constexpr int slicesToRecover = 30;

Duration steadyNow()
{
    return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch());
}

Duration scaled(Duration span, double factor)
{
    return Duration(static_cast<Duration::rep>(static_cast<double>(span.count()) * factor));
}

} // namespace

SimulationController::SimulationController(QObject *parent)
    : SimulationController(steadyNow, parent)
{
}

SimulationController::SimulationController(WallClock wallClock, QObject *parent)
    : QObject(parent)
    , m_wallClock(std::move(wallClock))
{
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &SimulationController::tick);
}

SimulationController::~SimulationController() = default;

Store *SimulationController::store() const
{
    return m_run ? m_run->store() : nullptr;
}

tl::expected<sim::Scenario, sim::ScenarioError> SimulationController::find(const QString &nameOrPath)
{
    const auto builtIns = sim::builtInScenarios();
    const bool isBuiltIn = std::any_of(
        builtIns.begin(), builtIns.end(), [&](const sim::BuiltIn &builtIn) { return builtIn.name == nameOrPath; });
    return isBuiltIn ? sim::loadBuiltIn(nameOrPath) : sim::loadScenario(nameOrPath);
}

void SimulationController::load(const sim::Scenario &scenario, sim::Seed seed, const QString &source)
{
    pause();
    m_source = source;
    replaceRun(scenario, seed);
}

bool SimulationController::open(const QString &nameOrPath)
{
    const auto scenario = find(nameOrPath);
    if (!scenario) {
        Q_EMIT failed(scenario.error().toString());
        return false;
    }
    load(*scenario, scenario->seed, nameOrPath);
    return true;
}

void SimulationController::restart(sim::Seed seed)
{
    if (m_run) {
        const sim::Scenario scenario = m_run->scenario();
        replaceRun(scenario, seed);
    }
}

void SimulationController::replaceRun(const sim::Scenario &scenario, sim::Seed seed)
{
    if (m_run) {
        Q_EMIT storeAboutToChange();
    }
    m_run = std::make_unique<sim::Run>(scenario, seed);
    m_finished = false;
    m_keepsUp = true;
    anchor();
    Q_EMIT loaded();
    Q_EMIT stateChanged();
    Q_EMIT advanced();
}

void SimulationController::anchor()
{
    m_anchorWall = m_wallClock();
    m_anchorVirtual = m_run ? m_run->elapsed() : Duration::zero();
    m_measureWall = m_anchorWall;
    m_measureVirtual = m_anchorVirtual;
    m_measuredSpeed = 0;
}

void SimulationController::run()
{
    if (!m_run || m_running) {
        return;
    }
    m_running = true;
    anchor();
    m_timer.start(pacedInterval);
    Q_EMIT stateChanged();
}

void SimulationController::pause()
{
    if (!m_running) {
        return;
    }
    m_running = false;
    m_measuredSpeed = 0;
    m_timer.stop();
    Q_EMIT stateChanged();
}

void SimulationController::step()
{
    pause();
    if (m_run) {
        m_run->step();
        noteProgress();
    }
}

void SimulationController::setSpeed(Speed speed)
{
    speed.factor = std::clamp(speed.factor, 0.01, 100'000.0);
    if (speed == m_speed) {
        return;
    }
    m_speed = speed;
    m_keepsUp = true;
    anchor();
    Q_EMIT stateChanged();
}

void SimulationController::advance(Duration span)
{
    if (m_run) {
        m_run->runUntil(m_run->elapsed() + span);
        anchor();
        noteProgress();
    }
}

void SimulationController::tick()
{
    if (!m_running) {
        return;
    }
    const Duration start = m_wallClock();
    if (m_speed.unlimited && !m_finished) {
        playUnlimited(start);
    } else {
        playPaced(start);
    }
    measure();
    noteProgress();
}

void SimulationController::playUnlimited(Duration sliceStart)
{
    while (!m_run->isFinished() && m_run->run(eventsPerLook) > 0 && m_wallClock() - sliceStart < slice) { }
    m_timer.setInterval(busyInterval);
    if (m_run->isFinished()) {
        anchor();
    }
}

void SimulationController::playPaced(Duration sliceStart)
{
    const double factor = m_speed.unlimited ? 1 : m_speed.factor;
    const Duration target = m_anchorVirtual + scaled(sliceStart - m_anchorWall, factor);
    while (m_run->elapsed() < target) {
        m_run->runUntil(target, eventsPerLook);
        if (m_wallClock() - sliceStart >= slice) {
            break;
        }
    }
    const Duration behind = target - m_run->elapsed();
    m_timer.setInterval(behind > Duration::zero() ? busyInterval : pacedInterval);
    if (behind <= Duration::zero()) {
        m_goodSlices = std::min(m_goodSlices + 1, slicesToRecover);
        setKeepsUp(m_keepsUp || m_goodSlices == slicesToRecover);
        return;
    }
    m_goodSlices = 0;
    if (scaled(behind, 1 / factor) > tolerableLag) {
        // Not to be made up for: go on from here.
        m_anchorWall = sliceStart;
        m_anchorVirtual = m_run->elapsed();
        setKeepsUp(false);
    }
}

void SimulationController::setKeepsUp(bool keepsUp)
{
    if (keepsUp != m_keepsUp) {
        m_keepsUp = keepsUp;
        Q_EMIT stateChanged();
    }
}

void SimulationController::measure()
{
    const Duration wall = m_wallClock() - m_measureWall;
    if (wall >= 1s) {
        const Duration virtualTime = m_run->elapsed() - m_measureVirtual;
        m_measuredSpeed = static_cast<double>(virtualTime.count()) / static_cast<double>(wall.count());
        m_measureWall += wall;
        m_measureVirtual += virtualTime;
    }
}

void SimulationController::noteProgress()
{
    Q_EMIT advanced();
    if (!m_finished && m_run->isFinished()) {
        m_finished = true;
        Q_EMIT stateChanged();
        Q_EMIT finished();
    }
}

} // namespace idem::app
