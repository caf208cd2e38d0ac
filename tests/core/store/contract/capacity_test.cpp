// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/capacity_support.h"

#include <QLocale>

#include <random>

namespace idem::test {

// The caps by records and by bytes where new keys are refused: exact, harmless to who is in, and given back.

TEST_P(StoreContract, TheRecordCapIsExact)
{
    for (const int cap : {1, 2, 64, 257}) {
        open(capped(cap));
        for (int i = 0; i < cap; ++i) {
            ASSERT_EQ(ask(orderKey(i)), OutcomeKind::Fresh) << i << " of " << cap;
        }
        expectFull(store());
        EXPECT_EQ(store().counters().records, std::uint64_t(cap));
    }
}

TEST_P(StoreContract, TheByteCapIsExact)
{
    open({});
    const qint64 one = bytesOfOne(store());
    for (const qint64 cap : {one - 1, one, 2 * one - 1, 7 * one, 8 * one - 1}) {
        open(capped(manyRecords, cap));
        for (int i = 0; i < cap / one; ++i) {
            ASSERT_EQ(ask(orderKey(i)), OutcomeKind::Fresh) << i << " under " << cap;
        }
        expectFull(store());
        EXPECT_EQ(store().counters().bytes, std::uint64_t(cap / one * one));
    }
}

TEST_P(StoreContract, TheRefusalNamesTheCaps)
{
    open(capped(1));
    own();
    EXPECT_TRUE(expect<Rejected>({.key = "new"}).message.contains(QStringLiteral("limit of 1 records")));
    open({});
    open(capped(10'000'000, 3 * bytesOfOne(store())));
    ownOrders(store(), 3);
    const QString message = expect<Rejected>({.key = "new"}).message;
    EXPECT_TRUE(message.contains(QStringLiteral("10,000,000 records"))) << message.toStdString();
    EXPECT_TRUE(message.contains(QLocale::c().toString(*store().policy().maxBytes))) << message.toStdString();
}

TEST_P(StoreContract, AtTheByteCapWhoIsInGoesOn)
{
    open({});
    open(capped(manyRecords, 5 * bytesOfOne(store())));
    const std::vector<Ownership> owners = ownOrders(store(), 5);
    // An answer without headers and body takes no more than its record.
    ASSERT_FALSE(store().complete(owners[0], Response {204, {}, {}}).value().bodyOmitted);
    ASSERT_TRUE(store().release(owners[1]));
    ASSERT_TRUE(store().renew(owners[2]));
    expectFull(store());

    EXPECT_EQ(expect<Replay>({.key = orderKey(0)}).response->status(), 204);
    EXPECT_EQ(expect<Fresh>({.key = orderKey(1)}).attempt, 2U);
    EXPECT_EQ(ask(orderKey(2)), OutcomeKind::InProgress);
    EXPECT_EQ(ask({.key = orderKey(2), .fingerprint = "v1:another"}), OutcomeKind::Mismatch);
    advance(60s);
    EXPECT_TRUE(expect<Fresh>({.key = orderKey(3)}).tookOver);
    advance(24h);
    EXPECT_EQ(expect<Fresh>({.key = orderKey(0)}).attempt, 1U) << "expired, it has its own room";
    expectFullToTheByte(store());
}

TEST_P(StoreContract, AtTheByteCapWhoIsInMayChangeItsTexts)
{
    // A key that is in is never refused for want of room, even when another attempt's texts are longer.
    open({});
    open(capped(manyRecords, 2 * bytesOfOne(store())));
    const std::vector<Ownership> owners = ownOrders(store(), 2);
    ASSERT_TRUE(store().release(owners[0]));
    auto fresh =
        expect<Fresh>({.key = orderKey(0), .fingerprint = QByteArray(255, 'f'), .owner = QByteArray(255, 'o')});
    EXPECT_EQ(fresh.attempt, 2U);
    expectFull(store());
    EXPECT_FALSE(fresh.claim.complete(Response {204, {}, {}}).value().bodyOmitted) << "what needs no room has it";
    EXPECT_FALSE(store().complete(owners[1], Response {204, {}, {}}).value().bodyOmitted);
    advance(24h);
    EXPECT_EQ(store().sweepNow(), 2U);
    EXPECT_EQ(store().counters().bytes, 0U);
}

TEST_P(StoreContract, RoomComesBackByPurge)
{
    open({});
    open(capped(manyRecords, 3 * bytesOfOne(store())));
    const std::vector<Ownership> owners = ownOrders(store(), 3);
    ASSERT_TRUE(store().release(owners[1]));
    expectFull(store());
    ASSERT_TRUE(store().purge(owners[1].identity, owners[1].fence, outOfRoom));
    EXPECT_EQ(ask(orderKey(3)), OutcomeKind::Fresh);
    expectFull(store());
}

TEST_P(StoreContract, RoomComesBackBySweep)
{
    for (const bool byRecords : {true, false}) {
        open({});
        open(capped(manyRecords, 4 * bytesOfOne(store())));
        const std::vector<Ownership> owners = ownOrders(store(), 4);
        if (byRecords) {
            open(capped(4));
        }
        for (int i = 0; i < 4; ++i) {
            ASSERT_TRUE(store().complete(
                byRecords ? own({.key = orderKey(i)}) : owners[std::size_t(i)], Response {204, {}, {}}));
        }
        advance(24h - 1us);
        EXPECT_EQ(store().sweepNow(), 0U);
        expectFull(store());
        advance(1us);
        EXPECT_EQ(store().sweepNow(), 4U);
        EXPECT_EQ(store().counters().bytes, 0U);
        for (int i = 4; i < 8; ++i) {
            EXPECT_EQ(ask(orderKey(i)), OutcomeKind::Fresh);
        }
        expectFull(store());
    }
}

TEST_P(StoreContract, TheLastBytesGoToAnAnswerThatFits)
{
    open({});
    const qint64 one = bytesOfOne(store());
    for (const qint64 missing : {0, 1}) {
        open(capped(manyRecords, 2 * one + 100 - missing));
        const Ownership owner = own({.key = orderKey(0)});
        own({.key = orderKey(1)});
        const auto completion = store().complete(owner, Response {200, {}, QByteArray(100, 'x')});
        ASSERT_TRUE(completion);
        EXPECT_EQ(completion->state, State::Completed);
        EXPECT_EQ(completion->bodyOmitted, missing == 1);
        EXPECT_EQ(store().counters().bytes, std::uint64_t(2 * one + (missing == 1 ? 0 : 100)));
    }
}

TEST_P(StoreContract, AnAnswerWithoutRoomLeavesATombstone)
{
    open({});
    open(capped(manyRecords, 3 * bytesOfOne(store())));
    const std::vector<Ownership> owners = ownOrders(store(), 3);
    const auto completion = complete(owners[0], 201, "paid");
    ASSERT_TRUE(completion);
    EXPECT_EQ(completion->state, State::Completed);
    EXPECT_TRUE(completion->bodyOmitted);
    EXPECT_TRUE(record({.key = orderKey(0)}).bodyOmitted);
    EXPECT_EQ(record({.key = orderKey(0)}).status, 201);
    EXPECT_FALSE(store().response(owners[0].identity));
    const auto notStored = expect<NotStored>({.key = orderKey(0)});
    EXPECT_EQ(notStored.originalStatus, 201);
    EXPECT_EQ(notStored.fence, owners[0].fence);
    EXPECT_EQ(store().counters().completed, 1U);
    expectFullToTheByte(store());
}

TEST_P(StoreContract, ATombstoneForWantOfRoomKnowsARepeat)
{
    open({});
    open(capped(manyRecords, 3 * bytesOfOne(store())));
    const std::vector<Ownership> owners = ownOrders(store(), 3);
    ASSERT_TRUE(complete(owners[0], 201, "paid"));
    const auto again = complete(owners[0], 201, "paid");
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->repeated);
    EXPECT_TRUE(again->bodyOmitted);
    EXPECT_EQ(refusalOf(complete(owners[0], 201, "PAID")), StoreErrorCode::DifferentResult);
    EXPECT_EQ(refusalOf(complete(owners[0], 200, "paid")), StoreErrorCode::DifferentResult);
    EXPECT_EQ(refusalOf(store().fail(owners[0], QStringLiteral("no"))), StoreErrorCode::DifferentResult);
    // There is room by now: the repeat is still the same, and still not kept.
    ASSERT_TRUE(store().release(owners[1]));
    ASSERT_TRUE(store().purge(owners[1].identity, owners[1].fence, outOfRoom));
    EXPECT_TRUE(complete(owners[0], 201, "paid").value().repeated);
    EXPECT_EQ(ask(orderKey(0)), OutcomeKind::NotStored);
}

TEST_P(StoreContract, AFailureWithoutRoomLeavesATombstone)
{
    open({});
    open(capped(manyRecords, 3 * bytesOfOne(store())));
    const std::vector<Ownership> owners = ownOrders(store(), 3);
    const auto failed = store().fail(owners[0], QStringLiteral("card declined"));
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->state, State::Failed);
    EXPECT_TRUE(failed->bodyOmitted);
    EXPECT_TRUE(store().fail(owners[0], QStringLiteral("card declined")).value().repeated);
    EXPECT_EQ(expect<NotStored>({.key = orderKey(0)}).originalStatus, 409);
    expectFullToTheByte(store());
}

TEST_P(StoreContract, TheOperatorsVerbsStayWithinTheCapToo)
{
    open({});
    open(capped(manyRecords, 3 * bytesOfOne(store())));
    const std::vector<Ownership> owners = ownOrders(store(), 3);
    ASSERT_TRUE(abandon(owners[0], AbandonAs::Failed));
    EXPECT_EQ(state({.key = orderKey(0)}), State::Failed);
    EXPECT_EQ(expect<NotStored>({.key = orderKey(0)}).originalStatus, 409);
    ASSERT_TRUE(store().markUnknown(owners[1]));
    const SettleRequest executed {owners[1].fence, QStringLiteral("seen at the bank"), Response {201, {}, "paid"}};
    ASSERT_TRUE(store().settle(owners[1].identity, executed));
    EXPECT_EQ(expect<NotStored>({.key = orderKey(1)}).originalStatus, 201);
    expectFullToTheByte(store());
}

TEST_P(StoreContract, ManyLargeBodiesStayUnderTheCap)
{
    constexpr int keys = 10'000;
    constexpr qsizetype bodyBytes = 256'000;
    constexpr qint64 cap = 64'000'000;
    open(capped(manyRecords, cap));
    int replayed = 0;
    int omitted = 0;
    int refused = 0;
    for (int i = 0; i < keys; ++i) {
        Outcome outcome = begin({.key = orderKey(i)});
        if (Fresh *fresh = std::get_if<Fresh>(&outcome)) {
            const auto completion =
                fresh->claim.complete(Response {200, {}, QByteArray(bodyBytes, char('a' + i % 26))});
            ASSERT_TRUE(completion);
            ++(completion->bodyOmitted ? omitted : replayed);
        } else {
            ASSERT_EQ(std::get<Rejected>(outcome).reason, RejectReason::AtCapacity);
            ++refused;
        }
        if (i % 100 == 0) {
            ASSERT_LE(store().counters().bytes, std::uint64_t(cap));
        }
    }
    // 250 bodies would be 64 MB to the byte, without their records.
    EXPECT_EQ(replayed, 249);
    EXPECT_GT(omitted, 0);
    EXPECT_EQ(replayed + omitted + refused, keys);
    for (int i = 0; i < replayed; ++i) {
        const auto replay = expect<Replay>({.key = orderKey(i)});
        ASSERT_EQ(replay.response->body(), QByteArray(bodyBytes, char('a' + i % 26)));
    }
    EXPECT_EQ(ask(orderKey(replayed)), OutcomeKind::NotStored);
    EXPECT_EQ(ask(orderKey(keys - 1)), OutcomeKind::Rejected);
}

namespace {

/// Numbers of a seeded sequence.
class Dice
{
public:
    explicit Dice(unsigned seed)
        : m_engine(seed)
    {
    }
    int upTo(unsigned most) { return int(m_engine() % (most + 1)); }

private:
    std::mt19937 m_engine;
};

/// One verb of an owner or an operator; most are refused, as the record's state has it.
void endSomehow(Store &store, const Ownership &owner, Dice &dice)
{
    const auto answer = [&dice] { return Response {200, {}, QByteArray(dice.upTo(4000), 'b')}; };
    switch (dice.upTo(7)) {
    case 0:
    case 1:
        static_cast<void>(store.complete(owner, answer()));
        break;
    case 2:
        static_cast<void>(store.release(owner));
        break;
    case 3:
        static_cast<void>(store.fail(owner, QString(dice.upTo(500), u'f')));
        break;
    case 4:
        static_cast<void>(store.abandon(owner.identity, {owner.fence, outOfRoom, AbandonAs(dice.upTo(2)), true}));
        break;
    case 5:
        static_cast<void>(store.purge(owner.identity, owner.fence, outOfRoom));
        break;
    case 6:
        static_cast<void>(store.markUnknown(owner));
        break;
    default:
        static_cast<void>(store.settle(owner.identity, {owner.fence, outOfRoom, answer()}));
    }
}

/// Whoever is in progress or unknown becomes abandoned.
void abandonAll(Store &store)
{
    const auto page = store.list({.limit = 10'000});
    for (const RecordView &view : page->records) {
        if (view.state == State::OutcomeUnknown) {
            EXPECT_TRUE(store.settle(view.identity, {view.fence, outOfRoom, {}}));
        } else if (!view.expiresAt) {
            EXPECT_TRUE(store.abandon(view.identity, {view.fence, outOfRoom, AbandonAs::Release, true}));
        }
    }
}

} // namespace

TEST_P(StoreContract, EveryByteIsGivenBackWhateverHappened)
{
    constexpr qint64 records = 400;
    constexpr qint64 bytes = 300'000;
    for (const AtCapacity atCapacity : {AtCapacity::Refuse, AtCapacity::EvictOldest}) {
        Policy policy = capped(records, bytes, atCapacity);
        policy.ttl = 5s;
        policy.maxBodyBytes = 3000;
        open(policy);
        Dice dice(unsigned(atCapacity) + 1);
        std::map<QByteArray, Ownership> owners;
        for (int step = 0; step < 30'000; ++step) {
            const QByteArray key = QByteArray::number(dice.upTo(900)).repeated(1 + dice.upTo(1));
            Outcome outcome = begin({.key = key, .lease = Duration(1s) * (1 + dice.upTo(5))});
            if (Fresh *fresh = std::get_if<Fresh>(&outcome)) {
                owners[key] = fresh->claim.detach();
            }
            const auto owner = owners.lower_bound(QByteArray::number(dice.upTo(900)));
            if (owner != owners.end()) {
                endSomehow(store(), owner->second, dice);
            }
            if (step % 50 == 0) {
                advance(Duration(dice.upTo(500'000)));
                static_cast<void>(step % 200 == 0 ? store().sweepNow() : 0);
            }
            ASSERT_LE(store().counters().records, std::uint64_t(records));
            ASSERT_LE(store().counters().bytes, std::uint64_t(bytes));
        }
        const Counters busy = store().counters();
        EXPECT_GT(busy.outcome(OutcomeKind::Rejected) + busy.evicted, 0U) << "the caps were met";
        EXPECT_GT(busy.purged, 0U);
        EXPECT_TRUE(busy.expired > 0 || atCapacity == AtCapacity::EvictOldest) << "there, all go before their time";
        abandonAll(store());
        advance(5s);
        EXPECT_EQ(store().sweepNow(), busy.records);
        EXPECT_EQ(store().counters().records, 0U);
        EXPECT_EQ(store().counters().bytes, 0U);
        EXPECT_EQ(store().counters().byState, (std::array<std::uint64_t, StateCount> {}));
        EXPECT_EQ(store().counters().stuck, 0U);
    }
}

} // namespace idem::test
