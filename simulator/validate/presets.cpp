// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run.h"
#include "simulator/scenario/load.h"
#include "simulator/validate/gates.h"

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

/// A tolerance stands for four standard deviations, in scenarios as here.
GateResult rowOf(const QString &preset, const Verdict &verdict)
{
    const Expected &expected = verdict.expected;
    return judged({.gate = u"presets"_s,
                      .name = u"%1: %2"_s.arg(preset, expected.name),
                      .expected = expected.value,
                      .measured = verdict.measured,
                      .tolerance = expected.tolerance,
                      .source = expected.source},
        expected.tolerance / 4);
}

std::vector<GateResult> runPreset(const Scenario &scenario, const GateOptions &options)
{
    const QString &name = scenario.name;
    Run run(scenario, Seed {options.seed});
    while (run.run(100'000) > 0) {
        if (options.cancelled && options.cancelled()) {
            return {};
        }
    }
    const Facts facts {.counts = run.counts(), .measures = run.measures(), .series = &run.series()};
    std::vector<GateResult> rows;
    for (const Verdict &verdict : judge(scenario.expected, facts)) {
        rows.push_back(rowOf(name, verdict));
    }
    rows.push_back(judged({.gate = u"presets"_s,
        .name = u"%1: branches it claims and never reaches"_s.arg(name),
        .measured = static_cast<double>(run.unreached().size()),
        .source = u"exact: none"_s}));
    return rows;
}

} // namespace

std::vector<GateResult> runPresetsGate(const GateOptions &options)
{
    std::vector<Scenario> presets;
    for (const BuiltIn &builtIn : builtInScenarios()) {
        if (builtIn.name.startsWith("preset-"_L1)) {
            presets.push_back(loadBuiltIn(builtIn.name).value());
        }
    }
    return runCells(options, presets.size(), [&](std::size_t index) { return runPreset(presets[index], options); });
}

} // namespace idem::sim
