// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/expected.h"

#include <cmath>

namespace idem::sim {

bool isMeasurable(QStringView name)
{
    return Counts {}.value(name) || Measures {}.value(name);
}

std::optional<double> valueOf(const Expected &expected, const Facts &facts)
{
    const std::optional<std::uint64_t> count = facts.counts.value(expected.name);
    if (!count) {
        return facts.measures.value(expected.name);
    }
    if (!expected.from || !expected.until || !facts.series) {
        return static_cast<double>(*count);
    }
    const auto before = [&](Duration at) {
        return static_cast<double>(facts.series->before(at, facts.counts).value(expected.name).value_or(0));
    };
    const double seconds = std::chrono::duration<double>(*expected.until - *expected.from).count();
    return (before(*expected.until) - before(*expected.from)) / seconds;
}

std::vector<Verdict> judge(const std::vector<Expected> &expectations, const Facts &facts)
{
    std::vector<Verdict> verdicts;
    verdicts.reserve(expectations.size());
    for (const Expected &expected : expectations) {
        const std::optional<double> measured = valueOf(expected, facts);
        Q_ASSERT(measured);
        Verdict verdict {.expected = expected, .measured = measured.value_or(0)};
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
