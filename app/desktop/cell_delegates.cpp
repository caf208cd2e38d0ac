// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/cell_delegates.h"

#include "app/desktop/glyphs.h"
#include "app/models/key_table_model.h"

#include <QApplication>
#include <QPainter>

namespace idem::app {

namespace {

constexpr int margin = 6;
constexpr int sign = 13;
constexpr int barHeight = 3;

void paintBackground(QPainter *painter, const QStyleOptionViewItem &option)
{
    QStyleOptionViewItem empty = option;
    empty.text.clear();
    empty.icon = {};
    const QStyle *style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &empty, painter, option.widget);
}

void paintText(QPainter *painter, const QStyleOptionViewItem &option, const QRect &rect, const QColor &color)
{
    painter->setPen(color);
    painter->setFont(option.font);
    const QString text = option.fontMetrics.elidedText(option.text, Qt::ElideRight, rect.width());
    painter->drawText(rect, static_cast<int>(Qt::AlignLeft) | static_cast<int>(Qt::AlignVCenter), text);
}

} // namespace

StateDelegate::StateDelegate(int visualRole, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_visualRole(visualRole)
{
}

void StateDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const auto visual = static_cast<Visual>(index.data(m_visualRole).toInt());
    const Theme theme = themeOf(cell.palette);
    painter->save();
    paintBackground(painter, cell);
    if (visual == Visual::Stuck) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(themeColors(theme).stuckBand);
        painter->drawRoundedRect(QRectF(cell.rect).adjusted(2, 2, -2, -2), 4, 4);
    }
    const QRectF square(cell.rect.left() + margin, cell.rect.center().y() - sign / 2.0 + 0.5, sign, sign);
    paintShape(*painter, square, shapeOf(visual), markColor(visual, theme));
    paintText(painter, cell, cell.rect.adjusted(margin + sign + 5, 0, -3, 0), textColor(visual, theme));
    painter->restore();
}

QSize StateDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return QStyledItemDelegate::sizeHint(option, index) + QSize(margin + sign + 5, 0);
}

void TimeLeftDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const Theme theme = themeOf(cell.palette);
    const auto visual = static_cast<Visual>(index.data(KeyTableModel::VisualRole).toInt());
    const QVariant fraction = index.data(KeyTableModel::FractionRole);
    painter->save();
    paintBackground(painter, cell);
    const QRect inner = cell.rect.adjusted(margin, 0, -margin, 0);
    const bool stuck = visual == Visual::Stuck;
    paintText(painter, cell, fraction.isValid() ? inner.adjusted(0, 0, 0, -barHeight) : inner,
        stuck ? textColor(visual, theme) : cell.palette.color(QPalette::Text));
    if (fraction.isValid()) {
        QRect bar(inner.left(), inner.bottom() - barHeight - 1, inner.width(), barHeight);
        painter->fillRect(bar, themeColors(theme).border);
        bar.setWidth(static_cast<int>(bar.width() * fraction.toDouble()));
        painter->fillRect(bar, markColor(visual, theme));
    }
    painter->restore();
}

} // namespace idem::app
