// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plot_feed.h"

#include "app/desktop/theme.h"
#include "app/models/record_text.h"

#include <QPalette>

namespace idem::app {

namespace {

QList<PlotLine> linesOf(std::initializer_list<Visual> visuals, Theme theme)
{
    QList<PlotLine> lines;
    for (const Visual visual : visuals) {
        lines.push_back({.name = wordOf(visual), .color = markColor(visual, theme)});
    }
    return lines;
}

double secondsOf(Duration span)
{
    return std::chrono::duration<double>(span).count();
}

} // namespace

PlotFeed::PlotFeed(LiveSeries &series, LivePlots &plots, QObject *parent)
    : QObject(parent)
    , m_series(series)
    , m_plots(plots)
{
    recolor();
    for (const LiveSeries::Sample &sample : series.samples()) {
        m_plots.append(
            secondsOf(sample.at), {sample.rates.begin(), sample.rates.end()}, {sample.keys.begin(), sample.keys.end()});
    }
    connect(&series, &LiveSeries::sampled, this, &PlotFeed::append);
    connect(&series, &LiveSeries::forecastChanged, this, &PlotFeed::showForecast);
    connect(&series, &LiveSeries::cleared, &plots, &LivePlots::clear);
}

void PlotFeed::recolor()
{
    const Theme theme = currentTheme();
    const QPalette palette = makePalette(theme);
    m_plots.setOutcomes(linesOf({Visual::Fresh, Visual::Replay, Visual::Conflict, Visual::Mismatch}, theme));
    QList<PlotLine> states;
    for (const State state : LiveSeries::plottedStates) {
        states += linesOf({visualOf(state)}, theme);
    }
    m_plots.setStates(states);
    m_plots.setExpiryColor(markColor(Visual::Expired, theme));
    m_plots.setColors({.background = palette.color(QPalette::Base),
        .text = palette.color(QPalette::Text),
        .grid = themeColors(theme).muted});
}

void PlotFeed::append()
{
    const LiveSeries::Sample &sample = m_series.samples().back();
    m_plots.append(
        secondsOf(sample.at), {sample.rates.begin(), sample.rates.end()}, {sample.keys.begin(), sample.keys.end()});
}

void PlotFeed::showForecast()
{
    const LiveSeries::Forecast &forecast = m_series.forecast();
    QList<double> counts;
    for (const std::uint64_t count : forecast.expiring) {
        counts.push_back(static_cast<double>(count));
    }
    m_plots.setForecast(secondsOf(forecast.step), counts);
}

} // namespace idem::app
