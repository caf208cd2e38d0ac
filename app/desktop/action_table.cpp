// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/action_table.h"

#include <QActionGroup>
#include <QMenuBar>
#include <QToolBar>

#include <algorithm>

namespace idem::app {

ActionTable::ActionTable(QWidget &window)
    : m_window(window)
{
}

QAction &ActionTable::add(const ActionSpec &spec)
{
    auto *action = new QAction(spec.text, &m_window);
    action->setObjectName(spec.id);
    action->setShortcuts(spec.shortcuts);
    action->setCheckable(spec.checkable);
    if (spec.viewsOnly) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    }
    QString toolTip = spec.toolTip;
    if (!spec.shortcuts.isEmpty()) {
        toolTip += QStringLiteral(" (%1)").arg(spec.shortcuts.first().toString(QKeySequence::NativeText));
    }
    action->setToolTip(toolTip);
    action->setStatusTip(spec.toolTip);
    if (!spec.group.isEmpty()) {
        auto *group = m_window.findChild<QActionGroup *>(spec.group);
        if (group == nullptr) {
            group = new QActionGroup(&m_window);
            group->setObjectName(spec.group);
        }
        group->addAction(action);
    }
    QObject::connect(action, &QAction::triggered, &m_window, spec.slot);
    m_entries.push_back({spec.id, spec.menu, action, spec.glyph, spec.separated});
    return *action;
}

void ActionTable::adopt(const QString &id, const QString &menu, QAction &action, bool separated)
{
    m_entries.push_back({.id = id, .menu = menu, .action = &action, .separated = separated});
}

QAction &ActionTable::action(const QString &id) const
{
    const auto it =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &entry) { return entry.id == id; });
    Q_ASSERT(it != m_entries.end());
    return *it->action;
}

void ActionTable::fillMenuBar(QMenuBar &bar) const
{
    std::vector<std::pair<QString, QMenu *>> menus;
    for (const Entry &entry : m_entries) {
        auto it = std::find_if(menus.begin(), menus.end(), [&](const auto &menu) { return menu.first == entry.menu; });
        if (it == menus.end()) {
            menus.emplace_back(entry.menu, bar.addMenu(entry.menu));
            it = std::prev(menus.end());
        }
        if (entry.separated) {
            it->second->addSeparator();
        }
        it->second->addAction(entry.action);
    }
}

void ActionTable::fillToolBar(QToolBar &bar, const QStringList &ids) const
{
    for (const QString &id : ids) {
        if (id.isEmpty()) {
            bar.addSeparator();
        } else {
            bar.addAction(&action(id));
        }
    }
}

void ActionTable::redrawIcons(const QPalette &palette)
{
    for (const Entry &entry : m_entries) {
        if (entry.glyph) {
            entry.action->setIcon(glyphIcon(*entry.glyph, palette));
        }
    }
}

} // namespace idem::app
