// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/mutation/faulty_begin.h"

#include "tests/simulator/mutation/remembering_store.h"

#include <algorithm>

namespace idem::test {

using namespace Qt::StringLiterals;

namespace {

constexpr auto early = std::chrono::milliseconds(200);

class SecondFresh final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

protected:
    std::optional<Outcome> cheat(const Asked &asked, Outcome outcome) override
    {
        const auto *held = std::get_if<InProgress>(&outcome);
        if (!held || ++m_met % 2 != 0) {
            return outcome;
        }
        return Fresh {.claim = Claim(*this, memory(asked.identity).owner, held->leaseEnd)};
    }

private:
    int m_met = 0;
};

class FalseConflict final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

protected:
    std::optional<Outcome> cheat(const Asked & /*asked*/, Outcome outcome) override
    {
        if (!std::holds_alternative<Fresh>(outcome) || ++m_met % 2 != 0) {
            return outcome;
        }
        giveBack(std::move(outcome));
        return InProgress {.fence = Fence {1}, .startedAt = now()};
    }

private:
    int m_met = 0;
};

class OtherAnswer final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

protected:
    std::optional<Outcome> cheat(const Asked &asked, Outcome outcome) override
    {
        const auto other = std::find_if(memories().begin(), memories().end(),
            [&](const auto &entry) { return entry.first != asked.identity && entry.second.answer.status != 0; });
        if (auto *replay = std::get_if<Replay>(&outcome); replay && other != memories().end()) {
            replay->response = StoredResponse::make(other->second.answer);
        }
        return outcome;
    }
};

class DefaultSuccess final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

protected:
    std::optional<Outcome> cheat(const Asked &asked, Outcome outcome) override
    {
        if (!asked.waited || !std::holds_alternative<Fresh>(outcome)) {
            return outcome;
        }
        giveBack(std::move(outcome));
        return Replay {.response = StoredResponse::make(Response {.status = 200}), .expiresAt = Instant::max()};
    }
};

class LostWakeup final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

protected:
    std::optional<Outcome> cheat(const Asked &asked, Outcome outcome) override
    {
        if (!asked.waited) {
            return outcome;
        }
        if (auto *fresh = std::get_if<Fresh>(&outcome)) {
            fresh->claim.detach();
        }
        return std::nullopt;
    }
};

class EarlyLeaseEnd final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

protected:
    std::optional<Outcome> cheat(const Asked &asked, Outcome outcome) override
    {
        const auto *held = std::get_if<InProgress>(&outcome);
        if (!held || !held->leaseEnd || now() < *held->leaseEnd - early) {
            return outcome;
        }
        const auto freed = within().abandon(
            asked.identity, {.expectedFence = held->fence, .reason = u"a fault"_s, .overrideLive = true});
        Q_ASSERT(freed);
        return beginAgain(asked);
    }
};

class LongTtl final : public RememberingStore
{
public:
    LongTtl(std::unique_ptr<Store> within, Duration excess)
        : RememberingStore(std::move(within))
        , m_excess(excess)
    {
    }

protected:
    std::optional<Outcome> cheat(const Asked &asked, Outcome outcome) override
    {
        const Memory &known = memory(asked.identity);
        const Instant end = known.answeredAt + policy().ttl + m_excess;
        if (!std::holds_alternative<Fresh>(outcome) || known.answer.status == 0 || now() >= end) {
            return outcome;
        }
        giveBack(std::move(outcome));
        return Replay {.response = StoredResponse::make(known.answer), .expiresAt = end};
    }

private:
    Duration m_excess;
};

class ShortTtlByOne final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

protected:
    std::optional<Outcome> cheat(const Asked &asked, Outcome outcome) override
    {
        const auto *replay = std::get_if<Replay>(&outcome);
        if (!replay || now() < replay->expiresAt - std::chrono::microseconds(1)) {
            return outcome;
        }
        const Result<void> purged = within().purge(asked.identity, replay->fence, u"a fault"_s);
        Q_ASSERT(purged);
        return beginAgain(asked);
    }
};

class NoFingerprint final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

    void beginAsync(const BeginRequest &request, BeginCallback callback) override
    {
        BeginRequest without = request;
        without.fingerprint = {};
        RememberingStore::beginAsync(without, std::move(callback));
    }
};

class ReplayTooSoon final : public RememberingStore
{
public:
    using RememberingStore::RememberingStore;

protected:
    std::optional<Outcome> cheat(const Asked & /*asked*/, Outcome outcome) override
    {
        if (!std::holds_alternative<InProgress>(outcome)) {
            return outcome;
        }
        return Replay {.response = StoredResponse::make(Response {.status = 202}), .expiresAt = Instant::max()};
    }
};

} // namespace

std::unique_ptr<Store> makeFaultyBegin(StoreFault fault, std::unique_ptr<Store> within)
{
    switch (fault) {
    case StoreFault::SecondFresh:
        return std::make_unique<SecondFresh>(std::move(within));
    case StoreFault::FalseConflict:
        return std::make_unique<FalseConflict>(std::move(within));
    case StoreFault::OtherAnswer:
        return std::make_unique<OtherAnswer>(std::move(within));
    case StoreFault::DefaultSuccess:
        return std::make_unique<DefaultSuccess>(std::move(within));
    case StoreFault::LostWakeup:
        return std::make_unique<LostWakeup>(std::move(within));
    case StoreFault::EarlyLeaseEnd:
        return std::make_unique<EarlyLeaseEnd>(std::move(within));
    case StoreFault::LongTtl:
        return std::make_unique<LongTtl>(std::move(within), std::chrono::seconds(1));
    case StoreFault::LongTtlByOne:
        return std::make_unique<LongTtl>(std::move(within), std::chrono::microseconds(1));
    case StoreFault::ShortTtlByOne:
        return std::make_unique<ShortTtlByOne>(std::move(within));
    case StoreFault::NoFingerprint:
        return std::make_unique<NoFingerprint>(std::move(within));
    case StoreFault::ReplayTooSoon:
        return std::make_unique<ReplayTooSoon>(std::move(within));
    default:
        return nullptr;
    }
}

} // namespace idem::test
