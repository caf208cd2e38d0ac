// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace idem::app {

/// Paints a state as sign, word and colour; a stuck one on a band. The row's Visual comes from the role given.
class StateDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    explicit StateDelegate(int visualRole, QObject *parent = nullptr);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    int m_visualRole;
};

/// Paints remaining time as text over a bar.
class TimeLeftDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace idem::app
