// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store_error.h"
#include "core/store/types.h"

#include <QVarLengthArray>

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

/// The same, pointing at an identity that somebody else keeps: what the owner's verbs take.
struct OwnershipView
{
    IdentityView identity {};
    Fence fence = Fence::None;
    OwnerToken token {};

    OwnershipView() = default;
    OwnershipView(const IdentityView &identity_, Fence fence_, const OwnerToken &token_)
        : identity(identity_)
        , fence(fence_)
        , token(token_)
    {
    }
    OwnershipView(const Ownership &owner) // NOLINT(google-explicit-constructor): a view of it
        : OwnershipView(owner.identity, owner.fence, owner.token)
    {
    }
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
    Claim(Store &store, const OwnershipView &ownership, std::optional<Instant> leaseEnd);
    Claim(Claim &&other) noexcept;
    Claim &operator=(Claim &&other) noexcept;
    Claim(const Claim &) = delete;
    Claim &operator=(const Claim &) = delete;
    ~Claim();

    /// True until a verb that ends the ownership, or detach(), was called.
    [[nodiscard]] bool isActive() const { return m_store != nullptr; }
    [[nodiscard]] Ownership ownership() const;
    [[nodiscard]] Fence fence() const { return m_fence; }
    /// None where the policy has no lease.
    [[nodiscard]] std::optional<Instant> leaseEnd() const { return m_leaseEnd; }

    /// Stores the answer. Ends the guard, also when refused: a stale owner has nothing left to release.
    Result<Completion> complete(const ResponseView &response);
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
    [[nodiscard]] OwnershipView view() const;
    void leave();

    Store *m_store = nullptr;
    /// Tenant, caller and key, one after another: within the claim for a usual one, so that a fresh begin allocates
    /// nothing for it.
    QVarLengthArray<char, 64> m_identity;
    qsizetype m_tenantBytes = 0;
    qsizetype m_callerBytes = 0;
    Fence m_fence = Fence::None;
    OwnerToken m_token;
    std::optional<Instant> m_leaseEnd;
    bool m_sideEffect = false;
};

} // namespace idem
