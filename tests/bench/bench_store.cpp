// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
// The store of this project in the shared workloads, through its public contract: fences, tenants, TTL, counters.

#include "core/store/memory_store.h"
#include "tests/bench/workloads.h"

#include <cstdio>

using namespace idem;

namespace {

class Ours
{
public:
    Ours()
        : m_store({.policy = {.lease = Duration(std::chrono::hours(1)), .sweepInterval = std::chrono::hours(24)}})
    {
    }

    void run(std::string_view key)
    {
        Outcome outcome = m_store.begin(request(key));
        if (auto *fresh = std::get_if<Fresh>(&outcome))
            (void)fresh->claim.complete(
                {.status = 201, .headers = {}, .body = QByteArrayView(bench::body().data(), bench::bodyBytes)});
    }

    std::uint64_t attempt(std::string_view key)
    {
        const Outcome outcome = m_store.begin(request(key));
        if (const auto *replay = std::get_if<Replay>(&outcome)) {
            const QByteArrayView body = *replay->response->body();
            return static_cast<std::uint64_t>(replay->response->status()) + static_cast<std::uint8_t>(body.front())
                + static_cast<std::uint8_t>(body.back());
        }
        return outcome.index();
    }

    void hold(std::string_view key)
    {
        Outcome outcome = m_store.begin(request(key));
        if (auto *fresh = std::get_if<Fresh>(&outcome))
            fresh->claim.detach();
    }

    /// By the operator's verb, with the fence read first, as an operator does.
    void abandon(std::string_view key)
    {
        const IdentityView identity {"bench", {}, QByteArrayView(key.data(), static_cast<qsizetype>(key.size()))};
        (void)m_store.abandon(identity, {.expectedFence = m_store.find(identity)->fence, .reason = m_reason});
    }

private:
    static BeginRequest request(std::string_view key)
    {
        return {.tenant = "bench", .key = QByteArrayView(key.data(), static_cast<qsizetype>(key.size()))};
    }

    MemoryStore m_store;
    QString m_reason = QStringLiteral("benchmark");
};

} // namespace

int main(int argc, char **argv)
{
    if (bench::runMode<Ours>("ours", {argv + 1, argv + argc}))
        return 0;
    std::fputs("Usage: bench_store store THREADS KEYS | mem KEYS | lat KEYS\n", stderr);
    return 2;
}
