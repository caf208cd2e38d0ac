// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/command.h"
#include "simulator/scenario/load.h"

#include <QCommandLineParser>

namespace idem::ctl {

ExitCode runScenarios(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Lists the built-in scenarios. Their names stand for files in all other commands."));
    const QStringList own = arguments.isEmpty() ? QStringList(QStringLiteral("scenarios")) : arguments;
    if (const auto over = parse(parser, own))
        return *over;
    if (!parser.positionalArguments().isEmpty())
        return fail(ExitCode::Usage,
            QStringLiteral("scenarios takes no arguments, such as \"%1\".").arg(parser.positionalArguments().first()));
    QString text;
    for (const auto &builtIn : sim::builtInScenarios())
        text += QStringLiteral("%1 %2\n").arg(builtIn.name, -44).arg(builtIn.title);
    return writeOut(text) ? ExitCode::Ok : ExitCode::CheckFailed;
}

} // namespace idem::ctl
