// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/scenario_arguments.h"

#include <QFileInfo>

namespace idem::ctl {

namespace {

tl::expected<sim::Scenario, sim::ScenarioError> loadNamed(const QString &name, const QStringList &overrides)
{
    if (!QFileInfo::exists(name)) {
        for (const auto &builtIn : sim::builtInScenarios()) {
            if (builtIn.name == name)
                return sim::loadBuiltIn(name, overrides);
        }
    }
    return sim::loadScenario(name, overrides);
}

} // namespace

ScenarioArguments::ScenarioArguments(QCommandLineParser &parser)
    : m_parser(parser)
    , m_seed(QStringLiteral("seed"), QStringLiteral("Takes this seed instead of the scenario's."), QStringLiteral("N"))
    , m_set(QStringLiteral("set"),
          QStringLiteral("Overrides a member, for example clients.retry.max_attempts=4 or faults.0.probability=0.3; "
                         "repeatable."),
          QStringLiteral("path=value"))
{
    parser.addPositionalArgument(
        QStringLiteral("FILE"), QStringLiteral("A scenario file, or a name that idemctl scenarios lists."));
    parser.addOptions({m_seed, m_set});
}

tl::expected<sim::Scenario, ExitCode> ScenarioArguments::load(const QString &command) const
{
    const QStringList files = m_parser.positionalArguments();
    if (files.size() != 1)
        return tl::unexpected(
            fail(ExitCode::Usage, QStringLiteral("%1 takes one scenario. See idemctl %1 --help.").arg(command)));
    QStringList overrides = m_parser.values(m_set);
    if (m_parser.isSet(m_seed)) {
        const auto seed = wholeNumber(m_parser.value(m_seed), 0, sim::maxSeed);
        if (!seed)
            return tl::unexpected(
                fail(ExitCode::Usage, QStringLiteral("--seed takes a whole number from 0 to %1.").arg(sim::maxSeed)));
        overrides.append(QStringLiteral("seed=%1").arg(*seed));
    }
    auto scenario = loadNamed(files.constFirst(), overrides);
    if (!scenario)
        return tl::unexpected(fail(ExitCode::Usage, scenario.error().toString()));
    return std::move(*scenario);
}

std::optional<std::uint64_t> wholeNumber(const QString &text, std::uint64_t least, std::uint64_t most)
{
    bool isNumber = false;
    const std::uint64_t number = text.toULongLong(&isNumber);
    return isNumber && number >= least && number <= most ? std::optional(number) : std::nullopt;
}

std::optional<ExitCode> open(std::initializer_list<OutputFile *> files)
{
    int onStandardOutput = 0;
    for (OutputFile *file : files) {
        onStandardOutput += file->takesStandardOutput() ? 1 : 0;
        if (onStandardOutput > 1)
            return fail(ExitCode::Usage, QStringLiteral("only one output can be -, standard output."));
        if (!file->open())
            return fail(ExitCode::Usage, file->problem());
    }
    return std::nullopt;
}

} // namespace idem::ctl
