// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/sweep.h"

#include "simulator/model/run.h"
#include "simulator/scenario/named_json.h"
#include "simulator/scenario/suggestion.h"

#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

struct Cell
{
    QStringList values {};
    Scenario scenario {};
};

QString problemOf(const SweepOptions &options)
{
    for (const QString &name : options.names) {
        if (!isMeasurable(name)) {
            const QString near = nearestName(name, measurableNames());
            return u"\"%1\" is not the name of a count or a measure%2"_s.arg(
                name.left(60), near.isEmpty() ? QString() : u": did you mean %1?"_s.arg(near));
        }
        if (options.names.count(name) > 1) {
            return u"%1 stands there twice"_s.arg(name);
        }
    }
    if (options.jobs < 1 || options.jobs > maxSweepJobs) {
        return u"a sweep takes from 1 to %1 jobs, not %2"_s.arg(maxSweepJobs).arg(options.jobs);
    }
    std::uint64_t cells = 1;
    for (std::size_t i = 0; i < options.grid.size(); ++i) {
        const GridAxis &axis = options.grid[i];
        for (std::size_t k = 0; k < i; ++k) {
            if (options.grid[k].path == axis.path) {
                return u"the grid sets %1 twice"_s.arg(axis.path);
            }
        }
        cells *= static_cast<std::uint64_t>(axis.values.size());
        if (cells > maxSweepCells) {
            return u"the grid has more than %1 cells"_s.arg(maxSweepCells);
        }
    }
    if (options.seeds < 1 || options.seeds > maxSweepRuns / cells) {
        return u"a sweep of %1 cells takes from 1 to %2 seeds, not %3"_s.arg(cells)
            .arg(maxSweepRuns / cells)
            .arg(options.seeds);
    }
    return {};
}

/// Every combination of values, the last axis fastest.
tl::expected<std::vector<Cell>, QString> cellsOf(const Scenario &scenario, const SweepOptions &options)
{
    std::vector<QStringList> combinations {QStringList()};
    for (const GridAxis &axis : options.grid) {
        std::vector<QStringList> longer;
        for (const QStringList &start : combinations) {
            for (const QString &value : axis.values) {
                longer.push_back(start + QStringList(value));
            }
        }
        combinations = std::move(longer);
    }
    std::vector<Cell> cells;
    for (const QStringList &values : combinations) {
        QStringList overrides;
        for (std::size_t i = 0; i < options.grid.size(); ++i) {
            overrides.append(options.grid[i].path + u'=' + values[static_cast<qsizetype>(i)]);
        }
        auto changed = parseScenario(scenario.source, overrides);
        if (!changed) {
            // Without the place, which would be one in a text that nobody wrote.
            const ScenarioError error {.member = changed.error().member, .problem = changed.error().problem};
            return tl::unexpected(u"the cell %1 is no scenario: %2"_s.arg(overrides.join(u", "_s), error.toString()));
        }
        if (static_cast<std::uint64_t>(changed->seed) > maxSeed - (options.seeds - 1)) {
            return tl::unexpected(
                u"the seeds of the cell %1 would be larger than %2"_s.arg(overrides.join(u", "_s)).arg(maxSeed));
        }
        changed->source.clear(); // ten thousand of them need not be kept
        cells.push_back({.values = values, .scenario = std::move(*changed)});
    }
    return cells;
}

/// All runs of a sweep; threads take them in order.
class Work
{
public:
    Work(const std::vector<Cell> &cells, const QStringList &names, const SweepOptions &options)
        : m_cells(cells)
        , m_names(names)
        , m_options(options)
        , m_all(cells.size() * options.seeds)
        , m_values(m_all)
    {
    }

    void run()
    {
        std::vector<std::jthread> threads; // joined where it ends
        threads.reserve(static_cast<std::size_t>(m_options.jobs));
        for (int i = 0; i < m_options.jobs; ++i) {
            threads.emplace_back([this] {
                while (runNext()) { }
            });
        }
    }

    /// The values of run `index`; empty when it did not come to its end.
    [[nodiscard]] const std::vector<double> &valuesOf(std::size_t index) const { return m_values[index]; }

private:
    bool runNext()
    {
        const std::size_t index = m_next++;
        if (index >= m_all || isCancelled()) {
            return false;
        }
        const Scenario &scenario = m_cells[index / m_options.seeds].scenario;
        Run run(scenario, Seed {static_cast<std::uint64_t>(scenario.seed) + index % m_options.seeds});
        constexpr std::uint64_t slice = 10'000;
        while (!run.isFinished()) {
            run.run(slice);
            if (isCancelled()) {
                return false;
            }
        }
        const Facts facts {.counts = run.counts(), .measures = run.measures()};
        for (const QString &name : m_names) {
            m_values[index].push_back(valueOf(Expected {.name = name}, facts).value_or(0));
        }
        if (m_options.progress) {
            const std::lock_guard lock(m_mutex);
            m_options.progress(++m_done, m_all);
        }
        return true;
    }

    [[nodiscard]] bool isCancelled() const { return m_options.cancelled && m_options.cancelled(); }

    const std::vector<Cell> &m_cells;
    const QStringList &m_names;
    const SweepOptions &m_options;
    std::size_t m_all;
    std::vector<std::vector<double>> m_values; ///< each written by the one thread that took it
    std::atomic<std::size_t> m_next = 0;
    std::mutex m_mutex;
    std::uint64_t m_done = 0; ///< guarded by m_mutex
};

SweepCell::Statistic statisticOf(const std::vector<double> &sample)
{
    const auto n = static_cast<double>(sample.size());
    SweepCell::Statistic result;
    for (const double x : sample) {
        result.mean += x / n;
    }
    if (sample.size() > 1) {
        double squares = 0;
        for (const double x : sample) {
            squares += (x - result.mean) * (x - result.mean);
        }
        result.deviation = std::sqrt(squares / (n - 1));
    }
    return result;
}

/// Nothing unless all runs of the cell came to their end.
std::optional<std::vector<SweepCell::Statistic>> statisticsOf(
    const Work &work, std::size_t firstRun, std::uint64_t seeds, std::size_t names)
{
    std::vector<std::vector<double>> samples(names);
    for (std::size_t run = firstRun; run < firstRun + seeds; ++run) {
        if (work.valuesOf(run).empty()) {
            return std::nullopt;
        }
        for (std::size_t i = 0; i < names; ++i) {
            samples[i].push_back(work.valuesOf(run)[i]);
        }
    }
    std::vector<SweepCell::Statistic> result;
    result.reserve(names);
    for (const std::vector<double> &sample : samples) {
        result.push_back(statisticOf(sample));
    }
    return result;
}

} // namespace

QStringList defaultSweepNames()
{
    return {u"attempts"_s, u"executions"_s, u"replays"_s, u"conflicts"_s, u"double_charges"_s, u"client_ok"_s,
        u"client_failed"_s, u"client_unknown"_s, u"stuck_ms"_s, u"latency_p50_ms"_s, u"latency_p99_ms"_s};
}

tl::expected<Sweep, QString> sweep(const Scenario &scenario, const SweepOptions &options)
{
    Q_ASSERT(!scenario.source.isEmpty());
    if (const QString problem = problemOf(options); !problem.isEmpty()) {
        return tl::unexpected(problem);
    }
    const auto cells = cellsOf(scenario, options);
    if (!cells) {
        return tl::unexpected(cells.error());
    }
    Sweep result {.scenario = scenario.name,
        .title = scenario.title,
        .names = options.names.isEmpty() ? defaultSweepNames() : options.names,
        .seeds = options.seeds,
        .cellsInAll = cells->size()};
    for (const GridAxis &axis : options.grid) {
        result.paths.append(axis.path);
    }
    Work work(*cells, result.names, options);
    work.run();
    for (std::size_t i = 0; i < cells->size(); ++i) {
        auto statistics =
            statisticsOf(work, i * options.seeds, options.seeds, static_cast<std::size_t>(result.names.size()));
        if (statistics) {
            result.cells.push_back({.values = (*cells)[i].values, .statistics = std::move(*statistics)});
        }
    }
    return result;
}

} // namespace idem::sim
