// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store.h"

namespace idem::sim {

/// A store that passes everything on to another one: the base of those that differ in one respect. Claims speak to this
/// store, so that it sees the owner's verbs. Thread-safety: that of the store within.
class ForwardingStore : public Store
{
public:
    explicit ForwardingStore(std::unique_ptr<Store> within)
        : m_within(std::move(within))
    {
    }

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

protected:
    [[nodiscard]] Store &within() const { return *m_within; }
    [[nodiscard]] Instant now() const { return clock().now(); }
    /// `outcome` with its claim, if it has one, speaking to this store.
    [[nodiscard]] Outcome adopted(Outcome outcome);

    /// Puts another store in place of the one within, which is gone then. Not while a verb runs.
    void replaceWithin(std::unique_ptr<Store> next) { m_within = std::move(next); }

private:
    std::unique_ptr<Store> m_within;
};

} // namespace idem::sim
