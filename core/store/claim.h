// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store_error.h"
#include "core/store/types.h"

#include <memory>

namespace idem {

class Store;

/// What proves the ownership of one attempt. A plain value: may be sent to another process.
struct Ownership
{
    Identity identity {};
    Fence fence = Fence::None;
    OwnerToken token {};

    friend bool operator==(const Ownership &, const Ownership &) = default;
};

/// What a completion did.
struct Completion
{
    State state = State::Completed; ///< Completed or Failed; Abandoned or OutcomeUnknown when the answer is not final
    bool late = false; ///< accepted after the lease's end
    bool repeated = false; ///< the identical result was there already; nothing changed
    bool overwrote = false; ///< replaced another stored result (only under unfenced semantics)
    bool bodyOmitted = false; ///< larger than the cap: not kept
};

/// The guard that `begin` hands out with a fresh key. Move-only. Its destructor releases the key, or marks the outcome
/// unknown once sideEffectStarted() was called, so that a return, an exception and a forgotten path leave no key stuck.
/// Thread-safety: one thread at a time. The store must outlive it.
class Claim
{
public:
    Claim() = default;
    Claim(Store &store, Ownership ownership, std::optional<Instant> leaseEnd);
    Claim(Claim &&other) noexcept;
    Claim &operator=(Claim &&other) noexcept;
    Claim(const Claim &) = delete;
    Claim &operator=(const Claim &) = delete;
    ~Claim();

    /// True until a verb that ends the ownership, or detach(), was called.
    [[nodiscard]] bool isActive() const { return m_store != nullptr; }
    [[nodiscard]] const Ownership &ownership() const { return m_ownership; }
    [[nodiscard]] Fence fence() const { return m_ownership.fence; }
    /// None where the policy has no lease.
    [[nodiscard]] std::optional<Instant> leaseEnd() const { return m_leaseEnd; }

    /// Stores the answer. Ends the guard, also when refused: a stale owner has nothing left to release.
    Result<Completion> complete(Response response);
    /// Ends the operation as failed for good: replayed as problem 409 `operation-failed`.
    Result<Completion> fail(const QString &reason);
    /// Gives the key back before anything happened; the next begin is fresh.
    Result<void> release();
    /// Prolongs the lease from now; returns its new end.
    Result<std::optional<Instant>> renew();
    /// Says that from here on the effect may have happened: an unfinished attempt is then unknown, not free.
    Result<void> sideEffectStarted();

    /// Ends the guard without a word to the store: for an owner that lives elsewhere, or died.
    Ownership detach();

private:
    void leave();

    Store *m_store = nullptr;
    Ownership m_ownership;
    std::optional<Instant> m_leaseEnd;
    bool m_sideEffect = false;
};

} // namespace idem
