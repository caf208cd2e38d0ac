// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

class QCommandLineParser;

namespace idem::ctl {

/// How idemctl ends; documented in its help.
enum class ExitCode {
    Ok = 0,
    CheckFailed = 1,
    Usage = 2,
    Connection = 3,
    Refused = 4,
    Conflict = 5,
    Interrupted = 130,
};

/// What `idemctl NAME` does. `arguments` begin with the command's name.
struct Command
{
    const char *name;
    const char *summary;
    ExitCode (*run)(const QStringList &arguments);
};

ExitCode runDemo(const QStringList &arguments);
ExitCode runScenarios(const QStringList &arguments);
ExitCode runSimulate(const QStringList &arguments);
ExitCode runReplay(const QStringList &arguments);
ExitCode runCompare(const QStringList &arguments);
ExitCode runSweep(const QStringList &arguments);
ExitCode runValidate(const QStringList &arguments);

/// Text for people or programs; UTF-8, as it is. Returns false when it could not be written (a closed pipe, a full
/// disk).
bool writeOut(const QString &text);
bool writeError(const QString &text);

/// `idemctl: problem` on standard error.
ExitCode fail(ExitCode code, const QString &problem);

/// Reads a command's arguments. Answers --help itself. Nothing: go on; else the command is over with that code.
std::optional<ExitCode> parse(QCommandLineParser &parser, const QStringList &arguments);

} // namespace idem::ctl
