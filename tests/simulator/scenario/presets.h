// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/run.h"
#include "simulator/scenario/load.h"

#include <gtest/gtest.h>

namespace idem::sim {

/// Every expectation of a preset is checked for the seeds from 1 to this one.
constexpr std::uint64_t lastSeed = 20;

inline Scenario builtIn(const QString &name)
{
    const auto scenario = loadBuiltIn(name);
    EXPECT_TRUE(scenario.has_value()) << name.toStdString();
    return scenario.value_or(Scenario {});
}

inline Counts countsOf(const Scenario &scenario, std::uint64_t seed)
{
    Run run(scenario, Seed {seed});
    run.toEnd();
    return run.counts();
}

inline void expectAll(const Scenario &scenario, const Counts &counts, std::uint64_t seed)
{
    for (const Verdict &verdict : judge(scenario.expected, counts)) {
        EXPECT_TRUE(verdict.ok) << scenario.name.toStdString() << ", seed " << seed << ": "
                                << verdict.expected.name.toStdString() << " is " << verdict.measured << ", not "
                                << verdict.expected.value << " +- " << verdict.expected.tolerance;
    }
}

} // namespace idem::sim
