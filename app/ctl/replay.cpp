// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/command.h"
#include "app/ctl/interrupt.h"
#include "simulator/scenario/recording.h"

#include <QCommandLineParser>

namespace idem::ctl {

namespace {

ExitCode compare(const sim::Recording &recording)
{
    const QString own = QStringLiteral(IDEM_VERSION);
    const bool isOurs = recording.version == own;
    if (!isOurs)
        writeError(QStringLiteral("idemctl: recorded by version %1, replayed by %2.\n").arg(recording.version, own));
    catchInterrupts();
    const sim::RunOutcome outcome = sim::replay(recording, isInterrupted);
    if (isInterrupted())
        return fail(ExitCode::Interrupted,
            QStringLiteral("interrupted after %1 events; nothing was compared.").arg(outcome.events));
    const QStringList lines = sim::differences(recording.outcome, outcome);
    if (lines.isEmpty()) {
        return writeOut(QStringLiteral("%1, seed %2: the same trace %3 over %4 events%5.\n")
                            .arg(recording.scenario.name)
                            .arg(static_cast<std::uint64_t>(recording.seed))
                            .arg(sim::traceText(outcome.traceHash))
                            .arg(outcome.events)
                            .arg(recording.outcome.complete ? QString() : QStringLiteral(", as far as it goes")))
            ? ExitCode::Ok
            : ExitCode::CheckFailed;
    }
    writeOut(QStringLiteral("%1, seed %2: another run than the recorded one.\n  %3\n")
                 .arg(recording.scenario.name)
                 .arg(static_cast<std::uint64_t>(recording.seed))
                 .arg(lines.join(QStringLiteral("\n  "))));
    return fail(ExitCode::CheckFailed,
        isOurs ? QStringLiteral("the replay differs from the recording.")
               : QStringLiteral("the replay differs from the recording of another version, as it may."));
}

} // namespace

ExitCode runReplay(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Makes a recorded run again and compares trace and counts.\n"
                       "Exit code 1 when they differ; a recording of another version may, and is told."));
    parser.addPositionalArgument(
        QStringLiteral("FILE"), QStringLiteral("A recording, made by idemctl simulate --record."));
    if (const auto over = parse(parser, arguments))
        return *over;
    const QStringList files = parser.positionalArguments();
    if (files.size() != 1)
        return fail(ExitCode::Usage, QStringLiteral("replay takes one recording. See idemctl replay --help."));
    const auto recording = sim::loadRecording(files.constFirst());
    return recording ? compare(*recording) : fail(ExitCode::Usage, recording.error().toString());
}

} // namespace idem::ctl
