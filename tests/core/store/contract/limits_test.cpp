// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

namespace idem::test {

// What a key may be, and who it belongs to.

namespace {

RejectReason reasonOf(const Rejected &rejected)
{
    EXPECT_FALSE(rejected.message.isEmpty());
    return rejected.reason;
}

} // namespace

TEST_P(StoreContract, KeysOfOneTo255Bytes)
{
    EXPECT_EQ(ask(QByteArray("k")), OutcomeKind::Fresh);
    EXPECT_EQ(ask(QByteArray(255, 'a')), OutcomeKind::Fresh);
    EXPECT_EQ(reasonOf(expect<Rejected>({.key = QByteArray(256, 'a')})), RejectReason::KeyTooLong);
    EXPECT_EQ(reasonOf(expect<Rejected>({.key = {}})), RejectReason::KeyMissing);
    EXPECT_EQ(store().counters().records, 2U);
}

TEST_P(StoreContract, KeyLengthIsTheSameLimitForAnyBytes)
{
    QByteArray varied;
    for (int i = 0; i < 256; ++i) {
        varied.append(char('!' + i * 7 % 90));
    }
    EXPECT_EQ(reasonOf(expect<Rejected>({.key = varied})), RejectReason::KeyTooLong);
    EXPECT_EQ(ask(varied.first(255)), OutcomeKind::Fresh);
    EXPECT_EQ(ask(varied.first(255)), OutcomeKind::InProgress);
}

TEST_P(StoreContract, PolicyLimitsOfKeyLength)
{
    Policy policy;
    policy.key.minBytes = 16;
    policy.key.maxBytes = 36;
    open(policy);
    EXPECT_EQ(reasonOf(expect<Rejected>({.key = QByteArray(15, 'k')})), RejectReason::KeyTooShort);
    EXPECT_EQ(ask(QByteArray(16, 'k')), OutcomeKind::Fresh);
    EXPECT_EQ(ask(QByteArray(36, 'k')), OutcomeKind::Fresh);
    EXPECT_EQ(reasonOf(expect<Rejected>({.key = QByteArray(37, 'k')})), RejectReason::KeyTooLong);
    EXPECT_EQ(reasonOf(expect<Rejected>({.key = {}})), RejectReason::KeyMissing);
}

TEST_P(StoreContract, EveryByteOutsidePrintableAsciiIsRefused)
{
    for (int byte = 0; byte < 256; ++byte) {
        const QByteArray key = QByteArray("a") + char(byte) + "b";
        const bool isPrintable = byte >= 0x20 && byte <= 0x7e;
        const Outcome outcome = begin({.key = key});
        EXPECT_EQ(kindOf(outcome), isPrintable ? OutcomeKind::Fresh : OutcomeKind::Rejected) << byte;
        if (const auto *rejected = std::get_if<Rejected>(&outcome)) {
            EXPECT_EQ(rejected->reason, RejectReason::KeyMalformed) << byte;
            EXPECT_FALSE(rejected->message.contains(QString::fromLatin1(key))) << "no key in a text";
        }
    }
    EXPECT_EQ(store().counters().records, 0x7eU - 0x20U + 1U);
}

TEST_P(StoreContract, NothingIsTrimmedOrFolded)
{
    for (const char *key : {"key", " key", "key ", "KEY", "key/..", "%6Bey"}) {
        EXPECT_EQ(ask(QByteArray(key)), OutcomeKind::Fresh) << key;
    }
    EXPECT_EQ(store().counters().records, 6U);
}

TEST_P(StoreContract, TenantAndCallerSeparateKeys)
{
    const Ownership mine = own();
    EXPECT_EQ(ask({.tenant = "globex"}), OutcomeKind::Fresh);
    EXPECT_EQ(ask({.caller = "bob"}), OutcomeKind::Fresh);
    EXPECT_EQ(ask({.tenant = {}}), OutcomeKind::Fresh);
    ASSERT_TRUE(complete(mine));
    EXPECT_EQ(ask(), OutcomeKind::Replay);
    EXPECT_EQ(ask({.tenant = "globex"}), OutcomeKind::InProgress);
    EXPECT_FALSE(store().response(identityOf({.caller = "bob"})));
}

TEST_P(StoreContract, PartsOfAnIdentityAreNotJoined)
{
    EXPECT_EQ(ask({.key = "key", .tenant = "ab", .caller = "c"}), OutcomeKind::Fresh);
    EXPECT_EQ(ask({.key = "key", .tenant = "a", .caller = "bc"}), OutcomeKind::Fresh);
    EXPECT_EQ(ask({.key = "ckey", .tenant = "ab", .caller = {}}), OutcomeKind::Fresh);
    EXPECT_NE(record({.key = "key", .tenant = "ab", .caller = "c"}).id,
        record({.key = "key", .tenant = "a", .caller = "bc"}).id);
}

TEST_P(StoreContract, AtCapacityNewKeysAreRefusedAndOldOnesLive)
{
    Policy policy;
    policy.maxRecords = 3;
    open(policy);
    const Ownership done = own({.key = "done"});
    ASSERT_TRUE(complete(done));
    own({.key = "running"});
    const Ownership released = own({.key = "released"});
    ASSERT_TRUE(store().release(released));

    EXPECT_EQ(expect<Rejected>({.key = "new"}).reason, RejectReason::AtCapacity);
    EXPECT_FALSE(exists({.key = "new"}));
    EXPECT_EQ(ask("done"), OutcomeKind::Replay);
    EXPECT_EQ(ask("running"), OutcomeKind::InProgress);
    EXPECT_EQ(ask("released"), OutcomeKind::Fresh);
    EXPECT_EQ(store().counters().records, 3U);

    ASSERT_TRUE(store().purge(done.identity, done.fence, QStringLiteral("room")));
    EXPECT_EQ(ask("new"), OutcomeKind::Fresh);
    EXPECT_EQ(store().counters().outcome(OutcomeKind::Rejected), 1U);
}

TEST_P(StoreContract, UnknownOutcomesCountTowardTheCapAndStay)
{
    Policy policy;
    policy.maxRecords = 1;
    policy.ttl = 0s;
    open(policy);
    ASSERT_TRUE(store().markUnknown(own({.key = "unknown"})));
    advance(365 * 24h);
    store().sweepNow();
    EXPECT_EQ(expect<Rejected>({.key = "new"}).reason, RejectReason::AtCapacity);
}

} // namespace idem::test
