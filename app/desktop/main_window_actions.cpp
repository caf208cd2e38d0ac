// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window's actions; everything else of it is in main_window.cpp.
#include "app/desktop/central_view.h"
#include "app/desktop/main_window.h"
#include "app/models/abandon_preview.h"
#include "app/models/record_text.h"
#include "app/plot/live_plots.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>

namespace idem::app {

using namespace Qt::StringLiterals;

void MainWindow::addFileActions()
{
    m_actions.add({.id = u"file.open"_s,
        .menu = tr("&File"),
        .text = tr("&Open scenario…"),
        .toolTip = tr("Open a scenario file"),
        .shortcuts = {QKeySequence(QKeySequence::Open)},
        .glyph = Glyph::Open,
        .slot = [this](bool) { openScenarioFile(); }});
    m_actions.add({.id = u"file.quit"_s,
        .menu = tr("&File"),
        .text = tr("&Quit"),
        .toolTip = tr("Close Idemscope"),
        .shortcuts = {QKeySequence(tr("Ctrl+Q"))},
        .separated = true,
        .slot = [this](bool) { close(); }});
}

void MainWindow::addViewActions()
{
    const QString menu = tr("&View");
    const std::tuple<const char *, QString, QString, CentralView::Page> pages[] = {
        {"overview", tr("&Overview"), tr("Ctrl+1"), CentralView::Page::Overview},
        {"keys", tr("&Keys only"), tr("Ctrl+2"), CentralView::Page::Keys},
        {"plots", tr("&Plots only"), tr("Ctrl+3"), CentralView::Page::Plots},
    };
    for (const auto &[id, text, keys, page] : pages) {
        m_actions.add({.id = u"view."_s + QLatin1StringView(id),
            .menu = menu,
            .text = text,
            .toolTip = tr("Show it in the middle of the window"),
            .shortcuts = {QKeySequence(keys)},
            .slot = [this, shown = page](bool) { m_central->show(shown); }});
    }
    m_actions.add({.id = u"view.follow"_s,
        .menu = menu,
        .text = tr("&Follow the newest time"),
        .toolTip = tr("Undo dragging and zooming in the plots"),
        .shortcuts = {QKeySequence(tr("Ctrl+Home"))},
        .separated = true,
        .slot = [this](bool) { m_central->plots().followNow(); }});
    const std::pair<ThemeChoice, QString> themes[] = {{ThemeChoice::System, tr("S&ystem theme")},
        {ThemeChoice::Light, tr("&Light theme")}, {ThemeChoice::Dark, tr("&Dark theme")}};
    for (const auto &[choice, text] : themes) {
        m_actions.add({.id = u"view.theme."_s + toString(choice),
            .menu = menu,
            .text = text,
            .toolTip = tr("Change the colours of the window"),
            .separated = choice == ThemeChoice::System,
            .checkable = true,
            .group = u"themes"_s,
            .slot = [this, chosen = choice](bool) { setTheme(chosen); }});
    }
    m_actions.action(u"view.theme.system"_s).setChecked(true);
    m_actions.add({.id = u"view.reset"_s,
        .menu = menu,
        .text = tr("&Reset layout"),
        .toolTip = tr("Put every part of the window back to where it was at first"),
        .shortcuts = {QKeySequence(tr("Ctrl+0"))},
        .separated = true,
        .slot = [this](bool) { resetLayout(); }});
}

void MainWindow::addKeyActions()
{
    const QString menu = tr("&Keys");
    QAction &pause = m_actions.add({.id = u"keys.pause"_s,
        .menu = menu,
        .text = tr("&Pause views"),
        .toolTip = tr("Let keys and events stand still while the store goes on"),
        .shortcuts = {QKeySequence(Qt::Key_Space)},
        .glyph = Glyph::Freeze,
        .checkable = true,
        .viewsOnly = true,
        .slot = [this](bool checked) { m_live.setPaused(checked); }});
    connect(&m_live, &LiveStore::pausedChanged, &pause, &QAction::setChecked);
    m_actions.add({.id = u"keys.copy"_s,
        .menu = menu,
        .text = tr("&Copy key"),
        .toolTip = tr("Copy the selected key"),
        .shortcuts = {QKeySequence(QKeySequence::Copy)},
        .viewsOnly = true,
        .slot = [this](bool) { copyKey(); }});
    // No shortcut, so that no slip of a finger frees a key.
    m_actions.add({.id = u"keys.abandon"_s,
        .menu = menu,
        .text = tr("&Abandon key…"),
        .toolTip = tr("Take the selected key from its owner"),
        .glyph = Glyph::Abandon,
        .separated = true,
        .slot = [this](bool) { abandonSelected(); }});
}

void MainWindow::addSimulatorActions()
{
    const QString menu = tr("&Simulator");
    m_actions.add({.id = u"simulator.run"_s,
        .menu = menu,
        .text = tr("&Run"),
        .toolTip = tr("Let virtual time go"),
        .shortcuts = {QKeySequence(Qt::Key_F9)},
        .glyph = Glyph::Run,
        .slot = [this](bool) { m_simulation.run(); }});
    m_actions.add({.id = u"simulator.pause"_s,
        .menu = menu,
        .text = tr("&Pause"),
        .toolTip = tr("Stop virtual time"),
        .shortcuts = {QKeySequence(Qt::Key_F8)},
        .glyph = Glyph::Pause,
        .slot = [this](bool) { m_simulation.pause(); }});
    m_actions.add({.id = u"simulator.step"_s,
        .menu = menu,
        .text = tr("&Step"),
        .toolTip = tr("Pause, and handle one event"),
        .shortcuts = {QKeySequence(Qt::Key_F10)},
        .glyph = Glyph::Step,
        .slot = [this](bool) { m_simulation.step(); }});
    m_actions.add({.id = u"simulator.restart"_s,
        .menu = menu,
        .text = tr("R&estart"),
        .toolTip = tr("The same scenario and seed from the start"),
        .shortcuts = {QKeySequence(tr("Shift+F9"))},
        .glyph = Glyph::Restart,
        .slot = [this](bool) {
            if (const sim::Run *run = m_simulation.currentRun()) {
                m_simulation.restart(run->seed());
            }
        }});
}

void MainWindow::addHelpActions()
{
    const QString menu = tr("&Help");
    m_actions.add({.id = u"help.shortcuts"_s,
        .menu = menu,
        .text = tr("&Keyboard shortcuts"),
        .toolTip = tr("Everything that a key does"),
        .shortcuts = {QKeySequence(tr("Ctrl+/"))},
        .slot = [this](bool) { openShortcuts(); }});
    m_actions.add({.id = u"help.about"_s,
        .menu = menu,
        .text = tr("&About Idemscope"),
        .toolTip = tr("Version and licences"),
        .separated = true,
        .slot = [this](bool) { openAbout(); }});
}

void MainWindow::openScenarioFile()
{
    auto *dialog = new QFileDialog(this, tr("Open scenario"), {}, tr("Scenarios (*.json);;All files (*)"));
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        if (m_simulation.open(path)) {
            m_simulation.run();
        }
    });
    dialog->open();
}

void MainWindow::copyKey()
{
    if (m_selected) {
        QGuiApplication::clipboard()->setText(bytesText(m_selected->identity.key));
    }
}

void MainWindow::abandonSelected()
{
    if (!m_selected || m_live.store() == nullptr) {
        return;
    }
    // As it is now, not as it was when it was selected.
    if (const auto record = m_live.store()->find(m_selected->identity)) {
        openAbandon(*record);
    } else {
        showProblem(tr("The key %1 is no longer in the store.").arg(bytesText(m_selected->identity.key)));
    }
}

void MainWindow::updateActions()
{
    const bool loaded = m_simulation.currentRun() != nullptr;
    m_actions.action(u"simulator.run"_s).setEnabled(loaded && !m_simulation.isRunning());
    m_actions.action(u"simulator.pause"_s).setEnabled(m_simulation.isRunning());
    m_actions.action(u"simulator.step"_s).setEnabled(loaded);
    m_actions.action(u"simulator.restart"_s).setEnabled(loaded);
    m_actions.action(u"keys.copy"_s).setEnabled(m_selected.has_value());
    QAction &abandon = m_actions.action(u"keys.abandon"_s);
    abandon.setEnabled(m_selected.has_value());
    abandon.setToolTip(m_selected ? tr("Take the selected key from its owner") : tr("Select a key first"));
}

} // namespace idem::app
