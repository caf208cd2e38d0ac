// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/plot_theme.h"

#include <qcustomplot.h>

namespace idem::app {

using namespace Qt::StringLiterals;

namespace {
constexpr int leftMargin = 80; // the same everywhere, so that axes align whatever their numbers
} // namespace

void prepare(QCustomPlot &plot, const QString &valueLabel)
{
    QCPAxisRect *area = plot.axisRect();
    area->setAutoMargins(QCP::msBottom | QCP::msTop);
    area->setMargins(QMargins(leftMargin, 0, 14, 0));
    area->setMinimumMargins(QMargins(0, 6, 0, 6));
    area->setupFullAxesBox(false);
    for (QCPAxis *axis : {plot.xAxis2, plot.yAxis2}) {
        axis->setVisible(false);
    }
    for (QCPAxis *axis : {plot.xAxis, plot.yAxis}) {
        axis->setTickLength(0, 3);
        axis->setSubTicks(false);
        axis->setLabelFont(plot.font());
        axis->setTickLabelFont(plot.font());
        axis->setNumberFormat(u"g"_s);
        axis->setNumberPrecision(6);
        axis->setLabelPadding(4);
    }
    plot.yAxis->ticker()->setTickCount(4);
    plot.yAxis->setLabel(valueLabel);
    plot.setMinimumSize(120, 70);
    plot.setFocusPolicy(Qt::ClickFocus); // it leaves the keys to the panes' owner
}

void paint(QCustomPlot &plot, const PlotColors &colors)
{
    plot.setBackground(colors.background);
    for (QCPAxis *axis : {plot.xAxis, plot.yAxis}) {
        axis->setBasePen(QPen(colors.grid, 1));
        axis->setTickPen(QPen(colors.grid, 1));
        axis->setLabelColor(colors.text);
        axis->setTickLabelColor(colors.text);
        QColor faint = colors.grid;
        faint.setAlphaF(0.6F);
        axis->grid()->setPen(QPen(faint, 1, Qt::DotLine));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    plot.replot(QCustomPlot::rpQueuedReplot);
}

} // namespace idem::app
