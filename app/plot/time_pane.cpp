// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/time_pane.h"

#include "app/plot/legend_bar.h"
#include "app/plot/plot_theme.h"

#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>

namespace idem::app {

using namespace Qt::StringLiterals;

namespace {

QSharedPointer<QCPAxisTickerTime> timeTicker()
{
    QSharedPointer<QCPAxisTickerTime> ticker(new QCPAxisTickerTime);
    ticker->setTimeFormat(u"%m:%s"_s);
    ticker->setFieldWidth(QCPAxisTickerTime::tuMinutes, 2);
    ticker->setTickCount(6);
    return ticker;
}

} // namespace

TimePane::TimePane(Style style, const QString &valueLabel, QWidget *parent)
    : QWidget(parent)
    , m_style(style)
    , m_legend(new LegendBar(this))
    , m_plot(new QCustomPlot(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_legend);
    layout->addWidget(m_plot, 1);

    prepare(*m_plot, valueLabel);
    m_plot->xAxis->setTicker(timeTicker());
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->axisRect()->setRangeDrag(Qt::Horizontal);
    m_plot->axisRect()->setRangeZoom(Qt::Horizontal);
    m_plot->setAccessibleName(valueLabel);
    connect(m_legend, &LegendBar::shownChanged, this, &TimePane::rebuild);
    connect(m_plot->xAxis, qOverload<const QCPRange &>(&QCPAxis::rangeChanged), this, [this](const QCPRange &range) {
        if (!m_moving) {
            Q_EMIT rangeChosen(range.lower, range.upper);
        }
    });
}

void TimePane::setLines(const QList<PlotLine> &lines)
{
    m_lines = lines;
    m_legend->setLines(lines);
    m_values.resize(lines.size());
    while (m_plot->graphCount() < lines.size()) {
        m_plot->addGraph()->setAdaptiveSampling(true);
    }
    rebuild();
}

void TimePane::setColors(const PlotColors &colors)
{
    paint(*m_plot, colors);
}

void TimePane::setTimeLabel(const QString &label)
{
    m_plot->xAxis->setLabel(label);
    m_plot->xAxis->setTickLabels(!label.isEmpty());
}

void TimePane::append(double seconds, const QList<double> &values)
{
    Q_ASSERT(values.size() == m_lines.size());
    m_times.push_back(seconds);
    for (qsizetype i = 0; i < values.size(); ++i) {
        m_values[i].push_back(values[i]);
    }
    if (m_times.size() > maxPoints) {
        constexpr qsizetype surplus = maxPoints / 10;
        m_times.remove(0, surplus);
        for (QList<double> &line : m_values) {
            line.remove(0, surplus);
        }
        rebuild();
    } else {
        addPoint(m_times.size() - 1);
    }
}

void TimePane::clear()
{
    m_times.clear();
    for (QList<double> &line : m_values) {
        line.clear();
    }
    rebuild();
}

void TimePane::addPoint(qsizetype point)
{
    double sum = 0;
    for (int i = 0; i < m_plot->graphCount(); ++i) {
        if (!m_legend->isShown(i)) {
            continue;
        }
        const double value = m_values[i][point];
        sum += value;
        m_plot->graph(i)->addData(m_times[point], m_style == Style::Stack ? sum : value);
    }
}

void TimePane::rebuild()
{
    QCPGraph *below = nullptr;
    for (int i = 0; i < m_plot->graphCount(); ++i) {
        QCPGraph *graph = m_plot->graph(i);
        const bool shown = m_legend->isShown(i);
        graph->data()->clear();
        graph->setVisible(shown);
        graph->setPen(QPen(m_lines[i].color, m_style == Style::Stack ? 1.0 : 1.8));
        if (m_style == Style::Stack && shown) {
            QColor fill = m_lines[i].color;
            fill.setAlphaF(0.75F);
            graph->setBrush(fill);
            graph->setChannelFillGraph(below);
            below = graph;
        }
    }
    for (qsizetype point = 0; point < m_times.size(); ++point) {
        addPoint(point);
    }
    fitValues();
    replot();
}

double TimePane::peak(double lower, double upper) const
{
    // One point beyond each end: the lines run on to it.
    auto first = std::lower_bound(m_times.begin(), m_times.end(), lower) - m_times.begin();
    auto last = std::upper_bound(m_times.begin(), m_times.end(), upper) - m_times.begin();
    first = std::max<std::ptrdiff_t>(first - 1, 0);
    last = std::min<std::ptrdiff_t>(last + 1, m_times.size());
    double highest = 0;
    for (auto point = first; point < last; ++point) {
        double sum = 0;
        for (int i = 0; i < m_values.size(); ++i) {
            const double value = m_legend->isShown(i) ? m_values[i][point] : 0;
            sum = m_style == Style::Stack ? sum + value : std::max(sum, value);
        }
        highest = std::max(highest, sum);
    }
    return highest;
}

void TimePane::fitValues()
{
    const QCPRange time = m_plot->xAxis->range();
    m_plot->yAxis->setRange(0, std::max(peak(time.lower, time.upper) * 1.1, 4.0));
}

void TimePane::showRange(double lower, double upper)
{
    m_moving = true;
    m_plot->xAxis->setRange(lower, upper);
    m_moving = false;
    fitValues();
}

void TimePane::replot(bool atOnce)
{
    m_plot->replot(atOnce ? QCustomPlot::rpImmediateRefresh : QCustomPlot::rpQueuedReplot);
}

} // namespace idem::app
