// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/legend_bar.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace idem::app {

namespace {

QPixmap swatch(const QColor &color, bool filled, qreal ratio)
{
    constexpr int side = 12;
    QPixmap pixmap(QSize(side, side) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(filled ? QBrush(color) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(QRectF(1, 1, side - 2, side - 2), 2, 2);
    return pixmap;
}

} // namespace

LegendBar::LegendBar(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this))
{
    m_layout->setContentsMargins(4, 0, 4, 0);
    m_layout->setSpacing(0);
    m_layout->addStretch();
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    setFont(small);
}

void LegendBar::setLines(const QList<PlotLine> &lines)
{
    while (m_buttons.size() > lines.size()) {
        delete m_buttons.takeLast();
    }
    while (m_buttons.size() < lines.size()) {
        auto *button = new QToolButton(this);
        button->setCheckable(true);
        button->setChecked(true);
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIconSize(QSize(12, 12));
        button->setFocusPolicy(Qt::TabFocus);
        // The sign alone tells shown from hidden; a pressed frame round each entry would only be noise.
        button->setStyleSheet(QStringLiteral("QToolButton { border: 1px solid transparent; padding: 1px 2px; }"
                                             "QToolButton:focus { border-color: palette(text); }"));
        connect(button, &QToolButton::toggled, this, &LegendBar::shownChanged);
        m_layout->insertWidget(static_cast<int>(m_buttons.size()), button);
        m_buttons.push_back(button);
    }
    for (qsizetype i = 0; i < lines.size(); ++i) {
        QToolButton *button = m_buttons[i];
        QIcon icon;
        for (const qreal ratio : {1.0, 2.0}) {
            icon.addPixmap(swatch(lines[i].color, true, ratio), QIcon::Normal, QIcon::On);
            icon.addPixmap(swatch(lines[i].color, false, ratio), QIcon::Normal, QIcon::Off);
        }
        button->setIcon(icon);
        button->setText(lines[i].name);
        button->setToolTip(tr("Show or hide “%1”").arg(lines[i].name));
        button->setAccessibleName(tr("%1 in the plot").arg(lines[i].name));
    }
}

bool LegendBar::isShown(int line) const
{
    return line >= 0 && line < m_buttons.size() && m_buttons[line]->isChecked();
}

} // namespace idem::app
