// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/plot/plot_style.h"

#include <QList>
#include <QWidget>

class QCustomPlot;

namespace idem::app {

class LegendBar;

/// Lines, or stacked areas, over time, with a legend above. The oldest points go beyond `maxPoints`.
class TimePane final : public QWidget
{
    Q_OBJECT

public:
    enum class Style : std::uint8_t { Lines, Stack };
    static constexpr qsizetype maxPoints = 20'000;

    TimePane(Style style, const QString &valueLabel, QWidget *parent = nullptr);

    void setLines(const QList<PlotLine> &lines);
    void setColors(const PlotColors &colors);
    /// An empty text leaves the axis without label and numbers, for a pane whose axis another one below shows.
    void setTimeLabel(const QString &label);

    /// A value for each line; times ascend.
    void append(double seconds, const QList<double> &values);
    void clear();
    /// Shows a part of the time, with the values' axis fitted to it.
    void showRange(double lower, double upper);
    /// Draws at the next turn of the event loop, or at once.
    void replot(bool atOnce = false);

Q_SIGNALS:
    /// The user dragged or zoomed.
    void rangeChosen(double lower, double upper);

private:
    void rebuild();
    void addPoint(qsizetype point);
    void fitValues();
    [[nodiscard]] double peak(double lower, double upper) const;

    Style m_style;
    LegendBar *m_legend;
    QCustomPlot *m_plot;
    QList<PlotLine> m_lines;
    QList<double> m_times;
    QList<QList<double>> m_values; ///< by line
    bool m_moving = false; ///< the range is being set from here, not by the user
};

} // namespace idem::app
