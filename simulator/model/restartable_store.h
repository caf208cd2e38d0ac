// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store.h"

#include <functional>
#include <vector>

namespace idem::sim {

/// A store that can lose everything: restart() closes the store within and puts a new one in its place. Claims, waits
/// and subscriptions go through this one, so that they outlive a restart; a claim from before it is refused as
/// unknown. Thread-safety: restart() from one thread, while no other verb runs.
class RestartableStore final : public Store
{
public:
    explicit RestartableStore(std::function<std::unique_ptr<Store>()> make);
    ~RestartableStore() override;

    /// Waiters are woken with Rejected (Closed); every record is gone.
    void restart();

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
    [[nodiscard]] std::shared_ptr<EventStream> subscribe(std::size_t capacity) override;
    std::uint64_t sweepNow() override;
    void close() override;
    [[nodiscard]] const Policy &policy() const override;
    [[nodiscard]] const Clock &clock() const override;

private:
    class Stream;
    std::function<std::unique_ptr<Store>()> m_make;
    std::unique_ptr<Store> m_store;
    std::vector<std::weak_ptr<Stream>> m_streams;
};

} // namespace idem::sim
