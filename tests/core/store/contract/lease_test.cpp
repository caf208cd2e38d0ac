// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

namespace idem::test {

// Leases: who may take over, who may still complete, and what a renewal is worth.

namespace {

Policy leasePolicy(LapsePolicy lapse, LatePolicy late = LatePolicy::Accept)
{
    Policy policy;
    policy.lease = 30s;
    policy.lapse = lapse;
    policy.late = late;
    return policy;
}

} // namespace

TEST_P(StoreContract, TakeoverAtTheLeasesEndToTheTick)
{
    open(leasePolicy(LapsePolicy::Takeover));
    const Ownership first = own();
    advance(30s - 1us);
    EXPECT_EQ(ask(), OutcomeKind::InProgress);
    EXPECT_EQ(state(), State::InProgress);
    advance(1us);
    EXPECT_EQ(state(), State::LeaseExpired);
    EXPECT_TRUE(record().stuck);
    const auto second = expect<Fresh>({.owner = "server-2"});
    EXPECT_TRUE(second.tookOver);
    EXPECT_EQ(second.attempt, 2U);
    EXPECT_GT(second.claim.fence(), first.fence);
    EXPECT_EQ(second.claim.leaseEnd(), now() + 30s);
    EXPECT_EQ(record().owner, "server-2");
    EXPECT_EQ(store().counters().takeovers, 1U);
    EXPECT_EQ(store().counters().outcome(OutcomeKind::Fresh), 2U);
}

TEST_P(StoreContract, TakeoverComesAtTheEndOfAnyLease)
{
    // A linear congruential walk over leases of 1 us to about 18 min.
    std::uint64_t walk = 1;
    for (int i = 0; i < 200; ++i) {
        walk = walk * 6364136223846793005U + 1442695040888963407U;
        const Duration lease {1 + Duration::rep(walk >> 34)};
        const Ask ask {.key = QByteArray::number(i), .lease = lease};
        own(ask);
        advance(lease - 1us);
        ASSERT_EQ(this->ask(ask), OutcomeKind::InProgress) << lease.count();
        advance(1us);
        ASSERT_EQ(this->ask(ask), OutcomeKind::Fresh) << lease.count();
    }
}

TEST_P(StoreContract, NoTakeoverAfterASideEffect)
{
    open(leasePolicy(LapsePolicy::Takeover));
    const Ownership owner = own();
    ASSERT_TRUE(store().sideEffectStarted(owner));
    advance(30s);
    const auto unknown = expect<Unknown>();
    EXPECT_EQ(unknown.state, State::LeaseExpired);
    EXPECT_EQ(unknown.fence, owner.fence);
    EXPECT_TRUE(complete(owner)) << "the owner still may";
}

TEST_P(StoreContract, HoldNeverTakesOver)
{
    open(leasePolicy(LapsePolicy::Hold));
    const Ownership owner = own();
    advance(30s);
    EXPECT_EQ(expect<Unknown>().state, State::LeaseExpired);
    advance(24h);
    EXPECT_EQ(ask(), OutcomeKind::Unknown);
    ASSERT_TRUE(abandon(owner));
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, TakeoverAlwaysDoesNotAskForSideEffects)
{
    open(leasePolicy(LapsePolicy::TakeoverAlways));
    ASSERT_TRUE(store().sideEffectStarted(own()));
    advance(30s);
    EXPECT_TRUE(expect<Fresh>().tookOver);
}

TEST_P(StoreContract, ARequestsOwnLease)
{
    own({.lease = 5s});
    EXPECT_EQ(record().leaseEnd, now() + 5s);
    advance(5s);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
    EXPECT_EQ(record().leaseEnd, now() + 60s) << "the next attempt has the policy's";
}

TEST_P(StoreContract, AnOwnLeaseIsKeptWithinItsBounds)
{
    own({.key = "none", .lease = 0s});
    EXPECT_EQ(record({.key = "none"}).leaseEnd, now() + 1us);
    own({.key = "ever", .lease = Duration::max()});
    EXPECT_EQ(record({.key = "ever"}).leaseEnd, now() + 365 * 24h);
}

TEST_P(StoreContract, LateCompleteIsStoredAndFlagged)
{
    open(leasePolicy(LapsePolicy::Takeover));
    const Ownership owner = own();
    advance(30s);
    const auto completion = complete(owner);
    ASSERT_TRUE(completion);
    EXPECT_TRUE(completion->late);
    EXPECT_TRUE(expect<Replay>().late);
    EXPECT_TRUE(record().late);
    EXPECT_EQ(store().counters().lateCompletes, 1U);
}

TEST_P(StoreContract, ALateAnswerThatIsNotFinalGivesTheKeyBack)
{
    open(leasePolicy(LapsePolicy::Takeover));
    const Ownership owner = own();
    advance(30s);
    const auto completion = complete(owner, 503);
    ASSERT_TRUE(completion);
    EXPECT_TRUE(completion->late);
    EXPECT_EQ(completion->state, State::Abandoned);
    EXPECT_FALSE(record().late) << "nothing late is stored";
    EXPECT_EQ(expect<Fresh>().attempt, 2U);
}

TEST_P(StoreContract, ACompleteOneTickBeforeTheEndIsNotLate)
{
    open(leasePolicy(LapsePolicy::Takeover, LatePolicy::Strict));
    const Ownership owner = own();
    advance(30s - 1us);
    const auto completion = complete(owner);
    ASSERT_TRUE(completion);
    EXPECT_FALSE(completion->late);
    EXPECT_FALSE(record().late);
    EXPECT_EQ(store().counters().lateCompletes, 0U);
}

TEST_P(StoreContract, StrictPolicyRefusesLateOwners)
{
    open(leasePolicy(LapsePolicy::Takeover, LatePolicy::Strict));
    const Ownership owner = own();
    advance(30s);
    const std::string before = snapshot();
    EXPECT_EQ(refusalOf(complete(owner)), StoreErrorCode::LeaseOver);
    EXPECT_EQ(refusalOf(store().fail(owner, QStringLiteral("no"))), StoreErrorCode::LeaseOver);
    EXPECT_EQ(refusalOf(store().renew(owner)), StoreErrorCode::LeaseOver);
    EXPECT_EQ(snapshot(), before);
    EXPECT_TRUE(store().release(owner)) << "giving back harms nobody";
}

TEST_P(StoreContract, ACompleteAfterATakeoverIsStale)
{
    open(leasePolicy(LapsePolicy::Takeover));
    const Ownership first = own();
    advance(30s);
    const Ownership second = own();
    EXPECT_EQ(refusalOf(complete(first, 201, "first")), StoreErrorCode::StaleOwner);
    ASSERT_TRUE(complete(second, 201, "second"));
    EXPECT_EQ(refusalOf(complete(first, 201, "first")), StoreErrorCode::StaleOwner);
    EXPECT_EQ(expect<Replay>().response->body(), "second");
    EXPECT_FALSE(record().late) << "the first attempt's lateness is not the second's";
}

TEST_P(StoreContract, RenewProlongsFromNowAndNeverShortens)
{
    open(leasePolicy(LapsePolicy::Takeover));
    const Ownership owner = own();
    const Instant begun = now();
    const auto atOnce = store().renew(owner);
    ASSERT_TRUE(atOnce);
    EXPECT_EQ(*atOnce, begun + 30s);
    advance(20s);
    const auto later = store().renew(owner);
    ASSERT_TRUE(later);
    EXPECT_EQ(*later, begun + 50s);
    EXPECT_EQ(record().renewedAt, begun + 20s);
    advance(30s - 1us);
    EXPECT_EQ(ask(), OutcomeKind::InProgress);
    EXPECT_EQ(store().sweepNow(), 0U);
    EXPECT_EQ(store().counters().state(State::LeaseExpired), 0U);
    advance(1us);
    EXPECT_EQ(store().counters().state(State::LeaseExpired), 1U);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, RenewUsesTheAttemptsOwnLease)
{
    const Ownership owner = own({.lease = 90s});
    advance(10s);
    EXPECT_EQ(store().renew(owner).value(), now() + 90s);
}

TEST_P(StoreContract, RenewAfterTheEndRevivesWhatNobodyTook)
{
    open(leasePolicy(LapsePolicy::Takeover));
    const Ownership owner = own();
    advance(40s);
    EXPECT_EQ(store().counters().state(State::LeaseExpired), 1U);
    EXPECT_EQ(store().renew(owner).value(), now() + 30s);
    EXPECT_EQ(state(), State::InProgress);
    EXPECT_EQ(store().counters().state(State::LeaseExpired), 0U);
    EXPECT_EQ(store().counters().state(State::InProgress), 1U);
    EXPECT_EQ(ask(), OutcomeKind::InProgress);
    advance(30s);
    EXPECT_EQ(state(), State::LeaseExpired) << "and lapses again";
    EXPECT_EQ(store().counters().state(State::LeaseExpired), 1U);
}

TEST_P(StoreContract, ADisplacedHeartbeatProlongsNothing)
{
    open(leasePolicy(LapsePolicy::Takeover));
    const Ownership first = own();
    advance(30s);
    own();
    const auto leaseEnd = record().leaseEnd;
    advance(1s);
    EXPECT_EQ(refusalOf(store().renew(first)), StoreErrorCode::StaleOwner);
    EXPECT_EQ(record().leaseEnd, leaseEnd);
}

TEST_P(StoreContract, WithoutALeaseNothingLapses)
{
    Policy policy;
    policy.lease.reset();
    open(policy);
    const auto fresh = expect<Fresh>();
    EXPECT_FALSE(fresh.claim.leaseEnd());
    advance(60s - 1us);
    EXPECT_FALSE(record().stuck);
    EXPECT_EQ(store().counters().stuck, 0U);
    advance(1us);
    EXPECT_TRUE(record().stuck);
    EXPECT_EQ(store().counters().stuck, 1U);
    EXPECT_EQ(state(), State::InProgress);
    advance(364 * 24h);
    EXPECT_EQ(ask(), OutcomeKind::InProgress);
    EXPECT_EQ(store().renew(fresh.claim.ownership()).value(), std::nullopt);
    EXPECT_FALSE(complete(fresh.claim.ownership()).value().late);
    EXPECT_EQ(store().counters().stuck, 0U);
}

TEST_P(StoreContract, AnOwnLeaseUnderAPolicyWithout)
{
    Policy policy;
    policy.lease.reset();
    open(policy);
    own({.lease = 10s});
    advance(10s);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
    EXPECT_FALSE(record().leaseEnd);
}

} // namespace idem::test
