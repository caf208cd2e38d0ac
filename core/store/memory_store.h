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
    /// Told after each time that a sweep held a lock, for how long, in real time: for metrics. Called on the sweeping
    /// thread, holding no lock.
    std::function<void(std::chrono::nanoseconds)> onSweepHold {};
};

/// The in-process engine: an index of records under a QMutex, in shards. Everything is lost with the process.
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

    Outcome begin(const BeginRequest &request) override;
    std::vector<Outcome> beginMany(std::span<const BeginRequest> requests) override;
    void beginAsync(const BeginRequest &request, BeginCallback callback) override;
    Result<Completion> complete(const OwnershipView &owner, const ResponseView &response) override;
    Result<Completion> fail(const OwnershipView &owner, const QString &reason) override;
    Result<std::optional<Instant>> renew(const OwnershipView &owner) override;
    Result<void> release(const OwnershipView &owner) override;
    Result<void> sideEffectStarted(const OwnershipView &owner) override;
    Result<void> markUnknown(const OwnershipView &owner) override;
    Result<RecordView> abandon(const IdentityView &identity, const AbandonRequest &request) override;
    Result<RecordView> settle(const IdentityView &identity, const SettleRequest &request) override;
    Result<void> purge(const IdentityView &identity, Fence expectedFence, const QString &reason) override;
    [[nodiscard]] std::optional<RecordView> find(const IdentityView &identity) const override;
    [[nodiscard]] std::optional<RecordView> find(const RecordId &id) const override;
    [[nodiscard]] ResponsePtr response(const IdentityView &identity) const override;
    [[nodiscard]] Result<std::vector<StoreEvent>> history(const IdentityView &identity) const override;
    [[nodiscard]] Result<Page> list(const Query &query) const override;
    [[nodiscard]] Counters counters() const override;
    [[nodiscard]] std::vector<std::uint64_t> expiryForecast(Duration step, std::size_t buckets) const override;
    [[nodiscard]] std::shared_ptr<EventStream> subscribe(std::size_t capacity = 65'536) override;
    std::uint64_t sweepNow() override;
    void close() override;
    /// Gives memory back that past loads needed, as far as it is this store's: a sweep frees records, not the tables
    /// that found them. Costs as much as there are records.
    void squeeze();
    [[nodiscard]] const Policy &policy() const override;
    [[nodiscard]] const Clock &clock() const override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace idem
