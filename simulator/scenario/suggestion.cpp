// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/suggestion.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace idem::sim {

namespace {

qsizetype distance(const QString &left, const QString &right)
{
    std::vector<qsizetype> row(static_cast<std::size_t>(right.size()) + 1);
    std::iota(row.begin(), row.end(), 0);
    for (qsizetype i = 0; i < left.size(); ++i) {
        qsizetype diagonal = row[0];
        row[0] = i + 1;
        for (qsizetype j = 0; j < right.size(); ++j) {
            const auto column = static_cast<std::size_t>(j);
            const qsizetype replaced = diagonal + (left[i] == right[j] ? 0 : 1);
            diagonal = row[column + 1];
            row[column + 1] = std::min({replaced, diagonal + 1, row[column] + 1});
        }
    }
    return row.back();
}

} // namespace

QString nearestName(const QString &word, const QStringList &names)
{
    constexpr qsizetype longestWord = 64; // no name is as long, and the work grows with the length
    if (word.size() > longestWord) {
        return {};
    }
    QString nearest;
    qsizetype least = std::max<qsizetype>(word.size() / 3, 1) + 1;
    for (const QString &name : names) {
        if (name == word + QLatin1StringView("_ms")) {
            return name;
        }
        const qsizetype d = distance(word, name);
        if (d < least) {
            least = d;
            nearest = name;
        }
    }
    return nearest;
}

} // namespace idem::sim
