// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/live_series.h"
#include "app/plot/live_plots.h"

namespace idem::app {

/// Shows a series in the plots, in the colours of the theme.
class PlotFeed final : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive it.
    PlotFeed(LiveSeries &series, LivePlots &plots, QObject *parent = nullptr);

    /// After a change of the theme.
    void recolor();

private:
    void append();
    void showForecast();

    LiveSeries &m_series;
    LivePlots &m_plots;
};

} // namespace idem::app
