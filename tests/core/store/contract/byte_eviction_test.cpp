// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/capacity_support.h"

namespace idem::test {

// The byte cap under AtCapacity::EvictOldest: for whose bytes others go, and for whose not.

namespace {

constexpr int finished = 10;
constexpr qsizetype bodyBytes = 1000;

Response answerOf(qsizetype bytes, int status = 200)
{
    return {status, {}, QByteArray(bytes, 'x')};
}

/// Full to the byte with ten finished records and an attempt. Precondition: the store is empty.
Policy fullPolicy(Store &store)
{
    const qint64 one = bytesOfOne(store);
    Policy policy = capped(manyRecords, finished * (one + bodyBytes) + one, AtCapacity::EvictOldest);
    policy.late = LatePolicy::Strict;
    return policy;
}

/// The ten, the first of which expires first, and the attempt's owner.
Ownership fill(Store &store, const std::function<void()> &tick)
{
    for (int i = 0; i < finished; ++i) {
        EXPECT_TRUE(store.complete(ownOrder(store, i), answerOf(bodyBytes)));
        tick();
    }
    Ownership owner = ownOrder(store, finished);
    EXPECT_EQ(store.counters().bytes, std::uint64_t(store.policy().maxBytes.value()));
    return owner;
}

/// How many of the ten are gone; checks that they are the first ones.
int goneFrom(Store &store)
{
    const auto isThere = [&store](int number) {
        const QByteArray key = orderKey(number);
        return store.response({"acme", "alice", key}) != nullptr;
    };
    int count = 0;
    while (count < finished && !isThere(count)) {
        ++count;
    }
    for (int i = count; i < finished; ++i) {
        EXPECT_TRUE(isThere(i)) << i;
    }
    EXPECT_EQ(store.counters().evicted, std::uint64_t(count));
    EXPECT_LE(store.counters().bytes, std::uint64_t(store.policy().maxBytes.value()));
    return count;
}

} // namespace

TEST_P(StoreContract, ANewKeyEvictsForItsBytes)
{
    open({});
    open(fullPolicy(store()));
    fill(store(), [this] { advance(1ms); });
    EXPECT_EQ(ask("new"), OutcomeKind::Fresh);
    EXPECT_EQ(goneFrom(store()), 1);
    EXPECT_EQ(ask("two"), OutcomeKind::Fresh) << "within what the first one left";
    EXPECT_EQ(goneFrom(store()), 1);
}

TEST_P(StoreContract, AnAnswerEvictsAsManyAsItNeeds)
{
    open({});
    const qint64 one = bytesOfOne(store());
    open({});
    open(fullPolicy(store()));
    const Ownership owner = fill(store(), [this] { advance(1ms); });
    constexpr qsizetype needed = 3 * bodyBytes;
    const auto completion = store().complete(owner, answerOf(needed));
    ASSERT_TRUE(completion);
    EXPECT_FALSE(completion->bodyOmitted);
    const qint64 freedByEach = one + bodyBytes;
    EXPECT_EQ(goneFrom(store()), (needed + freedByEach - 1) / freedByEach);
    EXPECT_EQ(expect<Replay>({.key = owner.identity.key}).response->body()->size(), needed);
}

TEST_P(StoreContract, AnAnswerOfNoBytesEvictsNobody)
{
    open({});
    open(fullPolicy(store()));
    const Ownership owner = fill(store(), [this] { advance(1ms); });
    EXPECT_FALSE(store().complete(owner, Response {204, {}, {}}).value().bodyOmitted);
    EXPECT_EQ(goneFrom(store()), 0);
}

TEST_P(StoreContract, AnAnswerThatCanNeverFitEvictsNobody)
{
    open({});
    open(fullPolicy(store()));
    const Ownership owner = fill(store(), [this] { advance(1ms); });
    const auto completion = store().complete(owner, answerOf(*store().policy().maxBytes + 1));
    ASSERT_TRUE(completion);
    EXPECT_TRUE(completion->bodyOmitted);
    EXPECT_EQ(goneFrom(store()), 0);
    EXPECT_EQ(ask(owner.identity.key), OutcomeKind::NotStored);
}

TEST_P(StoreContract, ARefusedAnswerEvictsNobody)
{
    open({});
    open(fullPolicy(store()));
    const Ownership owner = fill(store(), [this] { advance(1ms); });
    EXPECT_EQ(refusalOf(store().complete(owner, answerOf(bodyBytes, 600))), StoreErrorCode::Invalid);
    Ownership another = owner;
    another.token.bytes[0] ^= 1;
    EXPECT_EQ(refusalOf(store().complete(another, answerOf(bodyBytes))), StoreErrorCode::StaleOwner);
    EXPECT_EQ(refusalOf(store().fail(another, QStringLiteral("stale"))), StoreErrorCode::StaleOwner);
    another.identity.key = "nobody's";
    EXPECT_EQ(refusalOf(store().complete(another, answerOf(bodyBytes))), StoreErrorCode::NotFound);
    advance(60s);
    EXPECT_EQ(refusalOf(store().complete(owner, answerOf(bodyBytes))), StoreErrorCode::LeaseOver);
    ASSERT_TRUE(store().release(owner));
    EXPECT_EQ(refusalOf(store().complete(owner, answerOf(bodyBytes))), StoreErrorCode::NotFound);
    store().close();
    EXPECT_EQ(refusalOf(store().complete(owner, answerOf(bodyBytes))), StoreErrorCode::Closed);
    EXPECT_EQ(goneFrom(store()), 0);
}

TEST_P(StoreContract, AnAnswerThatIsNotFinalEvictsNobody)
{
    open({});
    open(fullPolicy(store()));
    const Ownership owner = fill(store(), [this] { advance(1ms); });
    EXPECT_EQ(store().complete(owner, answerOf(bodyBytes, 503)).value().state, State::Abandoned);
    EXPECT_EQ(goneFrom(store()), 0);
}

TEST_P(StoreContract, ARepeatedAnswerEvictsNobody)
{
    open({});
    open(fullPolicy(store()));
    const Ownership owner = fill(store(), [this] { advance(1ms); });
    ASSERT_TRUE(store().complete(owner, answerOf(bodyBytes)));
    EXPECT_EQ(goneFrom(store()), 1);
    EXPECT_TRUE(store().complete(owner, answerOf(bodyBytes)).value().repeated);
    EXPECT_EQ(refusalOf(store().complete(owner, answerOf(bodyBytes + 500))), StoreErrorCode::DifferentResult);
    EXPECT_EQ(goneFrom(store()), 1);
}

TEST_P(StoreContract, AFailureEvictsToo)
{
    open({});
    open(fullPolicy(store()));
    const Ownership owner = fill(store(), [this] { advance(1ms); });
    EXPECT_FALSE(store().fail(owner, QStringLiteral("no")).value().bodyOmitted);
    EXPECT_EQ(goneFrom(store()), 1);
    EXPECT_TRUE(expect<Replay>({.key = owner.identity.key}).failed);
}

TEST_P(StoreContract, WhenNobodyCanGoTheAnswerIsOmitted)
{
    open({});
    open(capped(manyRecords, 2 * bytesOfOne(store()), AtCapacity::EvictOldest));
    const Ownership owner = ownOrder(store(), 0);
    ownOrder(store(), 1);
    EXPECT_TRUE(store().complete(owner, answerOf(bodyBytes)).value().bodyOmitted);
    EXPECT_EQ(ask(orderKey(1)), OutcomeKind::InProgress);
    EXPECT_EQ(store().counters().evicted, 0U);
}

} // namespace idem::test
