// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/scenario/load.h"
#include "simulator/scenario/table.h"

#include <QJsonObject>

#include <functional>

namespace idem::sim {

/// A member of a scenario and the values that it takes in turn.
struct GridAxis
{
    QString path {}; ///< as in an override: clients.retry.max_attempts
    QStringList values {}; ///< JSON, or else strings
};

/// `path=v1,v2,...`; a comma within brackets, braces or quotation marks belongs to its value. Error: no path, no value,
/// an empty value, or one that stands there twice.
[[nodiscard]] tl::expected<GridAxis, QString> parseAxis(const QString &text);

struct SweepOptions
{
    std::vector<GridAxis> grid {}; ///< the last axis varies fastest; none: one cell
    /// Runs in each cell, on consecutive seeds from the scenario's on, the same in all cells.
    std::uint64_t seeds = 1;
    int jobs = 2; ///< threads
    QStringList names {}; ///< of counts and measures; empty: defaultSweepNames()
    std::function<bool()> cancelled {}; ///< asked now and then, by several threads at once
    /// Told after each run how many of all are done; by several threads, one at a time.
    std::function<void(std::uint64_t done, std::uint64_t all)> progress {};
};
constexpr std::size_t maxSweepCells = 10'000;
constexpr std::uint64_t maxSweepRuns = 1'000'000;
constexpr int maxSweepJobs = 64;

/// What a sweep measures where nobody says what.
[[nodiscard]] QStringList defaultSweepNames();

struct SweepCell
{
    struct Statistic
    {
        double mean = 0;
        std::optional<double> deviation {}; ///< of the sample (n - 1); none of a single run
    };
    QStringList values {}; ///< one of each axis
    std::vector<Statistic> statistics {}; ///< one of each name
};

/// Means over seeds for every cell of a grid.
struct Sweep
{
    QString scenario {};
    QString title {};
    QStringList paths {}; ///< of the axes
    QStringList names {};
    std::uint64_t seeds = 0;
    std::vector<SweepCell> cells {}; ///< those of which every run came to its end, in the grid's order
    std::uint64_t cellsInAll = 0;
    [[nodiscard]] bool complete() const { return cells.size() == cellsInAll; } ///< false: cancelled before
};

/// Runs the grid on worker threads; the numbers do not depend on how many there are. Nothing runs before every cell is
/// known to be a scenario. Errors: a cell is none, a name is unknown, the grid is too large, two axes set one member.
/// Precondition: the scenario has its source.
[[nodiscard]] tl::expected<Sweep, QString> sweep(const Scenario &scenario, const SweepOptions &options);

/// A line for each cell: the values of the axes, then mean and standard deviation (`x`, `x sd`) of each name.
[[nodiscard]] Table tableOf(const Sweep &sweep);
[[nodiscard]] QString toText(const Sweep &sweep);
/// Members: scenario, title, paths, seeds, complete, cells_in_all, cells (values by path, and by name mean and sd,
/// which is null for a single run, in `statistics`).
[[nodiscard]] QJsonObject toJson(const Sweep &sweep);

} // namespace idem::sim
