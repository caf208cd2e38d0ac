// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/command.h"
#include "app/ctl/interrupt.h"
#include "app/ctl/progress_bar.h"
#include "app/ctl/scenario_arguments.h"
#include "simulator/scenario/recording.h"
#include "simulator/scenario/report.h"
#include "simulator/scenario/report_html.h"
#include "simulator/scenario/series_csv.h"

#include <QJsonDocument>

#include <chrono>

namespace idem::ctl {

namespace {

/// Where the parts of the result go, and what else is asked for.
struct Wishes
{
    OutputFile json;
    OutputFile csv;
    OutputFile html;
    OutputFile record;
    bool checkDeterminism = false;

    [[nodiscard]] bool takesStandardOutput() const
    {
        return json.takesStandardOutput() || csv.takesStandardOutput() || html.takesStandardOutput()
            || record.takesStandardOutput();
    }
};

/// To the end, or until somebody presses Ctrl+C.
void runToEnd(sim::Run &run)
{
    constexpr std::uint64_t slice = 10'000;
    ProgressBar bar;
    while (!run.isFinished() && !isInterrupted()) {
        run.run(slice);
        const double seconds = std::chrono::duration<double>(run.elapsed()).count();
        bar.draw(run.progress(), QStringLiteral("%1 s of virtual time").arg(seconds, 0, 'f', 1));
    }
}

/// Whether the scenario's second run is like `run`.
bool isRepeated(const sim::Run &run, bool toStandardError)
{
    sim::Run again(run.scenario());
    runToEnd(again);
    const QStringList lines = sim::differences(sim::outcomeOf(run), sim::outcomeOf(again));
    const QString text = lines.isEmpty()
        ? QStringLiteral("Deterministic: a second run had the same trace and counts.\n")
        : QStringLiteral("NOT deterministic: a second run differed.\n  ") + lines.join(QStringLiteral("\n  ")) + u'\n';
    return (toStandardError ? writeError(text) : writeOut(text)) && lines.isEmpty();
}

bool writeFiles(const sim::Run &run, const sim::Report &report, const std::vector<sim::RunEvent> &events,
    Wishes &wishes, QString &problem)
{
    const auto write = [&problem](OutputFile &file, const QByteArray &content) {
        if (file.write(content))
            return true;
        problem = file.problem();
        return false;
    };
    const sim::Recording recording {
        .version = report.version, .seed = run.seed(), .scenario = run.scenario(), .outcome = sim::outcomeOf(run)};
    return (!wishes.json.isWanted() || write(wishes.json, QJsonDocument(sim::toJson(report)).toJson()))
        && (!wishes.csv.isWanted() || write(wishes.csv, sim::seriesCsv(run).toUtf8()))
        && (!wishes.html.isWanted() || write(wishes.html, sim::toHtml(report, run, events)))
        && (!wishes.record.isWanted() || write(wishes.record, sim::toJsonLines(recording)));
}

ExitCode simulate(const sim::Scenario &scenario, Wishes &wishes)
{
    const auto start = std::chrono::steady_clock::now();
    std::vector<sim::RunEvent> events;
    sim::RunOptions options;
    if (wishes.html.isWanted()) {
        options.observer = [&events](const sim::RunEvent &event) {
            if (events.size() <= sim::maxDiagramEvents) // one more says that there were too many
                events.push_back(event);
        };
    }
    sim::Run run(scenario, scenario.seed, options);
    runToEnd(run);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;

    const sim::Report report = sim::makeReport(run, wall.count(), QStringLiteral(IDEM_VERSION));
    const QString text = sim::toText(report);
    const bool toStandardError = wishes.takesStandardOutput();
    QString problem = QStringLiteral("cannot write the report.");
    if (!(toStandardError ? writeError(text) : writeOut(text)) || !writeFiles(run, report, events, wishes, problem))
        return fail(ExitCode::CheckFailed, problem);
    bool good = report.ok();
    if (wishes.checkDeterminism && report.complete && !isRepeated(run, toStandardError) && !isInterrupted())
        good = false;
    if (!report.complete)
        return fail(ExitCode::Interrupted, QStringLiteral("interrupted; the report ends where the run did."));
    if (wishes.checkDeterminism && isInterrupted())
        return fail(ExitCode::Interrupted, QStringLiteral("interrupted before the second run was over."));
    return good ? ExitCode::Ok : ExitCode::CheckFailed;
}

} // namespace

ExitCode runSimulate(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Runs a scenario in virtual time against the production store and reports what happened.\n"
        "Exit code 1 when a count that the scenario expects is missed, or what it claims to reach was not.\n"
        "Ctrl+C ends the run and reports what there is so far. An OUT of - is standard output, and the report then\n"
        "goes to standard error."));
    const ScenarioArguments scenarioArguments(parser);
    const QString out = QStringLiteral("OUT");
    const QCommandLineOption json(QStringLiteral("json"), QStringLiteral("Writes the report as JSON."), out);
    const QCommandLineOption csv(
        QStringLiteral("csv"), QStringLiteral("Writes all counts as CSV, a line for each second."), out);
    const QCommandLineOption html(QStringLiteral("html"),
        QStringLiteral("Writes the report as one HTML file, with plots, and a sequence diagram of a small run."), out);
    const QCommandLineOption record(
        QStringLiteral("record"), QStringLiteral("Writes a recording, for idemctl replay."), out);
    const QCommandLineOption check(
        QStringLiteral("check-determinism"), QStringLiteral("Runs twice; exit code 1 when trace or counts differ."));
    const QCommandLineOption list(
        QStringLiteral("list"), QStringLiteral("Lists the built-in scenarios, as idemctl scenarios does."));
    parser.addOptions({json, csv, html, record, check, list});
    if (const auto over = parse(parser, arguments))
        return *over;
    if (parser.isSet(list))
        return runScenarios({});
    const auto scenario = scenarioArguments.load(QStringLiteral("simulate"));
    if (!scenario)
        return scenario.error();
    Wishes wishes {.json = OutputFile(parser.value(json)),
        .csv = OutputFile(parser.value(csv)),
        .html = OutputFile(parser.value(html)),
        .record = OutputFile(parser.value(record)),
        .checkDeterminism = parser.isSet(check)};
    catchInterrupts();
    if (const auto over = open({&wishes.json, &wishes.csv, &wishes.html, &wishes.record}))
        return *over;
    return simulate(*scenario, wishes);
}

} // namespace idem::ctl
