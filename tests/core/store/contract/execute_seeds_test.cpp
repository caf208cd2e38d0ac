// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/execute_calls.h"

#include <stdexcept>

namespace idem::test {

// The Go seed's faults, each behind its switch.

TEST_P(StoreContract, GoSeedsWaitersOfAThrowGetAnEmptySuccess)
{
    Policy policy;
    policy.semantics.emptyResultAfterThrow = true;
    open(policy);
    std::shared_ptr<Later> first;
    std::shared_ptr<Later> second;
    EXPECT_THROW(static_cast<void>(execute(store(), requestOf({}),
                     [&](Execution &) -> Response {
                         first = beginLater(waiting);
                         second = beginLater(waiting);
                         throw std::runtime_error("panic");
                     })),
        std::runtime_error);
    for (const auto &later : {first, second}) {
        ASSERT_EQ(later->kind(), OutcomeKind::Replay);
        EXPECT_EQ(*std::get<Replay>(*later->outcome).response, (Response {200, {}, {}}));
    }
    EXPECT_FALSE(exists()) << "the next call runs again";
    EXPECT_FALSE(answerOf(execute(store(), requestOf({}), answering(created()))).shared);
}

TEST_P(StoreContract, GoSeedsThrowWithoutWaitersOnlyFreesTheKey)
{
    Policy policy;
    policy.semantics.emptyResultAfterThrow = true;
    open(policy);
    EXPECT_THROW(static_cast<void>(execute(store(), requestOf({}), [](Execution &) -> Response { throw 7; })), int);
    EXPECT_EQ(store().counters().completed, 0U);
    EXPECT_FALSE(answerOf(execute(store(), requestOf({}), answering(created()))).shared);
    EXPECT_TRUE(answerOf(execute(store(), requestOf({}), unexpectedRun)).shared);
}

TEST_P(StoreContract, GoSeedsStoreModeRunsTenConcurrentCallsTenTimes)
{
    Policy policy;
    policy.semantics.fenced = false;
    policy.semantics.runsWhileInProgress = true;
    open(policy);
    constexpr int calls = 10;
    int runs = 0;
    const Operation operation = [&](Execution &execution) {
        const int number = ++runs;
        EXPECT_EQ(execution.isProtected(), number == 1);
        if (number < calls) { // the next call comes while this one runs; it does not wait, however long it might
            const Executed next = answerOf(execute(store(), requestOf(waiting), operation));
            EXPECT_FALSE(next.shared);
            EXPECT_TRUE(next.stored);
            EXPECT_EQ(expect<Replay>().response->body(), QByteArray::number(number + 1)) << "the last writer wins";
        }
        return created(QByteArray::number(number));
    };
    EXPECT_EQ(answerOf(execute(store(), requestOf({}), operation)).response->body(), "1");
    EXPECT_EQ(runs, calls);
    EXPECT_EQ(expect<Replay>().response->body(), "1");
}

TEST_P(StoreContract, HereTenConcurrentCallsRunOnce)
{
    int runs = 0;
    answerOf(execute(store(), requestOf({}), [&](Execution &) {
        ++runs;
        for (int i = 1; i < 10; ++i) {
            reasonOf<InProgress>(execute(store(), requestOf({}), unexpectedRun));
        }
        return created();
    }));
    EXPECT_EQ(runs, 1);
}

TEST_P(StoreContract, GoSeedRunsUnprotectedWhileTheStoreIsDown)
{
    Policy policy;
    policy.semantics.runsUnprotected = true;
    open(policy);
    store().close();
    int runs = 0;
    const Operation operation = [&runs](Execution &execution) {
        ++runs;
        EXPECT_FALSE(execution.isProtected());
        EXPECT_EQ(execution.fence(), Fence::None);
        EXPECT_EQ(execution.attempt(), 0U);
        EXPECT_EQ(execution.leaseEnd(), std::nullopt);
        EXPECT_EQ(refusalOf(execution.renew()), StoreErrorCode::NotFound);
        EXPECT_TRUE(execution.sideEffectStarted());
        return created();
    };
    for (int i = 0; i < 2; ++i) {
        const Executed executed = answerOf(execute(store(), requestOf({}), operation));
        EXPECT_EQ(*executed.response, created());
        EXPECT_FALSE(executed.shared);
        EXPECT_FALSE(executed.stored);
    }
    EXPECT_EQ(runs, 2);
    reasonOf<Rejected>(execute(store(), requestOf({.key = ""}), unexpectedRun));
}

} // namespace idem::test
