// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/plot/plot_style.h"

#include <QList>
#include <QWidget>

class QHBoxLayout;
class QToolButton;

namespace idem::app {

/// A legend whose entries are buttons: a click, or Space, hides a line and shows it again.
class LegendBar final : public QWidget
{
    Q_OBJECT

public:
    explicit LegendBar(QWidget *parent = nullptr);

    /// The lines in their order; what was hidden stays hidden when only names or colours change.
    void setLines(const QList<PlotLine> &lines);
    [[nodiscard]] bool isShown(int line) const;

Q_SIGNALS:
    void shownChanged();

private:
    QHBoxLayout *m_layout;
    QList<QToolButton *> m_buttons;
};

} // namespace idem::app
