// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/distribution.h"

#include "simulator/engine/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace idem::sim {
namespace {

using namespace std::chrono_literals;
using Kind = Distribution::Kind;

std::vector<double> samplesOf(const Distribution &distribution, std::uint64_t seed, std::size_t count)
{
    const KeyedRandom random(seed);
    std::vector<double> seconds;
    seconds.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        seconds.push_back(static_cast<double>(draw(distribution, random.bits(1, i)).count()) / 1e6);
    }
    return seconds;
}

/// Phi
double normalCdf(double x)
{
    return std::erfc(-x / std::numbers::sqrt2) / 2;
}

struct Law
{
    const char *name;
    Distribution distribution;
    std::function<double(double)> cdf; ///< of seconds
    double mean; ///< seconds, closed form
    double sd;
};

/// Scales of hours, so that a microsecond is nothing.
std::vector<Law> laws()
{
    const double pi = std::numbers::pi;
    const auto folded = [](double x) { return normalCdf((x - 2000) / 1000) - normalCdf((-x - 2000) / 1000); };
    // |N(2, 1)|, in thousands: sqrt(2 / pi) e^-2 + 2 erf(sqrt 2); the second moment is 2^2 + 1.
    const double foldedMean = 1000 * (std::sqrt(2 / pi) * std::exp(-2.0) + 2 * std::erf(std::numbers::sqrt2));
    const double halfMean = 1000 * std::sqrt(2 / pi);
    return {
        {"uniform", {Kind::Uniform, 1000s, 5000s}, [](double x) { return (x - 1000) / 4000; }, 3000,
            4000 / std::sqrt(12.0)},
        {"exponential", {Kind::Exponential, 3000s}, [](double x) { return -std::expm1(-x / 3000); }, 3000, 3000},
        {"normal", {Kind::Normal, 2000s, 1000s}, folded, foldedMean, std::sqrt(5e6 - foldedMean * foldedMean)},
        {"half normal", {Kind::Normal, 0s, 1000s}, [](double x) { return std::erf(x / 1000 / std::numbers::sqrt2); },
            halfMean, std::sqrt(1e6 - halfMean * halfMean)},
        {"lognormal", {Kind::LogNormal, 1000s, {}, 0.5}, [](double x) { return normalCdf(std::log(x / 1000) / 0.5); },
            1000 * std::exp(0.125), 1000 * std::sqrt((std::exp(0.25) - 1) * std::exp(0.25))},
        // Gamma(1 + 2) = 2, Gamma(1 + 4) = 24.
        {"weibull", {Kind::Weibull, 1000s, {}, 0.5}, [](double x) { return -std::expm1(-std::sqrt(x / 1000)); }, 2000,
            1000 * std::sqrt(24.0 - 4)},
        {"pareto", {Kind::Pareto, 1000s, {}, 3}, [](double x) { return 1 - std::pow(1000 / x, 3); }, 1500,
            std::sqrt(0.75) * 1000},
    };
}

TEST(Distribution, HasItsMean)
{
    constexpr std::size_t count = 200'000;
    for (const Law &law : laws()) {
        double sum = 0;
        for (const double value : samplesOf(law.distribution, 5, count)) {
            sum += value;
        }
        EXPECT_NEAR(sum / count, law.mean, 4 * law.sd / std::sqrt(double(count))) << law.name;
        EXPECT_NEAR(static_cast<double>(mean(law.distribution).count()) / 1e6, law.mean, 1e-6) << law.name;
    }
}

TEST(Distribution, PassesKolmogorovAndSmirnov)
{
    constexpr std::size_t count = 20'000;
    const double bound = 1.63 / std::sqrt(double(count)); // 1 %
    for (const Law &law : laws()) {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            std::vector<double> values = samplesOf(law.distribution, seed, count);
            std::ranges::sort(values);
            double distance = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const double expected = law.cdf(values[i]);
                distance = std::max({distance, expected - double(i) / count, double(i + 1) / count - expected});
            }
            EXPECT_LT(distance, bound) << law.name << ", seed " << seed;
        }
    }
}

TEST(Distribution, ConstantIsConstant)
{
    const Distribution constant {Kind::Constant, 7ms};
    EXPECT_EQ(draw(constant, 0), Duration(7ms));
    EXPECT_EQ(draw(constant, UINT64_MAX), Duration(7ms));
    EXPECT_EQ(mean(constant), Duration(7ms));
}

TEST(Distribution, UniformCoversItsHalfOpenInterval)
{
    const Distribution uniform {Kind::Uniform, 200ms, 2s};
    EXPECT_EQ(draw(uniform, 0), Duration(200ms));
    EXPECT_EQ(draw(uniform, UINT64_MAX), Duration(2s) - 1us);
    EXPECT_EQ(draw({Kind::Uniform, 5ms, 5ms}, UINT64_MAX), Duration(5ms));
}

TEST(Distribution, StaysInTheRangeOfDuration)
{
    const Duration most = Duration::max();
    for (const std::uint64_t bits : {std::uint64_t {0}, std::uint64_t {1} << 63, UINT64_MAX}) {
        for (const Duration first : {Duration::zero(), Duration(1), most}) {
            for (const double shape : {0.001, 1.0, 1000.0}) {
                for (const Kind kind :
                    {Kind::Constant, Kind::Exponential, Kind::LogNormal, Kind::Weibull, Kind::Pareto}) {
                    const Duration value = draw({kind, first, {}, shape}, bits);
                    EXPECT_GE(value, Duration::zero());
                    EXPECT_LE(value, most);
                }
                EXPECT_GE(draw({Kind::Normal, first, most}, bits), Duration::zero());
            }
        }
    }
}

TEST(Distribution, ParetoOfAHeavyTailHasNoMean)
{
    EXPECT_EQ(mean({Kind::Pareto, 1s, {}, 1}), Duration::max());
    EXPECT_EQ(mean({Kind::Pareto, 1s, {}, 2}), Duration(2s));
}

TEST(Distribution, RoundsAndSaturates)
{
    EXPECT_EQ(toDuration(1.5), Duration(2));
    EXPECT_EQ(toDuration(-1.5), Duration(-2));
    EXPECT_EQ(toDuration(1e300), Duration::max());
    EXPECT_EQ(toDuration(0x1p63), Duration::max());
    EXPECT_EQ(toDuration(-1e300), Duration::min());
    EXPECT_EQ(toDuration(std::nan("")), Duration::zero());
}

} // namespace
} // namespace idem::sim
