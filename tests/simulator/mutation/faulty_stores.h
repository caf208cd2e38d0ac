// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store.h"

namespace idem::test {

/// A deliberate fault of a store, in one respect each.
enum class StoreFault : std::uint8_t {
    None, ///< an honest store
    // Of the answers to begin.
    SecondFresh, ///< each second begin that meets an owner becomes an owner too
    FalseConflict, ///< each second begin that meets a free key is told that it is held
    OtherAnswer, ///< another key's answer is replayed
    DefaultSuccess, ///< who waited for an owner that gave up gets an empty success
    LostWakeup, ///< who waits is never answered
    EarlyLeaseEnd, ///< a lease ends 200 ms early
    LongTtl, ///< an answer lives a second too long
    LongTtlByOne, ///< an answer lives a microsecond too long
    ShortTtlByOne, ///< an answer lives a microsecond too short
    NoFingerprint, ///< another payload is not noticed
    ReplayTooSoon, ///< who meets an owner gets an answer that is none
    // Of the owner's and the operator's verbs.
    NoFence, ///< a displaced owner's result is taken for the present one's
    CompleteAfterAbandon, ///< a result is taken although its key was freed
    Overwrite, ///< a displaced owner's result takes the place of the stored one
    OwnerRefused, ///< the owner's result is refused
    DroppedResult, ///< a result is acknowledged and not stored
    LostRelease, ///< a release is acknowledged, and the key stays held
    StaleRelease, ///< a displaced owner's release frees the key of the present one
    AbandonFinished, ///< an operator may abandon a finished key
};

/// `within` with `fault`.
[[nodiscard]] std::unique_ptr<Store> makeFaulty(StoreFault fault, std::unique_ptr<Store> within);

} // namespace idem::test
