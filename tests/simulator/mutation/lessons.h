// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/model/scenario.h"

namespace idem::sim {

/// Small scenarios in which an honest store does exactly what `expected` says, counted by hand.

/// A lease of 100 ms, 350 ms of work, an attempt each 300 ms: each takes over from the one before.
[[nodiscard]] Scenario overtaken();
/// The same, and the first handler throws after it was overtaken.
[[nodiscard]] Scenario overtakenAndThrown();
/// A slow owner is overtaken by one that finishes before it.
[[nodiscard]] Scenario overtakenAndFinished();
/// An operator frees a key at work.
[[nodiscard]] Scenario abandoned();
/// An operator tries to free a finished key, whose client asks again.
[[nodiscard]] Scenario abandonedTooLate();
/// The retry comes `after` the answer's life of 1,090 ms is over; before it where that is negative.
[[nodiscard]] Scenario retriedAfterLife(Duration after);
/// Five operations whose first answer is lost.
[[nodiscard]] Scenario answersLost();
/// A client that asks again and again while its first attempt is at work, under a lease that outlives it.
[[nodiscard]] Scenario impatient();
/// Three operations, and nothing goes wrong.
[[nodiscard]] Scenario undisturbed();
/// A double click, and the first handler throws while the second request waits.
[[nodiscard]] Scenario thrownWhileWaitedFor();
/// A handler throws, and its client asks again.
[[nodiscard]] Scenario thrown();
/// Each second operation takes the key of the one before it.
[[nodiscard]] Scenario keyReused();

} // namespace idem::sim
