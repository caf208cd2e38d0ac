// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/execute.h"
#include "core/store/memory_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace idem {

namespace {

using testing::ReturnRef;

/// A store that nothing is expected of but to begin.
class AbsentStore : public Store
{
public:
    AbsentStore() { ON_CALL(*this, policy).WillByDefault(ReturnRef(settings)); }

    MOCK_METHOD(void, beginAsync, (const BeginRequest &, BeginCallback), (override));
    MOCK_METHOD(Result<Completion>, complete, (const OwnershipView &, const ResponseView &), (override));
    MOCK_METHOD(Result<Completion>, fail, (const OwnershipView &, const QString &), (override));
    MOCK_METHOD(Result<std::optional<Instant>>, renew, (const OwnershipView &), (override));
    MOCK_METHOD(Result<void>, release, (const OwnershipView &), (override));
    MOCK_METHOD(Result<void>, sideEffectStarted, (const OwnershipView &), (override));
    MOCK_METHOD(Result<void>, markUnknown, (const OwnershipView &), (override));
    MOCK_METHOD(Result<RecordView>, abandon, (const IdentityView &, const AbandonRequest &), (override));
    MOCK_METHOD(Result<RecordView>, settle, (const IdentityView &, const SettleRequest &), (override));
    MOCK_METHOD(Result<void>, purge, (const IdentityView &, Fence, const QString &), (override));
    MOCK_METHOD(std::optional<RecordView>, find, (const IdentityView &), (const, override));
    MOCK_METHOD(std::optional<RecordView>, find, (const RecordId &), (const, override));
    MOCK_METHOD(ResponsePtr, response, (const IdentityView &), (const, override));
    MOCK_METHOD(Result<std::vector<StoreEvent>>, history, (const IdentityView &), (const, override));
    MOCK_METHOD(Result<Page>, list, (const Query &), (const, override));
    MOCK_METHOD(Counters, counters, (), (const, override));
    MOCK_METHOD(std::vector<std::uint64_t>, expiryForecast, (Duration, std::size_t), (const, override));
    MOCK_METHOD(std::shared_ptr<EventStream>, subscribe, (std::size_t), (override));
    MOCK_METHOD(std::uint64_t, sweepNow, (), (override));
    MOCK_METHOD(void, close, (), (override));
    MOCK_METHOD(const Policy &, policy, (), (const, override));
    MOCK_METHOD(const Clock &, clock, (), (const, override));

    Policy settings;
};

void answerUnavailable(const BeginRequest & /*request*/, const BeginCallback &callback)
{
    callback(Rejected {RejectReason::Unavailable, QStringLiteral("The store cannot be reached.")});
}

/// Runs one call against a store that cannot be reached; how often the operation ran.
int runsOf(testing::NiceMock<AbsentStore> &store, ExecuteResult &result)
{
    EXPECT_CALL(store, beginAsync).WillOnce(answerUnavailable);
    EXPECT_CALL(store, complete).Times(0);
    int runs = 0;
    result = execute(store, {.tenant = "acme", .caller = "alice", .key = "order-1"}, [&runs](Execution &execution) {
        ++runs;
        EXPECT_FALSE(execution.isProtected());
        return Response {201, {}, QByteArray("unprotected")};
    });
    return runs;
}

} // namespace

TEST(ExecuteUnavailable, FailsClosed)
{
    testing::NiceMock<AbsentStore> store;
    ExecuteResult result;
    EXPECT_EQ(runsOf(store, result), 0);
    ASSERT_FALSE(result);
    const auto *rejected = std::get_if<Rejected>(&result.error());
    ASSERT_TRUE(rejected);
    EXPECT_EQ(rejected->reason, RejectReason::Unavailable);
}

TEST(ExecuteUnavailable, GoSeedFailsOpen)
{
    testing::NiceMock<AbsentStore> store;
    store.settings.semantics.runsUnprotected = true;
    ExecuteResult result;
    EXPECT_EQ(runsOf(store, result), 1);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->response->body(), "unprotected");
    EXPECT_FALSE(result->shared);
    EXPECT_FALSE(result->stored);
}

TEST(ExecuteUnavailable, AFullStoreIsNotADownOne)
{
    Policy policy;
    policy.maxRecords = 1;
    policy.semantics.runsUnprotected = true;
    MemoryStore store({.policy = policy});
    static_cast<void>(execute(
        store, {.tenant = "acme", .caller = "alice", .key = "order-1"}, [](Execution &) { return Response {201}; }));
    const ExecuteResult full =
        execute(store, {.tenant = "acme", .caller = "alice", .key = "order-2"}, [](Execution &) -> Response {
            ADD_FAILURE() << "the operation ran";
            return {};
        });
    ASSERT_FALSE(full);
    const auto *rejected = std::get_if<Rejected>(&full.error());
    ASSERT_TRUE(rejected);
    EXPECT_EQ(rejected->reason, RejectReason::AtCapacity);
}

} // namespace idem
