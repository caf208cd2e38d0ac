// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/execute_calls.h"

namespace idem::test {

// execute(): single flight, seen by those who share and those who are turned away.

TEST_P(StoreContract, ExecuteRunsOnceAndSharesTheAnswer)
{
    int runs = 0;
    const Operation operation = [&](Execution &execution) {
        EXPECT_TRUE(execution.isProtected());
        EXPECT_EQ(execution.attempt(), 1U);
        EXPECT_EQ(execution.fence(), record().fence);
        EXPECT_EQ(execution.leaseEnd(), record().leaseEnd);
        EXPECT_EQ(state(), State::InProgress);
        ++runs;
        return created();
    };
    const Executed first = answerOf(execute(store(), requestOf({}), operation));
    EXPECT_EQ(*first.response, created());
    EXPECT_FALSE(first.shared);
    EXPECT_TRUE(first.stored);
    for (const Ask &again : {Ask {}, waiting}) {
        const Executed second = answerOf(execute(store(), requestOf(again), operation));
        EXPECT_EQ(*second.response, created());
        EXPECT_TRUE(second.shared);
        EXPECT_TRUE(second.stored);
        EXPECT_FALSE(second.failed);
        EXPECT_FALSE(second.late);
        EXPECT_EQ(second.fence, first.fence);
    }
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(state(), State::Completed);
}

TEST_P(StoreContract, ExecuteSharesFalsyBodiesAsTheyAre)
{
    using Body = std::optional<QByteArray>;
    for (const Body &body :
        {Body("0"), Body("false"), Body("\"\""), Body("[]"), Body("{}"), Body("null"), Body(QByteArray("")), Body()}) {
        const Response response {200, {}, body};
        const QByteArray key = "body-" + body.value_or("absent").toHex();
        EXPECT_FALSE(answerOf(execute(store(), requestOf({.key = key}), answering(response))).shared);
        const Executed again = answerOf(execute(store(), requestOf({.key = key}), unexpectedRun));
        EXPECT_TRUE(again.shared);
        EXPECT_EQ(*again.response, response);
        EXPECT_EQ(again.response->body().has_value(), body.has_value()) << "absent is not empty";
    }
    EXPECT_EQ(store().counters().completed, 8U);
}

TEST_P(StoreContract, ExecuteSharesAnswersWithoutABody)
{
    for (const int status : {202, 204}) {
        const QByteArray key = QByteArray::number(status);
        answerOf(execute(store(), requestOf({.key = key}), answering({status, {}, {}})));
        const Executed again = answerOf(execute(store(), requestOf({.key = key}), unexpectedRun));
        EXPECT_EQ(*again.response, (Response {status, {}, {}}));
    }
}

TEST_P(StoreContract, ExecuteWithoutAWaitIsToldAtOnceThatTheKeyIsBusy)
{
    const Ownership owner = own();
    const auto busy = reasonOf<InProgress>(execute(store(), requestOf({}), unexpectedRun));
    EXPECT_EQ(busy.fence, owner.fence);
    EXPECT_EQ(busy.leaseEnd, now() + 60s);
}

TEST_P(StoreContract, ExecuteOneWaiterTooManyIsToldAtOnce)
{
    const Ownership owner = own();
    std::vector<std::shared_ptr<Later>> laters;
    for (int i = 0; i < Policy().maxWaitersPerKey; ++i) {
        laters.push_back(beginLater(waiting));
    }
    EXPECT_EQ(store().counters().waiting, 64U);
    reasonOf<InProgress>(execute(store(), requestOf(waiting), unexpectedRun)); // this thread would sleep for ever
    ASSERT_TRUE(complete(owner));
    EXPECT_EQ(laters.back()->kind(), OutcomeKind::Replay);
}

TEST_P(StoreContract, ExecutePassesOnWhatBeginRefuses)
{
    answerOf(execute(store(), requestOf({}), answering(created())));
    const auto mismatch = reasonOf<Mismatch>(execute(store(), requestOf({.fingerprint = "v1:other"}), unexpectedRun));
    EXPECT_EQ(mismatch.state, State::Completed);
    const auto malformed = reasonOf<Rejected>(execute(store(), requestOf({.key = "a\n"}), unexpectedRun));
    EXPECT_EQ(malformed.reason, RejectReason::KeyMalformed);
    store().close();
    const auto closed = reasonOf<Rejected>(execute(store(), requestOf({}), unexpectedRun));
    EXPECT_EQ(closed.reason, RejectReason::Closed);
}

TEST_P(StoreContract, ExecuteGivesItsCallerEveryByteOfWhatIsTooLargeToKeep)
{
    Policy policy;
    policy.maxBodyBytes = 10;
    open(policy);
    const QByteArray large(1'000'000, 'x');
    const Executed own = answerOf(execute(store(), requestOf({}), answering(created(large))));
    EXPECT_EQ(own.response->body(), large);
    EXPECT_FALSE(own.stored);
    const auto omitted = reasonOf<NotStored>(execute(store(), requestOf({}), unexpectedRun));
    EXPECT_EQ(omitted.originalStatus, 201);
    EXPECT_EQ(omitted.fence, own.fence);
}

TEST_P(StoreContract, ExecuteInsideExecuteForAnotherKey)
{
    const Executed outer = answerOf(execute(store(), requestOf({.key = "order"}), [this](Execution &) {
        const Executed inner = answerOf(execute(store(), requestOf({.key = "payment"}), answering(created("paid"))));
        EXPECT_FALSE(inner.shared);
        return created("ordered, " + inner.response->body().value_or("").toByteArray());
    }));
    EXPECT_EQ(outer.response->body(), "ordered, paid");
    EXPECT_EQ(state({.key = "payment"}), State::Completed);
}

TEST_P(StoreContract, ExecuteInsideExecuteForTheSameKeyIsBusyAndNotStuck)
{
    const Executed outer = answerOf(execute(store(), requestOf({}), [this](Execution &) {
        reasonOf<InProgress>(execute(store(), requestOf({}), unexpectedRun));
        return created();
    }));
    EXPECT_TRUE(outer.stored);
}

} // namespace idem::test
