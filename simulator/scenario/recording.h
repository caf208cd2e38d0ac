// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/history.h"
#include "simulator/scenario/load.h"
#include "simulator/scenario/outcome.h"

namespace idem::sim {

/// A larger recording is refused before it is read.
constexpr qint64 maxRecordingBytes = qint64 {64} << 20;

/// All that is needed to make a run in virtual time again, and to see that it was the same.
struct Recording
{
    QString version {}; ///< of the program that made it
    Seed seed {};
    Scenario scenario {};
    std::vector<History::Intervention> interventions {}; ///< in the order of their moments
    RunOutcome outcome {};
};

/// JSON lines. The first is the head: `idemscope_recording` (the format's version, 1), `version`, `seed` and
/// `scenario`, the scenario's document after overrides. Then a line for each intervention, `after` (events handled
/// before it) and `intervention` (a member of a scenario's `operator`, without its time). The last one is the end:
/// `trace_hash`, `events`, `complete` and `counts`.
/// Precondition: the scenario has its source.
[[nodiscard]] QByteArray toJsonLines(const Recording &recording);

/// `file` is for errors only, whose lines are those of the recording. A recording that was cut off, whose lines are out
/// of order or that lacks a member is refused.
[[nodiscard]] tl::expected<Recording, ScenarioError> parseRecording(const QByteArray &text, const QString &file = {});

/// Reads a regular file of at most maxRecordingBytes.
[[nodiscard]] tl::expected<Recording, ScenarioError> loadRecording(const QString &path);

/// The run once more, to where the recording ends. `cancelled` is asked now and then; the outcome is then as far as it
/// came.
[[nodiscard]] RunOutcome replay(const Recording &recording, const std::function<bool()> &cancelled = {});

} // namespace idem::sim
