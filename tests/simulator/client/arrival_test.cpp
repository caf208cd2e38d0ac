// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/arrival.h"

#include "simulator/engine/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace idem::sim {
namespace {

using namespace std::chrono_literals;

/// The first arrivals, at most `most` and before `end`.
std::vector<Duration> arrivals(const Arrival &arrival, std::size_t most, Duration end = Duration::max())
{
    const KeyedRandom random(21);
    std::vector<Duration> times;
    Duration previous {};
    while (times.size() < most) {
        previous = nextArrival(arrival, times.size(), previous, random.bits(1, times.size()));
        if (previous >= end) {
            break;
        }
        times.push_back(previous);
    }
    return times;
}

/// The distance of sorted `values` from the uniform distribution on [0, 1).
double distanceFromUniform(const std::vector<double> &values)
{
    const auto count = static_cast<double>(values.size());
    double distance = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        distance = std::max({distance, values[i] - double(i) / count, double(i + 1) / count - values[i]});
    }
    return distance;
}

TEST(Arrival, ConstantStartsAtZero)
{
    EXPECT_EQ(arrivals({.kind = Arrival::Kind::Constant, .interval = 3ms}, 3), (std::vector<Duration> {0ms, 3ms, 6ms}));
    EXPECT_EQ(arrivals({.kind = Arrival::Kind::Constant}, 3), (std::vector<Duration> {0ms, 0ms, 0ms}));
}

TEST(Arrival, BurstsComeTogether)
{
    EXPECT_EQ(arrivals({.kind = Arrival::Kind::Burst, .interval = 1s, .burst = 3}, 7),
        (std::vector<Duration> {0s, 0s, 0s, 1s, 1s, 1s, 2s}));
}

TEST(Arrival, TraceEnds)
{
    const Arrival trace {.kind = Arrival::Kind::Trace, .times = {1ms, 1ms, 5s}};
    EXPECT_EQ(arrivals(trace, 10), trace.times);
    EXPECT_EQ(nextArrival(trace, 3, 5s, 0), Duration::max());
    EXPECT_EQ(nextArrival({.kind = Arrival::Kind::Trace}, 0, {}, 0), Duration::max());
}

TEST(Arrival, NeverComesAfterTheEndOfTime)
{
    const Arrival slow {.kind = Arrival::Kind::Constant, .interval = Duration::max()};
    EXPECT_EQ(nextArrival(slow, 1, 1s, 0), Duration::max());
    EXPECT_EQ(nextArrival(slow, 2, Duration::max(), 0), Duration::max());
    EXPECT_EQ(nextArrival({.kind = Arrival::Kind::Ramp}, 0, {}, 7), Duration::max()) << "a rate of zero";
}

TEST(Arrival, PoissonIsUniformInTime)
{
    const std::vector<Duration> times = arrivals({.kind = Arrival::Kind::Poisson, .interval = 1ms}, SIZE_MAX, 100s);
    const auto count = static_cast<double>(times.size());
    EXPECT_NEAR(count, 100'000, 4 * std::sqrt(100'000.0));
    std::vector<double> places;
    places.reserve(times.size());
    for (const Duration time : times) {
        places.push_back(static_cast<double>(time.count()) / 100e6);
    }
    EXPECT_LT(distanceFromUniform(places), 1.63 / std::sqrt(count)); // Kolmogorov and Smirnov, 1 %
}

TEST(Arrival, RampIsPoissonOfALinearRate)
{
    // Up from 10 to 90 a second in 200 s, down again, then on at 10: 10,000 + 10,000 + 1,000 expected.
    const Arrival ramp {.kind = Arrival::Kind::Ramp, .fromRate = 10, .toRate = 90, .length = 200s, .andBack = true};
    const std::vector<Duration> times = arrivals(ramp, SIZE_MAX, 500s);
    const auto expected = [](double t) {
        if (t <= 200) {
            return 10 * t + 0.2 * t * t;
        }
        const double back = t - 200;
        return t <= 400 ? 10'000 + 90 * back - 0.2 * back * back : 20'000 + 10 * (t - 400);
    };
    const auto count = static_cast<double>(times.size());
    EXPECT_NEAR(count, 21'000, 4 * std::sqrt(21'000.0));
    EXPECT_TRUE(std::ranges::is_sorted(times));
    std::vector<double> places;
    places.reserve(times.size());
    for (const Duration time : times) {
        places.push_back(expected(static_cast<double>(time.count()) / 1e6) / 21'000);
    }
    EXPECT_LT(distanceFromUniform(places), 1.63 / std::sqrt(count));
}

TEST(Arrival, RampEndsWithItsRate)
{
    const Arrival down {.kind = Arrival::Kind::Ramp, .fromRate = 100, .toRate = 0, .length = 100s};
    const std::vector<Duration> times = arrivals(down, SIZE_MAX);
    EXPECT_NEAR(static_cast<double>(times.size()), 5000, 4 * std::sqrt(5000.0));
    EXPECT_LE(times.back(), Duration(100s));
    const Arrival stays {.kind = Arrival::Kind::Ramp, .fromRate = 0, .toRate = 50, .length = 0s};
    EXPECT_NEAR(static_cast<double>(arrivals(stays, SIZE_MAX, 100s).size()), 5000, 4 * std::sqrt(5000.0));
}

} // namespace
} // namespace idem::sim
