// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

namespace idem::sim {

/// The one of `names` that somebody who wrote `word` most likely meant; empty when none is near. Near is a Levenshtein
/// distance of at most a third of the word's length, or a forgotten `_ms`.
[[nodiscard]] QString nearestName(const QString &word, const QStringList &names);

} // namespace idem::sim
