// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/live_series.h"

namespace idem::app {

void LiveSeries::sample(Duration at, const Counters &counters)
{
    if (!m_recent.empty() && at <= m_recent.back().at) {
        return;
    }
    Totals totals {.at = at};
    for (std::size_t i = 0; i < plottedOutcomes.size(); ++i) {
        totals.outcomes[i] = counters.outcome(plottedOutcomes[i]);
    }
    if (m_recent.empty()) {
        m_recent.push_back(totals);
    }
    // The base of the rate is the latest sample that is at least a window old, or the first one.
    while (m_recent.size() > 1 && m_recent[1].at <= at - rateWindow) {
        m_recent.pop_front();
    }
    const Totals &base = m_recent.front();
    const double seconds = std::chrono::duration<double>(at - base.at).count();
    Sample sample {.at = at};
    for (std::size_t i = 0; i < plottedOutcomes.size(); ++i) {
        const auto grown = static_cast<double>(totals.outcomes[i] - base.outcomes[i]);
        sample.rates[i] = seconds > 0 ? grown / seconds : 0;
    }
    for (std::size_t i = 0; i < plottedStates.size(); ++i) {
        sample.keys[i] = static_cast<double>(counters.state(plottedStates[i]));
    }
    m_recent.push_back(totals);
    m_samples.push_back(sample);
    if (m_samples.size() > maxSamples) {
        m_samples.pop_front();
    }
    Q_EMIT sampled();
}

void LiveSeries::setForecast(Forecast forecast)
{
    m_forecast = std::move(forecast);
    Q_EMIT forecastChanged();
}

void LiveSeries::clear()
{
    m_samples.clear();
    m_recent.clear();
    m_forecast = {};
    Q_EMIT cleared();
}

} // namespace idem::app
