// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/run.h"

class QXmlStreamWriter;

namespace idem::sim {

/// Attempts, successes, executions, and conflicts with replays, in each second of virtual time (or of several, where
/// the run is long). Nothing for a run in which no time passed.
void plotRates(QXmlStreamWriter &xml, const Run &run);

/// How many operations had which latency; on a logarithmic scale where the values are far apart. Nothing where no
/// operation succeeded.
void plotLatencies(QXmlStreamWriter &xml, const Histogram &latencies);

} // namespace idem::sim
