// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store.h"

#include <QString>

namespace idem::app {

/// What an operator should know before abandoning a key: a copy of what the store said.
struct AbandonPreview
{
    Identity identity {};
    QString key {};
    QString tenant {};
    QString owner {};
    State state = State::InProgress;
    Fence fence = Fence::None; ///< the request is bound to it
    std::uint32_t attempt = 0;
    Duration age {}; ///< of the attempt
    std::optional<Duration> sinceRenewal {}; ///< none: never renewed
    std::optional<Duration> leaseLeft {}; ///< negative: over for that long; none: no lease
    std::uint32_t waiting = 0;
    bool sideEffect = false;
    bool ownerAlive = false; ///< its lease is running
    QString refusal {}; ///< why this record cannot be abandoned, a sentence; empty when it can
};

[[nodiscard]] AbandonPreview abandonPreview(const RecordView &record, Instant now);

/// Why a record in this state cannot be abandoned, a sentence that names the right verb; empty when it can.
[[nodiscard]] QString abandonRefusal(State state);

/// What is wrong with a reason, a sentence; empty when it will do (1...1,000 characters that are not all spaces).
[[nodiscard]] QString reasonProblem(const QString &reason);

/// A refused abandon in one sentence: what changed since `before` was looked at, `now` being what the store says of the
/// key (none: it is gone).
[[nodiscard]] QString describeRefusal(
    const AbandonPreview &before, const StoreError &error, const std::optional<RecordView> &now);

} // namespace idem::app
