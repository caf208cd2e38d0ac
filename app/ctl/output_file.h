// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSaveFile>
#include <QString>

#include <memory>

namespace idem::ctl {

/// Where a part of a command's result goes: nowhere, to standard output (`-`), or to a file, which is opened before the
/// work, so that a long run is not lost on a wrong path, and appears when it is written whole.
class OutputFile
{
public:
    /// Empty: nowhere.
    explicit OutputFile(const QString &target);

    [[nodiscard]] bool isWanted() const { return m_standardOutput || m_file; }
    [[nodiscard]] bool takesStandardOutput() const { return m_standardOutput; }
    [[nodiscard]] bool open();
    /// Precondition: open() succeeded. Nowhere: does nothing, and succeeds.
    [[nodiscard]] bool write(const QByteArray &content);
    /// Why the last call failed.
    [[nodiscard]] QString problem() const;

private:
    bool m_standardOutput;
    std::unique_ptr<QSaveFile> m_file; ///< null: none
};

} // namespace idem::ctl
