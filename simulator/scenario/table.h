// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace idem::sim {

/// A table: every row has as many cells as there are names.
struct Table
{
    QStringList names {};
    std::vector<QStringList> rows {};
};

/// Columns two spaces apart, as wide as their longest cell; the first `leftColumns` are aligned to the left, the others
/// to the right. A space in a name breaks it into lines of the head.
[[nodiscard]] QString toText(const Table &table, int leftColumns);

/// RFC 4180, with a line of names and with LF instead of CRLF at the ends of lines.
[[nodiscard]] QString toCsv(const Table &table);

/// As reports write numbers: up to ten significant digits.
[[nodiscard]] QString numberText(double value);

} // namespace idem::sim
