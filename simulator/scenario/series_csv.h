// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/run.h"

namespace idem::sim {

/// The most lines of a series; a longer run has fewer lines than seconds.
constexpr std::int64_t maxSeriesLines = 100'000;

/// CSV (RFC 4180): a line for each second of virtual time, the last one for the run's end. The first column,
/// `virtual_s`, is the moment; the others, called as in reports, are the counts of everything before it. Where the run
/// is longer than maxSeriesLines seconds, or its series coarser, a line stands for several whole seconds.
[[nodiscard]] QString seriesCsv(const Run &run);

} // namespace idem::sim
