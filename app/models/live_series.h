// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/event.h"

#include <QObject>

#include <array>
#include <deque>
#include <vector>

namespace idem::app {

/// What the live plots show: a store's counters over its own time, and its coming expiry. Bounded: the oldest samples
/// go first. Thread-safety: the GUI thread.
class LiveSeries final : public QObject
{
    Q_OBJECT

public:
    /// The outcomes whose rates are plotted.
    static constexpr std::array plottedOutcomes = {
        OutcomeKind::Fresh, OutcomeKind::Replay, OutcomeKind::InProgress, OutcomeKind::Mismatch};
    /// The states whose records are counted, from the bottom of the stack.
    static constexpr std::array plottedStates = {State::Completed, State::InProgress, State::LeaseExpired,
        State::OutcomeUnknown, State::Failed, State::Abandoned};
    /// An hour at five samples a second.
    static constexpr std::size_t maxSamples = 18'000;
    /// A rate is taken over at least this long, so that slow motion does not turn it into needles.
    static constexpr Duration rateWindow = std::chrono::seconds(1);

    struct Sample
    {
        Duration at {}; ///< the store's time since its start
        std::array<double, plottedOutcomes.size()> rates {}; ///< a second of that time
        std::array<double, plottedStates.size()> keys {};
    };

    struct Forecast
    {
        Duration step {};
        std::vector<std::uint64_t> expiring {}; ///< in each step from now on
    };

    using QObject::QObject;

    /// Adds a sample; one that is not later than the last is ignored.
    void sample(Duration at, const Counters &counters);
    void setForecast(Forecast forecast);
    void clear();

    [[nodiscard]] const std::deque<Sample> &samples() const { return m_samples; }
    [[nodiscard]] const Forecast &forecast() const { return m_forecast; }

Q_SIGNALS:
    /// One sample was added at the end.
    void sampled();
    void forecastChanged();
    void cleared();

private:
    struct Totals
    {
        Duration at {};
        std::array<std::uint64_t, plottedOutcomes.size()> outcomes {};
    };

    std::deque<Sample> m_samples;
    std::deque<Totals> m_recent; ///< the totals that the next rate is taken from
    Forecast m_forecast;
};

} // namespace idem::app
