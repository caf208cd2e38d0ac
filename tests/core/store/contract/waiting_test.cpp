// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

namespace idem::test {

// Single flight: begins that wait for another attempt's outcome.

namespace {

const Ask waiting {.wait = 10s};

/// Takes the guard out of a Fresh, so that the key stays held.
Ownership ownershipOf(Later &later)
{
    Fresh *fresh = later.outcome ? std::get_if<Fresh>(&*later.outcome) : nullptr;
    EXPECT_TRUE(fresh);
    return fresh ? fresh->claim.detach() : Ownership();
}

} // namespace

TEST_P(StoreContract, AWaitThatIsNotNeededIsAnsweredInside)
{
    const auto later = beginLater(waiting);
    EXPECT_EQ(later->kind(), OutcomeKind::Fresh);
    ASSERT_TRUE(complete(ownershipOf(*later)));
    EXPECT_EQ(beginLater(waiting)->kind(), OutcomeKind::Replay);
    EXPECT_EQ(beginLater({.fingerprint = "v1:other", .wait = 10s})->kind(), OutcomeKind::Mismatch);
    EXPECT_EQ(store().counters().waiting, 0U);
    EXPECT_EQ(pendingTimers(), 1U) << "the sweep's";
}

TEST_P(StoreContract, AllWaitersGetTheReplay)
{
    Policy policy;
    policy.maxWaitersPerKey = 100;
    open(policy);
    const Ownership owner = own();
    std::vector<std::shared_ptr<Later>> laters;
    for (int i = 0; i < 100; ++i) {
        laters.push_back(beginLater(waiting));
    }
    EXPECT_EQ(store().counters().waiting, 100U);
    EXPECT_EQ(record().waiting, 100U);
    ASSERT_TRUE(complete(owner, 201, "once"));
    for (const auto &later : laters) {
        ASSERT_EQ(later->kind(), OutcomeKind::Replay);
        EXPECT_EQ(std::get<Replay>(*later->outcome).response->body(), "once");
    }
    EXPECT_EQ(store().counters().waiting, 0U);
    EXPECT_EQ(record().waiting, 0U);
    EXPECT_EQ(record().replays, 100U);
    EXPECT_EQ(record().conflicts, 0U) << "a begin counts once, by its end";
    EXPECT_EQ(pendingTimers(), 1U);
}

TEST_P(StoreContract, WaitersGetTheFailureToo)
{
    const Ownership owner = own();
    const auto later = beginLater(waiting);
    ASSERT_TRUE(store().fail(owner, QStringLiteral("no")));
    ASSERT_EQ(later->kind(), OutcomeKind::Replay);
    EXPECT_TRUE(std::get<Replay>(*later->outcome).failed);
}

TEST_P(StoreContract, WaitersLearnOfATombstone)
{
    Policy policy;
    policy.maxBodyBytes = 1;
    open(policy);
    const Ownership owner = own();
    const auto later = beginLater(waiting);
    ASSERT_TRUE(complete(owner, 201, "too long"));
    EXPECT_EQ(later->kind(), OutcomeKind::NotStored);
}

TEST_P(StoreContract, AFreedKeyGoesToTheOldestWaiterAndTheRestWait)
{
    const Ownership owner = own();
    const auto first = beginLater({.owner = "waiter-1", .wait = 10s});
    const auto second = beginLater({.owner = "waiter-2", .wait = 10s});
    const auto third = beginLater({.owner = "waiter-3", .wait = 10s});
    ASSERT_TRUE(store().release(owner));
    EXPECT_EQ(first->kind(), OutcomeKind::Fresh);
    EXPECT_FALSE(second->isKnown());
    EXPECT_EQ(record().owner, "waiter-1");
    EXPECT_EQ(record().attempt, 2U);
    EXPECT_EQ(ask(), OutcomeKind::InProgress) << "nobody slips in between";

    const Ownership firsts = ownershipOf(*first);
    ASSERT_TRUE(complete(firsts, 503)) << "not final: the key is free again";
    EXPECT_EQ(second->kind(), OutcomeKind::Fresh);
    EXPECT_FALSE(third->isKnown());
    ASSERT_TRUE(complete(ownershipOf(*second)));
    EXPECT_EQ(third->kind(), OutcomeKind::Replay);
    EXPECT_EQ(pendingTimers(), 1U);
}

TEST_P(StoreContract, AbandonFreesTheKeyForAWaiter)
{
    const Ownership owner = own();
    const auto later = beginLater(waiting);
    const auto view = abandon(owner);
    ASSERT_TRUE(view);
    EXPECT_EQ(view->state, State::Abandoned);
    EXPECT_EQ(later->kind(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, AbandonAsFailedIsReplayedToWaiters)
{
    const Ownership owner = own();
    const auto later = beginLater(waiting);
    ASSERT_TRUE(abandon(owner, AbandonAs::Failed));
    EXPECT_EQ(later->kind(), OutcomeKind::Replay);
}

TEST_P(StoreContract, AllWaitersLearnOfAnUnknownOutcome)
{
    const Ownership owner = own();
    const auto first = beginLater(waiting);
    const auto second = beginLater(waiting);
    ASSERT_TRUE(store().markUnknown(owner));
    EXPECT_EQ(first->kind(), OutcomeKind::Unknown);
    EXPECT_EQ(second->kind(), OutcomeKind::Unknown);
}

TEST_P(StoreContract, AWaitEndsAtItsDeadline)
{
    const Ownership owner = own();
    const auto later = beginLater({.wait = 3s});
    advance(3s - 1us);
    EXPECT_FALSE(later->isKnown());
    advance(1us);
    ASSERT_EQ(later->kind(), OutcomeKind::InProgress);
    EXPECT_EQ(std::get<InProgress>(*later->outcome).fence, owner.fence);
    EXPECT_EQ(record().conflicts, 1U);
    EXPECT_EQ(pendingTimers(), 1U) << "neither its deadline nor the lease's end is waited for any more";
    ASSERT_TRUE(complete(owner));
}

TEST_P(StoreContract, AWaitIsClampedToThePolicy)
{
    Policy policy;
    policy.maxWait = 2s;
    open(policy);
    own();
    const auto later = beginLater({.wait = 1h});
    advance(2s);
    EXPECT_EQ(later->kind(), OutcomeKind::InProgress);
}

TEST_P(StoreContract, NoWaitUnderAPolicyWithout)
{
    Policy policy;
    policy.maxWait = 0s;
    open(policy);
    own();
    EXPECT_EQ(beginLater({.wait = 1h})->kind(), OutcomeKind::InProgress);
    EXPECT_EQ(beginLater({.wait = -1s})->kind(), OutcomeKind::InProgress);
}

TEST_P(StoreContract, AtTheLeasesEndTheOldestWaiterTakesOver)
{
    const Ownership owner = own({.lease = 5s});
    const auto first = beginLater(waiting);
    const auto second = beginLater(waiting);
    advance(5s - 1us);
    EXPECT_FALSE(first->isKnown());
    advance(1us);
    ASSERT_EQ(first->kind(), OutcomeKind::Fresh);
    EXPECT_TRUE(std::get<Fresh>(*first->outcome).tookOver);
    EXPECT_FALSE(second->isKnown());
    EXPECT_EQ(refusalOf(complete(owner)), StoreErrorCode::StaleOwner);
    ASSERT_TRUE(complete(ownershipOf(*first)));
    EXPECT_EQ(second->kind(), OutcomeKind::Replay);
}

TEST_P(StoreContract, AtTheLeasesEndHoldTellsUnknown)
{
    Policy policy;
    policy.lapse = LapsePolicy::Hold;
    open(policy);
    own({.lease = 5s});
    const auto later = beginLater(waiting);
    advance(5s);
    ASSERT_EQ(later->kind(), OutcomeKind::Unknown);
    EXPECT_EQ(std::get<Unknown>(*later->outcome).state, State::LeaseExpired);
}

TEST_P(StoreContract, ARenewalProlongsTheWaitForTheLease)
{
    const Ownership owner = own({.lease = 4s});
    const auto later = beginLater(waiting);
    advance(3s);
    ASSERT_TRUE(store().renew(owner));
    advance(4s - 1us);
    EXPECT_FALSE(later->isKnown()) << "the first end passed";
    advance(1us);
    EXPECT_EQ(later->kind(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, AShorterSecondLeaseIsWaitedForToo)
{
    const Ownership owner = own({.lease = 9s});
    const auto first = beginLater({.lease = 1s, .wait = 10s});
    const auto second = beginLater(waiting);
    ASSERT_TRUE(store().release(owner));
    ownershipOf(*first);
    advance(1s);
    EXPECT_EQ(second->kind(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, DeadlineAndLeaseEndAtOneTickFollowTheRulesOfBegin)
{
    own({.lease = 5s});
    const auto first = beginLater({.wait = 5s});
    const auto second = beginLater({.wait = 5s});
    advance(5s);
    EXPECT_EQ(first->kind(), OutcomeKind::Fresh);
    EXPECT_EQ(second->kind(), OutcomeKind::InProgress);
    EXPECT_EQ(pendingTimers(), 1U);
}

TEST_P(StoreContract, WaitersOfAKeyAreBounded)
{
    Policy policy;
    policy.maxWaitersPerKey = 2;
    open(policy);
    own();
    own({.key = "order-2"});
    const auto first = beginLater(waiting);
    const auto second = beginLater(waiting);
    EXPECT_EQ(beginLater(waiting)->kind(), OutcomeKind::InProgress);
    const auto elsewhere = beginLater({.key = "order-2", .wait = 10s});
    EXPECT_FALSE(first->isKnown());
    EXPECT_FALSE(second->isKnown());
    EXPECT_FALSE(elsewhere->isKnown());
}

TEST_P(StoreContract, CloseWakesEveryWaiter)
{
    own();
    own({.key = "order-2"});
    const auto first = beginLater(waiting);
    const auto second = beginLater({.key = "order-2", .wait = 10s});
    store().close();
    for (const auto &later : {first, second}) {
        ASSERT_EQ(later->kind(), OutcomeKind::Rejected);
        EXPECT_EQ(std::get<Rejected>(*later->outcome).reason, RejectReason::Closed);
    }
    EXPECT_EQ(pendingTimers(), 0U);
}

TEST_P(StoreContract, TheDestructorClosesAndLeavesNoTimer)
{
    own();
    const auto later = beginLater(waiting);
    open({});
    ASSERT_EQ(later->kind(), OutcomeKind::Rejected);
    EXPECT_EQ(std::get<Rejected>(*later->outcome).reason, RejectReason::Closed);
    EXPECT_EQ(pendingTimers(), 1U) << "the new store's sweep";
    advance(1h);
}

TEST_P(StoreContract, AWaiterOwnsItsBytes)
{
    const Ownership owner = own();
    Later later;
    {
        QByteArray tenant("acme"), caller("alice"), key("order-1"), fingerprint("v1:payload"), name("waiter");
        BeginRequest request {tenant, caller, key, fingerprint, {}, name, {}, 10s};
        store().beginAsync(request, [&later](Outcome outcome) { later.outcome.emplace(std::move(outcome)); });
        for (QByteArray *bytes : {&tenant, &caller, &key, &fingerprint, &name}) {
            bytes->fill('!');
        }
    }
    ASSERT_TRUE(store().release(owner));
    EXPECT_EQ(ownershipOf(later).identity, owner.identity);
    EXPECT_EQ(record().owner, "waiter");
    EXPECT_EQ(record().fingerprint, "v1:payload");
}

TEST_P(StoreContract, ACallbackMayCallTheStore)
{
    const Ownership owner = own();
    std::optional<OutcomeKind> seen;
    std::shared_ptr<Later> other;
    BeginRequest request {"acme", "alice", "order-1", "v1:payload", {}, {}, {}, 10s};
    store().beginAsync(request, [&](Outcome outcome) {
        EXPECT_TRUE(std::get<Fresh>(outcome).claim.complete(Response {200, {}, QByteArray("inside")}));
        seen = ask();
        EXPECT_FALSE(other->isKnown()) << "its callback comes after this one";
    });
    other = beginLater(waiting);
    ASSERT_TRUE(store().release(owner));
    EXPECT_EQ(seen, OutcomeKind::Replay);
    EXPECT_EQ(other->kind(), OutcomeKind::Replay);
}

TEST_P(StoreContract, AChainOfDroppedOutcomesNeitherHangsNorNests)
{
    Policy policy;
    policy.maxWaitersPerKey = 2000;
    open(policy);
    const Ownership owner = own();
    int woken = 0;
    int depth = 0;
    for (int i = 0; i < policy.maxWaitersPerKey; ++i) {
        store().beginAsync({"acme", "alice", "order-1", "v1:payload", {}, {}, {}, 10s}, [&](Outcome outcome) {
            EXPECT_EQ(++depth, 1);
            EXPECT_EQ(kindOf(outcome), OutcomeKind::Fresh);
            ++woken;
            outcome = Rejected {}; // the guard releases: the next one is woken
            --depth;
        });
    }
    ASSERT_TRUE(store().release(owner));
    EXPECT_EQ(woken, policy.maxWaitersPerKey);
    EXPECT_EQ(state(), State::Abandoned);
    EXPECT_EQ(record().attempt, std::uint32_t(policy.maxWaitersPerKey) + 1);
}

TEST_P(StoreContract, WaitersWithOneAttemptIdShareTheFresh)
{
    const Ownership owner = own();
    const auto lost = beginLater({.attemptId = "try-7", .wait = 10s});
    const auto again = beginLater({.attemptId = "try-7", .wait = 10s});
    const auto other = beginLater(waiting);
    ASSERT_TRUE(store().release(owner));
    EXPECT_EQ(ownershipOf(*lost), ownershipOf(*again));
    EXPECT_FALSE(other->isKnown());
}

TEST_P(StoreContract, UnderZeroTtlAWaiterRunsTheOperationItself)
{
    Policy policy;
    policy.ttl = 0s;
    open(policy);
    const Ownership owner = own();
    const auto first = beginLater(waiting);
    const auto second = beginLater(waiting);
    ASSERT_TRUE(complete(owner));
    EXPECT_EQ(first->kind(), OutcomeKind::Fresh) << "nothing is ever replayed";
    EXPECT_FALSE(second->isKnown());
}

} // namespace idem::test
