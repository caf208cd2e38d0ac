// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/glyphs.h"

#include <QAction>
#include <QKeySequence>

#include <functional>
#include <optional>
#include <vector>

class QMenu;
class QMenuBar;
class QToolBar;

namespace idem::app {

/// One thing that a user can do.
struct ActionSpec
{
    QString id {}; ///< stable, for example `simulator.run`
    QString menu {}; ///< the menu's title
    QString text {};
    QString toolTip {}; ///< what it does, a phrase
    QList<QKeySequence> shortcuts {};
    std::optional<Glyph> glyph {};
    bool separated = false; ///< a line above it
    bool checkable = false;
    bool viewsOnly = false; ///< its shortcut works in the widgets that it is added to only
    QString group {}; ///< checkable actions of one group exclude each other
    std::function<void(bool checked)> slot {};
};

/// The one list of actions: it feeds the menus, the toolbar and the sheet of shortcuts.
class ActionTable
{
public:
    explicit ActionTable(QWidget &window);

    QAction &add(const ActionSpec &spec);
    /// Takes in an action that a widget made, a dock's for example.
    void adopt(const QString &id, const QString &menu, QAction &action, bool separated = false);

    /// Precondition: the id was added.
    [[nodiscard]] QAction &action(const QString &id) const;

    void fillMenuBar(QMenuBar &bar) const;
    /// An empty id stands for a line.
    void fillToolBar(QToolBar &bar, const QStringList &ids) const;
    /// After a change of the palette.
    void redrawIcons(const QPalette &palette);

    struct Entry
    {
        QString id {};
        QString menu {};
        QAction *action = nullptr;
        std::optional<Glyph> glyph {};
        bool separated = false;
    };
    /// In the order of the menus.
    [[nodiscard]] const std::vector<Entry> &entries() const { return m_entries; }

private:
    QWidget &m_window;
    std::vector<Entry> m_entries;
};

} // namespace idem::app
