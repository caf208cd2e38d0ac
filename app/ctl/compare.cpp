// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulator/scenario/compare.h"
#include "app/ctl/command.h"
#include "app/ctl/interrupt.h"
#include "app/ctl/progress_bar.h"
#include "app/ctl/scenario_arguments.h"
#include "simulator/model/semantics.h"

#include <QJsonDocument>

namespace idem::ctl {

namespace {

ExitCode compare(const sim::Scenario &scenario, const QStringList &semantics, OutputFile &json, OutputFile &csv)
{
    const auto comparison = [&] {
        ProgressBar bar;
        return sim::compareSemantics(
            scenario, {.semantics = semantics, .cancelled = isInterrupted, .progress = [&bar](double fraction) {
                           bar.draw(fraction);
                       }});
    }();
    if (!comparison)
        return fail(ExitCode::Usage, QStringLiteral("--semantics: %1.").arg(comparison.error()));
    const QString text = sim::toText(*comparison);
    const bool toStandardError = json.takesStandardOutput() || csv.takesStandardOutput();
    if (!(toStandardError ? writeError(text) : writeOut(text)))
        return fail(ExitCode::CheckFailed, QStringLiteral("cannot write the table."));
    if (!json.write(QJsonDocument(sim::toJson(*comparison)).toJson()))
        return fail(ExitCode::CheckFailed, json.problem());
    if (!csv.write(sim::toCsv(sim::tableOf(*comparison)).toUtf8()))
        return fail(ExitCode::CheckFailed, csv.problem());
    return comparison->complete
        ? ExitCode::Ok
        : fail(ExitCode::Interrupted, QStringLiteral("interrupted; the table is partial: only runs that were over."));
}

} // namespace

ExitCode runCompare(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Runs a scenario under several semantics of the store, all on one seed, and tabulates what\n"
                       "differs. An OUT of - is standard output, and the table then goes to standard error.\n"
                       "Semantics: %1.")
            .arg(sim::semanticsNames().join(QStringLiteral(", "))));
    const ScenarioArguments scenarioArguments(parser);
    const QCommandLineOption semanticsOption(
        QStringLiteral("semantics"), QStringLiteral("Only these instead of all."), QStringLiteral("a,b,c"));
    const QString out = QStringLiteral("OUT");
    const QCommandLineOption jsonOption(
        QStringLiteral("json"), QStringLiteral("Writes all counts and measures as JSON."), out);
    const QCommandLineOption csvOption(QStringLiteral("csv"), QStringLiteral("Writes the table as CSV."), out);
    parser.addOptions({semanticsOption, jsonOption, csvOption});
    if (const auto over = parse(parser, arguments))
        return *over;
    const auto scenario = scenarioArguments.load(QStringLiteral("compare"));
    if (!scenario)
        return scenario.error();
    const QStringList semantics =
        parser.isSet(semanticsOption) ? parser.value(semanticsOption).split(u',') : QStringList();
    OutputFile json(parser.value(jsonOption));
    OutputFile csv(parser.value(csvOption));
    catchInterrupts();
    if (const auto over = open({&json, &csv}))
        return *over;
    return compare(*scenario, semantics, json, csv);
}

} // namespace idem::ctl
