// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulator/scenario/sweep.h"
#include "app/ctl/command.h"
#include "app/ctl/interrupt.h"
#include "app/ctl/progress_bar.h"
#include "app/ctl/scenario_arguments.h"

#include <QJsonDocument>

namespace idem::ctl {

namespace {

ExitCode sweep(const sim::Scenario &scenario, sim::SweepOptions options, OutputFile &json, OutputFile &csv)
{
    const auto result = [&] {
        ProgressBar bar;
        options.cancelled = isInterrupted;
        options.progress = [&bar](std::uint64_t done, std::uint64_t all) {
            bar.draw(static_cast<double>(done) / static_cast<double>(all),
                QStringLiteral("%1 of %2 runs").arg(done).arg(all));
        };
        return sim::sweep(scenario, options);
    }();
    if (!result)
        return fail(ExitCode::Usage, result.error() + u'.');
    const QString text = sim::toText(*result);
    const bool toStandardError = json.takesStandardOutput() || csv.takesStandardOutput();
    if (!(toStandardError ? writeError(text) : writeOut(text)))
        return fail(ExitCode::CheckFailed, QStringLiteral("cannot write the table."));
    if (!json.write(QJsonDocument(sim::toJson(*result)).toJson()))
        return fail(ExitCode::CheckFailed, json.problem());
    if (!csv.write(sim::toCsv(sim::tableOf(*result)).toUtf8()))
        return fail(ExitCode::CheckFailed, csv.problem());
    if (result->complete())
        return ExitCode::Ok;
    return fail(ExitCode::Interrupted,
        QStringLiteral("interrupted; the table is partial: %1 of %2 cells.")
            .arg(result->cells.size())
            .arg(result->cellsInAll));
}

/// The value of `option`, or `fallback` where it is not set; else the command is over with that code.
tl::expected<std::uint64_t, ExitCode> numberOf(
    const QCommandLineParser &parser, const QString &option, std::uint64_t fallback, std::uint64_t most)
{
    if (!parser.isSet(option))
        return fallback;
    if (const auto number = wholeNumber(parser.value(option), 1, most))
        return *number;
    return tl::unexpected(fail(ExitCode::Usage,
        QStringLiteral("--%1 takes a whole number from 1 to %2, not \"%3\".")
            .arg(option)
            .arg(most)
            .arg(parser.value(option).left(60))));
}

} // namespace

ExitCode runSweep(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Runs a scenario on every cell of a grid of values and tabulates means and standard deviations.\n"
        "Ctrl+C keeps the cells that are done. An OUT of - is standard output, and the table then goes\n"
        "to standard error."));
    const ScenarioArguments scenarioArguments(parser);
    const QCommandLineOption gridOption(QStringLiteral("grid"),
        QStringLiteral("A member and its values, as for --set; repeatable: every combination is a cell."),
        QStringLiteral("path=v1,v2"));
    const QCommandLineOption countOption(QStringLiteral("count"),
        QStringLiteral("A count or measure to tabulate; repeatable. Without: %1.")
            .arg(sim::defaultSweepNames().join(QStringLiteral(", "))),
        QStringLiteral("NAME"));
    const QString seedsName = QStringLiteral("seeds");
    const QString jobsName = QStringLiteral("jobs");
    const QCommandLineOption seedsOption(
        seedsName, QStringLiteral("Runs in each cell, on consecutive seeds; 1 without."), QStringLiteral("N"));
    const QCommandLineOption jobsOption(jobsName, QStringLiteral("Threads; 2 without."), QStringLiteral("N"));
    const QString out = QStringLiteral("OUT");
    const QCommandLineOption jsonOption(QStringLiteral("json"), QStringLiteral("Writes the cells as JSON."), out);
    const QCommandLineOption csvOption(QStringLiteral("csv"), QStringLiteral("Writes the cells as CSV."), out);
    parser.addOptions({gridOption, seedsOption, countOption, jobsOption, jsonOption, csvOption});
    if (const auto over = parse(parser, arguments))
        return *over;
    const auto scenario = scenarioArguments.load(QStringLiteral("sweep"));
    if (!scenario)
        return scenario.error();
    sim::SweepOptions options {.names = parser.values(countOption)};
    for (const QString &text : parser.values(gridOption)) {
        auto axis = sim::parseAxis(text);
        if (!axis)
            return fail(ExitCode::Usage, QStringLiteral("--grid: %1.").arg(axis.error()));
        options.grid.push_back(std::move(*axis));
    }
    const auto seeds = numberOf(parser, seedsName, 1, sim::maxSweepRuns);
    const auto jobs = seeds ? numberOf(parser, jobsName, 2, sim::maxSweepJobs) : seeds;
    if (!jobs)
        return jobs.error();
    options.seeds = *seeds;
    options.jobs = static_cast<int>(*jobs);
    OutputFile json(parser.value(jsonOption));
    OutputFile csv(parser.value(csvOption));
    catchInterrupts();
    if (const auto over = open({&json, &csv}))
        return *over;
    return sweep(*scenario, options, json, csv);
}

} // namespace idem::ctl
