// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/execute.h"

namespace idem {

using namespace Qt::StringLiterals;

namespace {

/// A fault by choice (Semantics::emptyResultAfterThrow): the waiters get a success that never was, and no record tells.
void giveEmptySuccess(Store &store, Claim &claim)
{
    const Ownership owner = claim.ownership();
    const auto record = store.find(owner.identity);
    if (!record || record->waiting == 0) {
        return; // nobody waits: the guard gives the key back
    }
    if (claim.complete(Response {200, {}, {}})) {
        static_cast<void>(store.purge(owner.identity, owner.fence, u"The operation threw."_s));
    }
}

/// One call of execute() after its begin: what becomes of each outcome.
class Call
{
public:
    Call(Store &store, const BeginRequest &request, const Operation &operation)
        : m_store(store)
        , m_request(request)
        , m_operation(operation)
        , m_semantics(store.policy().semantics)
    {
    }

    ExecuteResult run()
    {
        BeginRequest request = m_request;
        if (m_semantics.runsWhileInProgress) {
            request.wait = Duration::zero();
        }
        Outcome outcome = m_store.begin(request);
        return std::visit([this](auto &kind) { return end(kind); }, outcome);
    }

private:
    ExecuteResult end(Fresh &fresh)
    {
        auto answer = runOwned(fresh);
        if (!answer) {
            return endFailed(fresh.claim, std::move(answer.error()));
        }
        const ResponsePtr response = StoredResponse::make(*answer);
        const Fence fence = fresh.claim.fence();
        const Result<Completion> kept = fresh.claim.complete(*answer);
        if (!kept) {
            return tl::unexpected(NotExecuted(RefusedResult {kept.error(), response}));
        }
        const bool isStored = kept->state == State::Completed && !kept->bodyOmitted;
        return Executed {response, false, false, kept->late, isStored, fence};
    }

    ExecuteResult end(Replay &replay)
    {
        return Executed {std::move(replay.response), true, replay.failed, replay.late, true, replay.fence};
    }

    ExecuteResult end(InProgress &inProgress)
    {
        return m_semantics.runsWhileInProgress ? runBeside() : none(inProgress);
    }

    ExecuteResult end(Rejected &rejected)
    {
        const bool isDown = rejected.reason == RejectReason::Closed || rejected.reason == RejectReason::Unavailable;
        return isDown && m_semantics.runsUnprotected ? runUnprotected() : none(rejected);
    }

    ExecuteResult end(Mismatch &mismatch) { return none(mismatch); }
    ExecuteResult end(Unknown &unknown) { return none(unknown); }
    ExecuteResult end(NotStored &notStored) { return none(notStored); }

    template <typename Reason> static ExecuteResult none(Reason &reason)
    {
        return tl::unexpected(NotExecuted(std::move(reason)));
    }

    // Whatever leaves this function by unwinding, the guard in `fresh` settles the key on its way out.
    tl::expected<Response, Failure> runOwned(Fresh &fresh)
    {
        Execution execution(fresh);
        if (!m_semantics.emptyResultAfterThrow) {
            return m_operation(execution);
        }
        try {
            return m_operation(execution);
        } catch (...) {
            giveEmptySuccess(m_store, fresh.claim);
            throw;
        }
    }

    static ExecuteResult endFailed(Claim &claim, Failure failure)
    {
        if (failure.as == Failure::As::Final) {
            if (const auto kept = claim.fail(failure.reason); !kept) {
                return tl::unexpected(NotExecuted(RefusedResult {kept.error(), {}}));
            }
        }
        // Else the guard gives the key back. When it was taken over meanwhile there is nothing to give or to tell.
        return tl::unexpected(NotExecuted(std::move(failure)));
    }

    /// A fault by choice (Semantics::runsUnprotected).
    ExecuteResult runUnprotected()
    {
        Execution execution;
        auto answer = m_operation(execution);
        if (!answer) {
            return tl::unexpected(NotExecuted(std::move(answer.error())));
        }
        return Executed {StoredResponse::make(*answer), false, false, false, false, Fence::None};
    }

    /// A fault by choice (Semantics::runsWhileInProgress): the last result stays, where nothing compares owners.
    ExecuteResult runBeside()
    {
        ExecuteResult result = runUnprotected();
        if (result) {
            const IdentityView identity(m_request.tenant, m_request.caller, m_request.key);
            const auto kept = m_store.complete({identity, Fence::None, {}}, result->response->toResponse());
            result->stored = kept && !kept->bodyOmitted;
        }
        return result;
    }

    Store &m_store;
    const BeginRequest &m_request;
    const Operation &m_operation;
    const Semantics &m_semantics;
};

StoreError holdsNoKey()
{
    return {StoreErrorCode::NotFound, u"This run is unprotected: it holds no key."_s};
}

} // namespace

Fence Execution::fence() const
{
    return m_fresh ? m_fresh->claim.fence() : Fence::None;
}

std::uint32_t Execution::attempt() const
{
    return m_fresh ? m_fresh->attempt : 0;
}

std::optional<Instant> Execution::leaseEnd() const
{
    return m_fresh ? m_fresh->claim.leaseEnd() : std::nullopt;
}

Result<std::optional<Instant>> Execution::renew()
{
    return m_fresh ? m_fresh->claim.renew() : tl::unexpected(holdsNoKey());
}

Result<void> Execution::sideEffectStarted()
{
    return m_fresh ? m_fresh->claim.sideEffectStarted() : Result<void>();
}

ExecuteResult execute(Store &store, const BeginRequest &request, const Operation &operation)
{
    Q_ASSERT(operation);
    return Call(store, request, operation).run();
}

} // namespace idem
