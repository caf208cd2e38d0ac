// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/live_store.h"
#include "app/models/simulation_controller.h"

#include <QWidget>

class QLabel;

namespace idem::app {

/// The right end of the status bar: connection lamp, what is in progress and stuck, records, seed and speed.
class StatusLine final : public QWidget
{
    Q_OBJECT

public:
    StatusLine(LiveStore &live, SimulationController &simulation, QWidget *parent = nullptr);

protected:
    void changeEvent(QEvent *event) override;

private:
    void update();
    void recolor();

    LiveStore &m_live;
    SimulationController &m_simulation;
    QLabel *m_lamp;
    QLabel *m_store;
    QLabel *m_inProgress;
    QLabel *m_stuck;
    QLabel *m_records;
    QLabel *m_seed;
    QLabel *m_speed;
};

} // namespace idem::app
