// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/distribution.h"

#include "simulator/engine/random.h"

#include <QtGlobal>

#include <cmath>
#include <numbers>

namespace idem::sim {

namespace {

/// (0, 1], so that its logarithm is finite.
double toPositiveUnit(std::uint64_t bits)
{
    return 1.0 - toUnit(bits);
}

/// A second number for the transforms that take two.
std::uint64_t moreBits(std::uint64_t bits)
{
    constexpr std::uint64_t gamma = 0x9e3779b97f4a7c15ULL;
    return mix64(bits + gamma);
}

/// Box and Muller, 1958.
double standardNormal(std::uint64_t bits)
{
    const double radius = std::sqrt(-2 * std::log(toPositiveUnit(bits)));
    return radius * std::cos(2 * std::numbers::pi * toUnit(moreBits(bits)));
}

double toMicros(Duration duration)
{
    return static_cast<double>(duration.count());
}

/// Of |N(mean, sd)| (Leone, Nelson, Nottingham, 1961).
double foldedMean(double mean, double sd)
{
    if (sd <= 0) {
        return std::abs(mean);
    }
    const double ratio = mean / sd;
    return sd * std::sqrt(2 / std::numbers::pi) * std::exp(-ratio * ratio / 2)
        + mean * std::erf(ratio / std::numbers::sqrt2);
}

} // namespace

Duration toDuration(double micros)
{
    constexpr double end = 0x1p63;
    if (std::isnan(micros)) {
        return Duration::zero();
    }
    if (micros >= end) {
        return Duration::max();
    }
    return micros <= -end ? Duration::min() : Duration(std::llround(micros));
}

Duration draw(const Distribution &distribution, std::uint64_t bits)
{
    const auto &[kind, first, second, shape] = distribution;
    switch (kind) {
    case Distribution::Kind::Constant:
        return first;
    case Distribution::Kind::Uniform:
        return first + uniformBelow(bits, second - first);
    case Distribution::Kind::Exponential:
        return toDuration(toMicros(first) * -std::log(toPositiveUnit(bits)));
    case Distribution::Kind::Normal:
        return toDuration(std::abs(toMicros(first) + toMicros(second) * standardNormal(bits)));
    case Distribution::Kind::LogNormal:
        return toDuration(toMicros(first) * std::exp(shape * standardNormal(bits)));
    case Distribution::Kind::Weibull:
        return toDuration(toMicros(first) * std::pow(-std::log(toPositiveUnit(bits)), 1 / shape));
    case Distribution::Kind::Pareto:
        return toDuration(toMicros(first) * std::pow(toPositiveUnit(bits), -1 / shape));
    }
    Q_UNREACHABLE();
}

Duration mean(const Distribution &distribution)
{
    const auto &[kind, first, second, shape] = distribution;
    switch (kind) {
    case Distribution::Kind::Constant:
    case Distribution::Kind::Exponential:
        return first;
    case Distribution::Kind::Uniform:
        return second > first ? first + (second - first) / 2 : first;
    case Distribution::Kind::Normal:
        return toDuration(foldedMean(toMicros(first), toMicros(second)));
    case Distribution::Kind::LogNormal:
        return toDuration(toMicros(first) * std::exp(shape * shape / 2));
    case Distribution::Kind::Weibull:
        return toDuration(toMicros(first) * std::tgamma(1 + 1 / shape));
    case Distribution::Kind::Pareto:
        return shape > 1 ? toDuration(toMicros(first) * shape / (shape - 1)) : Duration::max();
    }
    Q_UNREACHABLE();
}

} // namespace idem::sim
