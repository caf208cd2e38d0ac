// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/command.h"

#include <QCoreApplication>

#include <array>

using namespace idem::ctl;

namespace {

constexpr std::array commands {
    Command {"demo", "shows fresh, in progress, replay, TTL 0 and abandon", runDemo},
    Command {"scenarios", "lists the built-in scenarios", runScenarios},
    Command {"simulate", "runs a scenario in virtual time and checks what it expects", runSimulate},
    Command {"replay", "makes a recorded run again and compares it", runReplay},
    Command {"compare", "runs a scenario under several semantics of the store", runCompare},
    Command {"sweep", "runs a scenario on a grid of values", runSweep},
    Command {"validate", "compares the simulator with published results and closed forms", runValidate},
};

QString usage()
{
    QString text = QStringLiteral("Usage: idemctl COMMAND [options]\n\nCommands:\n");
    for (const auto &command : commands)
        text += QStringLiteral("  %1 %2\n")
                    .arg(QLatin1StringView(command.name), -10)
                    .arg(QLatin1StringView(command.summary));
    text += QStringLiteral("\nOptions:\n"
                           "  --help     shows this text; behind a command, the command's\n"
                           "  --version  shows the version\n"
                           "\n"
                           "Exit codes: 0 ok, 1 a check failed, 2 usage or a refused file, 3 connection, 4 refused,\n"
                           "5 conflict, 130 interrupted.\n");
    return text;
}

int run(const QStringList &arguments)
{
    const QString first = arguments.value(0);
    if (first == QStringLiteral("--help") || first == QStringLiteral("-h"))
        return writeOut(usage()) ? 0 : 1;
    if (first == QStringLiteral("--version"))
        return writeOut(QStringLiteral("idemctl " IDEM_VERSION "\n")) ? 0 : 1;
    for (const auto &command : commands) {
        if (first == QLatin1StringView(command.name))
            return static_cast<int>(command.run(arguments));
    }
    if (first.isEmpty()) {
        writeError(usage());
        return static_cast<int>(ExitCode::Usage);
    }
    return static_cast<int>(fail(ExitCode::Usage, QStringLiteral("no command \"%1\". See idemctl --help.").arg(first)));
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("idemctl"));
    QCoreApplication::setApplicationVersion(QStringLiteral(IDEM_VERSION));
    return run(QCoreApplication::arguments().mid(1));
}
