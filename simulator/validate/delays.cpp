// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/retry_policy.h"
#include "simulator/engine/random.h"
#include "simulator/validate/gates.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace idem::sim {

namespace {

using namespace std::chrono_literals;
using namespace Qt::Literals::StringLiterals;

constexpr std::size_t retries = 6;

/// One row of the published table: the mean waits before retries 1...6, in seconds.
struct Published
{
    QLatin1StringView policy;
    bool isAtOneSecond; ///< base 1 s and cap 30 s; else the vendor's own
    bool isUncapped;
    std::array<double, retries> means;
    std::array<double, retries> medians; ///< zero: not published
};

constexpr std::array<double, retries> noMedians {};

/// Measured with reference programs in other languages, N = 200,000; the row without a cap is 2 b 1.5^k - b.
constexpr std::array published {
    Published {"full-jitter"_L1, true, false, {.500, .999, 2.00, 3.99, 8.00, 15.0}, noMedians},
    Published {"equal-jitter"_L1, true, false, {.750, 1.50, 3.00, 6.00, 12.0, 22.5}, noMedians},
    Published {"decorrelated-jitter"_L1, true, false, {2.00, 3.50, 5.74, 8.84, 11.7, 13.9}, noMedians},
    Published {"decorrelated-jitter"_L1, true, true, {2, 3.5, 5.75, 9.125, 14.1875, 21.78125}, noMedians},
    Published {"grpc-a6"_L1, true, false, {1, 2, 4, 8, 16, 30}, noMedians},
    Published {"polly-v8-exponential"_L1, true, false, {.872, 1.157, 2.08, 4.13, 8.24, 16.5},
        {.900, 1.139, 2.02, 4.02, 8.00, 16.0}},
    Published {"resilience4j"_L1, true, false, {1, 1.5, 2.25, 3.375, 5.06, 7.60}, noMedians},
    Published {"stripe"_L1, false, false, {.5, .75, 1.5, 3, 3.75, 3.75}, noMedians},
    Published {"aws-standard-2020"_L1, false, false, {.5, 1, 2, 4, 8, 10}, noMedians},
    Published {"aws-standard-2026"_L1, false, false, {.025, .05, .1, .2, .4, .8}, noMedians},
};

RetryPolicy policyOf(const Published &row)
{
    RetryPolicy policy = findRetryPolicy(row.policy)->policy;
    if (row.isAtOneSecond) {
        policy.base = 1s;
        policy.cap = row.isUncapped ? Duration::max() : 30s;
    }
    return policy;
}

using Samples = std::array<std::vector<double>, retries>; ///< seconds

Samples sample(const RetryPolicy &policy, std::uint64_t seed, std::size_t count)
{
    constexpr double microsPerSecond = 1e6;
    const KeyedRandom random(seed);
    Samples samples;
    for (std::size_t i = 0; i < count; ++i) {
        RetryState state;
        for (std::uint32_t n = 0; n < retries; ++n) {
            const Duration wait = retryDelay(policy, state, n, Failure::Transient, {}, random.bits(0, i, n));
            samples[n].push_back(static_cast<double>(wait.count()) / microsPerSecond);
        }
    }
    return samples;
}

/// The published figures have three digits and an error of their own.
constexpr double relativeTolerance = 0.015;
constexpr double sigmas = 4;

GateResult meanRow(const Published &row, std::size_t n, const std::vector<double> &values)
{
    const auto count = static_cast<double>(values.size());
    double sum = 0;
    double squares = 0;
    for (const double value : values) {
        sum += value;
        squares += value * value;
    }
    const double mean = sum / count;
    const double sigma = std::sqrt(std::max(0.0, squares / count - mean * mean) / count);
    return judged({.gate = u"delays"_s,
                      .name = u"%1%2, mean wait before retry %3, s"_s.arg(
                          row.policy, row.isUncapped ? u" without a cap"_s : QString(), QString::number(n + 1)),
                      .expected = row.means[n],
                      .measured = mean,
                      .tolerance = relativeTolerance * row.means[n] + sigmas * sigma,
                      .source = row.isUncapped ? u"closed form 2 b 1.5^k - b"_s : u"reference programs, N = 200,000"_s},
        sigma);
}

GateResult medianRow(const Published &row, std::size_t n, std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    // The spread of a median of any law that is no wider than its median: at most 1.25 of the mean's.
    const double sigma = 1.25 * row.medians[n] / std::sqrt(static_cast<double>(values.size()));
    return judged({.gate = u"delays"_s,
        .name = u"%1, median wait before retry %2, s"_s.arg(row.policy, QString::number(n + 1)),
        .expected = row.medians[n],
        .measured = *middle,
        .tolerance = relativeTolerance * row.medians[n] + sigmas * sigma,
        .source = u"reference programs, N = 200,000"_s});
}

} // namespace

std::vector<GateResult> runDelaysGate(const GateOptions &options)
{
    constexpr std::uint32_t gateNumber = 20;
    const std::size_t count = options.reduced ? 20'000 : 200'000;
    return runCells(options, published.size(), [&](std::size_t cell) {
        const Published &row = published[cell];
        const Samples samples = sample(policyOf(row), partSeed(options, gateNumber, cell), count);
        std::vector<GateResult> rows;
        for (std::size_t n = 0; n < retries; ++n) {
            rows.push_back(meanRow(row, n, samples[n]));
            if (row.medians[n] > 0) {
                rows.push_back(medianRow(row, n, samples[n]));
            }
        }
        return rows;
    });
}

} // namespace idem::sim
