// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/store/contract/fixture.h"

// Small words for the stories of the caps. What a record takes is the backend's own affair: it is measured on a store
// without a byte cap, on records of orderKey(), which all take the same.
namespace idem::test {

inline const QString outOfRoom = QStringLiteral("out of room");

[[nodiscard]] inline QByteArray orderKey(int number)
{
    return "order-" + QByteArray::number(number).rightJustified(6, '0');
}

[[nodiscard]] inline Policy capped(
    qint64 maxRecords, std::optional<qint64> maxBytes = {}, AtCapacity atCapacity = AtCapacity::Refuse)
{
    Policy policy;
    policy.maxRecords = maxRecords;
    policy.maxBytes = maxBytes;
    policy.atCapacity = atCapacity;
    return policy;
}

/// Far from any cap by records.
constexpr qint64 manyRecords = 1'000'000;

/// A fresh one, its owner gone.
inline Ownership ownOrder(Store &store, int number)
{
    const QByteArray key = orderKey(number);
    Outcome outcome = store.begin({"acme", "alice", key, "v1:payload", {}, "server-1"});
    Fresh *const fresh = std::get_if<Fresh>(&outcome);
    EXPECT_TRUE(fresh) << key.toStdString();
    return fresh ? fresh->claim.detach() : Ownership {};
}

inline std::vector<Ownership> ownOrders(Store &store, int count)
{
    std::vector<Ownership> owners;
    for (int i = 0; i < count; ++i) {
        owners.push_back(ownOrder(store, i));
    }
    return owners;
}

/// Bytes of one record in progress. Precondition: the store is empty.
inline qint64 bytesOfOne(Store &store)
{
    ownOrder(store, 0);
    return qint64(store.counters().bytes);
}

/// A new key is refused and leaves no trace.
inline void expectFull(Store &store)
{
    const Counters before = store.counters();
    const QByteArray key = orderKey(999'999);
    const Outcome outcome = store.begin({"acme", "alice", key, "v1:payload", {}, "server-1"});
    const Rejected *const rejected = std::get_if<Rejected>(&outcome);
    ASSERT_TRUE(rejected);
    EXPECT_EQ(rejected->reason, RejectReason::AtCapacity);
    EXPECT_FALSE(store.find({"acme", "alice", key}));
    EXPECT_EQ(store.counters().records, before.records);
    EXPECT_EQ(store.counters().bytes, before.bytes);
    EXPECT_EQ(store.counters().evicted, before.evicted);
}

/// Not one byte of the cap is left.
inline void expectFullToTheByte(Store &store)
{
    EXPECT_EQ(store.counters().bytes, std::uint64_t(store.policy().maxBytes.value()));
    expectFull(store);
}

} // namespace idem::test
