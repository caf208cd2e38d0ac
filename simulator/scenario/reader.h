// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/scenario/document.h"

namespace idem::sim {

/// The scenario that `document` describes. Checks what a schema cannot say: members that must agree with each other.
/// Errors: the first place in the text where they do not. Precondition: the document obeys the schema.
[[nodiscard]] tl::expected<Scenario, ScenarioError> readScenario(const Document &document);

} // namespace idem::sim
