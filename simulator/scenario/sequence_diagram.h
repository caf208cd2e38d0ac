// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/run.h"

class QXmlStreamWriter;

namespace idem::sim {

/// A longer history has no diagram that anybody could read.
constexpr std::size_t maxDiagramEvents = 200;

/// The events from top to bottom, a line for each, between clients, server instances and the store. Messages are
/// slanted lines from where they were sent to where they arrived. Nothing without events.
/// Precondition: at most maxDiagramEvents.
void drawSequence(QXmlStreamWriter &xml, const std::vector<RunEvent> &events);

} // namespace idem::sim
