// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace idem::app {

class ActionTable;

/// Every action that has a shortcut, and the keys of the plots and tables.
class ShortcutDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit ShortcutDialog(const ActionTable &actions, QWidget *parent = nullptr);
};

/// The program, its version and its licences.
class AboutDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit AboutDialog(QWidget *parent = nullptr);

    /// What a report of a fault should carry: the program, Qt, the system.
    [[nodiscard]] static QString versionInfo();
};

} // namespace idem::app
