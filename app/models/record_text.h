// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/palette.h"
#include "core/store/event.h"
#include "core/store/policy.h"
#include "core/store/query.h"

#include <QString>

namespace idem::app {

/// What a record's remaining time means.
struct TimeLeft
{
    enum class Kind : std::uint8_t {
        None, ///< nothing runs
        NoLease, ///< in progress for as long as it likes
        Lease,
        LeaseOver, ///< `left` is negative
        ToLive,
    };
    Kind kind = Kind::None;
    Duration left {};
    double fraction = 0; ///< of the whole span, 0...1
};

// A record is a copy of one moment; these derive what it has become by `now`, as the store does.

/// LeaseExpired once an in-progress record's lease is over.
[[nodiscard]] State stateAt(const RecordView &record, Instant now);
/// Lease over, outcome unknown, or no lease and older than the policy's `stuckAfter`.
[[nodiscard]] bool isStuckAt(const RecordView &record, Instant now, const Policy &policy);
[[nodiscard]] TimeLeft timeLeftAt(const RecordView &record, Instant now, const Policy &policy);
/// Of a state alone, as a plot of many records shows it.
[[nodiscard]] Visual visualOf(State state);
[[nodiscard]] Visual visualAt(const RecordView &record, Instant now, const Policy &policy);

/// "lease 12 s", "over 3 s", "TTL 48 s", "no lease", or empty.
[[nodiscard]] QString timeLeftText(const TimeLeft &timeLeft);
/// For a screen reader: "op-42, in progress for 6 seconds, owner w3".
[[nodiscard]] QString recordSentence(const RecordView &record, Instant now, const Policy &policy);
/// Every value in full, a line each.
[[nodiscard]] QString recordToolTip(const RecordView &record, Instant now, const Policy &policy);
/// The state's word in the middle of a sentence: "in progress".
[[nodiscard]] QString stateWord(State state);

[[nodiscard]] Visual visualOf(const StoreEvent &event);
/// What happened, in a few words: "fresh", "conflict", "lease over".
[[nodiscard]] QString eventText(const StoreEvent &event);

/// A key, tenant or owner as text.
[[nodiscard]] QString bytesText(const QByteArray &bytes);

} // namespace idem::app
