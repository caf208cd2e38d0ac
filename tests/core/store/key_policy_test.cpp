// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/key_policy.h"

#include <gtest/gtest.h>

#include <functional>
#include <thread>
#include <vector>

namespace idem {

void PrintTo(RejectReason reason, std::ostream *out)
{
    *out << toString(reason).toStdString();
}

using namespace Qt::StringLiterals;

namespace {

using Refusal = std::optional<RejectReason>;
constexpr Refusal good {};

Refusal check(const QByteArray &key, const KeyPolicy &policy = {})
{
    return KeyCheck(policy).check(key);
}

Refusal checkUuid(const QByteArray &key)
{
    return check(key, {.uuidOnly = true});
}

Refusal checkPattern(const QString &pattern, const QByteArray &key)
{
    const KeyPolicy policy {.pattern = pattern};
    EXPECT_EQ(policy.problems(), QStringList()) << pattern.toStdString();
    return check(key, policy);
}

/// Printable bytes that no length prefix, hash or dictionary makes shorter.
QByteArray variedKey(int size)
{
    QByteArray key;
    std::uint32_t state = 1;
    for (int i = 0; i < size; ++i) {
        state = state * 1664525U + 1013904223U;
        key.append(static_cast<char>(0x20 + (state >> 16U) % 95));
    }
    return key;
}

struct Spoiled
{
    QString setting;
    KeyPolicy policy;
};

const std::vector<Spoiled> spoiled {
    {u"minBytes"_s, {.minBytes = 0}},
    {u"minBytes"_s, {.minBytes = -1}},
    {u"maxBytes"_s, {.maxBytes = 0}},
    {u"maxBytes"_s, {.maxBytes = 256}},
    {u"minBytes"_s, {.minBytes = 37, .maxBytes = 36}},
    {u"uuidOnly"_s, {.minBytes = 37, .uuidOnly = true}},
    {u"uuidOnly"_s, {.maxBytes = 35, .uuidOnly = true}},
    {u"pattern"_s, {.pattern = u"("_s}},
    {u"pattern"_s, {.pattern = u"a)(?:b"_s}},
    {u"pattern"_s, {.pattern = u"(?x)a # b"_s}},
    {u"pattern"_s, {.pattern = u"\\Qa"_s}},
    {u"pattern"_s, {.pattern = QString(1001, u'a')}},
};

} // namespace

TEST(KeyPolicy, TheDefaultAndTheBoundsThemselvesHold)
{
    EXPECT_EQ(KeyPolicy().problems(), QStringList());
    EXPECT_EQ((KeyPolicy {.minBytes = 255, .maxBytes = 255}).problems(), QStringList());
    EXPECT_EQ((KeyPolicy {.minBytes = 1, .maxBytes = 1}).problems(), QStringList());
    EXPECT_EQ((KeyPolicy {.minBytes = 36, .maxBytes = 36, .uuidOnly = true}).problems(), QStringList());
    EXPECT_EQ((KeyPolicy {.pattern = QString(1000, u'a')}).problems(), QStringList());
}

TEST(KeyPolicy, EveryProblemNamesItsSetting)
{
    for (const Spoiled &one : spoiled) {
        const QStringList problems = one.policy.problems();
        ASSERT_FALSE(problems.isEmpty()) << one.setting.toStdString() << " " << one.policy.pattern.toStdString();
        EXPECT_TRUE(problems.first().startsWith(one.setting)) << problems.first().toStdString();
        EXPECT_TRUE(problems.first().endsWith(u'.')) << problems.first().toStdString();
    }
}

TEST(KeyPolicy, AllProblemsAreToldAtOnce)
{
    EXPECT_EQ((KeyPolicy {.minBytes = 0, .maxBytes = 256, .pattern = u"["_s}).problems().size(), 3);
}

TEST(KeyPolicy, LongKeysMeetOneLimitWhateverTheirBytes)
{
    for (const auto &make :
        std::vector<std::function<QByteArray(int)>> {[](int size) { return QByteArray(size, 'a'); }, variedKey}) {
        EXPECT_EQ(check(make(1)), good);
        EXPECT_EQ(check(make(255)), good);
        EXPECT_EQ(check(make(256)), RejectReason::KeyTooLong);
        EXPECT_EQ(check(make(65'536)), RejectReason::KeyTooLong);
    }
}

TEST(KeyPolicy, LengthBoundsAreInclusive)
{
    const KeyPolicy policy {.minBytes = 16, .maxBytes = 36};
    EXPECT_EQ(check("", policy), RejectReason::KeyMissing);
    EXPECT_EQ(check(QByteArray(15, 'k'), policy), RejectReason::KeyTooShort);
    EXPECT_EQ(check(QByteArray(16, 'k'), policy), good);
    EXPECT_EQ(check(QByteArray(36, 'k'), policy), good);
    EXPECT_EQ(check(QByteArray(37, 'k'), policy), RejectReason::KeyTooLong);
}

TEST(KeyPolicy, AnEmptyKeyIsMissingEvenWithoutBytes)
{
    EXPECT_EQ(check(QByteArray()), RejectReason::KeyMissing);
    EXPECT_EQ(checkUuid(""), RejectReason::KeyMissing);
    EXPECT_EQ(checkPattern(u".*"_s, ""), RejectReason::KeyMissing);
}

TEST(KeyPolicy, TheLengthIsInBytesAndForeignCharactersAreRefused)
{
    const QByteArray emoji = QByteArray("\xf0\x9f\x98\x80"); // U+1F600, one character, two UTF-16 units, four bytes
    EXPECT_EQ(check(emoji.repeated(128)), RejectReason::KeyTooLong) << "128 characters, but 512 bytes";
    EXPECT_EQ(check(emoji.repeated(64)), RejectReason::KeyTooLong) << "64 characters, but 256 bytes";
    EXPECT_EQ(check(emoji.repeated(63)), RejectReason::KeyMalformed);
    EXPECT_EQ(check(emoji), RejectReason::KeyMalformed);
    EXPECT_EQ(check("caf\xc3\xa9"), RejectReason::KeyMalformed) << "UTF-8";
    EXPECT_EQ(check("caf\xe9"), RejectReason::KeyMalformed) << "Latin-1";
    EXPECT_EQ(check("\xff\xfe"), RejectReason::KeyMalformed) << "no encoding at all";
}

TEST(KeyPolicy, EveryByteIsJudgedAtEveryPlace)
{
    for (int byte = 0; byte < 256; ++byte) {
        const Refusal expected = byte >= 0x20 && byte <= 0x7e ? good : RejectReason::KeyMalformed;
        for (const int place : {0, 7, 16, 35}) {
            QByteArray key(36, 'k');
            key[place] = static_cast<char>(byte);
            EXPECT_EQ(check(key), expected) << byte << " at " << place;
        }
        EXPECT_EQ(check(QByteArray(1, static_cast<char>(byte))), expected) << byte;
    }
}

TEST(KeyPolicy, WhatWouldForgeALogOrATerminalIsRefused)
{
    for (const QByteArray &key : {QByteArray("a\r\nX: y"), QByteArray("a\n"), QByteArray("\tb"), QByteArray("a\0b", 3),
             QByteArray("\0", 1), QByteArray("\x1b[31m"), QByteArray("\x7f"),
             QByteArray("\xe2\x80\xae"
                        "gpj"),
             QByteArray("\xe2\x80\x8f"
                        "a"),
             QByteArray("\xc2\x9b"
                        "1m")}) {
        EXPECT_EQ(check(key), RejectReason::KeyMalformed) << key.toHex().toStdString();
    }
}

TEST(KeyPolicy, PathsAndPunctuationAreOrdinaryKeys)
{
    for (const char *key : {"a/b", "../x", "/", "%2F", "a%00b", ":", "?x=1", "#", "\"", "\\", "'; --", "{}", "<b>"}) {
        EXPECT_EQ(check(key), good) << key;
    }
    EXPECT_EQ(check(QByteArray(255, '/')), good);
}

TEST(KeyPolicy, SpacesCountAndCaseMatters)
{
    const KeyPolicy three {.minBytes = 3, .maxBytes = 3};
    EXPECT_EQ(check(" k ", three), good);
    EXPECT_EQ(check("   ", three), good) << "nothing is trimmed, so it is not empty";
    EXPECT_EQ(check(" k", three), RejectReason::KeyTooShort);
    EXPECT_EQ(checkPattern(u"abc"_s, "ABC"), RejectReason::KeyMalformed);
    EXPECT_EQ(checkPattern(u"abc"_s, " abc"), RejectReason::KeyMalformed);
    EXPECT_EQ(checkPattern(u"abc"_s, "abc "), RejectReason::KeyMalformed);
}

TEST(KeyPolicy, UuidsOfEveryVersionInEitherCase)
{
    // The examples of RFC 9562, appendix A, and its nil and max UUIDs (sections 5.9 and 5.10).
    for (const char *key : {"C232AB00-9414-11EC-B3C8-9F6BDECED846", "5df41881-3aed-3515-88a7-2f4a814cf09e",
             "919108f7-52d1-4320-9bac-f847db4148a8", "2ed6657d-e927-568b-95e1-2665a8aea6a2",
             "1EC9414C-232A-6B00-B3C8-9F6BDECED846", "017F22E2-79B0-7CC3-98C4-DC0C0C07398F",
             "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"}) {
        EXPECT_EQ(checkUuid(key), good) << key;
    }
}

TEST(KeyPolicy, WhatOnlyLooksLikeAUuid)
{
    for (const char *key : {"{919108f7-52d1-4320-9bac-f847db4148a8}", "urn:uuid:919108f7-52d1-4320-9bac-f847db4148a8",
             "919108f752d143209bacf847db4148a8", "919108f7-52d1-4320-9bac-f847db4148a",
             "919108f7-52d1-4320-9bac-f847db4148a8a", "919108f7-52d1-4320-9bac-f847db4148ag",
             "919108f7-52d1-4320-9bac_f847db4148a8", "919108f75-2d1-4320-9bac-f847db4148a8",
             " 919108f7-52d1-4320-9bac-f847db4148a", "919108f7-52d1-4320-9bac-f847db4148a\n",
             "919108f7-52d1-4320-9bac-f847db4148\xc3\xa9", "order-1"}) {
        EXPECT_EQ(checkUuid(key), RejectReason::KeyMalformed) << key;
    }
    for (int byte = 0; byte < 256; ++byte) {
        const bool isHex = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
        QByteArray key("00000000-0000-0000-0000-000000000000");
        key[35] = static_cast<char>(byte);
        EXPECT_EQ(checkUuid(key), isHex ? good : RejectReason::KeyMalformed) << byte;
    }
}

TEST(KeyPolicy, APatternMatchesTheWholeKey)
{
    EXPECT_EQ(checkPattern(u"[a-z]{3}"_s, "abc"), good);
    EXPECT_EQ(checkPattern(u"[a-z]{3}"_s, "abcd"), RejectReason::KeyMalformed);
    EXPECT_EQ(checkPattern(u"[a-z]{3}"_s, "1abc"), RejectReason::KeyMalformed);
    EXPECT_EQ(checkPattern(u"^[a-z]{3}$"_s, "abc"), good);
    EXPECT_EQ(checkPattern(u"a|ab"_s, "ab"), good) << "the first alternative does not end it";
    EXPECT_EQ(checkPattern(u"a|ab"_s, "abc"), RejectReason::KeyMalformed) << "an alternative is no way out";
    EXPECT_EQ(checkPattern(u"(?m)^a$"_s, "a"), good);
    EXPECT_EQ(checkPattern(u"a(*ACCEPT)b"_s, "a"), good);
    EXPECT_EQ(checkPattern(u"a(*ACCEPT)b"_s, "axyz"), RejectReason::KeyMalformed);
    EXPECT_EQ(checkPattern(u"(order|invoice)-(\\d+)-\\2"_s, "order-7-7"), good) << "groups keep their numbers";
}

TEST(KeyPolicy, APatternOpensNoByteAndNoLength)
{
    EXPECT_EQ(checkPattern(u"(?s).*"_s, "a\nb"), RejectReason::KeyMalformed);
    EXPECT_EQ(checkPattern(u".*"_s, "\xc3\xa9"), RejectReason::KeyMalformed);
    EXPECT_EQ(checkPattern(u".*"_s, QByteArray(256, 'a')), RejectReason::KeyTooLong);
    const KeyPolicy both {.uuidOnly = true, .pattern = u"0.*"_s};
    EXPECT_EQ(check("00000000-0000-0000-0000-000000000000", both), good);
    EXPECT_EQ(check("10000000-0000-0000-0000-000000000000", both), RejectReason::KeyMalformed);
    EXPECT_EQ(check("0", both), RejectReason::KeyMalformed);
}

TEST(KeyPolicy, APatternThatBacktracksGivesUp)
{
    // Its first branch tries every split of the run; its second would match. Only a bounded effort refuses the long.
    const QString pattern = u"(?:a+)+[bc]|a+"_s;
    EXPECT_EQ(checkPattern(pattern, "aaa"), good);
    EXPECT_EQ(checkPattern(pattern, QByteArray(255, 'a')), RejectReason::KeyMalformed);
}

TEST(KeyPolicy, OneCheckServesManyThreads)
{
    const KeyCheck shared(KeyPolicy {.pattern = u"order-(\\d+)"_s});
    std::vector<int> wrong(8);
    {
        std::vector<std::jthread> threads;
        for (int &count : wrong) {
            threads.emplace_back([&shared, &count] {
                for (int i = 0; i < 2000; ++i) {
                    const QByteArray number = QByteArray::number(i);
                    count += shared.check("order-" + number) == good ? 0 : 1;
                    count += shared.check("order " + number) == RejectReason::KeyMalformed ? 0 : 1;
                }
            });
        }
    }
    EXPECT_EQ(wrong, std::vector<int>(8, 0));
}

} // namespace idem
