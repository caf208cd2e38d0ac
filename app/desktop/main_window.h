// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/action_table.h"
#include "app/desktop/theme.h"
#include "app/models/live_store.h"
#include "app/models/simulation_controller.h"

#include <QMainWindow>
#include <QPointer>

class QLabel;
class QSettings;

namespace idem::app {

class AbandonDialog;
class CentralView;
class EventsPanel;
class KeyView;
class PlotFeed;
class SimulatorPanel;
class StatusLine;
class StuckPanel;

/// The desktop's one window. Nothing in it blocks: the simulation runs in slices on the event loop.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    /// `settings`: where geometry, layout and theme are kept; null: nowhere, for tests and pictures.
    explicit MainWindow(QSettings *settings = nullptr);
    ~MainWindow() override;

    [[nodiscard]] SimulationController &simulation() { return m_simulation; }
    [[nodiscard]] LiveStore &live() { return m_live; }
    [[nodiscard]] CentralView &central() { return *m_central; }
    [[nodiscard]] StuckPanel &stuckPanel() { return *m_stuck; }
    [[nodiscard]] EventsPanel &eventsPanel() { return *m_events; }
    [[nodiscard]] const ActionTable &actions() const { return m_actions; }

    /// Shows everything as it is now, instead of at the next tick.
    void refresh();
    void setTheme(ThemeChoice choice);
    /// Raises a dock: "simulator", "stuck" or "events".
    void raiseDock(const QString &name);

    /// Opens the dialog on this record and returns it; it deletes itself. Null without a store.
    AbandonDialog *openAbandon(const RecordView &record);
    QDialog *openShortcuts();
    QDialog *openAbout();

protected:
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void addFileActions();
    void addViewActions();
    void addKeyActions();
    void addSimulatorActions();
    void addHelpActions();
    void makeDocks();
    QDockWidget *makeDock(const QString &name, const QString &title, QWidget *content);
    void makeBars();
    void connectModels();
    void recolor();
    void resetLayout();
    void restoreSettings();
    void saveSettings();

    void openScenarioFile();
    void copyKey();
    void abandonSelected();
    void selectRecord(const KeyView &view);
    void updateActions();
    void updateStuck();
    void showProblem(const QString &problem);

    QSettings *m_settings;
    // The live store reads from the simulation's and is destroyed first.
    SimulationController m_simulation;
    LiveStore m_live;
    ActionTable m_actions;
    std::optional<RecordView> m_selected;
    CentralView *m_central;
    StuckPanel *m_stuck;
    EventsPanel *m_events;
    SimulatorPanel *m_simulator = nullptr;
    PlotFeed *m_feed;
    QDockWidget *m_stuckDock = nullptr;
    QLabel *m_environment = nullptr;
    QByteArray m_firstLayout;
    ThemeChoice m_theme = ThemeChoice::System;
};

} // namespace idem::app
