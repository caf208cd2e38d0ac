// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/scheduler.h"
#include "core/store/store.h"

namespace idem {

/// What a memory store is made with. Nothing here changes afterwards.
struct MemoryStoreOptions
{
    Policy policy {};
    const Clock *clock = nullptr; ///< null: the system's; must outlive the store
    Scheduler *scheduler = nullptr; ///< null: a ThreadScheduler of the store's own; must outlive the store
    int shards = 64; ///< a power of two, 1...4,096
    /// Secret of the record ids, 32 bytes; empty: random.
    QByteArray idSecret {};
};

/// The in-process engine: QHash under QMutex, in shards. Everything is lost with the process.
/// Sweeps itself every `policy.sweepInterval` on the scheduler; never blocks a caller for longer than one shard's short
/// critical section.
/// Precondition: `options.policy.problems()` is empty (asserted).
class MemoryStore final : public Store
{
public:
    explicit MemoryStore(MemoryStoreOptions options = {});
    ~MemoryStore() override;
    MemoryStore(const MemoryStore &) = delete;
    MemoryStore &operator=(const MemoryStore &) = delete;

    void beginAsync(const BeginRequest &request, BeginCallback callback) override;
    Result<Completion> complete(const Ownership &owner, Response response) override;
    Result<Completion> fail(const Ownership &owner, const QString &reason) override;
    Result<std::optional<Instant>> renew(const Ownership &owner) override;
    Result<void> release(const Ownership &owner) override;
    Result<void> sideEffectStarted(const Ownership &owner) override;
    Result<void> markUnknown(const Ownership &owner) override;
    Result<RecordView> abandon(const IdentityView &identity, const AbandonRequest &request) override;
    Result<RecordView> settle(const IdentityView &identity, const SettleRequest &request) override;
    Result<void> purge(const IdentityView &identity, Fence expectedFence, const QString &reason) override;
    [[nodiscard]] std::optional<RecordView> find(const IdentityView &identity) const override;
    [[nodiscard]] std::optional<RecordView> find(const RecordId &id) const override;
    [[nodiscard]] ResponsePtr response(const IdentityView &identity) const override;
    [[nodiscard]] Result<Page> list(const Query &query) const override;
    [[nodiscard]] Counters counters() const override;
    [[nodiscard]] std::vector<std::uint64_t> expiryForecast(Duration step, std::size_t buckets) const override;
    [[nodiscard]] std::shared_ptr<EventStream> subscribe(std::size_t capacity) override;
    std::uint64_t sweepNow() override;
    void close() override;
    [[nodiscard]] const Policy &policy() const override;
    [[nodiscard]] const Clock &clock() const override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace idem
