// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/scenario.h"

#include <QByteArray>
#include <QStringList>

#include <tl/expected.hpp>

namespace idem::sim {

/// A scenario file larger than this is refused before it is read.
constexpr qint64 maxScenarioBytes = qint64 {4} << 20;

/// Why a scenario was refused: one problem, the first in the file.
struct ScenarioError
{
    QString file {}; ///< as the user gave it; empty for text from elsewhere
    int line = 0; ///< from 1; 0 where no line is to blame
    int column = 0; ///< from 1, in characters
    QString member {}; ///< the path of the member, for example `clients.retry.base_ms`
    QString problem {};

    /// One sentence: file, line, member, problem.
    [[nodiscard]] QString toString() const;
};

/// `overrides` are `path=value` (value: JSON, or else taken as a string), applied before the schema is checked; a path
/// is made of member names and array indices: `clients.retry.max_attempts=4`, `faults.0.probability=0.3`.
/// The scenario's `source` is the document after them.
[[nodiscard]] tl::expected<Scenario, ScenarioError> parseScenario(
    const QByteArray &json, const QStringList &overrides = {}, const QString &file = {});

/// Reads a regular file of at most maxScenarioBytes. Memory and time stay bounded whatever the path names.
[[nodiscard]] tl::expected<Scenario, ScenarioError> loadScenario(
    const QString &path, const QStringList &overrides = {});

/// The published JSON schema (draft 7).
[[nodiscard]] QByteArray scenarioSchema();

/// A scenario that is built into the program.
struct BuiltIn
{
    QString name {}; ///< the file's base name, for example `first-look`
    QString title {};
};
/// All of resources/scenarios, first-look first, then the presets by number.
[[nodiscard]] std::vector<BuiltIn> builtInScenarios();
[[nodiscard]] tl::expected<Scenario, ScenarioError> loadBuiltIn(const QString &name, const QStringList &overrides = {});

} // namespace idem::sim
