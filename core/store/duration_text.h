// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

#include <QString>

#include <tl/expected.hpp>

namespace idem {

/// The longest duration that durationFromText() takes.
constexpr Duration maxDurationFromText = std::chrono::days(36'500);

/// Reads a duration as people type it: numbers with units from the largest to the smallest, `250ms`, `1h30m`; the last
/// number may have up to six decimals, `1.5h`. Units: us (or µs), ms, s, m, h, d (24 h). A minus sign in front counts
/// for the whole. Refused, with one sentence that says why: a missing or unknown unit, another order, more than
/// `maxDurationFromText` either way, anything finer than a microsecond; nothing is rounded.
[[nodiscard]] tl::expected<Duration, QString> durationFromText(QStringView text);

/// The shortest whole-number text that durationFromText() reads back as exactly this duration: `1h30m`, `1ms500us`,
/// `0s`. Never translated. At most `maxDurationFromText` either way.
[[nodiscard]] QString exactDurationText(Duration duration);

} // namespace idem
