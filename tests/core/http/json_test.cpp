// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/http/json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <gtest/gtest.h>

namespace idem::json {
namespace {

using namespace Qt::StringLiterals;

struct Refusal
{
    const char *what;
    QByteArray text;
    Position at;
    const char *problem; ///< a part of the sentence
};

class Refused : public testing::TestWithParam<Refusal>
{
};

TEST_P(Refused, NamesThePlaceAndTheProblem)
{
    const auto parsed = parse(GetParam().text);
    ASSERT_FALSE(parsed.has_value());
    EXPECT_EQ(parsed.error().at.line, GetParam().at.line);
    EXPECT_EQ(parsed.error().at.column, GetParam().at.column);
    EXPECT_NE(parsed.error().problem.indexOf(QLatin1StringView(GetParam().problem)), -1)
        << parsed.error().problem.toStdString();
}

// The grammar of RFC 8259, sections 2 to 8, and RFC 3629, section 4, for UTF-8.
const Refusal refusals[] = {
    {"Empty", "", {1, 1}, "is empty"},
    {"OnlySpace", " \n ", {2, 2}, "is empty"},
    {"ByteOrderMark", "\xef\xbb\xbf{}", {1, 1}, "byte order mark"},
    {"TrailingCommaInObject", "{\n  \"a\": 1,\n}", {2, 9}, "comma must not stand before '}'"},
    {"TrailingCommaInArray", "[1,\n2 , ]", {2, 3}, "comma must not stand before ']'"},
    {"LeadingComma", "[,1]", {1, 2}, "a value should stand here, not ','"},
    {"TwoCommas", "[1,,2]", {1, 4}, "a value should stand here"},
    {"MissingComma", "[1 2]", {1, 4}, "',' or ']'"},
    {"MissingCommaInObject", "{\"a\":1 \"b\":2}", {1, 8}, "',' or '}'"},
    {"MissingColon", "{\"a\" 1}", {1, 6}, "':'"},
    {"BareName", "{a:1}", {1, 2}, "name in double quotes"},
    {"SingleQuotes", "['a']", {1, 2}, "a value should stand here"},
    {"Comment", "[1] // one", {1, 5}, "nothing may follow"},
    {"SecondDocument", "{}\n{}", {2, 1}, "nothing may follow"},
    {"EndInObject", "{\"a\": 1", {1, 8}, "the text ends"},
    {"EndInArray", "[", {1, 2}, "the text ends"},
    {"EndAfterColon", "{\"a\":", {1, 6}, "the text ends"},
    {"EndInString", "[\"abc", {1, 2}, "no closing quote"},
    {"EndInEscape", "[\"a\\", {1, 5}, "the text ends"},
    {"DuplicateMember", "{\"a\": 1,\n \"b\": 2, \"a\": 3}", {2, 10}, "\"a\" is there twice"},
    {"DuplicateThroughEscape", "{\"a\": 1, \"\\u0061\": 3}", {1, 10}, "twice"},
    {"LoneHighSurrogate", "[\"\\ud83d\"]", {1, 9}, "high surrogate stands alone"},
    {"HighSurrogateThenOther", "[\"\\ud83d\\u0041\"]", {1, 15}, "high surrogate stands alone"},
    {"LoneLowSurrogate", "[\"\\ude00\"]", {1, 9}, "low surrogate stands alone"},
    {"UnknownEscape", "[\"\\x41\"]", {1, 4}, "after a backslash"},
    {"BadHex", "[\"\\u00g1\"]", {1, 7}, "hexadecimal digit"},
    {"RawNewline", "[\"a\nb\"]", {1, 4}, "must be escaped"},
    {"RawTab", "[\"\t\"]", {1, 3}, "must be escaped"},
    {"RawNul", QByteArray("[\"a\0\"]", 6), {1, 4}, "must be escaped"},
    {"NulOutside", QByteArray("[\0]", 3), {1, 2}, "a value should stand here"},
    {"LoneContinuation", "[\"\x80\"]", {1, 3}, "not UTF-8"},
    {"OverlongSlash", "[\"\xc0\xaf\"]", {1, 3}, "not UTF-8"},
    {"OverlongThreeBytes", "[\"\xe0\x80\xaf\"]", {1, 3}, "not UTF-8"},
    {"Utf8Surrogate", "[\"\xed\xa0\x80\"]", {1, 3}, "not UTF-8"},
    {"BeyondUnicode", "[\"\xf4\x90\x80\x80\"]", {1, 3}, "not UTF-8"},
    {"TruncatedUtf8", "[\"\xe2\x82\"]", {1, 3}, "not UTF-8"},
    {"Latin1", "{\"na\xefve\": 1}", {1, 5}, "not UTF-8"},
    {"LeadingZero", "[01]", {1, 2}, "must not begin with 0"},
    {"LeadingPlus", "[+1]", {1, 2}, "a value should stand here"},
    {"BareMinus", "[-]", {1, 3}, "a digit"},
    {"BareDot", "[1.]", {1, 4}, "a digit"},
    {"DotFirst", "[.5]", {1, 2}, "a value should stand here"},
    {"BareExponent", "[1e+]", {1, 5}, "a digit"},
    {"Hexadecimal", "[0x10]", {1, 3}, "',' or ']'"},
    {"Infinity", "[Infinity]", {1, 2}, "a value should stand here"},
    {"NotANumber", "[NaN]", {1, 2}, "a value should stand here"},
    {"TooLarge", "[1, -1e400]", {1, 5}, "out of range"},
    {"TooSmall", "[1e-400]", {1, 2}, "out of range"},
    {"CapitalTrue", "[True]", {1, 2}, "a value should stand here"},
    {"HalfAWord", "[tru]", {1, 2}, "lower case"},
};

INSTANTIATE_TEST_SUITE_P(Json, Refused, testing::ValuesIn(refusals), [](const auto &test) { return test.param.what; });

Value parsed(const QByteArray &text)
{
    auto result = parse(text);
    EXPECT_TRUE(result.has_value()) << text.toStdString();
    return result ? *result : Value {};
}

TEST(Json, ReadsWhatQtReads)
{
    const QByteArray text = R"({"a": [1, -2.5e3, true, false, null, "x\n\"\\\/\b\f\r\t\u00e9\ud83d\ude00é😀"],
        "": {"b": {}, "c": []}, "n": 9007199254740993})";
    EXPECT_EQ(parsed(text).toJsonValue(), QJsonValue(QJsonDocument::fromJson(text).object()));
}

TEST(Json, AcceptsAnyValueAtTheTop)
{
    EXPECT_EQ(parsed(" 1 ").toJsonValue(), QJsonValue(1));
    EXPECT_EQ(parsed("\"x\"").toJsonValue(), QJsonValue(u"x"_s));
    EXPECT_EQ(parsed("null").toJsonValue(), QJsonValue(QJsonValue::Null));
    EXPECT_EQ(parsed("\r\n\t true\n").toJsonValue(), QJsonValue(true));
}

TEST(Json, KeepsTheTextOfNumbers)
{
    for (const QByteArray text :
        {"1", "1.0", "1e0", "-0", "9007199254740993", "0.1000", "123456789012345678901234567890"}) {
        const Value value = parsed(text);
        ASSERT_TRUE(value.as<Number>()) << text.toStdString();
        EXPECT_EQ(value.as<Number>()->text, text);
    }
}

TEST(Json, KeepsPositionsOfValuesAndNames)
{
    // Columns count characters: the two before "b" in line 3 take six bytes.
    const Value good = parsed("{\n  \"list\": [10,\n    {\"é😀\": 1, \"b\" : [ true ]}]}");
    const Value *list = good.find({u"list"_s});
    ASSERT_NE(list, nullptr);
    EXPECT_EQ(list->at, (Position {2, 11}));
    EXPECT_EQ(good.member(u"list")->at, (Position {2, 3}));
    EXPECT_EQ(good.find({u"list"_s, u"0"_s})->at, (Position {2, 12}));
    EXPECT_EQ(good.find({u"list"_s, u"1"_s})->at, (Position {3, 5}));
    EXPECT_EQ(good.find({u"list"_s, u"1"_s})->member(u"b")->at, (Position {3, 15}));
    EXPECT_EQ(good.find({u"list"_s, u"1"_s, u"b"_s, u"0"_s})->at, (Position {3, 23}));
}

TEST(Json, FindsNothingWhereNothingIs)
{
    const Value root = parsed(R"({"a": [1, {"b": 2}]})");
    EXPECT_EQ(root.find({}), &root);
    EXPECT_EQ(root.find({u"x"_s}), nullptr);
    EXPECT_EQ(root.find({u"a"_s, u"2"_s}), nullptr);
    EXPECT_EQ(root.find({u"a"_s, u"-1"_s}), nullptr);
    EXPECT_EQ(root.find({u"a"_s, u"b"_s}), nullptr);
    EXPECT_EQ(root.find({u"a"_s, u"0"_s, u"b"_s}), nullptr);
    EXPECT_NE(root.find({u"a"_s, u"1"_s, u"b"_s}), nullptr);
}

TEST(Json, LimitsTheDepth)
{
    EXPECT_TRUE(parse(QByteArray(64, '[') + QByteArray(64, ']')).has_value());
    const auto deep = parse(QByteArray(65, '[') + QByteArray(65, ']'));
    ASSERT_FALSE(deep.has_value());
    EXPECT_EQ(deep.error().at, (Position {1, 65}));
    // So deep that a recursion without a limit would end the process.
    EXPECT_FALSE(parse(QByteArray(10'000'000, '[')).has_value());
}

TEST(Json, LimitsTheValues)
{
    EXPECT_TRUE(parse("[1,2,3]", {.values = 4}).has_value());
    const auto many = parse("[1,2,3]", {.values = 3});
    ASSERT_FALSE(many.has_value());
    EXPECT_EQ(many.error().at, (Position {1, 6}));
}

TEST(Json, KeepsNumbersBeyondDoublesWhereTheLimitsAllow)
{
    for (const QByteArray text : {"1e400", "-1e400", "1e-400", "1e99999999999999999999"}) {
        EXPECT_FALSE(parse(text).has_value()) << text.toStdString();
        const auto kept = parse(text, {.finiteNumbers = false});
        ASSERT_TRUE(kept.has_value()) << text.toStdString();
        EXPECT_EQ(kept->as<Number>()->text, text);
    }
    // The grammar stays.
    EXPECT_FALSE(parse("1e", {.finiteNumbers = false}).has_value());
    EXPECT_FALSE(parse("01", {.finiteNumbers = false}).has_value());
}

TEST(Json, ReadsIndicesAsRfc6901Section4)
{
    EXPECT_EQ(arrayIndex(u"0"), std::size_t {0});
    EXPECT_EQ(arrayIndex(u"10"), std::size_t {10});
    EXPECT_EQ(arrayIndex(u"18446744073709551615"), std::size_t {18446744073709551615U});
    for (const QString &bad : {u""_s, u"-"_s, u"-1"_s, u"+1"_s, u"00"_s, u"01"_s, u" 1"_s, u"1 "_s, u"1.0"_s, u"1e1"_s,
             u"0x1"_s, u"\u0661"_s, u"18446744073709551616"_s}) {
        EXPECT_FALSE(arrayIndex(bad).has_value()) << bad.toStdString();
    }
}

TEST(Json, NeverAcceptsWhatQtRefuses)
{
    // Every text that is one byte away from a good one: whatever passes here must pass there, with the same value.
    const QByteArray good = R"({"a":[1.5e3,"x\u0041"],"b":null})";
    const QByteArray bytes("{}[]:,\"\\ -+.eE0au\n\x80\0", 20);
    int accepted = 0;
    for (qsizetype i = 0; i < good.size(); ++i) {
        for (const char byte : bytes) {
            QByteArray text = good;
            text[i] = byte;
            const auto ours = parse(text);
            if (ours) {
                ++accepted;
                QJsonParseError error {};
                const QJsonDocument theirs = QJsonDocument::fromJson(text, &error);
                EXPECT_EQ(error.error, QJsonParseError::NoError) << text.toStdString();
                EXPECT_EQ(ours->toJsonValue(), QJsonValue(theirs.object())) << text.toStdString();
            }
        }
    }
    EXPECT_GT(accepted, 20);
}

} // namespace
} // namespace idem::json
