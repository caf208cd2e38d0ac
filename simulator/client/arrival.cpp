// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/arrival.h"

#include "simulator/engine/distribution.h"
#include "simulator/engine/random.h"

#include <QtGlobal>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace idem::sim {

namespace {

constexpr double microsPerSecond = 1e6;

double toSeconds(Duration duration)
{
    return static_cast<double>(duration.count()) / microsPerSecond;
}

/// A stretch of a ramp: from `start` to `end` the rate goes from `rate` by `slope` a second. Seconds.
struct Stretch
{
    double start;
    double end;
    double rate;
    double slope;

    [[nodiscard]] double rateAt(double time) const { return std::max(0.0, rate + slope * (time - start)); }
    /// Expected operations between `from` and the end.
    [[nodiscard]] double areaFrom(double from) const { return (rateAt(from) + rateAt(end)) / 2 * (end - from); }
    /// When `area` operations are expected since `from`: the smaller root of r x + s x^2 / 2 = area, in the form that
    /// knows no cancellation.
    [[nodiscard]] double timeOf(double from, double area) const
    {
        const double r = rateAt(from);
        return from + 2 * area / (r + std::sqrt(std::max(0.0, r * r + 2 * slope * area)));
    }
};

/// The next event of a Poisson process of varying rate: an exponential number of expected operations after `previous`.
Duration nextOfRamp(const Arrival &arrival, Duration previous, std::uint64_t bits)
{
    constexpr double forEver = std::numeric_limits<double>::infinity();
    const double length = toSeconds(arrival.length);
    const double slope = length > 0 ? (arrival.toRate - arrival.fromRate) / length : 0;
    const double turn = arrival.andBack ? 2 * length : length;
    const std::array stretches {Stretch {0, length, arrival.fromRate, slope},
        Stretch {length, turn, arrival.toRate, -slope},
        Stretch {turn, forEver, arrival.andBack ? arrival.fromRate : arrival.toRate, 0}};
    double area = -std::log(1.0 - toUnit(bits));
    double time = toSeconds(previous);
    for (const Stretch &stretch : stretches) {
        if (time >= stretch.end) {
            continue;
        }
        if (stretch.end == forEver) {
            return stretch.rate > 0 ? toDuration((time + area / stretch.rate) * microsPerSecond) : Duration::max();
        }
        const double here = stretch.areaFrom(time);
        if (area < here) {
            return toDuration(stretch.timeOf(time, area) * microsPerSecond);
        }
        area -= here;
        time = stretch.end;
    }
    Q_UNREACHABLE();
}

Duration plus(Duration a, Duration b)
{
    return saturatingAdd(Instant(a), b).time_since_epoch();
}

} // namespace

Duration nextArrival(const Arrival &arrival, std::uint64_t operation, Duration previous, std::uint64_t bits)
{
    const bool isFirst = operation == 0;
    const Duration before = isFirst ? Duration::zero() : previous;
    if (before == Duration::max()) {
        return before;
    }
    switch (arrival.kind) {
    case Arrival::Kind::Constant:
        return isFirst ? before : plus(before, arrival.interval);
    case Arrival::Kind::Poisson:
        return plus(before, draw({Distribution::Kind::Exponential, arrival.interval}, bits));
    case Arrival::Kind::Burst:
        return isFirst || operation % arrival.burst != 0 ? before : plus(before, arrival.interval);
    case Arrival::Kind::Ramp:
        return nextOfRamp(arrival, before, bits);
    case Arrival::Kind::Trace:
        return operation < arrival.times.size() ? arrival.times[operation] : Duration::max();
    }
    Q_UNREACHABLE();
}

} // namespace idem::sim
