// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/execute_calls.h"

#include <stdexcept>

namespace idem::test {

using namespace Qt::StringLiterals;

// execute(): however an operation ends, its caller and its waiters get the real outcome.

TEST_P(StoreContract, ExecuteLetsAnExceptionOutAndGivesTheKeyBack)
{
    const auto throwing = [this](const auto &thrown) {
        static_cast<void>(execute(store(), requestOf({}), [&](Execution &) -> Response { throw thrown; }));
    };
    EXPECT_THROW(throwing(std::out_of_range("no route")), std::out_of_range);
    EXPECT_EQ(state(), State::Abandoned);
    EXPECT_THROW(throwing(7), int);
    EXPECT_EQ(state(), State::Abandoned);
    EXPECT_THROW(throwing("text"), const char *);
    EXPECT_EQ(state(), State::Abandoned);
    EXPECT_EQ(answerOf(execute(store(), requestOf({}), answering(created()))).shared, false);
    EXPECT_EQ(record().attempt, 4U);
}

TEST_P(StoreContract, ExecuteRethrowsTheVeryExceptionUnchanged)
{
    struct Own : std::runtime_error
    {
        using std::runtime_error::runtime_error;
        int detail = 42;
    };
    try {
        static_cast<void>(execute(store(), requestOf({}), [](Execution &) -> Response { throw Own("declined"); }));
        FAIL() << "nothing was thrown";
    } catch (const std::runtime_error &caught) {
        const Own *own = dynamic_cast<const Own *>(&caught);
        ASSERT_TRUE(own) << "sliced or wrapped";
        EXPECT_EQ(own->detail, 42);
        EXPECT_STREQ(own->what(), "declined");
    }
}

TEST_P(StoreContract, ExecuteCancelledBeforeTheEffectFreesAndAfterItDoesNot)
{
    struct Cancelled
    {
    };
    const auto cancelled = [this](const QByteArray &key, bool isSent) {
        static_cast<void>(execute(store(), requestOf({.key = key}), [isSent](Execution &execution) -> Response {
            if (isSent) {
                EXPECT_TRUE(execution.sideEffectStarted());
            }
            throw Cancelled();
        }));
    };
    EXPECT_THROW(cancelled("before", false), Cancelled);
    EXPECT_EQ(state({.key = "before"}), State::Abandoned);
    answerOf(execute(store(), requestOf({.key = "before"}), answering(created())));

    EXPECT_THROW(cancelled("after", true), Cancelled);
    EXPECT_EQ(state({.key = "after"}), State::OutcomeUnknown);
    const auto unknown = reasonOf<Unknown>(execute(store(), requestOf({.key = "after"}), unexpectedRun));
    EXPECT_EQ(unknown.state, State::OutcomeUnknown);
}

TEST_P(StoreContract, ExecuteRetriedAfterEachThrowNeverFindsTheKeyBusy)
{
    int runs = 0;
    const Operation failingTwice = [&runs](Execution &) -> Response {
        if (++runs < 3) {
            throw std::runtime_error("not yet");
        }
        return created();
    };
    EXPECT_THROW(static_cast<void>(execute(store(), requestOf({}), failingTwice)), std::runtime_error);
    EXPECT_THROW(static_cast<void>(execute(store(), requestOf({}), failingTwice)), std::runtime_error);
    EXPECT_FALSE(answerOf(execute(store(), requestOf({}), failingTwice)).shared);
    EXPECT_TRUE(answerOf(execute(store(), requestOf({}), unexpectedRun)).shared);
    EXPECT_EQ(store().counters().outcome(OutcomeKind::InProgress), 0U);
}

TEST_P(StoreContract, ExecuteThatThrowsLetsTheOldestWaiterRun)
{
    std::shared_ptr<Later> first;
    std::shared_ptr<Later> second;
    EXPECT_THROW(static_cast<void>(execute(store(), requestOf({}),
                     [&](Execution &) -> Response {
                         first = beginLater({.owner = "first", .wait = 10s});
                         second = beginLater(waiting);
                         throw 7;
                     })),
        int);
    ASSERT_EQ(first->kind(), OutcomeKind::Fresh) << "never an empty success";
    EXPECT_EQ(record().owner, "first");
    EXPECT_FALSE(second->isKnown());
    ASSERT_TRUE(std::get<Fresh>(*first->outcome).claim.complete(created("second try")));
    ASSERT_EQ(second->kind(), OutcomeKind::Replay);
    EXPECT_EQ(std::get<Replay>(*second->outcome).response->body(), "second try");
}

TEST_P(StoreContract, ExecuteThatThrowsAfterTheEffectTellsWaitersUnknown)
{
    std::shared_ptr<Later> waiter;
    EXPECT_THROW(static_cast<void>(execute(store(), requestOf({}),
                     [&](Execution &execution) -> Response {
                         EXPECT_TRUE(execution.sideEffectStarted());
                         waiter = beginLater(waiting);
                         throw 7;
                     })),
        int);
    EXPECT_EQ(waiter->kind(), OutcomeKind::Unknown);
}

TEST_P(StoreContract, ExecuteGivesANonFinalAnswerToItsCallerOnly)
{
    std::shared_ptr<Later> waiter;
    const Executed own = answerOf(execute(store(), requestOf({}), [&](Execution &) {
        waiter = beginLater(waiting);
        return Response {503, {}, QByteArray("busy")};
    }));
    EXPECT_EQ(own.response->status(), 503);
    EXPECT_EQ(own.response->body(), "busy");
    EXPECT_FALSE(own.shared);
    EXPECT_FALSE(own.stored);
    EXPECT_EQ(waiter->kind(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, ExecutesNonFinalAnswerAfterTheEffectIsUnknownToOthers)
{
    const Executed own = answerOf(execute(store(), requestOf({}), [](Execution &execution) {
        EXPECT_TRUE(execution.sideEffectStarted());
        return Response {503, {}, {}};
    }));
    EXPECT_EQ(own.response->status(), 503);
    EXPECT_FALSE(own.stored);
    reasonOf<Unknown>(execute(store(), requestOf({}), unexpectedRun));
}

TEST_P(StoreContract, ExecuteThatGivesUpTellsItsCallerAndFreesTheKey)
{
    const auto failure = reasonOf<Failure>(execute(store(), requestOf({}), [](Execution &) {
        return tl::unexpected(Failure {u"no stock yet"_s, Failure::As::Release});
    }));
    EXPECT_EQ(failure.reason, u"no stock yet"_s);
    EXPECT_EQ(state(), State::Abandoned);
    EXPECT_EQ(store().counters().failed, 0U);
}

TEST_P(StoreContract, ExecuteThatGivesUpAfterTheEffectLeavesItUnknown)
{
    reasonOf<Failure>(execute(store(), requestOf({}), [](Execution &execution) {
        EXPECT_TRUE(execution.sideEffectStarted());
        return tl::unexpected(Failure {u"no answer"_s, Failure::As::Release});
    }));
    EXPECT_EQ(state(), State::OutcomeUnknown);
}

TEST_P(StoreContract, ExecuteThatFailsForGoodIsNeverRunAgain)
{
    const auto failure = reasonOf<Failure>(execute(store(), requestOf({}), [](Execution &) {
        return tl::unexpected(Failure {u"the card was declined"_s, Failure::As::Final});
    }));
    EXPECT_EQ(failure.as, Failure::As::Final);
    const Executed shared = answerOf(execute(store(), requestOf({}), unexpectedRun));
    EXPECT_TRUE(shared.shared);
    EXPECT_TRUE(shared.failed);
    EXPECT_EQ(shared.response->status(), 409);
    EXPECT_TRUE(shared.response->body().value_or("").contains("the card was declined"));
}

TEST_P(StoreContract, ExecuteAfterItsLeaseIsLateButCounts)
{
    const Executed own = answerOf(execute(store(), requestOf({}), [this](Execution &) {
        advance(60s);
        return created();
    }));
    EXPECT_TRUE(own.late);
    EXPECT_TRUE(own.stored);
    EXPECT_TRUE(answerOf(execute(store(), requestOf({}), unexpectedRun)).late);
}

TEST_P(StoreContract, ExecuteRenewsItsLease)
{
    const Executed own = answerOf(execute(store(), requestOf({}), [this](Execution &execution) {
        for (int i = 0; i < 3; ++i) {
            advance(40s);
            EXPECT_TRUE(execution.renew());
            EXPECT_EQ(execution.leaseEnd(), now() + 60s);
        }
        return created();
    }));
    EXPECT_FALSE(own.late);
}

TEST_P(StoreContract, ExecuteUnderAStrictPolicyRefusesALateResult)
{
    Policy policy;
    policy.late = LatePolicy::Strict;
    open(policy);
    const auto refused = reasonOf<RefusedResult>(execute(store(), requestOf({}), [this](Execution &) {
        advance(60s);
        return created();
    }));
    EXPECT_EQ(refused.error.code, StoreErrorCode::LeaseOver);
    ASSERT_TRUE(refused.response);
    EXPECT_EQ(*refused.response, created()) << "its caller may still reconcile it";
}

TEST_P(StoreContract, ExecuteDisplacedIsToldAndHarmsNobody)
{
    Ownership next;
    const auto refused = reasonOf<RefusedResult>(execute(store(), requestOf({}), [&](Execution &execution) {
        advance(60s);
        next = own();
        EXPECT_EQ(refusalOf(execution.renew()), StoreErrorCode::StaleOwner);
        EXPECT_EQ(refusalOf(execution.sideEffectStarted()), StoreErrorCode::StaleOwner);
        return created("displaced");
    }));
    EXPECT_EQ(refused.error.code, StoreErrorCode::StaleOwner);
    EXPECT_EQ(refused.error.currentFence, next.fence);
    EXPECT_EQ(refused.response->body(), "displaced");
    EXPECT_EQ(state(), State::InProgress);
    ASSERT_TRUE(complete(next, 200, "next"));
    EXPECT_EQ(answerOf(execute(store(), requestOf({}), unexpectedRun)).response->body(), "next");
}

TEST_P(StoreContract, ExecuteDisplacedWhileItFailsOrThrowsHarmsNobody)
{
    const auto displaced = [this](const QByteArray &key, const Operation &ending) {
        return execute(store(), requestOf({.key = key, .lease = 1s}), [&](Execution &execution) {
            advance(1s);
            own({.key = key});
            return ending(execution);
        });
    };
    const auto refused = reasonOf<RefusedResult>(displaced("fails", [](Execution &) {
        return tl::unexpected(Failure {u"no"_s, Failure::As::Final});
    }));
    EXPECT_EQ(refused.error.code, StoreErrorCode::StaleOwner);
    EXPECT_FALSE(refused.response);
    reasonOf<Failure>(displaced("gives up", [](Execution &) { return tl::unexpected(Failure {u"no"_s}); }));
    EXPECT_THROW(static_cast<void>(displaced("throws", [](Execution &) -> Response { throw 7; })), int);
    for (const char *key : {"fails", "gives up", "throws"}) {
        EXPECT_EQ(state({.key = key}), State::InProgress) << key;
        EXPECT_EQ(record({.key = key}).attempt, 2U) << key;
    }
}

TEST_P(StoreContract, ExecuteWithAnInvalidAnswerGivesTheKeyBack)
{
    const auto refused = reasonOf<RefusedResult>(execute(store(), requestOf({}), answering(Response {})));
    EXPECT_EQ(refused.error.code, StoreErrorCode::Invalid);
    EXPECT_EQ(state(), State::Abandoned);
}

TEST_P(StoreContract, ExecuteWhileTheStoreClosesTellsThatNothingWasKept)
{
    const auto refused = reasonOf<RefusedResult>(execute(store(), requestOf({}), [this](Execution &) {
        store().close();
        return created();
    }));
    EXPECT_EQ(refused.error.code, StoreErrorCode::Closed);
    EXPECT_EQ(*refused.response, created());
}

} // namespace idem::test
