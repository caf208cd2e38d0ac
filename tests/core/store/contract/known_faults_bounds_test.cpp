// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

namespace idem::test {

// Faults of memory that is never given back, of caps and of the sweep that other products had, each as the rule that
// it broke.

namespace {

const QString why = QStringLiteral("ticket 42");

QByteArray keyOf(int number)
{
    return "order-" + QByteArray::number(number);
}

Response answerOf(qsizetype bytes)
{
    return {201, {}, QByteArray(bytes, 'x')};
}

Policy byteCapped(qint64 maxBytes, AtCapacity atCapacity)
{
    Policy policy;
    policy.maxBytes = maxBytes;
    policy.atCapacity = atCapacity;
    return policy;
}

} // namespace

TEST_P(StoreContract, TwoHundredThousandKeysThatAreUsedOnceLeaveNothing)
{
    constexpr int keys = 200'000;
    Policy policy;
    policy.ttl = 0s;
    open(policy);
    for (int i = 0; i < keys; ++i) {
        ASSERT_TRUE(complete(own({.key = keyOf(i)})));
    }
    EXPECT_EQ(store().counters().records, std::uint64_t(keys));
    EXPECT_EQ(store().sweepNow(), std::uint64_t(keys));
    const Counters counters = store().counters();
    EXPECT_EQ(counters.records, 0U);
    EXPECT_EQ(counters.bytes, 0U);
    EXPECT_EQ(counters.expired, std::uint64_t(keys));
    EXPECT_THAT(counters.byState, testing::Each(0U));
}

TEST_P(StoreContract, KeysThatAreGivenBackAreFreedToo)
{
    open({});
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(store().release(own({.key = keyOf(i)})));
        ASSERT_TRUE(abandon(own({.key = keyOf(1000 + i)})));
        ASSERT_TRUE(store().fail(own({.key = keyOf(2000 + i)}), why));
    }
    EXPECT_EQ(store().sweepNow(), 0U);
    advance(24h);
    EXPECT_EQ(store().sweepNow(), 300U);
    EXPECT_EQ(store().counters().bytes, 0U);
}

TEST_P(StoreContract, AFloodOfNewKeysHarmsNoOldOne)
{
    Policy policy;
    policy.maxRecords = 1000;
    open(policy);
    for (int i = 0; i < 500; ++i) {
        ASSERT_TRUE(complete(own({.key = keyOf(i)}), 201, keyOf(i)));
    }
    std::vector<Ownership> running;
    for (int i = 500; i < 1000; ++i) {
        running.push_back(own({.key = keyOf(i)}));
    }
    for (int i = 1000; i < 11'000; ++i) {
        ASSERT_EQ(expect<Rejected>({.key = keyOf(i)}).reason, RejectReason::AtCapacity);
    }
    EXPECT_EQ(store().counters().outcome(OutcomeKind::Rejected), 10'000U);
    EXPECT_EQ(store().counters().records, 1000U);
    for (int i = 500; i < 1000; ++i) {
        EXPECT_EQ(ask(keyOf(i)), OutcomeKind::InProgress);
        ASSERT_TRUE(complete(running[std::size_t(i - 500)], 201, keyOf(i))) << "owners finish at the cap too";
    }
    for (int i = 0; i < 1000; ++i) {
        EXPECT_EQ(expect<Replay>({.key = keyOf(i)}).response->body(), keyOf(i));
    }
    EXPECT_EQ(store().counters().evicted, 0U);
    advance(24h);
    EXPECT_EQ(store().sweepNow(), 1000U);
    EXPECT_EQ(ask(keyOf(1000)), OutcomeKind::Fresh) << "room again";
}

TEST_P(StoreContract, AByteCapHoldsAndOldAnswersStay)
{
    constexpr qint64 cap = qint64 {16} * 1024 * 1024;
    constexpr qsizetype large = qsizetype {256} * 1024;
    open(byteCapped(cap, AtCapacity::Refuse));
    int kept = 0;
    int omitted = 0;
    for (int i = 0; i < 500; ++i) {
        const auto done = store().complete(own({.key = keyOf(i)}), answerOf(large));
        ASSERT_TRUE(done);
        EXPECT_EQ(done->state, State::Completed) << "it ran, and will not run again";
        ++(done->bodyOmitted ? omitted : kept);
        ASSERT_LE(store().counters().bytes, std::uint64_t(cap)) << i;
        EXPECT_EQ(done->bodyOmitted, omitted > 0) << "none fits once one does not";
    }
    EXPECT_EQ(kept, int(cap / large) - 1) << "the records themselves take a little";
    for (int i = 0; i < 500; ++i) {
        const Outcome again = begin({.key = keyOf(i)});
        ASSERT_EQ(kindOf(again), i < kept ? OutcomeKind::Replay : OutcomeKind::NotStored) << i;
        if (const auto *replay = std::get_if<Replay>(&again)) {
            EXPECT_EQ(*replay->response, answerOf(large));
        }
    }
    int next = 500; // until the records fill what the answers left
    while (ask(keyOf(next)) == OutcomeKind::Fresh && next < 10'000) {
        ++next;
    }
    EXPECT_EQ(expect<Rejected>({.key = keyOf(next)}).reason, RejectReason::AtCapacity);
    EXPECT_LE(store().counters().bytes, std::uint64_t(cap));
    EXPECT_EQ(ask(keyOf(0)), OutcomeKind::Replay);
}

TEST_P(StoreContract, EvictionTakesTheFinishedThatExpiresFirstAndNoAttempt)
{
    Policy policy;
    policy.maxRecords = 4;
    policy.atCapacity = AtCapacity::EvictOldest;
    open(policy);
    own({.key = "running"});
    ASSERT_TRUE(store().markUnknown(own({.key = "unknown"})));
    ASSERT_TRUE(complete(own({.key = "older"})));
    advance(1s);
    ASSERT_TRUE(complete(own({.key = "newer"})));
    const auto events = store().subscribe(100);

    own({.key = "next"});
    EXPECT_FALSE(exists({.key = "older"}));
    EXPECT_EQ(ask("newer"), OutcomeKind::Replay);
    own({.key = "after next"});
    EXPECT_FALSE(exists({.key = "newer"}));
    EXPECT_EQ(expect<Rejected>({.key = "too many"}).reason, RejectReason::AtCapacity) << "only attempts are left";
    EXPECT_EQ(state({.key = "running"}), State::InProgress);
    EXPECT_EQ(state({.key = "unknown"}), State::OutcomeUnknown);
    EXPECT_EQ(store().counters().evicted, 2U);
    EXPECT_EQ(store().counters().records, 4U);

    std::vector<QByteArray> evicted;
    for (const StoreEvent &event : events->take().events) {
        if (event.kind == EventKind::Evicted) {
            evicted.push_back(event.identity.key);
        }
    }
    EXPECT_EQ(evicted, (std::vector<QByteArray> {"older", "newer"})) << "told, for the operation may run again";
}

TEST_P(StoreContract, AnAnswerEvictsOlderOnesForTheBytesItNeeds)
{
    open(byteCapped(4096, AtCapacity::EvictOldest));
    for (int i = 0; i < 20; ++i) {
        const auto done = store().complete(own({.key = keyOf(i)}), answerOf(1000));
        ASSERT_TRUE(done);
        EXPECT_FALSE(done->bodyOmitted) << i;
        EXPECT_LE(store().counters().bytes, 4096U);
        EXPECT_EQ(expect<Replay>({.key = keyOf(i)}).response->body()->size(), 1000);
        advance(1s);
    }
    EXPECT_GT(store().counters().evicted, 0U);
    EXPECT_EQ(store().counters().evicted + store().counters().records, 20U);
    EXPECT_FALSE(exists({.key = keyOf(0)}));
}

TEST_P(StoreContract, ARefusedOrRepeatedAnswerEvictsNothing)
{
    open(byteCapped(4096, AtCapacity::EvictOldest));
    const Ownership kept = own({.key = "kept"});
    ASSERT_TRUE(store().complete(kept, answerOf(1500)));
    const Ownership stale = own({.key = "stale"});
    ASSERT_TRUE(abandon(stale));
    const Ownership owner = own({.key = "stale"});
    const std::string before = snapshot({.key = "kept"});
    const auto expectUnharmed = [&] {
        EXPECT_EQ(store().counters().evicted, 0U);
        EXPECT_EQ(snapshot({.key = "kept"}), before);
    };

    EXPECT_EQ(refusalOf(store().complete(stale, answerOf(3000))), StoreErrorCode::StaleOwner);
    expectUnharmed();
    EXPECT_EQ(refusalOf(store().complete({{"acme", "alice", "nobody's"}, Fence(1), {}}, answerOf(3000))),
        StoreErrorCode::NotFound);
    expectUnharmed();
    EXPECT_EQ(refusalOf(store().complete(kept, answerOf(3000))), StoreErrorCode::DifferentResult);
    expectUnharmed();
    ASSERT_TRUE(store().complete(own({.key = "busy"}), {503, {}, QByteArray(3000, 'x')})) << "which is not kept";
    expectUnharmed();
    const auto tooLarge = store().complete(owner, answerOf(5000));
    ASSERT_TRUE(tooLarge);
    EXPECT_TRUE(tooLarge->bodyOmitted) << "no eviction would make room for it";
    expectUnharmed();
    ASSERT_TRUE(store().complete(own({.key = "fills"}), answerOf(1000)));
    const auto again = store().complete(kept, answerOf(1500));
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->repeated);
    expectUnharmed();
}

TEST_P(StoreContract, AConstantLoadLeavesNoMoreThanASweepsIntervalUnswept)
{
    constexpr int perStep = 500; // 5,000 a second
    Policy policy;
    policy.ttl = 10s;
    policy.sweepInterval = 1s;
    openSweeping(policy);
    std::uint64_t bytes = 0;
    for (int step = 0; step < 400; ++step) { // 40 seconds
        for (int i = 0; i < perStep; ++i) {
            const QByteArray number = QByteArray::number(step * perStep + i);
            ASSERT_TRUE(complete(own({.key = number.rightJustified(8, '0')}))); // records of one size
        }
        advance(100ms);
        const Counters counters = store().counters();
        // Those of the last ten seconds, and what expired since the last pass.
        ASSERT_LE(counters.records, std::uint64_t(perStep) * (100 + 10)) << step;
        if (step == 199) {
            bytes = counters.bytes;
        }
    }
    EXPECT_EQ(store().counters().bytes, bytes) << "as much as twenty seconds before";
    EXPECT_EQ(store().counters().expired + store().counters().records, 200'000U);
}

TEST_P(StoreContract, ABeginDoesNoneOfTheSweepsWork)
{
    for (const int expired : {10, 1000, 10'000}) {
        Policy policy;
        policy.ttl = 1s;
        open(policy);
        for (int i = 0; i < expired; ++i) {
            ASSERT_TRUE(complete(own({.key = keyOf(i)})));
        }
        advance(1s);
        for (int i = 0; i < 100; ++i) {
            own({.key = "new-" + QByteArray::number(i)});
        }
        EXPECT_EQ(store().counters().expired, 0U) << "whatever lies about";
        EXPECT_EQ(store().counters().records, std::uint64_t(expired) + 100);
        own({.key = keyOf(3)});
        EXPECT_EQ(store().counters().expired, 1U) << "but its own key";
    }
}

} // namespace idem::test
