// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/expected.h"

#include <cmath>

namespace idem::sim {

std::vector<Verdict> judge(const std::vector<Expected> &expectations, const Counts &counts)
{
    std::vector<Verdict> verdicts;
    verdicts.reserve(expectations.size());
    for (const Expected &expected : expectations) {
        const std::optional<std::uint64_t> count = counts.value(expected.name);
        Q_ASSERT(count);
        Verdict verdict {.expected = expected, .measured = static_cast<double>(count.value_or(0))};
        const double miss = verdict.measured - expected.value;
        verdict.ok = std::abs(miss) <= expected.tolerance;
        if (expected.tolerance > 0) {
            verdict.z = miss / (expected.tolerance / 4);
        } else if (verdict.ok) {
            verdict.z = 0;
        }
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

} // namespace idem::sim
