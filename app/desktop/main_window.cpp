// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/main_window.h"

#include "app/desktop/abandon_dialog.h"
#include "app/desktop/central_view.h"
#include "app/desktop/events_panel.h"
#include "app/desktop/help_dialogs.h"
#include "app/desktop/key_view.h"
#include "app/desktop/plot_feed.h"
#include "app/desktop/simulator_panel.h"
#include "app/desktop/status_line.h"
#include "app/desktop/stuck_panel.h"
#include "app/models/record_text.h"

#include <QDockWidget>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QTableView>
#include <QToolBar>

namespace idem::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int layoutVersion = 1; // a saved layout of another version is not restored
constexpr int messageTime = 10'000; // ms
constexpr int dockWidth = 292;

} // namespace

MainWindow::MainWindow(QSettings *settings)
    : m_settings(settings)
    , m_actions(*this)
    , m_central(new CentralView(m_live, this))
    , m_stuck(new StuckPanel(m_live, this))
    , m_events(new EventsPanel(m_live, this))
    , m_feed(new PlotFeed(m_live.series(), m_central->plots(), this))
{
    setWindowTitle(tr("Idemscope"));
    setDockNestingEnabled(true);
    setCentralWidget(m_central);
    addFileActions();
    addViewActions();
    addKeyActions();
    addSimulatorActions();
    addHelpActions();
    m_simulator = new SimulatorPanel(m_simulation, m_actions, this);
    makeDocks();
    makeBars();
    connectModels();
    resize(QSize(1280, 800).boundedTo(screen()->availableSize() * 0.95));
    m_firstLayout = saveState(layoutVersion);
    restoreSettings();
    recolor();
    updateActions();
    updateStuck();
}

MainWindow::~MainWindow()
{
    m_live.setStore(nullptr);
}

QDockWidget *MainWindow::makeDock(const QString &name, const QString &title, QWidget *content)
{
    auto *dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(content);
    addDockWidget(Qt::RightDockWidgetArea, dock);
    return dock;
}

void MainWindow::makeDocks()
{
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    QDockWidget *simulator = makeDock(u"simulator"_s, tr("Simulator"), m_simulator);
    m_stuckDock = makeDock(u"stuck"_s, tr("Stuck keys"), m_stuck);
    QDockWidget *events = makeDock(u"events"_s, tr("Events"), m_events);
    tabifyDockWidget(m_stuckDock, events);
    m_stuckDock->raise();
    resizeDocks({simulator, m_stuckDock}, {dockWidth, dockWidth}, Qt::Horizontal);
    resizeDocks(
        {simulator, m_stuckDock}, {simulator->sizeHint().height(), 2 * simulator->sizeHint().height()}, Qt::Vertical);
    const std::pair<QDockWidget *, QString> docks[] = {
        {simulator, tr("&Simulator")}, {m_stuckDock, tr("S&tuck keys")}, {events, tr("&Events")}};
    bool first = true;
    for (const auto &[dock, text] : docks) {
        QAction *toggle = dock->toggleViewAction();
        toggle->setText(text);
        m_actions.adopt(u"view."_s + dock->objectName(), tr("&View"), *toggle, std::exchange(first, false));
    }
}

void MainWindow::makeBars()
{
    auto *tools = addToolBar(tr("Tools"));
    tools->setObjectName(u"tools"_s);
    tools->setMovable(false);
    tools->setIconSize(QSize(16, 16));
    tools->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_actions.fillToolBar(*tools,
        {u"simulator.run"_s, u"simulator.pause"_s, u"simulator.step"_s, u"simulator.restart"_s, {}, u"keys.pause"_s, {},
            u"keys.abandon"_s});
    addToolBarBreak();
    auto *band = addToolBar(tr("Environment"));
    band->setObjectName(u"environment"_s);
    band->setMovable(false);
    band->toggleViewAction()->setEnabled(false); // what one works on is always in sight
    m_environment = new QLabel(tr("LOCAL DEMO · a store inside this program, under simulated load"), band);
    m_environment->setAlignment(Qt::AlignCenter);
    m_environment->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_environment->setMargin(3);
    m_environment->setAutoFillBackground(true);
    m_environment->setBackgroundRole(QPalette::Window); // a toolbar's children have its roles
    m_environment->setForegroundRole(QPalette::WindowText);
    QFont strong = m_environment->font();
    strong.setBold(true);
    m_environment->setFont(strong);
    band->addWidget(m_environment);
    band->setContentsMargins(0, 0, 0, 0);
    band->layout()->setContentsMargins(0, 0, 0, 0);
    m_actions.fillMenuBar(*menuBar());
    statusBar()->addPermanentWidget(new StatusLine(m_live, m_simulation, this));
    statusBar()->setSizeGripEnabled(false);
}

void MainWindow::connectModels()
{
    connect(&m_simulation, &SimulationController::storeAboutToChange, this, [this] { m_live.setStore(nullptr); });
    connect(&m_simulation, &SimulationController::loaded, this, [this] {
        m_selected.reset();
        m_live.setStore(m_simulation.store());
        setWindowTitle(tr("%1 – Idemscope").arg(m_simulation.currentRun()->scenario().title));
        updateActions();
    });
    connect(&m_simulation, &SimulationController::stateChanged, this, &MainWindow::updateActions);
    connect(&m_simulation, &SimulationController::failed, this, &MainWindow::showProblem);
    connect(&m_live, &LiveStore::refreshed, this, &MainWindow::updateStuck);
    for (KeyView *view : {&m_central->keys(), &m_stuck->view()}) {
        connect(view, &KeyView::recordSelected, this, [this, view] { selectRecord(*view); });
        connect(view, &KeyView::menuRequested, this, [this](const QPoint &position) {
            QMenu menu(this);
            menu.addAction(&m_actions.action(u"keys.copy"_s));
            menu.addAction(&m_actions.action(u"keys.abandon"_s));
            menu.exec(position);
        });
        view->addAction(&m_actions.action(u"keys.copy"_s));
        view->addAction(&m_actions.action(u"keys.pause"_s));
    }
    m_events->view().addAction(&m_actions.action(u"keys.pause"_s));
    m_central->plots().addAction(&m_actions.action(u"keys.pause"_s));
    connect(m_stuck, &StuckPanel::abandonRequested, this, &MainWindow::openAbandon);
}

void MainWindow::selectRecord(const KeyView &view)
{
    if (auto record = view.selectedRecord()) {
        m_selected = *std::move(record);
    } else if (!m_central->keys().selectedRecord() && !m_stuck->view().selectedRecord()) {
        m_selected.reset();
    }
    updateActions();
}

void MainWindow::updateStuck()
{
    const std::uint64_t stuck = m_live.counters().stuck;
    const QString title = stuck == 0 ? tr("Stuck keys") : tr("Stuck keys (%1)").arg(stuck);
    if (m_stuckDock->windowTitle() != title) {
        m_stuckDock->setWindowTitle(title);
        m_stuckDock->toggleViewAction()->setText(tr("S&tuck keys"));
    }
}

AbandonDialog *MainWindow::openAbandon(const RecordView &record)
{
    if (m_live.store() == nullptr) {
        return nullptr;
    }
    auto *dialog = new AbandonDialog(*m_live.store(), record, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(&m_live, &LiveStore::storeAboutToChange, dialog, [dialog] { delete dialog; });
    connect(dialog, &AbandonDialog::abandoned, this, [this](const RecordView &abandoned) {
        m_live.refresh();
        statusBar()->showMessage(tr("Key %1 was abandoned.").arg(bytesText(abandoned.identity.key)), messageTime);
    });
    dialog->open();
    return dialog;
}

QDialog *MainWindow::openShortcuts()
{
    auto *dialog = new ShortcutDialog(m_actions, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    return dialog;
}

QDialog *MainWindow::openAbout()
{
    auto *dialog = new AboutDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    return dialog;
}

void MainWindow::showProblem(const QString &problem)
{
    auto *box = new QMessageBox(QMessageBox::Warning, tr("Idemscope"), problem, QMessageBox::Ok, this);
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void MainWindow::refresh()
{
    m_live.refresh();
    m_simulator->showTotals();
}

void MainWindow::raiseDock(const QString &name)
{
    if (auto *dock = findChild<QDockWidget *>(name)) {
        dock->show();
        dock->raise();
    }
}

void MainWindow::setTheme(ThemeChoice choice)
{
    m_theme = choice;
    applyTheme(choice);
    m_actions.action(u"view.theme."_s + toString(choice)).setChecked(true);
    if (m_settings != nullptr) {
        m_settings->setValue(u"theme"_s, toString(choice));
    }
}

void MainWindow::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && m_environment != nullptr) {
        recolor();
    }
    QMainWindow::changeEvent(event);
}

void MainWindow::recolor()
{
    m_actions.redrawIcons(palette());
    m_feed->recolor();
    const ThemeColors &colors = themeColors(themeOf(palette()));
    QPalette band = m_environment->palette();
    band.setColor(QPalette::Window, colors.environmentBand);
    band.setColor(QPalette::WindowText, colors.environmentText);
    m_environment->setPalette(band);
}

void MainWindow::resetLayout()
{
    restoreState(m_firstLayout, layoutVersion);
    m_central->show(CentralView::Page::Overview);
}

void MainWindow::restoreSettings()
{
    if (m_settings == nullptr) {
        return;
    }
    // Both refuse what they did not write; restoreGeometry also moves the window back onto a screen.
    restoreGeometry(m_settings->value(u"geometry"_s).toByteArray());
    if (!restoreState(m_settings->value(u"layout"_s).toByteArray(), layoutVersion)) {
        restoreState(m_firstLayout, layoutVersion);
    }
    m_central->keys().horizontalHeader()->restoreState(m_settings->value(u"columns"_s).toByteArray());
}

void MainWindow::saveSettings()
{
    if (m_settings != nullptr) {
        m_settings->setValue(u"geometry"_s, saveGeometry());
        m_settings->setValue(u"layout"_s, saveState(layoutVersion));
        m_settings->setValue(u"columns"_s, m_central->keys().horizontalHeader()->saveState());
    }
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    saveSettings();
    QMainWindow::closeEvent(event);
}

} // namespace idem::app
