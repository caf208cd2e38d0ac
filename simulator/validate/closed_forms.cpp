// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/validate/closed_forms.h"

#include <cmath>

namespace idem::sim {

double erlangC(std::uint32_t servers, double load)
{
    // Through Erlang B, whose recursion is stable: B(0) = 1, B(k) = a B / (k + a B).
    double blocked = 1;
    for (std::uint32_t k = 1; k <= servers; ++k) {
        blocked = load * blocked / (k + load * blocked);
    }
    return blocked / (1 - load / servers * (1 - blocked));
}

double blockingProbability(double load, std::uint32_t room)
{
    if (load == 1) {
        return 1.0 / (room + 1);
    }
    return (1 - load) * std::pow(load, room) / (1 - std::pow(load, room + 1));
}

double meanWaitDeviation(double load, double customers)
{
    const double constant = load * (2 + 5 * load - 4 * load * load + load * load * load) / std::pow(1 - load, 4);
    return std::sqrt(constant / customers);
}

double meanAttempts(double failure, std::uint32_t maxAttempts)
{
    double mean = 0;
    for (std::uint32_t k = 0; k < maxAttempts; ++k) {
        mean += std::pow(failure, k); // P(more than k)
    }
    return mean;
}

double attemptsDeviation(double failure, std::uint32_t maxAttempts)
{
    double square = 0;
    for (std::uint32_t k = 0; k < maxAttempts; ++k) {
        square += (2.0 * k + 1) * std::pow(failure, k); // E[N^2] = sum of (2 k + 1) P(N > k)
    }
    const double mean = meanAttempts(failure, maxAttempts);
    return std::sqrt(square - mean * mean);
}

double collidingPairs(double keys, int bits)
{
    return std::ldexp(keys * (keys - 1), -(bits + 1));
}

double collisionProbability(std::uint64_t keys, int bits)
{
    double logOfNone = 0;
    for (std::uint64_t i = 1; i < keys; ++i) {
        logOfNone += std::log1p(-std::ldexp(static_cast<double>(i), -bits));
    }
    return -std::expm1(logOfNone);
}

double keysLost(double keys, int bits)
{
    const double values = std::ldexp(1, bits);
    return keys + values * std::expm1(keys * std::log1p(-1 / values));
}

double keysLostDeviation(double keys, int bits)
{
    const double values = std::ldexp(1, bits);
    // Of the number of values that nobody drew: P(one is free) = p, P(two are) = r.
    const double p = std::exp(keys * std::log1p(-1 / values));
    const double r = std::exp(keys * std::log1p(-2 / values));
    return std::sqrt(values * p + values * (values - 1) * r - values * values * p * p);
}

} // namespace idem::sim
