// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/event_table_model.h"
#include "app/models/key_table_model.h"
#include "app/models/live_series.h"

#include <QTimer>

namespace idem::app {

/// Everything that a window shows of one store, kept up to date at 10 Hz: keys, stuck keys, events, counters, series.
/// Thread-safety: the GUI thread. The store must outlive its use: setStore(nullptr) before it goes.
class LiveStore final : public QObject
{
    Q_OBJECT

public:
    explicit LiveStore(QObject *parent = nullptr);

    /// Shows another store, or none (null); its time counts from now on.
    void setStore(Store *store);
    [[nodiscard]] Store *store() const { return m_store; }

    /// While paused the tables stand still; counters and series go on.
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const { return m_paused; }
    /// Events that wait for the end of the pause.
    [[nodiscard]] std::uint64_t pendingEvents() const { return m_paused ? m_keys.pendingEvents() : 0; }

    /// Takes in everything at once, instead of at the next tick.
    void refresh();
    /// Adds a sample to the series now.
    void sample();

    [[nodiscard]] KeyTableModel &keys() { return m_keys; }
    [[nodiscard]] KeyTableModel &stuck() { return m_stuck; }
    [[nodiscard]] EventTableModel &events() { return m_events; }
    [[nodiscard]] LiveSeries &series() { return m_series; }
    /// As of the last refresh.
    [[nodiscard]] const Counters &counters() const { return m_counters; }

Q_SIGNALS:
    /// The store shown is about to go: whoever holds it lets go.
    void storeAboutToChange();
    void storeChanged();
    void pausedChanged(bool paused);
    void refreshed();

private:
    void tick();
    void refreshTables();
    void refreshSlow();

    Store *m_store = nullptr;
    Instant m_origin {};
    Counters m_counters;
    KeyTableModel m_keys;
    KeyTableModel m_stuck {KeyTableModel::Options {.stuckOnly = true, .maxRows = 1'000}};
    EventTableModel m_events;
    LiveSeries m_series;
    QTimer m_timer;
    int m_ticks = 0;
    bool m_paused = false;
};

/// How the coming expiry is cut into steps: thirty of them over the time to live, at least a tenth of a second each.
[[nodiscard]] Duration forecastStep(const Policy &policy);
constexpr std::size_t forecastSteps = 30;

} // namespace idem::app
