// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

namespace idem::test {

// The operator's verbs.

namespace {

const QString why = QStringLiteral("ticket 42");

AbandonRequest abandonRequest(Fence fence, AbandonAs as = AbandonAs::Release)
{
    AbandonRequest request;
    request.expectedFence = fence;
    request.reason = why;
    request.as = as;
    return request;
}

SettleRequest settleRequest(Fence fence, std::optional<Response> executed = std::nullopt)
{
    SettleRequest request;
    request.expectedFence = fence;
    request.reason = why;
    request.executed = std::move(executed);
    return request;
}

} // namespace

TEST_P(StoreContract, AbandonAsReleaseMakesTheNextBeginFresh)
{
    const Ownership owner = own();
    const auto view = store().abandon(owner.identity, abandonRequest(owner.fence));
    ASSERT_TRUE(view);
    EXPECT_EQ(view->state, State::Abandoned);
    EXPECT_EQ(view->fence, owner.fence);
    EXPECT_EQ(view->id, record().id);
    EXPECT_EQ(expect<Fresh>().attempt, 2U);
    EXPECT_EQ(store().counters().abandoned, 1U);
}

TEST_P(StoreContract, AbandonAsFailedReplaysAProblem)
{
    const Ownership owner = own();
    EXPECT_EQ(store().abandon(owner.identity, abandonRequest(owner.fence, AbandonAs::Failed))->state, State::Failed);
    const auto replay = expect<Replay>();
    EXPECT_TRUE(replay.failed);
    EXPECT_EQ(replay.response->status(), 409);
    EXPECT_TRUE(replay.response->body()->contains("operation-failed"));
    EXPECT_FALSE(replay.response->body()->contains("ticket")) << "the operator's words are not the client's";
}

TEST_P(StoreContract, AbandonAsUnknownHoldsTheKey)
{
    const Ownership owner = own();
    const auto view = store().abandon(owner.identity, abandonRequest(owner.fence, AbandonAs::Unknown));
    ASSERT_TRUE(view);
    EXPECT_EQ(view->state, State::OutcomeUnknown);
    EXPECT_TRUE(view->stuck);
    EXPECT_EQ(ask(), OutcomeKind::Unknown);
}

TEST_P(StoreContract, AbandonFreesALapsedRecordAfterASideEffect)
{
    const Ownership owner = own();
    ASSERT_TRUE(store().sideEffectStarted(owner));
    advance(60s);
    EXPECT_EQ(store().abandon(owner.identity, abandonRequest(owner.fence))->state, State::Abandoned);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, AbandonOfAWrongStateNamesTheRightVerb)
{
    const Ownership completed = own({.key = "completed"});
    ASSERT_TRUE(complete(completed));
    const Ownership failed = own({.key = "failed"});
    ASSERT_TRUE(store().fail(failed, why));
    const Ownership abandoned = own({.key = "abandoned"});
    ASSERT_TRUE(store().release(abandoned));
    const Ownership unknown = own({.key = "unknown"});
    ASSERT_TRUE(store().markUnknown(unknown));
    for (const auto &[owner, state, verb] : {std::tuple(completed, State::Completed, QStringLiteral("purge")),
             std::tuple(failed, State::Failed, QStringLiteral("purge")),
             std::tuple(abandoned, State::Abandoned, QStringLiteral("purge")),
             std::tuple(unknown, State::OutcomeUnknown, QStringLiteral("settle"))}) {
        const std::string before = snapshot({.key = owner.identity.key});
        const auto refused = store().abandon(owner.identity, abandonRequest(owner.fence));
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, StoreErrorCode::WrongState);
        EXPECT_EQ(refused.error().state, state);
        EXPECT_EQ(refused.error().currentFence, owner.fence);
        EXPECT_TRUE(refused.error().message.endsWith(QStringLiteral("use %1.").arg(verb)))
            << refused.error().message.toStdString();
        EXPECT_EQ(snapshot({.key = owner.identity.key}), before);
    }
    EXPECT_EQ(store().counters().abandoned, 0U);
}

TEST_P(StoreContract, AbandonOfWhatChangedIsRefused)
{
    const Ownership first = own();
    advance(60s);
    const Ownership second = own();
    const auto refused = store().abandon(first.identity, abandonRequest(first.fence));
    EXPECT_EQ(refusalOf(refused), StoreErrorCode::FenceMismatch);
    EXPECT_EQ(refused.error().currentFence, second.fence);
    EXPECT_EQ(refusalOf(store().abandon(first.identity, abandonRequest(Fence::None))), StoreErrorCode::FenceMismatch);
    EXPECT_EQ(state(), State::InProgress);
}

TEST_P(StoreContract, OperatorVerbsNeedAReason)
{
    const Ownership owner = own();
    AbandonRequest abandon = abandonRequest(owner.fence);
    SettleRequest settle = settleRequest(owner.fence);
    for (const QString &reason : {QString(), QString(1001, u'x')}) {
        abandon.reason = reason;
        settle.reason = reason;
        EXPECT_EQ(refusalOf(store().abandon(owner.identity, abandon)), StoreErrorCode::Invalid);
        EXPECT_EQ(refusalOf(store().settle(owner.identity, settle)), StoreErrorCode::Invalid);
        EXPECT_EQ(refusalOf(store().purge(owner.identity, owner.fence, reason)), StoreErrorCode::Invalid);
    }
    abandon.reason = QString(1000, u'x');
    EXPECT_TRUE(store().abandon(owner.identity, abandon));
}

TEST_P(StoreContract, OperatorVerbsOnNothing)
{
    const Identity nothing {"acme", "alice", "nothing"};
    EXPECT_EQ(refusalOf(store().abandon(nothing, abandonRequest(Fence(1)))), StoreErrorCode::NotFound);
    EXPECT_EQ(refusalOf(store().settle(nothing, settleRequest(Fence(1)))), StoreErrorCode::NotFound);
    EXPECT_EQ(refusalOf(store().purge(nothing, Fence(1), why)), StoreErrorCode::NotFound);
}

TEST_P(StoreContract, AnOwnerThatRenewedLatelyIsLive)
{
    Policy policy;
    policy.lease = 30s;
    open(policy);
    const Ownership owner = own();
    ASSERT_TRUE(store().renew(owner));
    advance(10s - 1us);
    const auto refused = store().abandon(owner.identity, abandonRequest(owner.fence));
    EXPECT_EQ(refusalOf(refused), StoreErrorCode::LiveOwner);
    EXPECT_EQ(state(), State::InProgress);
    AbandonRequest overriding = abandonRequest(owner.fence);
    overriding.overrideLive = true;
    EXPECT_TRUE(store().abandon(owner.identity, overriding));
}

TEST_P(StoreContract, ARenewalIsASignOfLifeForAThirdOfALease)
{
    Policy policy;
    policy.lease = 30s;
    open(policy);
    const Ownership owner = own();
    ASSERT_TRUE(store().renew(owner));
    advance(10s);
    EXPECT_TRUE(store().abandon(owner.identity, abandonRequest(owner.fence)));
}

TEST_P(StoreContract, ABeginIsNoSignOfLife)
{
    const Ownership owner = own();
    EXPECT_TRUE(store().abandon(owner.identity, abandonRequest(owner.fence)));
}

TEST_P(StoreContract, ATakeoverForgetsTheFormerOwnersRenewal)
{
    Policy policy;
    policy.lease = 30s;
    open(policy);
    const Ownership first = own();
    ASSERT_TRUE(store().renew(first));
    advance(30s);
    const Ownership second = own();
    EXPECT_FALSE(record().renewedAt);
    EXPECT_TRUE(store().abandon(second.identity, abandonRequest(second.fence)));
}

TEST_P(StoreContract, SettleAsExecutedReplaysTheResult)
{
    const Ownership owner = own();
    ASSERT_TRUE(store().markUnknown(owner));
    const Response found {201, {{"Location", "/orders/7"}}, QByteArray("{\"id\":7}")};
    const auto view = store().settle(owner.identity, settleRequest(owner.fence, found));
    ASSERT_TRUE(view);
    EXPECT_EQ(view->state, State::Completed);
    EXPECT_EQ(view->id, record().id);
    EXPECT_EQ(view->expiresAt, now() + 24h);
    EXPECT_EQ(*expect<Replay>().response, found);
    EXPECT_EQ(refusalOf(complete(owner)), StoreErrorCode::StaleOwner);
}

TEST_P(StoreContract, SettleAsNotExecutedFreesTheKey)
{
    const Ownership owner = own();
    ASSERT_TRUE(store().markUnknown(owner));
    EXPECT_EQ(store().settle(owner.identity, settleRequest(owner.fence))->state, State::Abandoned);
    EXPECT_EQ(expect<Fresh>().attempt, 2U);
}

TEST_P(StoreContract, SettleTakesAnUnknownOutcomeOnly)
{
    const Ownership owner = own();
    const auto running = store().settle(owner.identity, settleRequest(owner.fence));
    EXPECT_EQ(refusalOf(running), StoreErrorCode::WrongState);
    EXPECT_TRUE(running.error().message.endsWith(u"use abandon.")) << running.error().message.toStdString();
    advance(60s);
    EXPECT_EQ(refusalOf(store().settle(owner.identity, settleRequest(owner.fence))), StoreErrorCode::WrongState);
    ASSERT_TRUE(complete(owner));
    const auto done = store().settle(owner.identity, settleRequest(owner.fence));
    EXPECT_EQ(refusalOf(done), StoreErrorCode::WrongState);
    EXPECT_TRUE(done.error().message.endsWith(u"use purge.")) << done.error().message.toStdString();
}

TEST_P(StoreContract, SettleChecksFenceAndResult)
{
    const Ownership owner = own();
    ASSERT_TRUE(store().markUnknown(owner));
    EXPECT_EQ(refusalOf(store().settle(owner.identity, settleRequest(Fence(9999)))), StoreErrorCode::FenceMismatch);
    EXPECT_EQ(refusalOf(store().settle(owner.identity, settleRequest(owner.fence, Response {0, {}, {}}))),
        StoreErrorCode::Invalid);
    EXPECT_EQ(state(), State::OutcomeUnknown);
}

TEST_P(StoreContract, PurgeRemovesWhatIsFinishedOrAbandoned)
{
    const Ownership completed = own({.key = "completed"});
    ASSERT_TRUE(complete(completed));
    const Ownership failed = own({.key = "failed"});
    ASSERT_TRUE(store().fail(failed, why));
    const Ownership abandoned = own({.key = "abandoned"});
    ASSERT_TRUE(store().release(abandoned));
    for (const Ownership &owner : {completed, failed, abandoned}) {
        EXPECT_EQ(refusalOf(store().purge(owner.identity, Fence(9999), why)), StoreErrorCode::FenceMismatch);
        EXPECT_TRUE(store().purge(owner.identity, owner.fence, why));
        EXPECT_FALSE(store().find(owner.identity));
        EXPECT_EQ(refusalOf(complete(owner)), StoreErrorCode::NotFound);
    }
    EXPECT_EQ(store().counters().purged, 3U);
    EXPECT_EQ(store().counters().records, 0U);
}

TEST_P(StoreContract, PurgeLeavesAttemptsAlone)
{
    const Ownership running = own({.key = "running"});
    const Ownership lapsed = own({.key = "lapsed", .lease = 1s});
    const Ownership unknown = own({.key = "unknown"});
    ASSERT_TRUE(store().markUnknown(unknown));
    advance(1s);
    for (const Ownership &owner : {running, lapsed, unknown}) {
        const auto refused = store().purge(owner.identity, owner.fence, why);
        EXPECT_EQ(refusalOf(refused), StoreErrorCode::WrongState) << owner.identity.key.toStdString();
        EXPECT_TRUE(store().find(owner.identity));
    }
}

TEST_P(StoreContract, AClosedStoreOnlyReads)
{
    const Ownership owner = own();
    const Ownership done = own({.key = "done"});
    ASSERT_TRUE(complete(done));
    store().close();
    store().close();
    EXPECT_EQ(expect<Rejected>({.key = "new"}).reason, RejectReason::Closed);
    EXPECT_EQ(expect<Rejected>({.key = "done"}).reason, RejectReason::Closed);
    EXPECT_EQ(refusalOf(complete(owner)), StoreErrorCode::Closed);
    EXPECT_EQ(refusalOf(store().fail(owner, why)), StoreErrorCode::Closed);
    EXPECT_EQ(refusalOf(store().renew(owner)), StoreErrorCode::Closed);
    EXPECT_EQ(refusalOf(store().release(owner)), StoreErrorCode::Closed);
    EXPECT_EQ(refusalOf(store().sideEffectStarted(owner)), StoreErrorCode::Closed);
    EXPECT_EQ(refusalOf(store().markUnknown(owner)), StoreErrorCode::Closed);
    EXPECT_EQ(refusalOf(store().abandon(owner.identity, abandonRequest(owner.fence))), StoreErrorCode::Closed);
    EXPECT_EQ(refusalOf(store().settle(owner.identity, settleRequest(owner.fence))), StoreErrorCode::Closed);
    EXPECT_EQ(refusalOf(store().purge(done.identity, done.fence, why)), StoreErrorCode::Closed);
    EXPECT_EQ(state(), State::InProgress);
    EXPECT_TRUE(store().response(done.identity));
    EXPECT_EQ(store().list({})->records.size(), 2U);
    EXPECT_EQ(pendingTimers(), 0U);
}

} // namespace idem::test
