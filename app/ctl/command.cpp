// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/command.h"

#include <QCommandLineParser>

#include <cstdio>

namespace idem::ctl {

namespace {

bool write(std::FILE *stream, const QString &text)
{
    const QByteArray bytes = text.toUtf8();
    const auto size = static_cast<std::size_t>(bytes.size());
    return std::fwrite(bytes.constData(), 1, size, stream) == size && std::fflush(stream) == 0;
}

} // namespace

bool writeOut(const QString &text)
{
    return write(stdout, text);
}

bool writeError(const QString &text)
{
    return write(stderr, text);
}

ExitCode fail(ExitCode code, const QString &problem)
{
    writeError(QStringLiteral("idemctl: %1\n").arg(problem));
    return code;
}

std::optional<ExitCode> parse(QCommandLineParser &parser, const QStringList &arguments)
{
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Shows this text."));
    parser.addOption(help);
    if (!parser.parse(arguments)) {
        return fail(ExitCode::Usage,
            QStringLiteral("%1 See idemctl %2 --help.").arg(parser.errorText(), arguments.constFirst()));
    }
    if (parser.isSet(help)) {
        // Qt names the running program; the command's name belongs behind it.
        QString text = parser.helpText();
        text.replace(QStringLiteral(" [options]"), QStringLiteral(" %1 [options]").arg(arguments.constFirst()));
        return writeOut(text) ? ExitCode::Ok : ExitCode::CheckFailed;
    }
    return std::nullopt;
}

} // namespace idem::ctl
