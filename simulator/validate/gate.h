// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLatin1StringView>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace idem::sim {

/// One comparison of the instrument with a number that it did not make: a published result or a closed form.
struct GateResult
{
    QString gate {}; ///< the name of the gate that it belongs to
    QString name {}; ///< what is compared, with its unit
    double expected = 0;
    double measured = 0;
    double tolerance = 0; ///< absolute; 0: exact
    std::optional<double> z {}; ///< (measured - expected) in standard deviations; none for an exact row
    bool ok = false; ///< |measured - expected| <= tolerance
    QString source {}; ///< where `expected` comes from
    QString group {}; ///< not empty: one of many rows of a table, which may be told together while all are ok
};

/// Fills in `ok`, and `z` where `sigma` (the standard deviation of measured - expected) is above 0. A measured value
/// that is no number is not ok.
[[nodiscard]] GateResult judged(GateResult row, double sigma = 0);

/// How a gate runs. The same options give the same results, whatever the number of threads.
struct GateOptions
{
    std::uint64_t seed = 1;
    bool reduced = false; ///< fewer samples, and tolerances as much wider as that makes the statistical error
    std::function<bool()> cancelled {}; ///< asked between cells, from any worker; empty: never
    std::function<void(double)> progress {}; ///< told 0...1 of this gate, from one worker at a time; empty: nobody
    unsigned workers = 2; ///< threads; 0 counts as 1
};

/// A family of comparisons: a published experiment or a field of theory.
struct Gate
{
    QLatin1StringView name; ///< of `idemctl validate --only NAME`
    QLatin1StringView title; ///< one line
    /// Does the work and returns the rows of what was done: all, unless it was cancelled.
    std::vector<GateResult> (*run)(const GateOptions &options);
};

/// All of them, in the order in which they are run. Lives until exit.
[[nodiscard]] std::span<const Gate> gates();

/// By its exact name; null when there is none.
[[nodiscard]] const Gate *findGate(QStringView name);

/// Runs `cell(0)` ... `cell(count - 1)` on the options' workers, with progress and cancellation between them; returns
/// the rows of the cells that ran, in the order of the cells. `cell` must be safe to call for different indices from
/// different threads, and its result must depend on nothing but its index and the options. When it was cancelled, at
/// most the cells under way are finished.
[[nodiscard]] std::vector<GateResult> runCells(
    const GateOptions &options, std::size_t count, const std::function<std::vector<GateResult>(std::size_t)> &cell);

/// A seed of its own for each `part` of a gate's work, so that no two share random numbers. `gate` is any number that
/// no other gate uses.
[[nodiscard]] std::uint64_t partSeed(const GateOptions &options, std::uint32_t gate, std::uint64_t part);

} // namespace idem::sim
