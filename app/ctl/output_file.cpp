// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/output_file.h"

#include "app/ctl/command.h"

namespace idem::ctl {

OutputFile::OutputFile(const QString &target)
    : m_standardOutput(target == QStringLiteral("-"))
{
    if (!target.isEmpty() && !m_standardOutput)
        m_file = std::make_unique<QSaveFile>(target);
}

bool OutputFile::open()
{
    return !m_file || m_file->open(QIODevice::WriteOnly);
}

bool OutputFile::write(const QByteArray &content)
{
    if (m_standardOutput)
        return writeOut(QString::fromUtf8(content));
    return !m_file || (m_file->write(content) == content.size() && m_file->commit());
}

QString OutputFile::problem() const
{
    return m_file ? QStringLiteral("cannot write %1: %2.").arg(m_file->fileName(), m_file->errorString())
                  : QStringLiteral("cannot write to standard output.");
}

} // namespace idem::ctl
