// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/claim.h"
#include "core/store/event.h"
#include "core/store/outcome.h"
#include "core/store/policy.h"
#include "core/store/query.h"
#include "core/store/store_error.h"

#include <functional>
#include <memory>
#include <span>

namespace idem {

/// One attempt. The views are read during the call only. Tenant, caller, fingerprint, attempt id and owner have at most
/// 255 bytes each; more is Rejected (TextTooLong).
struct BeginRequest
{
    QByteArrayView tenant {};
    QByteArrayView caller {};
    QByteArrayView key {};
    /// Identifies the payload; empty: none. An absent one equals only an absent one.
    QByteArrayView fingerprint {};
    /// Chosen by the client: the same id on the live attempt gets the same Fresh again, so that a lost answer of the
    /// store jams no key. Empty: none.
    QByteArrayView attemptId {};
    /// Display name of who asks, for lists and audits; no part of the ownership.
    QByteArrayView owner {};
    /// This attempt's lease instead of the policy's; > 0 and at most 365 days.
    std::optional<Duration> lease {};
    /// How long to wait while another attempt owns the key; 0 answers at once. At most the policy's `maxWait`.
    Duration wait = Duration::zero();
};

using BeginCallback = std::function<void(Outcome)>;

/// What an operator makes of an in-progress or lapsed record.
enum class AbandonAs : std::uint8_t {
    Release, ///< the next begin is fresh
    Failed, ///< replayed as problem 409 `operation-failed`
    Unknown, ///< nobody may run it until it is settled
};

struct AbandonRequest
{
    Fence expectedFence = Fence::None; ///< what the operator looked at
    QString reason {}; ///< 1...1,000 characters
    AbandonAs as = AbandonAs::Release;
    /// Also when the owner renewed within the last third of a lease.
    bool overrideLive = false;
};

/// What reconciliation found out about an unknown outcome.
struct SettleRequest
{
    Fence expectedFence = Fence::None;
    QString reason {}; ///< 1...1,000 characters
    std::optional<Response> executed {}; ///< with its result; none: not executed, the next begin is fresh
};

/// An idempotency-key replay store: the one contract that every backend obeys.
///
/// Each attempt calls begin(). One of all attempts on a key is Fresh and runs the operation; the others learn that it
/// is in progress or get its answer. Ownership is proved by token and fence; see Claim.
///
/// Thread-safety: every function may be called from any thread. Callbacks and event order: see beginAsync() and
/// EventStream. Errors are values; no function throws. A store must not be destroyed from inside one of its own
/// callbacks.
class Store
{
public:
    virtual ~Store();

    /// The primitive. Decides in one critical section, in this order: limits, expiry, fingerprint, live lease, lapsed
    /// lease, unknown outcome or final answer, fresh. Calls `callback` exactly once: inside this call when it need not
    /// wait, else from the thread that ends the wait (a finishing owner's, or the scheduler's), holding no lock.
    virtual void beginAsync(const BeginRequest &request, BeginCallback callback) = 0;

    /// The blocking form. With `wait` > 0 the caller's thread sleeps until the outcome is known.
    [[nodiscard]] virtual Outcome begin(const BeginRequest &request);
    /// Each request in its order, as begin() without waiting: their `wait` is not looked at. A backend overlaps their
    /// costs; this is for who has several at hand, for example from one pipelined connection.
    [[nodiscard]] virtual std::vector<Outcome> beginMany(std::span<const BeginRequest> requests);

    // The owner's verbs: compare (token, fence) before they change anything.

    /// Stores `response` as the answer of this key, when the policy holds it for final; else gives the key back (or
    /// leaves its outcome unknown after a side effect). Repeating the identical complete succeeds and changes nothing.
    /// Errors: StaleOwner, LeaseOver (strict), DifferentResult, NotFound, Closed, Invalid (status outside 100...599).
    virtual Result<Completion> complete(const OwnershipView &owner, const ResponseView &response) = 0;
    /// Ends the operation as failed for good. Errors as complete().
    virtual Result<Completion> fail(const OwnershipView &owner, const QString &reason) = 0;
    /// leaseEnd = max(old, now + lease); returns it, or none where there is no lease. Errors: StaleOwner, WrongState,
    /// LeaseOver (strict), NotFound, Closed.
    virtual Result<std::optional<Instant>> renew(const OwnershipView &owner) = 0;
    /// Gives the key back, leaving Abandoned. Errors: StaleOwner, WrongState, NotFound, Closed.
    virtual Result<void> release(const OwnershipView &owner) = 0;
    /// From here on an unfinished attempt is OutcomeUnknown instead of free. Errors as release().
    virtual Result<void> sideEffectStarted(const OwnershipView &owner) = 0;
    /// The owner leaves without a result after a side effect: OutcomeUnknown. Errors as release().
    virtual Result<void> markUnknown(const OwnershipView &owner) = 0;

    // The operator's verbs: compare the fence that the operator looked at, require a reason.

    /// Errors: FenceMismatch, WrongState (finished: purge; unknown: settle), LiveOwner, NotFound, Invalid, Closed.
    virtual Result<RecordView> abandon(const IdentityView &identity, const AbandonRequest &request) = 0;
    /// An unknown outcome only. Errors: FenceMismatch, WrongState, NotFound, Invalid, Closed.
    virtual Result<RecordView> settle(const IdentityView &identity, const SettleRequest &request) = 0;
    /// Removes a finished or abandoned record. Errors: FenceMismatch, WrongState, NotFound, Invalid, Closed.
    virtual Result<void> purge(const IdentityView &identity, Fence expectedFence, const QString &reason) = 0;

    // Reading. Not counted as a replay; an expired record is absent.

    [[nodiscard]] virtual std::optional<RecordView> find(const IdentityView &identity) const = 0;
    /// The first call builds an index by id, which is kept from then on.
    [[nodiscard]] virtual std::optional<RecordView> find(const RecordId &id) const = 0;
    /// The stored answer of a finished record; null without one.
    [[nodiscard]] virtual ResponsePtr response(const IdentityView &identity) const = 0;
    /// The record's last events, oldest first, as many as `policy().historyEvents` keeps. Errors: NotFound.
    [[nodiscard]] virtual Result<std::vector<StoreEvent>> history(const IdentityView &identity) const = 0;
    /// Errors: Invalid (limit or cursor).
    [[nodiscard]] virtual Result<Page> list(const Query &query) const = 0;
    [[nodiscard]] virtual Counters counters() const = 0;
    /// Finished records that will expire within [now + i * step, now + (i + 1) * step), for i = 0...buckets-1.
    [[nodiscard]] virtual std::vector<std::uint64_t> expiryForecast(Duration step, std::size_t buckets) const = 0;

    /// A new subscription from now on; ends with the last reference. `capacity` >= 1 events.
    [[nodiscard]] virtual std::shared_ptr<EventStream> subscribe(std::size_t capacity = 65'536) = 0;

    /// Removes what expired and marks lapsed leases; returns how many records it removed.
    virtual std::uint64_t sweepNow() = 0;
    /// Wakes every waiter with Rejected (Closed) and refuses all further verbs but reading. Idempotent.
    virtual void close() = 0;

    [[nodiscard]] virtual const Policy &policy() const = 0;
    [[nodiscard]] virtual const Clock &clock() const = 0;
};

} // namespace idem
