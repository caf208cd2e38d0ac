// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/histogram.h"
#include "simulator/validate/gates.h"

#include <cmath>

namespace idem::sim {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

GateResult row(const QString &name, Duration expected, Duration measured, double tolerance)
{
    constexpr double second = 1e6;
    return judged({.gate = u"omission"_s,
        .name = name + u", s"_s,
        .expected = static_cast<double>(expected.count()) / second,
        .measured = static_cast<double>(measured.count()) / second,
        .tolerance = tolerance,
        .source = u"Gil Tene, \"How NOT to measure latency\""_s});
}

/// 100 requests a second that take 1 ms for 100 s, and one that meets a stall of 100 s.
std::vector<GateResult> rowsOfTheExample(int digits)
{
    constexpr Duration interval = 10ms;
    constexpr Duration quick = 1ms;
    constexpr Duration stall = 100s;
    Histogram raw(digits);
    Histogram corrected(digits);
    for (Duration sent {}; sent < stall; sent += interval) {
        raw.record(quick);
        corrected.recordCorrected(quick, interval);
    }
    raw.record(stall);
    corrected.recordCorrected(stall, interval);

    // 10,000 requests of 1 ms and those of 10 ms, 20 ms ... 100 s. A percentile is exact to the digits; a mean is
    // exact.
    constexpr Duration rawMean {10'999}; // (10 s + 100 s) / 10,001, rounded
    constexpr Duration correctedMean = 25'003ms; // (10 s + 500,050 s) / 20,000
    const double relative = std::pow(10.0, -digits);
    const auto toDigits = [relative](
                              Duration value) { return relative * std::chrono::duration<double>(value).count(); };
    const QString which = u" (%1 digits)"_s.arg(digits);
    return {row(u"raw mean"_s + which, rawMean, raw.mean(), 0),
        row(u"raw p99.99"_s + which, quick, raw.percentile(99.99), toDigits(quick)),
        row(u"corrected mean"_s + which, correctedMean, corrected.mean(), 0),
        row(u"corrected p50"_s + which, quick, corrected.percentile(50), toDigits(quick)),
        row(u"corrected p75"_s + which, 50s, corrected.percentile(75), toDigits(50s)),
        row(u"corrected p99.99"_s + which, 99'980ms, corrected.percentile(99.99), toDigits(99'980ms)),
        row(u"corrected maximum"_s + which, stall, corrected.max(), 0)};
}

} // namespace

std::vector<GateResult> runOmissionGate(const GateOptions &options)
{
    constexpr int leastDigits = 2;
    return runCells(
        options, 2, [](std::size_t index) { return rowsOfTheExample(leastDigits + static_cast<int>(index)); });
}

} // namespace idem::sim
