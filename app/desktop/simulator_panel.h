// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QProgressBar;

namespace idem::app {

class ActionTable;
class CountTile;
class SimulationController;

/// Chooses a scenario, its seed and speed, plays it, and keeps its clock and totals in sight.
class SimulatorPanel final : public QWidget
{
    Q_OBJECT

public:
    SimulatorPanel(SimulationController &simulation, const ActionTable &actions, QWidget *parent = nullptr);

    /// Shows the totals as they are now, instead of within a tenth of a second.
    void showTotals();

    /// Takes the seed from its field; nothing when the text is no seed.
    void applySeed();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QLayout *makeChoices(const ActionTable &actions);
    QLayout *makeButtons(const ActionTable &actions);
    QLayout *makeTotals();
    void fillScenarios();
    void fillSpeeds();
    void fitDescription();
    void showRun();
    void showState();
    void showClock();
    void openChosen(int index);

    SimulationController &m_simulation;
    QComboBox *m_scenario;
    QLabel *m_title;
    QLineEdit *m_seed;
    QComboBox *m_speed;
    QLabel *m_clock;
    QLabel *m_state;
    QProgressBar *m_progress;
    CountTile *m_fresh;
    CountTile *m_replays;
    CountTile *m_conflicts;
    CountTile *m_doubleCharges;
    QTimer m_totals; ///< counting costs more than a clock: ten times a second will do
};

/// "1×", "as fast as possible".
[[nodiscard]] QString speedText(const SimulationController &simulation);

} // namespace idem::app
