// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

#include <tl/expected.hpp>

namespace idem::sim {

/// The whole of a regular file of at most `most` bytes; or what is wrong with it, without its name. Memory and time
/// stay bounded whatever the path names.
[[nodiscard]] tl::expected<QByteArray, QString> readFile(const QString &path, qint64 most);

} // namespace idem::sim
