// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/live_store.h"

namespace idem::app {

namespace {
constexpr std::chrono::milliseconds tickInterval {100};
constexpr int sampleTicks = 2; // 5 Hz
constexpr int slowTicks = 5; // 2 Hz
} // namespace

Duration forecastStep(const Policy &policy)
{
    return std::max<Duration>(policy.ttl / static_cast<int>(forecastSteps), std::chrono::milliseconds(100));
}

LiveStore::LiveStore(QObject *parent)
    : QObject(parent)
{
    m_timer.setInterval(tickInterval);
    connect(&m_timer, &QTimer::timeout, this, &LiveStore::tick);
}

void LiveStore::setStore(Store *store)
{
    if (m_store != nullptr) {
        Q_EMIT storeAboutToChange();
    }
    m_timer.stop();
    m_store = store;
    m_origin = store != nullptr ? store->clock().now() : Instant {};
    m_counters = {};
    m_series.clear();
    m_keys.setStore(store);
    m_stuck.setStore(store);
    m_events.setStore(store, m_origin);
    if (store != nullptr) {
        sample();
        m_timer.start();
    }
    Q_EMIT storeChanged();
    Q_EMIT refreshed();
}

void LiveStore::setPaused(bool paused)
{
    if (paused == m_paused) {
        return;
    }
    m_paused = paused;
    m_keys.setPaused(paused);
    m_stuck.setPaused(paused);
    m_events.setPaused(paused);
    Q_EMIT pausedChanged(paused);
    refresh();
}

void LiveStore::tick()
{
    ++m_ticks;
    refreshTables();
    if (m_ticks % sampleTicks == 0) {
        sample();
    }
    if (m_ticks % slowTicks == 0) {
        refreshSlow();
    }
    Q_EMIT refreshed();
}

void LiveStore::refresh()
{
    if (m_store == nullptr) {
        return;
    }
    refreshTables();
    refreshSlow();
    Q_EMIT refreshed();
}

void LiveStore::refreshTables()
{
    m_keys.refresh();
    m_events.refresh();
    m_counters = m_store->counters();
}

void LiveStore::refreshSlow()
{
    m_stuck.relist();
    const Duration step = forecastStep(m_store->policy());
    m_series.setForecast({.step = step, .expiring = m_store->expiryForecast(step, forecastSteps)});
}

void LiveStore::sample()
{
    if (m_store != nullptr) {
        m_series.sample(m_store->clock().now() - m_origin, m_store->counters());
    }
}

} // namespace idem::app
