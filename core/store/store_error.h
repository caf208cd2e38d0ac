// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/types.h"

#include <QString>

#include <tl/expected.hpp>

namespace idem {

enum class StoreErrorCode : std::uint8_t {
    StaleOwner, ///< another attempt owns the record now; nothing changed
    LeaseOver, ///< the lease is over and the policy is strict
    DifferentResult, ///< the record is final with another result
    WrongState, ///< this verb does not apply to the record's state; `message` names the one that does
    LiveOwner, ///< the owner renewed lately: abandon needs an override
    FenceMismatch, ///< the record changed since it was looked at (HTTP 412)
    NotFound, ///< no such record, or its time to live is over
    Invalid, ///< an argument is out of its bounds; `message` names it
    Closed, ///< the store was shut down
};

/// A refused verb. Nothing was changed.
struct StoreError
{
    StoreErrorCode code = StoreErrorCode::Invalid;
    QString message {}; ///< one sentence for a person, without keys or bodies
    Fence currentFence = Fence::None; ///< the record's fence, where there is a record
    std::optional<State> state {}; ///< the record's state, where there is a record
};

template <typename T> using Result = tl::expected<T, StoreError>;

/// The code's stable name in interfaces, for example `stale-owner`.
[[nodiscard]] QString toString(StoreErrorCode code);

} // namespace idem
