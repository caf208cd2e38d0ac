// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

#include <algorithm>

namespace idem {

/// The longest part of a wait that is slept at once. The system sleeps on a clock that stands during a suspend and may
/// know nothing of an injected one: looking again each second bounds how late a call can be.
constexpr Duration maxTimerPart = std::chrono::seconds(1);

/// How long to sleep, as the first or only part of a wait of `remaining`: 0...maxTimerPart.
[[nodiscard]] constexpr Duration timerPart(Duration remaining)
{
    return std::clamp(remaining, Duration::zero(), maxTimerPart);
}

} // namespace idem
