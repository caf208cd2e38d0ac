// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/scenario/document.h"

#include <optional>

namespace idem::sim {

/// The first place in `document` where it breaks the published schema; nothing when it obeys. Thread-safe.
[[nodiscard]] std::optional<ScenarioError> checkSchema(const Document &document);

} // namespace idem::sim
