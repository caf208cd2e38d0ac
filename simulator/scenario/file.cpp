// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/file.h"

#include <QFile>
#include <QFileInfo>

namespace idem::sim {

using namespace Qt::StringLiterals;

tl::expected<QByteArray, QString> readFile(const QString &path, qint64 most)
{
    const QFileInfo info(path);
    if (!info.exists()) {
        return tl::unexpected(u"there is no such file"_s);
    }
    if (!info.isFile()) {
        return tl::unexpected(info.isDir() ? u"is a folder, not a file"_s : u"is not a regular file"_s);
    }
    QFile file(path);
    // Some files of the system claim to be empty, so the limit holds for what is read, too.
    QByteArray content;
    if (info.size() <= most) {
        if (!file.open(QIODevice::ReadOnly)) {
            return tl::unexpected(u"cannot be read: %1"_s.arg(file.errorString()));
        }
        content = file.read(most + 1);
        if (file.error() != QFileDevice::NoError) {
            return tl::unexpected(u"cannot be read: %1"_s.arg(file.errorString()));
        }
    }
    if (info.size() > most || content.size() > most) {
        return tl::unexpected(u"is larger than %1 MiB"_s.arg(most >> 20));
    }
    return content;
}

} // namespace idem::sim
