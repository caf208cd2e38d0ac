// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store.h"

#include <functional>
#include <variant>

namespace idem {

/// What a running operation may ask of, and tell to, the store. Valid during that run only.
/// Thread-safety: one thread at a time.
class Execution
{
public:
    /// Of a run that holds no key: possible only under the semantics `runsWhileInProgress` and `runsUnprotected`.
    Execution() = default;
    /// Of the run that `fresh` allows, which must outlive it.
    explicit Execution(Fresh &fresh)
        : m_fresh(&fresh)
    {
    }

    [[nodiscard]] bool isProtected() const { return m_fresh != nullptr; }
    /// To hand on to what the operation changes, so that it can refuse a displaced one; None when unprotected.
    [[nodiscard]] Fence fence() const;
    /// Counts the ownerships of this record, from 1; 0 when unprotected.
    [[nodiscard]] std::uint32_t attempt() const;
    /// None without a lease.
    [[nodiscard]] std::optional<Instant> leaseEnd() const;

    /// Prolongs the lease from now; returns its new end. Errors as Store::renew(); NotFound when unprotected.
    Result<std::optional<Instant>> renew();
    /// To be called right before the effect: from here on a throw leaves the outcome unknown instead of the key free.
    /// After a refusal (errors as Store::sideEffectStarted()) the operation should stop: another attempt owns the key.
    /// Unprotected: does nothing.
    Result<void> sideEffectStarted();

private:
    Fresh *m_fresh = nullptr;
};

/// How an operation ends that has no answer to give.
struct Failure
{
    enum class As : std::uint8_t {
        Final, ///< for good: every later call gets problem 409 `operation-failed`
        Release, ///< nothing happened: the key is given back (or the outcome unknown after sideEffectStarted())
    };

    QString reason {}; ///< of a final failure: part of the problem that later callers get
    As as = As::Release;
};

/// What execute() runs: returns a Response or a Failure, or throws.
using Operation = std::function<tl::expected<Response, Failure>(Execution &)>;

/// An answer, this call's own or another's.
struct Executed
{
    ResponsePtr response {}; ///< never null
    bool shared = false; ///< another call made it; this call's operation did not run
    bool failed = false; ///< shared only: the operation failed for good, `response` is the problem document
    bool late = false; ///< made after its lease's end
    /// Later calls will get this answer. False for the caller's own when it is not final, too large to keep or made
    /// without protection.
    bool stored = true;
    Fence fence = Fence::None; ///< of the attempt that made it; None when unprotected
};

/// The operation of this call ran and answered, but the store refused the result: nobody else will see it. StaleOwner:
/// another attempt took the key meanwhile. LeaseOver (strict), NotFound, Closed: see Store::complete(). Invalid: the
/// response's status is outside 100...599; the key was given back.
struct RefusedResult
{
    StoreError error {};
    ResponsePtr response {}; ///< what was refused; null for a Failure
};

/// Why there is no answer. Failure: this call's own operation said so; RefusedResult: it ran in vain. After the others
/// it did not run.
using NotExecuted = std::variant<InProgress, Mismatch, Unknown, NotStored, Rejected, Failure, RefusedResult>;

using ExecuteResult = tl::expected<Executed, NotExecuted>;

/// Single flight: of all calls with one key one runs its operation, in its own thread, and the others get its answer,
/// however many they are (the Go seed's `Do`).
///
/// A call that finds the key in progress waits for `request.wait` at most (0: not at all; at most the policy's
/// `maxWait`), then gets InProgress; so does at once who finds `maxWaitersPerKey` waiting before it. What waiters get
/// is always the real outcome. When the running operation throws, gives the key back or answers what is not final
/// (503 under the default preset), its own caller gets that, and the oldest waiter runs its own operation while the
/// others go on waiting for this one. A result too large to keep reaches its own caller whole and the others as
/// NotStored. When the running operation's lease ends first, the oldest waiter takes over, as `begin` rules it.
///
/// An exception of any type leaves this function as it was thrown, after the key was given back, or after the outcome
/// was marked unknown once sideEffectStarted() was called. So does the end of a thread by forced unwinding.
///
/// Operations may call execute() for another key. For the same key the inner call waits for the outer one in vain: it
/// gets InProgress when its wait is over, unless the lease ends before that, when it takes over and the outer result
/// is refused as stale.
///
/// `request.attemptId` should be empty or differ from call to call: two calls with one id are one attempt to the store,
/// and both run.
///
/// Precondition: `operation` is not empty (asserted). Thread-safety: may be called from any thread, but no callback of
/// the store or of its scheduler, with a wait or a long operation: it blocks.
[[nodiscard]] ExecuteResult execute(Store &store, const BeginRequest &request, const Operation &operation);

} // namespace idem
