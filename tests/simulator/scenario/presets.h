// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/run.h"
#include "simulator/scenario/load.h"

#include <gtest/gtest.h>

namespace idem::sim {

/// Every expectation of a preset is checked for the seeds from 1 to this one.
// Sanitizers slow everything down tenfold, and find in two seeds what they find in twenty.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool isInstrumented = true;
#else
constexpr bool isInstrumented = false;
#endif
constexpr std::uint64_t lastSeed = isInstrumented ? 2 : 20;

inline Scenario builtIn(const QString &name)
{
    const auto scenario = loadBuiltIn(name);
    EXPECT_TRUE(scenario.has_value()) << name.toStdString();
    return scenario.value_or(Scenario {});
}

/// Runs a scenario to its end and expects what it says.
inline Counts expectAll(const Scenario &scenario, std::uint64_t seed)
{
    Run run(scenario, Seed {seed});
    run.toEnd();
    const Facts facts {.counts = run.counts(), .measures = run.measures(), .series = &run.series()};
    for (const Verdict &verdict : judge(scenario.expected, facts)) {
        EXPECT_TRUE(verdict.ok) << scenario.name.toStdString() << ", seed " << seed << ": "
                                << verdict.expected.name.toStdString() << " is " << verdict.measured << ", not "
                                << verdict.expected.value << " +- " << verdict.expected.tolerance;
    }
    for (const QString &name : run.unreached()) {
        ADD_FAILURE() << scenario.name.toStdString() << " never reaches " << name.toStdString();
    }
    return facts.counts;
}

} // namespace idem::sim
