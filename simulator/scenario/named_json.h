// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/check/counts.h"
#include "simulator/check/measures.h"

#include <QJsonObject>

namespace idem::sim {

/// A text of the tables of names.
[[nodiscard]] inline QString nameOf(std::string_view name)
{
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

/// Every count by its name.
[[nodiscard]] QJsonObject toJson(const Counts &counts);
/// Every measure by its name.
[[nodiscard]] QJsonObject toJson(const Measures &measures);
/// The names of all counts, then those of all measures, in the order of reports.
[[nodiscard]] QStringList measurableNames();

} // namespace idem::sim
