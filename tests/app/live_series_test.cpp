// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/live_series.h"
#include "app/models/live_store.h"
#include "simulator/model/run.h"
#include "tests/app/test_scenarios.h"

#include <QTest>

#include <numeric>

using namespace idem;
using namespace idem::app;

namespace {

constexpr std::size_t fresh = 0; // of LiveSeries::plottedOutcomes

Counters withFresh(std::uint64_t count)
{
    Counters counters;
    counters.outcomes[static_cast<std::size_t>(OutcomeKind::Fresh)] = count;
    return counters;
}

} // namespace

class LiveSeriesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ratesAreCountsOverTime()
    {
        LiveSeries series;
        for (int i = 0; i <= 10; ++i) {
            series.sample(i * 200ms, withFresh(static_cast<std::uint64_t>(4 * i)));
        }
        QCOMPARE(series.samples().size(), std::size_t(11));
        QCOMPARE(series.samples().front().rates[fresh], 0.0);
        QCOMPARE(series.samples()[1].rates[fresh], 20.0);
        QCOMPARE(series.samples().back().rates[fresh], 20.0);
    }

    void ratesFallToZeroWhenTheLoadEnds()
    {
        LiveSeries series;
        series.sample(0s, withFresh(0));
        series.sample(1s, withFresh(100));
        QCOMPARE(series.samples().back().rates[fresh], 100.0);
        series.sample(1'500ms, withFresh(100));
        series.sample(2s, withFresh(100));
        QCOMPARE(series.samples().back().rates[fresh], 0.0);
    }

    void countsFromItsFirstSampleOn()
    {
        LiveSeries series;
        series.sample(5s, withFresh(1'000)); // a store that was busy before
        QCOMPARE(series.samples().back().rates[fresh], 0.0);
        series.sample(6s, withFresh(1'010));
        QCOMPARE(series.samples().back().rates[fresh], 10.0);
    }

    void timeThatStandsStillAddsNothing()
    {
        LiveSeries series;
        series.sample(1s, withFresh(1));
        series.sample(1s, withFresh(2));
        QCOMPARE(series.samples().size(), std::size_t(1));
    }

    void forgetsTheOldest()
    {
        LiveSeries series;
        const auto count = static_cast<int>(LiveSeries::maxSamples) + 10;
        for (int i = 0; i < count; ++i) {
            series.sample(i * 200ms, withFresh(0));
        }
        QCOMPARE(series.samples().size(), LiveSeries::maxSamples);
        QCOMPARE(series.samples().front().at, Duration(10 * 200ms));
    }

    void agreesWithARunsCounts()
    {
        // One operation each 100 ms for 5 s: 10 a second, all fresh, and 50 in all.
        sim::Scenario scenario = burstScenario();
        scenario.clients.operations = 50;
        scenario.clients.arrival = {.kind = sim::Arrival::Kind::Constant, .interval = 100ms};
        sim::Run run(scenario);
        LiveStore live;
        live.setStore(run.store());
        for (Duration time = 200ms; time <= 8s; time += 200ms) {
            run.runUntil(time);
            live.sample();
        }
        const auto &samples = live.series().samples();
        QCOMPARE(samples.size(), std::size_t(41));
        QCOMPARE(samples[15].rates[fresh], 10.0); // at 3 s
        QCOMPARE(samples.back().rates[fresh], 0.0);
        QCOMPARE(run.counts().fresh, 50U);
        const double keys = std::accumulate(samples.back().keys.begin(), samples.back().keys.end(), 0.0);
        QCOMPARE(keys, 50.0);
        live.refresh();
        const LiveSeries::Forecast &forecast = live.series().forecast();
        QCOMPARE(forecast.expiring.size(), forecastSteps);
        QCOMPARE(forecast.step * static_cast<int>(forecastSteps), scenario.store.policy.ttl);
        QCOMPARE(std::accumulate(forecast.expiring.begin(), forecast.expiring.end(), std::uint64_t(0)), 50U);
        live.setStore(nullptr);
        QVERIFY(live.series().samples().empty());
    }
};

QTEST_GUILESS_MAIN(LiveSeriesTest)
#include "live_series_test.moc"
