// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/simulator_panel.h"

#include "app/desktop/action_table.h"
#include "app/desktop/count_tile.h"
#include "app/models/duration_text.h"
#include "app/models/simulation_controller.h"
#include "simulator/scenario/load.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QProgressBar>
#include <QRegularExpressionValidator>
#include <QToolButton>
#include <QVBoxLayout>

#include <array>

namespace idem::app {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array speeds = {0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0, 100.0, 1000.0};
constexpr int progressSteps = 1'000;

QString factorText(double factor)
{
    const QLocale locale;
    const QString number = factor < 100 ? locale.toString(factor, 'g', 3) : locale.toString(qRound64(factor));
    return u"%1\u00d7"_s.arg(number);
}

/// A label whose text may be wider than the panel: it wraps instead of widening it.
QLabel *wrappingLabel(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setWordWrap(true);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label->setTextFormat(Qt::PlainText);
    return label;
}

} // namespace

QString speedText(const SimulationController &simulation)
{
    const Speed speed = simulation.speed();
    return speed.unlimited ? SimulatorPanel::tr("as fast as possible") : factorText(speed.factor);
}

SimulatorPanel::SimulatorPanel(SimulationController &simulation, const ActionTable &actions, QWidget *parent)
    : QWidget(parent)
    , m_simulation(simulation)
    , m_scenario(new QComboBox(this))
    , m_title(wrappingLabel(this))
    , m_seed(new QLineEdit(this))
    , m_speed(new QComboBox(this))
    , m_clock(new QLabel(this))
    , m_state(wrappingLabel(this))
    , m_progress(new QProgressBar(this))
    , m_fresh(new CountTile(Visual::Fresh, wordOf(Visual::Fresh), this))
    , m_replays(new CountTile(Visual::Replay, tr("Replays"), this))
    , m_conflicts(new CountTile(Visual::Conflict, tr("Conflicts"), this))
    , m_doubleCharges(new CountTile(Visual::Stuck, tr("Double charges"), this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(6);
    layout->addLayout(makeChoices(actions));
    layout->addLayout(makeButtons(actions));
    QFont clockFont = m_clock->font();
    clockFont.setPointSizeF(clockFont.pointSizeF() * 1.7);
    clockFont.setBold(true);
    m_clock->setFont(clockFont);
    m_clock->setToolTip(tr("Virtual time since the start of the run"));
    auto *clockRow = new QHBoxLayout;
    clockRow->addWidget(m_clock);
    clockRow->addWidget(m_state, 1);
    layout->addLayout(clockRow);
    m_progress->setRange(0, progressSteps);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(8);
    m_progress->setAccessibleName(tr("Progress of the run"));
    layout->addWidget(m_progress);
    layout->addLayout(makeTotals());
    layout->addStretch();

    fillScenarios();
    fillSpeeds();
    connect(m_scenario, &QComboBox::activated, this, &SimulatorPanel::openChosen);
    connect(m_seed, &QLineEdit::editingFinished, this, &SimulatorPanel::applySeed);
    connect(m_speed, &QComboBox::activated, this, [this](int index) {
        const bool paced = index < static_cast<int>(speeds.size());
        m_simulation.setSpeed(paced ? Speed::times(speeds[static_cast<std::size_t>(index)]) : Speed::maximum());
    });
    connect(&simulation, &SimulationController::loaded, this, &SimulatorPanel::showRun);
    connect(&simulation, &SimulationController::stateChanged, this, &SimulatorPanel::showState);
    connect(&simulation, &SimulationController::advanced, this, &SimulatorPanel::showClock);
    m_totals.setSingleShot(true);
    m_totals.setInterval(100);
    connect(&m_totals, &QTimer::timeout, this, &SimulatorPanel::showTotals);
    showRun();
    showState();
    showClock();
}

void SimulatorPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitDescription();
}

void SimulatorPanel::fitDescription()
{
    // A dock asks no widget for the height that its width needs.
    const QMargins margins = layout()->contentsMargins();
    const int least = 240; // before it is laid out it has no width worth the name
    const int height = m_title->heightForWidth(std::max(width(), least) - margins.left() - margins.right());
    m_title->setMinimumHeight(std::max(height, 0)); // -1 without a text
}

QLayout *SimulatorPanel::makeChoices(const ActionTable &actions)
{
    m_scenario->setAccessibleName(tr("Scenario"));
    m_scenario->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setToolTip(tr("The same scenario and seed give the same run. Enter restarts with another seed."));
    m_seed->setValidator(new QRegularExpressionValidator(QRegularExpression(u"[0-9]{1,19}"_s), this));
    m_seed->setMaximumWidth(110);
    m_speed->setAccessibleName(tr("Speed"));
    m_speed->setToolTip(tr("How fast virtual time goes"));
    auto *open = new QToolButton(this);
    open->setDefaultAction(&actions.action(u"file.open"_s));
    open->setAccessibleName(tr("Open a scenario file"));

    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(5);
    const auto label = [this](const QString &text, QWidget *buddy) {
        auto *widget = new QLabel(text, this);
        widget->setBuddy(buddy);
        return widget;
    };
    grid->addWidget(label(tr("Sc&enario"), m_scenario), 0, 0);
    grid->addWidget(m_scenario, 0, 1, 1, 3);
    grid->addWidget(open, 0, 4);
    grid->addWidget(m_title, 1, 0, 1, 5);
    grid->addWidget(label(tr("See&d"), m_seed), 2, 0);
    grid->addWidget(m_seed, 2, 1);
    grid->addWidget(label(tr("Spee&d"), m_speed), 2, 2);
    grid->addWidget(m_speed, 2, 3, 1, 2);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    return grid;
}

QLayout *SimulatorPanel::makeButtons(const ActionTable &actions)
{
    auto *row = new QHBoxLayout;
    row->setSpacing(4);
    for (const auto &id : {u"simulator.run"_s, u"simulator.pause"_s, u"simulator.step"_s, u"simulator.restart"_s}) {
        auto *button = new QToolButton(this);
        button->setDefaultAction(&actions.action(id));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setFocusPolicy(Qt::TabFocus);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        row->addWidget(button);
    }
    return row;
}

QLayout *SimulatorPanel::makeTotals()
{
    auto *grid = new QGridLayout;
    grid->setSpacing(2);
    grid->addWidget(m_fresh, 0, 0);
    grid->addWidget(m_replays, 0, 1);
    grid->addWidget(m_conflicts, 1, 0);
    grid->addWidget(m_doubleCharges, 1, 1);
    m_doubleCharges->setToolTip(tr("Effects beyond the first of an operation: what a store is there to prevent"));
    return grid;
}

void SimulatorPanel::fillScenarios()
{
    for (const sim::BuiltIn &builtIn : sim::builtInScenarios()) {
        m_scenario->addItem(builtIn.title.isEmpty() ? builtIn.name : builtIn.title, builtIn.name);
        m_scenario->setItemData(m_scenario->count() - 1, builtIn.name, Qt::ToolTipRole);
    }
    // The list may be wider than its box, whose width is the dock's.
    m_scenario->view()->setMinimumWidth(m_scenario->view()->sizeHintForColumn(0) + 24);
}

void SimulatorPanel::fillSpeeds()
{
    for (const double speed : speeds) {
        m_speed->addItem(factorText(speed));
    }
    m_speed->addItem(tr("Maximum"));
}

void SimulatorPanel::openChosen(int index)
{
    const bool wasRunning = m_simulation.isRunning();
    if (m_simulation.open(m_scenario->itemData(index).toString()) && wasRunning) {
        m_simulation.run();
    } else {
        showRun();
    }
}

void SimulatorPanel::applySeed()
{
    bool valid = false;
    const sim::Seed seed {m_seed->text().toULongLong(&valid)};
    const sim::Run *run = m_simulation.currentRun();
    if (valid && run != nullptr && seed != run->seed()) {
        m_simulation.restart(seed);
    }
}

void SimulatorPanel::showRun()
{
    const sim::Run *run = m_simulation.currentRun();
    if (run == nullptr) {
        return;
    }
    const sim::Scenario &scenario = run->scenario();
    const QString &source = m_simulation.source();
    int index = m_scenario->findData(source);
    if (index < 0) {
        m_scenario->addItem(scenario.title.isEmpty() ? source : scenario.title, source);
        index = m_scenario->count() - 1;
        m_scenario->setItemData(index, source, Qt::ToolTipRole);
    }
    m_scenario->setCurrentIndex(index);
    m_scenario->setToolTip(m_scenario->currentText());
    m_title->setText(scenario.description);
    m_title->setVisible(!scenario.description.isEmpty());
    fitDescription();
    m_seed->setText(QString::number(static_cast<qulonglong>(run->seed())));
}

void SimulatorPanel::showState()
{
    const Speed speed = m_simulation.speed();
    const auto index = std::distance(speeds.begin(), std::find(speeds.begin(), speeds.end(), speed.factor));
    m_speed->setCurrentIndex(speed.unlimited ? m_speed->count() - 1 : static_cast<int>(index));
    QString text;
    if (m_simulation.isFinished()) {
        text = tr("All operations settled");
    } else if (!m_simulation.isRunning()) {
        text = tr("Paused");
    } else if (!m_simulation.keepsUp()) {
        text = tr("Too fast for this machine");
    } else {
        text = tr("Running, %1").arg(speedText(m_simulation));
    }
    m_state->setText(text);
}

void SimulatorPanel::showClock()
{
    if (const sim::Run *run = m_simulation.currentRun()) {
        m_clock->setText(clockText(run->elapsed()));
        if (!m_totals.isActive()) {
            m_totals.start();
        }
    }
}

void SimulatorPanel::showTotals()
{
    const sim::Run *run = m_simulation.currentRun();
    if (run == nullptr) {
        return;
    }
    m_progress->setValue(static_cast<int>(run->progress() * progressSteps));
    const sim::Counts counts = run->counts();
    m_fresh->setValue(counts.fresh);
    m_replays->setValue(counts.replays);
    m_conflicts->setValue(counts.conflicts);
    m_doubleCharges->setValue(counts.double_charges);
    if (m_simulation.isRunning() && !m_simulation.keepsUp()) {
        m_state->setText(tr("Too fast for this machine: about %1").arg(factorText(m_simulation.measuredSpeed())));
    }
}

} // namespace idem::app
