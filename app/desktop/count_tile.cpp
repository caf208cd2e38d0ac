// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/count_tile.h"

#include "app/desktop/glyphs.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>

namespace idem::app {

CountTile::CountTile(Visual visual, const QString &word, QWidget *parent)
    : QWidget(parent)
    , m_visual(visual)
    , m_word(word)
    , m_value(new QLabel(QStringLiteral("0"), this))
    , m_sign(new QLabel(this))
    , m_text(new QLabel(word, this))
{
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(6, 2, 6, 2);
    layout->setHorizontalSpacing(5);
    layout->setVerticalSpacing(0);
    QFont font = m_value->font();
    font.setPointSizeF(font.pointSizeF() * 1.7);
    font.setBold(true);
    m_value->setFont(font);
    layout->addWidget(m_value, 0, 0, 1, 2);
    layout->addWidget(m_sign, 1, 0);
    layout->addWidget(m_text, 1, 1);
    layout->setColumnStretch(1, 1);
    recolor();
    setValue(0);
}

void CountTile::setValue(std::uint64_t value)
{
    const QString number = QLocale().toString(qulonglong(value));
    if (m_value->text() != number) {
        m_value->setText(number);
    }
    setAccessibleName(QStringLiteral("%1: %2").arg(m_word, number));
}

void CountTile::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange) {
        recolor();
    }
    QWidget::changeEvent(event);
}

void CountTile::recolor()
{
    const Theme theme = themeOf(palette());
    m_sign->setPixmap(shapePixmap(shapeOf(m_visual), markColor(m_visual, theme), 13, devicePixelRatioF()));
    QPalette colors = m_text->palette();
    if (const QColor color = textColor(m_visual, theme); colors.color(QPalette::WindowText) != color) {
        colors.setColor(QPalette::WindowText, color);
        m_text->setPalette(colors);
    }
}

} // namespace idem::app
