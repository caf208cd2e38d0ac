// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory_store.h"
#include "core/store/timer_part.h"

#include <gtest/gtest.h>

namespace idem {

using namespace Qt::StringLiterals;

TEST(Names, StatesLeadThereAndBack)
{
    const QStringList names {
        u"in_progress"_s, u"completed"_s, u"failed"_s, u"abandoned"_s, u"lease_expired"_s, u"outcome_unknown"_s};
    for (int i = 0; i < StateCount; ++i) {
        EXPECT_EQ(toString(State(i)), names[i]);
        EXPECT_EQ(stateFromString(names[i]), State(i));
    }
    EXPECT_FALSE(stateFromString(u"IN_PROGRESS"));
    EXPECT_FALSE(stateFromString(u""));
}

TEST(Names, OutcomesFollowTheVariant)
{
    EXPECT_EQ(toString(kindOf(Outcome(Fresh {}))), u"fresh"_s);
    EXPECT_EQ(toString(kindOf(Outcome(InProgress {}))), u"in_progress"_s);
    EXPECT_EQ(toString(kindOf(Outcome(Replay {}))), u"replay"_s);
    EXPECT_EQ(toString(kindOf(Outcome(Mismatch {}))), u"mismatch"_s);
    EXPECT_EQ(toString(kindOf(Outcome(Unknown {}))), u"unknown"_s);
    EXPECT_EQ(toString(kindOf(Outcome(NotStored {}))), u"not_stored"_s);
    EXPECT_EQ(toString(kindOf(Outcome(Rejected {}))), u"rejected"_s);
}

TEST(Names, RefusalsAreKebabCase)
{
    EXPECT_EQ(toString(RejectReason::KeyMissing), u"key-missing"_s);
    EXPECT_EQ(toString(RejectReason::KeyTooLong), u"key-too-long"_s);
    EXPECT_EQ(toString(RejectReason::KeyTooShort), u"key-too-short"_s);
    EXPECT_EQ(toString(RejectReason::KeyMalformed), u"key-malformed"_s);
    EXPECT_EQ(toString(RejectReason::AtCapacity), u"at-capacity"_s);
    EXPECT_EQ(toString(RejectReason::Closed), u"closed"_s);
    EXPECT_EQ(toString(RejectReason::Unavailable), u"unavailable"_s);
    EXPECT_EQ(toString(StoreErrorCode::StaleOwner), u"stale-owner"_s);
    EXPECT_EQ(toString(StoreErrorCode::LeaseOver), u"lease-over"_s);
    EXPECT_EQ(toString(StoreErrorCode::DifferentResult), u"different-result"_s);
    EXPECT_EQ(toString(StoreErrorCode::WrongState), u"wrong-state"_s);
    EXPECT_EQ(toString(StoreErrorCode::LiveOwner), u"live-owner"_s);
    EXPECT_EQ(toString(StoreErrorCode::FenceMismatch), u"fence-mismatch"_s);
    EXPECT_EQ(toString(StoreErrorCode::NotFound), u"not-found"_s);
    EXPECT_EQ(toString(StoreErrorCode::Invalid), u"invalid"_s);
    EXPECT_EQ(toString(StoreErrorCode::Closed), u"closed"_s);
}

TEST(Names, EveryEventHasItsOwn)
{
    QStringList names;
    for (int i = 0; i <= int(EventKind::StaleRefused); ++i) {
        names.append(toString(EventKind(i)));
    }
    EXPECT_EQ(names.first(), u"begun"_s);
    EXPECT_EQ(toString(EventKind::LeaseLapsed), u"lease_lapsed"_s);
    EXPECT_EQ(names.last(), u"stale_refused"_s);
    EXPECT_EQ(names.removeDuplicates(), 0);
}

TEST(Identity, IsOrderedByTenantCallerAndKeyAsBytes)
{
    const Identity base {"b", "b", "b"};
    EXPECT_LT((Identity {"a", "z", "z"}), base);
    EXPECT_LT((Identity {"b", "a", "z"}), base);
    EXPECT_LT((Identity {"b", "b", "a"}), base);
    EXPECT_LT((Identity {"b", "b", ""}), base);
    EXPECT_GT((Identity {"b", "b", "b\x80"}), base);
    EXPECT_GT((Identity {"b", "b", "\x80"}), base) << "bytes are unsigned";
    EXPECT_EQ((base <=> Identity {"b", "b", "b"}), std::strong_ordering::equal);
}

TEST(RecordId, IsAnHmacOfTheLengthPrefixedParts)
{
    // Computed with another implementation of RFC 2104: HMAC-SHA-256, key 00 01 ... 1f, over each part behind its
    // length as 32 bits, big-endian.
    MemoryStoreOptions options;
    for (int byte = 0; byte < 32; ++byte) {
        options.idSecret.append(char(byte));
    }
    MemoryStore store(std::move(options));
    const auto idOf = [&store](const Identity &identity) {
        static_cast<void>(store.begin({identity.tenant, identity.caller, identity.key}));
        return store.find(identity)->id.toString();
    };
    EXPECT_EQ(idOf({"acme", "alice", "order-1"}), u"Cf0sbTNMirfAuOoCjfUC8ZfX6dZmZWJB51eLCVXlUbU"_s);
    EXPECT_EQ(idOf({"", "", "k"}), u"CFGtHmMEwEHJ8mL1OaeBmPef67LPSZk-ULY1CFCtMuE"_s);
}

TEST(RecordId, EveryStoreHasItsOwnSecret)
{
    MemoryStore one;
    MemoryStore other;
    for (MemoryStore *store : {&one, &other}) {
        static_cast<void>(store->begin({"acme", "alice", "order-1"}));
    }
    const Identity identity {"acme", "alice", "order-1"};
    EXPECT_NE(one.find(identity)->id, other.find(identity)->id);
}

TEST(RecordId, HasExactlyOneText)
{
    RecordId id;
    for (std::size_t i = 0; i < id.bytes.size(); ++i) {
        id.bytes[i] = std::uint8_t(i * 37 + 250);
    }
    const QString text = id.toString();
    EXPECT_EQ(text.size(), 43);
    EXPECT_EQ(RecordId::fromString(text), id);
    EXPECT_FALSE(RecordId::fromString(text + u'='));
    EXPECT_FALSE(RecordId::fromString(text.chopped(1)));
    EXPECT_FALSE(RecordId::fromString(u" "_s + text));
    EXPECT_FALSE(RecordId::fromString(u""));
    QString foreign = text;
    foreign[7] = u'+';
    EXPECT_FALSE(RecordId::fromString(foreign));
    foreign[7] = u'\u0141'; // its low byte is a letter of the alphabet
    EXPECT_FALSE(RecordId::fromString(foreign));
    EXPECT_EQ(RecordId {}.toString(), QString(43, u'A'));
    EXPECT_FALSE(RecordId::fromString(QString(42, u'A') + u'B')) << "bits that no byte holds";
}

TEST(Time, AdditionSaturates)
{
    using std::chrono::microseconds;
    EXPECT_EQ(saturatingAdd(Instant::max(), microseconds(1)), Instant::max());
    EXPECT_EQ(saturatingAdd(Instant::min(), microseconds(-1)), Instant::min());
    EXPECT_EQ(saturatingAdd(Instant(microseconds(5)), microseconds(-7)), Instant(microseconds(-2)));
    EXPECT_EQ(saturatingAdd(Instant::max() - microseconds(1), microseconds(1)), Instant::max());
}

TEST(Time, TheSystemClockGoesOn)
{
    const SystemClock &clock = SystemClock::instance();
    const Instant first = clock.now();
    const Instant second = clock.now();
    EXPECT_LE(first, second);
    EXPECT_GT(first.time_since_epoch(), Duration::zero());
    const auto wall = std::chrono::system_clock::now() - clock.wallNow();
    EXPECT_LT(std::chrono::abs(wall), std::chrono::minutes(1));
}

TEST(Time, ALongWaitIsTakenInParts)
{
    using namespace std::chrono_literals;
    using std::chrono::days;
    EXPECT_EQ(timerPart(-5s), 0us);
    EXPECT_EQ(timerPart(Duration::min()), 0us);
    EXPECT_EQ(timerPart(1us), 1us);
    EXPECT_EQ(timerPart(1s), 1s);
    for (const Duration whole : {Duration(1s + 1us), Duration(days(25)), Duration(days(300)), Duration::max()}) {
        EXPECT_EQ(timerPart(whole), 1s);
    }
    Duration remaining = days(25);
    std::int64_t parts = 0;
    for (; remaining > 0us; remaining -= timerPart(remaining)) {
        ++parts;
    }
    EXPECT_EQ(parts, 25 * 86'400);
}

} // namespace idem
