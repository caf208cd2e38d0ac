// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

#include <algorithm>
#include <array>

namespace idem::test {

// How long the texts beside the key may be, which bytes they may hold, and what a key policy refuses.

namespace {

constexpr qsizetype longest = 255;

/// As long as it may be, of bytes of nearly every value, NUL among them.
QByteArray longText(char first)
{
    QByteArray bytes(1, first);
    for (int byte = 0; bytes.size() < longest; ++byte) {
        bytes.append(char(byte));
    }
    return bytes;
}

struct Text
{
    QByteArray Ask::*member;
    const char *name;
};

constexpr std::array texts {
    Text {&Ask::tenant, "tenant"},
    Text {&Ask::caller, "caller"},
    Text {&Ask::fingerprint, "fingerprint"},
    Text {&Ask::attemptId, "attempt id"},
    Text {&Ask::owner, "owner"},
};

Ask longestAsk()
{
    Ask ask;
    ask.key = QByteArray(longest, 'k');
    for (const Text &text : texts) {
        ask.*text.member = longText(text.name[0]);
    }
    return ask;
}

} // namespace

TEST_P(StoreContract, TheLongestTextsWorkFromEndToEnd)
{
    Policy policy;
    policy.historyEvents = 10;
    open(policy);
    const auto stream = store().subscribe();
    const Ask longest = longestAsk();
    const Ownership owner = own(longest);
    EXPECT_EQ(owner.identity, (Identity {longest.tenant, longest.caller, longest.key}));
    const RecordView view = record(longest);
    EXPECT_EQ(view.identity, owner.identity);
    EXPECT_EQ(view.owner, longest.owner);
    EXPECT_EQ(view.fingerprint, longest.fingerprint);
    EXPECT_EQ(ask(longest), OutcomeKind::Fresh) << "the same attempt";
    EXPECT_EQ(store().find(view.id)->identity, owner.identity);

    Ask other = longest;
    other.attemptId.back() ^= 1;
    EXPECT_EQ(ask(other), OutcomeKind::InProgress);
    other.fingerprint.back() ^= 1;
    EXPECT_EQ(ask(other), OutcomeKind::Mismatch);
    const auto waiter = beginLater([&] {
        Ask ask = longest;
        ask.attemptId.clear();
        ask.wait = 10s;
        return ask;
    }());
    ASSERT_TRUE(complete(owner, 201, "answer"));
    EXPECT_EQ(waiter->kind(), OutcomeKind::Replay);
    EXPECT_EQ(expect<Replay>(longest).response->body(), "answer");
    EXPECT_EQ(list({}), std::vector {longest.key});
    const auto history = store().history(owner.identity);
    ASSERT_TRUE(history);
    EXPECT_EQ(history->front().owner, longest.owner);
    EXPECT_EQ(history->front().identity, owner.identity);
    EXPECT_EQ(stream->take().events.front().identity, owner.identity);
    ASSERT_TRUE(store().purge(owner.identity, owner.fence, QStringLiteral("done")));
    EXPECT_FALSE(exists(longest));
}

TEST_P(StoreContract, OneByteMoreIsRefusedAndNamed)
{
    for (const Text &text : texts) {
        SCOPED_TRACE(text.name);
        for (const qsizetype bytes : {longest + 1, qsizetype {512}, qsizetype {1'000'000}}) {
            Ask ask;
            ask.*text.member = QByteArray(bytes, 'x');
            const auto rejected = expect<Rejected>(ask);
            EXPECT_EQ(rejected.reason, RejectReason::TextTooLong);
            EXPECT_TRUE(rejected.message.contains(QLatin1StringView(text.name))) << rejected.message.toStdString();
            EXPECT_TRUE(rejected.message.contains(QStringLiteral("255"))) << rejected.message.toStdString();
            const auto later = beginLater([&] {
                Ask waiting = ask;
                waiting.wait = 10s;
                return waiting;
            }());
            EXPECT_TRUE(later->isKnown());
            EXPECT_EQ(later->kind(), OutcomeKind::Rejected);
        }
    }
    EXPECT_EQ(store().counters().records, 0U);
    EXPECT_EQ(store().counters().bytes, 0U);
    EXPECT_EQ(store().counters().outcome(OutcomeKind::Rejected), texts.size() * 6);
    EXPECT_EQ(store().list({})->total, 0U);
}

TEST_P(StoreContract, ATooLongTextChangesNoRecord)
{
    own();
    const std::string before = snapshot();
    Ask ask;
    ask.owner = QByteArray(longest + 1, 'o');
    EXPECT_EQ(this->ask(ask), OutcomeKind::Rejected);
    EXPECT_EQ(snapshot(), before);
}

TEST_P(StoreContract, VerbsOnTextsOfAnyLengthFindNothing)
{
    own();
    const Identity tooLong {QByteArray(300, 't'), QByteArray(70'000, 'c'), QByteArray(300, 'k')};
    const Ownership owner {tooLong, Fence {1}, {}};
    EXPECT_FALSE(store().find(tooLong));
    EXPECT_FALSE(store().response(tooLong));
    EXPECT_EQ(refusalOf(store().history(tooLong)), StoreErrorCode::NotFound);
    EXPECT_EQ(refusalOf(complete(owner)), StoreErrorCode::NotFound);
    EXPECT_EQ(refusalOf(store().release(owner)), StoreErrorCode::NotFound);
    EXPECT_EQ(refusalOf(abandon(owner)), StoreErrorCode::NotFound);
    EXPECT_EQ(refusalOf(store().purge(tooLong, Fence {1}, QStringLiteral("x"))), StoreErrorCode::NotFound);
}

TEST_P(StoreContract, NulBytesSeparateNothing)
{
    const QByteArray nul(1, '\0');
    const std::vector<Ask> asks {
        {.tenant = "a" + nul, .caller = "b"},
        {.tenant = "a", .caller = nul + "b"},
        {.tenant = "a", .caller = "b"},
        {.tenant = "a" + nul + "b", .caller = {}},
        {.tenant = nul, .caller = nul},
        {.tenant = nul + nul, .caller = {}},
        {.tenant = {}, .caller = nul + nul},
    };
    std::vector<RecordId> ids;
    for (const Ask &ask : asks) {
        EXPECT_EQ(this->ask(ask), OutcomeKind::Fresh);
        const RecordView view = record(ask);
        EXPECT_EQ(view.identity.tenant, ask.tenant);
        EXPECT_EQ(view.identity.caller, ask.caller);
        EXPECT_FALSE(std::ranges::count(ids, view.id));
        ids.push_back(view.id);
    }
    EXPECT_EQ(store().counters().records, asks.size());
}

TEST_P(StoreContract, ARefusalOfAStrangeTenantIsToldInItsBytes)
{
    const auto stream = store().subscribe();
    const QByteArray tenant = longText('t');
    ask({.key = {}, .tenant = tenant});
    ask({.tenant = QByteArray(1000, 't')});
    const auto batch = stream->take();
    ASSERT_EQ(batch.events.size(), 2U);
    EXPECT_EQ(batch.events[0].identity.tenant, tenant);
    EXPECT_TRUE(batch.events[0].identity.key.isEmpty());
    EXPECT_LE(batch.events[1].identity.tenant.size(), longest) << "events are bounded too";
}

TEST_P(StoreContract, OnlyUuidsWhereThePolicySaysSo)
{
    Policy policy;
    policy.key.uuidOnly = true;
    open(policy);
    // RFC 9562, appendix A: the test vectors of versions 1, 4 and 7.
    for (const char *key : {"C232AB00-9414-11EC-B3C8-9F6BDECED846", "919108f7-52d1-4320-9bac-f847db4148a8",
             "017F22E2-79B0-7CC3-98C4-DC0C0C07398F"}) {
        EXPECT_EQ(ask(QByteArray(key)), OutcomeKind::Fresh) << key;
    }
    for (const char *key : {"order-1", "919108f7-52d1-4320-9bac-f847db4148a", "919108f752d143209bacf847db4148a8",
             "{919108f7-52d1-4320-9bac-f847db4148a8}", "919108f7-52d1-4320-9bac-f847db4148aG"}) {
        const auto rejected = expect<Rejected>({.key = key});
        EXPECT_EQ(rejected.reason, RejectReason::KeyMalformed) << key;
        EXPECT_TRUE(rejected.message.contains(QStringLiteral("UUID"))) << rejected.message.toStdString();
        EXPECT_FALSE(rejected.message.contains(QLatin1StringView(key)));
    }
    EXPECT_EQ(store().counters().records, 3U);
}

TEST_P(StoreContract, OnlyWhatMatchesThePolicysPattern)
{
    Policy policy;
    policy.key.pattern = QStringLiteral("(ord|inv)-[0-9]{3}");
    open(policy);
    EXPECT_EQ(ask("ord-123"), OutcomeKind::Fresh);
    EXPECT_EQ(ask("inv-123"), OutcomeKind::Fresh);
    for (const char *key : {"ord-1234", "xord-123", "ORD-123", "ord-12"}) {
        const auto rejected = expect<Rejected>({.key = key});
        EXPECT_EQ(rejected.reason, RejectReason::KeyMalformed) << key;
        EXPECT_TRUE(rejected.message.contains(QStringLiteral("pattern"))) << rejected.message.toStdString();
    }
    EXPECT_EQ(store().counters().records, 2U);
}

TEST_P(StoreContract, ALimitOfAKeyNamesItsBytes)
{
    Policy policy;
    policy.key.minBytes = 8;
    policy.key.maxBytes = 16;
    open(policy);
    EXPECT_TRUE(expect<Rejected>({.key = "short"}).message.contains(QStringLiteral("shorter than 8 bytes")));
    EXPECT_TRUE(
        expect<Rejected>({.key = QByteArray(17, 'k')}).message.contains(QStringLiteral("longer than 16 bytes")));
    EXPECT_TRUE(expect<Rejected>({.key = {}}).message.contains(QStringLiteral("missing")));
    EXPECT_TRUE(expect<Rejected>({.key = "tab\tinside"}).message.contains(QStringLiteral("printable ASCII")));
}

} // namespace idem::test
