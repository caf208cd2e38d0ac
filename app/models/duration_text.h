// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/clock.h"

#include <QString>

namespace idem::app {

/// A duration for a table cell: its two largest units, "1 m 12 s"; below a second the largest one, "999 ms". Cut off,
/// never rounded up, so that a countdown shows 0 only at its end. A negative one carries a minus sign.
[[nodiscard]] QString durationText(Duration duration);

/// The same with every unit down to the millisecond ("1 h 2 m 3.456 s"), for tooltips.
[[nodiscard]] QString fullDurationText(Duration duration);

/// durationText() in whole words for a screen reader, "1 minute 12 seconds"; nothing finer than a second.
[[nodiscard]] QString spokenDurationText(Duration duration);

/// Seconds since a start as a clock, "01:02.3" or "1:01:02.3", for time columns and the virtual clock.
[[nodiscard]] QString clockText(Duration sinceStart);

} // namespace idem::app
