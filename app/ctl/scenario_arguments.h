// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/command.h"
#include "app/ctl/output_file.h"
#include "simulator/scenario/load.h"

#include <QCommandLineParser>

#include <initializer_list>

namespace idem::ctl {

/// The options that all commands on a scenario have: --seed and --set.
class ScenarioArguments
{
public:
    explicit ScenarioArguments(QCommandLineParser &parser);

    /// The one scenario of the arguments, a file, or the name of a built-in one where there is no such file. A --seed
    /// replaces its own. Else the command is over with that code; what is wrong has been said.
    [[nodiscard]] tl::expected<sim::Scenario, ExitCode> load(const QString &command) const;

private:
    const QCommandLineParser &m_parser;
    QCommandLineOption m_seed;
    QCommandLineOption m_set;
};

/// A whole number from `least` to `most`; none where `text` is none.
[[nodiscard]] std::optional<std::uint64_t> wholeNumber(const QString &text, std::uint64_t least, std::uint64_t most);

/// Opens them all. Nothing: go on; else the command is over: a path is wrong, or two want standard output.
[[nodiscard]] std::optional<ExitCode> open(std::initializer_list<OutputFile *> files);

} // namespace idem::ctl
