// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/mutation/faulty_stores.h"

#include "tests/simulator/mutation/faulty_begin.h"
#include "tests/simulator/mutation/remembering_store.h"

namespace idem::test {

using namespace Qt::StringLiterals;

namespace {

class NoFence final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

    Result<Completion> complete(const OwnershipView &owner, const ResponseView &response) override
    {
        const Ownership present = memory(owner.identity).owner;
        return RememberingStore::complete({owner.identity, present.fence, present.token}, response);
    }
};

/// Takes what an honest store refuses, if the record is in one state.
class TakesRefused final : public RememberingStore
{
public:
    TakesRefused(std::unique_ptr<Store> within, State state)
        : RememberingStore(std::move(within))
        , m_state(state)
    {
    }

    Result<Completion> complete(const OwnershipView &owner, const ResponseView &response) override
    {
        Result<Completion> done = RememberingStore::complete(owner, response);
        const std::optional<RecordView> found = find(owner.identity);
        if (done || !found || found->state != m_state) {
            return done;
        }
        force(owner.identity, response);
        return Completion {};
    }

private:
    State m_state;
};

class OwnerRefused final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

    Result<Completion> complete(const OwnershipView &owner, const ResponseView & /*response*/) override
    {
        return tl::unexpected(StoreError {.code = StoreErrorCode::StaleOwner, .currentFence = owner.fence});
    }
};

class DroppedResult final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

    Result<Completion> complete(const OwnershipView &owner, const ResponseView & /*response*/) override
    {
        return within().release(owner).map([] { return Completion {}; });
    }
};

class LostRelease final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

    Result<void> release(const OwnershipView & /*owner*/) override { return {}; }
};

class StaleRelease final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

    Result<void> release(const OwnershipView &owner) override
    {
        const Ownership present = memory(owner.identity).owner;
        return within().release({owner.identity, present.fence, present.token});
    }
};

class AbandonFinished final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

    Result<RecordView> abandon(const IdentityView &identity, const AbandonRequest &request) override
    {
        const std::optional<RecordView> found = find(identity);
        if (!found || found->state != State::Completed) {
            return within().abandon(identity, request);
        }
        const Result<void> purged = within().purge(identity, request.expectedFence, request.reason);
        Q_ASSERT(purged);
        return *found;
    }
};

} // namespace

std::unique_ptr<Store> makeFaulty(StoreFault fault, std::unique_ptr<Store> within)
{
    switch (fault) {
    case StoreFault::None:
        return std::make_unique<sim::ForwardingStore>(std::move(within));
    case StoreFault::NoFence:
        return std::make_unique<NoFence>(std::move(within));
    case StoreFault::CompleteAfterAbandon:
        return std::make_unique<TakesRefused>(std::move(within), State::Abandoned);
    case StoreFault::Overwrite:
        return std::make_unique<TakesRefused>(std::move(within), State::Completed);
    case StoreFault::OwnerRefused:
        return std::make_unique<OwnerRefused>(std::move(within));
    case StoreFault::DroppedResult:
        return std::make_unique<DroppedResult>(std::move(within));
    case StoreFault::LostRelease:
        return std::make_unique<LostRelease>(std::move(within));
    case StoreFault::StaleRelease:
        return std::make_unique<StaleRelease>(std::move(within));
    case StoreFault::AbandonFinished:
        return std::make_unique<AbandonFinished>(std::move(within));
    default:
        return makeFaultyBegin(fault, std::move(within));
    }
}

} // namespace idem::test
