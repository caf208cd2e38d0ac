// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Rules of the house that a machine can check. Each check returns one sentence for each place that breaks its rule,
/// beginning with `file:line:`; none when all is well. Pure functions of their arguments.
namespace tidy {

constexpr int maxFileLines = 400;
constexpr int maxFunctionLines = 70;
constexpr int maxColumns = 120;

struct Source
{
    std::string path; ///< from the project's root, with slashes
    std::string text;
};

using Findings = std::vector<std::string>;

/// Layers by folder, as cmake/IdemTargets.cmake declares them.
using Layers = std::map<std::string, int>;
Layers parseLayers(std::string_view cmakeText);

/// The same text with comments, strings and character literals blanked, so that only code is left; lines stay.
std::string codeOnly(std::string_view text);

Findings checkWhitespace(const Source &source);
Findings checkLicence(const Source &source);
Findings checkFileLength(const Source &source);
Findings checkFunctionLength(const Source &source);
/// Quoted includes start at the root and point to the own folder or to a lower layer; only app/plot sees QCustomPlot.
Findings checkIncludes(const Source &source, const Layers &layers);
/// The clock belongs to core/store/clock.cpp, randomness to the simulator's engine; no distribution whose numbers
/// differ between platforms, and no container whose order does, in the simulator.
Findings checkDeterminism(const Source &source);
Findings checkUnfinished(const Source &source);

} // namespace tidy
