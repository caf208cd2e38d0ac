// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/expiry_pane.h"

#include "app/plot/plot_theme.h"

#include <QLabel>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <array>

namespace idem::app {

namespace {

struct Unit
{
    double seconds;
    const char *label;
};
constexpr std::array units = {
    Unit {1, QT_TRANSLATE_NOOP("idem::app::ExpiryPane", "Seconds from now")},
    Unit {60, QT_TRANSLATE_NOOP("idem::app::ExpiryPane", "Minutes from now")},
    Unit {3600, QT_TRANSLATE_NOOP("idem::app::ExpiryPane", "Hours from now")},
    Unit {86400, QT_TRANSLATE_NOOP("idem::app::ExpiryPane", "Days from now")},
};

/// The largest unit of which the span has at least three.
const Unit &unitFor(double seconds)
{
    const auto fits = [&](const Unit &unit) { return seconds >= 3 * unit.seconds; };
    const auto it = std::find_if(units.rbegin(), units.rend(), fits);
    return it == units.rend() ? units.front() : *it;
}

} // namespace

ExpiryPane::ExpiryPane(QWidget *parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this))
    , m_bars(new QCPBars(m_plot->xAxis, m_plot->yAxis))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto *title = new QLabel(tr("Coming TTL expiry"), this);
    title->setContentsMargins(8, 2, 4, 2);
    layout->addWidget(title);
    layout->addWidget(m_plot, 1);
    prepare(*m_plot, tr("Keys expiring"));
    m_plot->xAxis->setLabel(tr(units.front().label));
    m_plot->setAccessibleName(tr("Keys that will expire, by time from now"));
}

void ExpiryPane::setBarColor(const QColor &color)
{
    QColor fill = color;
    fill.setAlphaF(0.8F);
    m_bars->setPen(QPen(color, 1));
    m_bars->setBrush(fill);
}

void ExpiryPane::setColors(const PlotColors &colors)
{
    paint(*m_plot, colors);
}

void ExpiryPane::setForecast(double stepSeconds, const QList<double> &counts)
{
    const double span = stepSeconds * static_cast<double>(counts.size());
    const Unit &unit = unitFor(span);
    const double step = stepSeconds / unit.seconds;
    QList<double> centres;
    for (qsizetype i = 0; i < counts.size(); ++i) {
        centres.push_back((static_cast<double>(i) + 0.5) * step);
    }
    const double highest = counts.isEmpty() ? 0 : *std::max_element(counts.begin(), counts.end());
    m_bars->setWidth(step * 0.8);
    m_bars->setData(centres, counts, true);
    m_plot->xAxis->setLabel(tr(unit.label));
    m_plot->xAxis->setRange(0, std::max(span / unit.seconds, step));
    m_plot->yAxis->setRange(0, std::max(highest * 1.1, 4.0));
}

void ExpiryPane::clear()
{
    m_bars->data()->clear();
}

void ExpiryPane::replot(bool atOnce)
{
    m_plot->replot(atOnce ? QCustomPlot::rpImmediateRefresh : QCustomPlot::rpQueuedReplot);
}

} // namespace idem::app
