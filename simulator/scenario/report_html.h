// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/scenario/report.h"
#include "simulator/scenario/sequence_diagram.h"

namespace idem::sim {

/// The report as one HTML page in UTF-8: no scripts, nothing from elsewhere, light or dark as the reader's system is.
/// It has all that the text report has, the scenario's parameters, and plots; with `events`, all that happened, a
/// sequence diagram, unless they are more than maxDiagramEvents. Well-formed as XML, too.
[[nodiscard]] QByteArray toHtml(const Report &report, const Run &run, const std::vector<RunEvent> &events = {});

} // namespace idem::sim
