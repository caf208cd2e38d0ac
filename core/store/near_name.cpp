// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/near_name.h"

#include <algorithm>
#include <vector>

namespace idem {

namespace {

constexpr qsizetype longestTyped = 64;

/// The optimal string alignment distance.
int slips(QStringView left, QStringView right)
{
    const auto width = static_cast<std::size_t>(right.size()) + 1;
    std::vector<std::vector<int>> rows(static_cast<std::size_t>(left.size()) + 1, std::vector<int>(width));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t k = 0; k < width; ++k) {
            if (i == 0 || k == 0) {
                rows[i][k] = static_cast<int>(std::max(i, k));
                continue;
            }
            const auto at = static_cast<qsizetype>(i);
            const auto to = static_cast<qsizetype>(k);
            const int wrong = left[at - 1] == right[to - 1] ? 0 : 1;
            rows[i][k] = std::min({rows[i - 1][k] + 1, rows[i][k - 1] + 1, rows[i - 1][k - 1] + wrong});
            if (at > 1 && to > 1 && left[at - 1] == right[to - 2] && left[at - 2] == right[to - 1]) {
                rows[i][k] = std::min(rows[i][k], rows[i - 2][k - 2] + 1);
            }
        }
    }
    return rows.back().back();
}

} // namespace

std::optional<QString> nearestName(QStringView typed, const QStringList &names)
{
    if (typed.size() < 2 || typed.size() > longestTyped) {
        return std::nullopt;
    }
    const QString word = typed.toString().toLower();
    std::optional<QString> best;
    int fewest = word.size() <= 5 ? 2 : 3; // one too many
    for (const QString &name : names) {
        if (const int count = slips(word, name); count < fewest) {
            fewest = count;
            best = name;
        }
    }
    if (best || word.size() < 3) {
        return best;
    }
    const auto found = std::ranges::find_if(
        names, [&](const QString &name) { return name.contains(word) || (name.size() >= 3 && word.contains(name)); });
    return found == names.end() ? std::nullopt : std::optional(*found);
}

} // namespace idem
