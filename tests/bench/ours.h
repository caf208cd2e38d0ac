// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory_store.h"
#include "tests/bench/bench_support.h"

#include <array>

namespace idem::bench {

/// The store of this project as a Subject of the workloads, through its public contract: fences, tenants, TTL,
/// counters.
class Ours
{
public:
    Ours()
        : Ours({.policy = policy()})
    {
    }
    explicit Ours(MemoryStoreOptions options)
        : m_store(std::move(options))
    {
    }

    /// Leases that outlive the benchmark, the rivals' TTL, room for all keys, and no sweep unless it is asked for.
    static Policy policy()
    {
        return {.lease = Duration(std::chrono::days(1)),
            .ttl = std::chrono::hours(1),
            .maxRecords = 1'000'000'000,
            .sweepInterval = maxPolicyDuration};
    }

    void run(std::string_view key)
    {
        Outcome outcome = m_store.begin(request(key));
        if (auto *fresh = std::get_if<Fresh>(&outcome))
            (void)fresh->claim.complete({.status = 201, .headers = {}, .body = bytesOf(body())});
    }

    std::uint64_t attempt(std::string_view key) { return numberOf(m_store.begin(request(key))); }

    /// The sum of what `Count` attempts make, from the `first` key on, asked at once.
    template <std::size_t Count> std::uint64_t attemptMany(const Keys &keys, std::size_t first)
    {
        std::array<BeginRequest, Count> requests;
        for (std::size_t i = 0; i < Count; ++i)
            requests[i] = request(keys[first + i]);
        std::uint64_t sum = 0;
        for (const Outcome &outcome : m_store.beginMany(requests))
            sum += numberOf(outcome);
        return sum;
    }

    struct Held
    {
        Fence fence = Fence::None;
        OwnerToken token {};
    };
    /// Precondition: nobody has the key.
    Held hold(std::string_view key)
    {
        Outcome outcome = m_store.begin(request(key));
        const Ownership owner = std::get<Fresh>(outcome).claim.detach();
        return {owner.fence, owner.token};
    }

    void abandon(std::string_view key, const Held &held)
    {
        (void)m_store.release({{m_tenant, {}, bytesOf(key)}, held.fence, held.token});
    }

    std::uint64_t sweep() { return m_store.sweepNow(); }

private:
    static QByteArrayView bytesOf(std::string_view text) { return {text.data(), static_cast<qsizetype>(text.size())}; }
    static std::uint64_t numberOf(const Outcome &outcome)
    {
        if (const auto *replay = std::get_if<Replay>(&outcome)) {
            const QByteArrayView answer = *replay->response->body();
            return static_cast<std::uint64_t>(replay->response->status()) + static_cast<std::uint8_t>(answer.front())
                + static_cast<std::uint8_t>(answer.back());
        }
        return outcome.index();
    }

    BeginRequest request(std::string_view key) const { return {.tenant = m_tenant, .key = bytesOf(key)}; }

    MemoryStore m_store;
    QByteArray m_tenant = QByteArrayLiteral("bench");
};

} // namespace idem::bench
