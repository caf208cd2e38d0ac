// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run.h"
#include "simulator/scenario/load.h"
#include "simulator/validate/gates.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

constexpr std::uint32_t gateNumber = 40;

/// One variant of the stalled server: what a count gains a second within a window of virtual time.
struct Storm
{
    QString name;
    QString preset; ///< that it starts from
    QStringList overrides;
    double perSecond = 0; ///< arrivals
    QString count = u"client_ok"_s;
    double expected = 0; ///< 0: stuck, that is below 1 % of the arrivals
    int from = 550; ///< seconds
    int until = 600;
};

/// Arrivals of `rate` a second.
QString arrivals(double rate)
{
    return u"clients.arrival.interval_ms=%1"_s.arg(1000 / rate, 0, 'g', 17);
}

std::vector<Storm> storms()
{
    const QString plain = u"preset-11-metastable"_s;
    const QString store = u"preset-11f-metastable-store"_s;
    const QString kappa = u"preset-11h-metastable-kappa"_s;
    const QString capped = u"preset-11e-metastable-queue-cap"_s;
    const QString attempts = u"attempts"_s;
    return {
        {u"280 a second, one retry: attempts"_s, plain, {}, 280, attempts, 560},
        {u"280 a second, one retry: goodput"_s, plain, {}, 280},
        {u"280 a second, no retry: goodput"_s, u"preset-11b-metastable-no-retry"_s, {}, 280, u"client_ok"_s, 280, 250,
            300},
        {u"200 a second, one retry: goodput"_s, plain, {arrivals(200)}, 200},
        {u"160 a second, one retry: goodput"_s, plain, {arrivals(160)}, 160},
        {u"140 a second, one retry: goodput"_s, plain, {arrivals(140)}, 140, u"client_ok"_s, 140},
        {u"100 a second, one retry: goodput"_s, plain, {arrivals(100)}, 100, u"client_ok"_s, 100},
        {u"200 a second, a budget of one retry in ten: goodput"_s, u"preset-11d-metastable-budget"_s, {}, 200,
            u"client_ok"_s, 200},
        {u"200 a second, three retries: attempts"_s, u"preset-11g-metastable-three-retries"_s, {}, 200, attempts, 800},
        {u"200 a second, three retries: goodput"_s, u"preset-11g-metastable-three-retries"_s, {}, 200},
        {u"280 a second, a queue of 150: goodput"_s, capped, {}, 280, u"client_ok"_s, 280},
        {u"280 a second, a store at admission: goodput"_s, store, {}, 280, u"client_ok"_s, 280},
        {u"200 a second, three retries, a store at admission: goodput"_s, store,
            {arrivals(200), u"clients.retry.max_attempts=4"_s}, 200, u"client_ok"_s, 200, 100, 150},
        {u"280 a second, refusals cost 0.02: goodput"_s, kappa, {u"server.kappa=0.02"_s}, 280, u"client_ok"_s, 280},
        {u"280 a second, refusals cost 0.10: goodput"_s, kappa, {}, 280},
        {u"280 a second, refusals cost 0.20: goodput"_s, kappa, {u"server.kappa=0.2"_s}, 280},
        {u"280 a second, refusals cost 0.50: goodput"_s, kappa, {u"server.kappa=0.5"_s}, 280},
    };
}

GateResult runStorm(const Storm &storm, const Scenario &scenario, Seed seed, std::size_t number)
{
    Run run(scenario, seed, {.checkInvariants = false});
    run.toEnd();
    const Expected window {
        .name = storm.count, .from = std::chrono::seconds(storm.from), .until = std::chrono::seconds(storm.until)};
    const double measured = valueOf(window, {.counts = run.counts(), .measures = {}, .series = &run.series()}).value();
    // Three in a hundred, or four standard deviations of as many Poisson arrivals within the window.
    const double seconds = storm.until - storm.from;
    const double sigma = std::sqrt(storm.perSecond / seconds) * storm.expected / storm.perSecond;
    const double tolerance = storm.expected > 0 ? std::max(0.03 * storm.expected, 4 * sigma) : 0.01 * storm.perSecond;
    return judged({.gate = u"metastability"_s,
                      .name = u"%1, run %2"_s.arg(storm.name).arg(number + 1),
                      .expected = storm.expected,
                      .measured = measured,
                      .tolerance = tolerance,
                      .source = u"HotOS 2021 and closed forms: stuck where (1 + retries) lambda > mu = 300 a second"_s},
        tolerance / 4);
}

} // namespace

std::vector<GateResult> runMetastabilityGate(const GateOptions &options)
{
    const std::vector<Storm> all = storms();
    std::vector<Scenario> scenarios;
    scenarios.reserve(all.size());
    for (const Storm &storm : all) {
        scenarios.push_back(loadBuiltIn(storm.preset, storm.overrides).value());
    }
    const std::size_t runs = options.reduced ? 1 : 8;
    return runCells(options, all.size() * runs, [&](std::size_t index) {
        const std::size_t number = index % runs;
        const Seed seed {partSeed(options, gateNumber, number) % maxSeed};
        return std::vector<GateResult> {runStorm(all[index / runs], scenarios[index / runs], seed, number)};
    });
}

} // namespace idem::sim
