// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace idem {

/// The name that somebody who typed `typed` most likely meant: the one that takes the fewest slips (a letter too many,
/// missing, wrong, or two swapped; case aside), at most one in a word of five letters and two in a longer one; else
/// the first that contains it or, from three letters on, is contained in it. Nothing where none is near.
[[nodiscard]] std::optional<QString> nearestName(QStringView typed, const QStringList &names);

} // namespace idem
