// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/plot/plot_style.h"

#include <QList>
#include <QWidget>

class QCPBars;
class QCustomPlot;

namespace idem::app {

/// How many records will expire in each step from now on, as bars over seconds (or minutes, hours, days) from now.
class ExpiryPane final : public QWidget
{
    Q_OBJECT

public:
    explicit ExpiryPane(QWidget *parent = nullptr);

    void setBarColor(const QColor &color);
    void setColors(const PlotColors &colors);
    /// `stepSeconds` > 0: the width of each bar.
    void setForecast(double stepSeconds, const QList<double> &counts);
    void clear();
    void replot(bool atOnce = false);

private:
    QCustomPlot *m_plot;
    QCPBars *m_bars;
};

} // namespace idem::app
