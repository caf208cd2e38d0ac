// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/status_line.h"

#include "app/desktop/glyphs.h"
#include "app/desktop/simulator_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>

namespace idem::app {

StatusLine::StatusLine(LiveStore &live, SimulationController &simulation, QWidget *parent)
    : QWidget(parent)
    , m_live(live)
    , m_simulation(simulation)
    , m_lamp(new QLabel(this))
    , m_store(new QLabel(this))
    , m_inProgress(new QLabel(this))
    , m_stuck(new QLabel(this))
    , m_records(new QLabel(this))
    , m_seed(new QLabel(this))
    , m_speed(new QLabel(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 6, 0);
    layout->setSpacing(14);
    auto *connection = new QHBoxLayout;
    connection->setSpacing(5);
    connection->addWidget(m_lamp);
    connection->addWidget(m_store);
    layout->addLayout(connection);
    // Room for numbers that grow, so that nothing jumps when they do.
    m_inProgress->setMinimumWidth(fontMetrics().horizontalAdvance(tr("in progress %1").arg(9'999)));
    m_stuck->setMinimumWidth(fontMetrics().horizontalAdvance(tr("stuck %1").arg(999)));
    m_records->setMinimumWidth(fontMetrics().horizontalAdvance(tr("records %1").arg(999'999)));
    for (QLabel *label : {m_inProgress, m_stuck, m_records, m_seed, m_speed}) {
        layout->addWidget(label);
    }
    connect(&live, &LiveStore::refreshed, this, &StatusLine::update);
    connect(&simulation, &SimulationController::stateChanged, this, &StatusLine::update);
    recolor();
    update();
}

void StatusLine::update()
{
    const QLocale locale;
    const Counters &counters = m_live.counters();
    const bool connected = m_live.store() != nullptr;
    m_lamp->setEnabled(connected);
    m_store->setText(connected ? tr("local store") : tr("no store"));
    m_inProgress->setText(tr("in progress %1").arg(locale.toString(qulonglong(counters.state(State::InProgress)))));
    m_stuck->setText(tr("stuck %1").arg(locale.toString(qulonglong(counters.stuck))));
    m_records->setText(tr("records %1").arg(locale.toString(qulonglong(counters.records))));
    const sim::Run *run = m_simulation.currentRun();
    m_seed->setText(run != nullptr ? tr("seed %1").arg(static_cast<qulonglong>(run->seed())) : QString());
    m_speed->setText(m_simulation.isRunning() ? speedText(m_simulation) : tr("paused"));
}

void StatusLine::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange) {
        recolor();
    }
    QWidget::changeEvent(event);
}

void StatusLine::recolor()
{
    const QColor color = markColor(Visual::Completed, themeOf(palette()));
    m_lamp->setPixmap(shapePixmap(Shape::Disc, color, 12, devicePixelRatioF()));
}

} // namespace idem::app
