// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QStringList>

/// How a program ended, and what it wrote.
struct Ran
{
    int code = -1;
    QString out;
    QString error;
};

/// Runs the real idemctl to its end.
inline Ran idemctl(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(IDEMCTL), arguments);
    if (!process.waitForFinished(120'000)) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
        QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}
