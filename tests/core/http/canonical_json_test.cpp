// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/http/canonical_json.h"
#include "core/http/json_pointer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace idem::json {
namespace {

using namespace Qt::StringLiterals;

QByteArray canonical(const QByteArray &text, const Selection &selection = {})
{
    const auto document = parse(text, {.finiteNumbers = false});
    EXPECT_TRUE(document.has_value()) << text.toStdString();
    return document ? canonicalText(*document, selection) : QByteArray("no document");
}

std::vector<QStringList> pointers(const QStringList &texts)
{
    std::vector<QStringList> result;
    for (const QString &text : texts) {
        result.push_back(parsePointer(text).value());
    }
    std::ranges::sort(result);
    return result;
}

TEST(CanonicalJson, SortsMembersAsTheSampleOfRfc8785Section323)
{
    const QByteArray sample = R"({
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\ud83d\ude00": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis"
    })";
    EXPECT_EQ(canonical(sample),
        "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xc2\x80\":\"Control\","
        "\"\xc3\xb6\":\"Latin Small Letter O With Diaeresis\",\"\xe2\x82\xac\":\"Euro Sign\","
        "\"\xf0\x9f\x98\x80\":\"Emoji: Grinning Face\",\"\xef\xac\xb3\":\"Hebrew Letter Dalet With Dagesh\"}");
}

TEST(CanonicalJson, WritesTheSampleOfRfc8785Section322ButForItsNumbers)
{
    const QByteArray sample = R"({
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
    })";
    EXPECT_EQ(canonical(sample),
        "{\"literals\":[null,true,false],\"numbers\":[33333333333333329e-8,1e30,45e-1,2e-3,1e-27],"
        "\"string\":\"\xe2\x82\xac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
}

TEST(CanonicalJson, EscapesWhatRfc8785Section3222EscapesAndNothingElse)
{
    // U+0000...U+001F: five have a letter, the others four lower-case digits.
    EXPECT_EQ(canonical(R"("\u0000\u0007\u0008\u0009\u000A\u000B\u000C\u000D\u000E\u001F")"),
        R"("\u0000\u0007\b\t\n\u000b\f\r\u000e\u001f")");
    EXPECT_EQ(canonical("\"\\u007f\\u0080\\u2028\\u003c\\/\""), "\"\x7f\xc2\x80\xe2\x80\xa8</\"");
}

TEST(CanonicalJson, DoesNotNormaliseUnicode)
{
    EXPECT_NE(canonical(R"("\u00e9")"), canonical(R"("e\u0301")"));
}

struct NumberForm
{
    const char *text;
    const char *canonical;
};

class Numbers : public testing::TestWithParam<NumberForm>
{
};

TEST_P(Numbers, HaveOneFormPerDecimalValue)
{
    EXPECT_EQ(canonical(GetParam().text), GetParam().canonical);
}

// The value is the digits times ten to the exponent.
const NumberForm numberForms[] = {
    {"1", "1"},
    {"1.0", "1"},
    {"1e0", "1"},
    {"10e-1", "1"},
    {"0.1e1", "1"},
    {"0.001E+03", "1"},
    {"100", "1e2"},
    {"1.00e2", "1e2"},
    {"-1", "-1"},
    {"-10e-1", "-1"},
    {"0", "0"},
    {"-0", "0"},
    {"0.000", "0"},
    {"-0e5", "0"},
    {"0e999999999999999999999999", "0"},
    {"0.1", "1e-1"},
    {"0.10", "1e-1"},
    {"1050.0400", "105004e-2"},
    {"9007199254740992", "9007199254740992"},
    {"9007199254740993", "9007199254740993"},
    {"9007199254740993.0", "9007199254740993"},
    {"123456789012345678901234567890", "12345678901234567890123456789e1"},
    {"0.1000000000000000055511151231257827", "1000000000000000055511151231257827e-34"},
    {"1e400", "1e400"},
    {"1e-400", "1e-400"},
    // Where the exponent's arithmetic passes from numbers to text and back.
    {"10e99999999999999999", "1e100000000000000000"},
    {"1e100000000000000000", "1e100000000000000000"},
    {"0.1e100000000000000001", "1e100000000000000000"},
    {"0.1e100000000000000000", "1e99999999999999999"},
    {"1e99999999999999999", "1e99999999999999999"},
    {"0.1e-99999999999999999", "1e-100000000000000000"},
    {"1e-100000000000000000", "1e-100000000000000000"},
    {"10e-100000000000000000", "1e-99999999999999999"},
    {"10e99999999999999999999", "1e100000000000000000000"},
    {"0.01e100000000000000000001", "1e99999999999999999999"},
    {"0.01e-99999999999999999999", "1e-100000000000000000001"},
    {"1e00000000000000000000000000000002", "1e2"},
    {"1e-00000000000000000000000000000002", "1e-2"},
};

INSTANTIATE_TEST_SUITE_P(CanonicalJson, Numbers, testing::ValuesIn(numberForms));

TEST(CanonicalJson, KeepsNumbersApartThatOneDoubleWouldHold)
{
    EXPECT_NE(canonical("9007199254740992"), canonical("9007199254740993"));
    EXPECT_NE(canonical("0.1"), canonical("0.10000000000000001"));
    EXPECT_NE(canonical("1e400"), canonical("1e401"));
    EXPECT_NE(canonical("1e-400"), canonical("0"));
    EXPECT_NE(canonical("1"), canonical("\"1\""));
}

TEST(CanonicalJson, NeverWritesAnExponentOut)
{
    // A billion zeros would be a gigabyte; a million digits of exponent are a value like any other.
    EXPECT_EQ(canonical("1e1000000000"), "1e1000000000");
    const QByteArray nines(1'000'000, '9');
    EXPECT_EQ(canonical("10e" + nines), "1e1" + QByteArray(1'000'000, '0'));
    EXPECT_EQ(canonical("1e-" + nines), "1e-" + nines);
    EXPECT_EQ(canonical("0." + QByteArray(999'999, '0') + "1"), "1e-1000000");
    EXPECT_EQ(canonical("1" + QByteArray(1'000'000, '0')), "1e1000000");
}

TEST(CanonicalJson, IsItsOwnCanonicalForm)
{
    const QByteArray once = canonical(R"({"b":[1.50,-0,"\u000F/é"],"a":{"z":null,"":true}})");
    EXPECT_EQ(canonical(once), once);
}

TEST(CanonicalJson, LeavesOutWhatIsExcluded)
{
    const Selection selection {.exclude = pointers({u"/nonce"_s, u"/items/1/at"_s, u"/items/2"_s, u"/missing/x"_s})};
    EXPECT_EQ(canonical(R"({"nonce":7,"a":1,"items":[{"at":1},{"at":2,"n":3},{"at":3}]})", selection),
        R"({"a":1,"items":[{"at":1},{"n":3}]})");
    // Items are named by their place, members by their name; what is no object has no members.
    EXPECT_EQ(canonical(R"([{"nonce":7}])", selection), R"([{"nonce":7}])");
    EXPECT_EQ(canonical(R"({"items":{"2":0,"1":{"at":0}}})", selection), R"({"items":{"1":{}}})");
    EXPECT_EQ(canonical("7", selection), "7");
}

TEST(CanonicalJson, PicksWhatIsIncludedAndNotExcluded)
{
    const Selection selection {
        .include = pointers({u"/amount"_s, u"/to"_s, u"/items/0"_s, u"/absent"_s}),
        .exclude = pointers({u"/to/at"_s, u"/items/0/n"_s}),
    };
    EXPECT_EQ(canonical(R"({"other":1,"to":{"at":1,"id":2},"amount":1.50,"items":[{"n":1},2]})", selection),
        R"({"/amount":15e-1,"/items/0":{},"/to":{"id":2}})");
    EXPECT_EQ(canonical(R"({"other":1})", selection), "");
    // Null is something; an included member under an excluded one is nothing.
    EXPECT_EQ(canonical(R"({"amount":null})", selection), R"({"/amount":null})");
    EXPECT_EQ(canonical(R"({"a":{"b":1}})", {.include = pointers({u"/a/b"_s}), .exclude = pointers({u"/a"_s})}), "");
    EXPECT_EQ(canonical(R"({"a":1})", {.include = pointers({u""_s})}), R"({"":{"a":1}})");
}

// RFC 6901 section 5.
TEST(JsonPointer, LeadsWhereTheExamplesOfRfc6901Lead)
{
    const auto document = parse(R"({"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5,
        "k\"l": 6, " ": 7, "m~n": 8})");
    ASSERT_TRUE(document.has_value());
    const std::array<std::pair<QString, const char *>, 12> examples {{
        {u"/foo"_s, R"(["bar","baz"])"},
        {u"/foo/0"_s, R"("bar")"},
        {u"/"_s, "0"},
        {u"/a~1b"_s, "1"},
        {u"/c%d"_s, "2"},
        {u"/e^f"_s, "3"},
        {u"/g|h"_s, "4"},
        {u"/i\\j"_s, "5"},
        {u"/k\"l"_s, "6"},
        {u"/ "_s, "7"},
        {u"/m~0n"_s, "8"},
        {u"/foo/1"_s, R"("baz")"},
    }};
    for (const auto &[pointer, expected] : examples) {
        const Value *value = document->find(parsePointer(pointer).value());
        ASSERT_NE(value, nullptr) << pointer.toStdString();
        EXPECT_EQ(canonicalText(*value), expected) << pointer.toStdString();
        // To exclude it takes the same way.
        EXPECT_EQ(document->find(parsePointer(u""_s).value()), &*document);
        EXPECT_FALSE(
            canonicalText(*document, {.exclude = {parsePointer(pointer).value()}}) == canonicalText(*document));
    }
    for (const QString &nowhere : {u"/foo/2"_s, u"/foo/-"_s, u"/foo/01"_s, u"/foo/+1"_s, u"/foo/ 1"_s, u"/foo/"_s,
             u"/foo/18446744073709551616"_s, u"/foo/0/x"_s, u"/b"_s}) {
        EXPECT_EQ(document->find(parsePointer(nowhere).value()), nullptr) << nowhere.toStdString();
        EXPECT_EQ(canonicalText(*document, {.exclude = {parsePointer(nowhere).value()}}), canonicalText(*document));
    }
}

TEST(JsonPointer, DecodesEscapesOnce)
{
    EXPECT_EQ(parsePointer(u"/~01/~10/~0~1"_s).value(), (QStringList {u"~1"_s, u"/0"_s, u"~/"_s}));
    EXPECT_EQ(parsePointer(u"//"_s).value(), (QStringList {u""_s, u""_s}));
}

TEST(JsonPointer, RefusesMalformedOnesByName)
{
    for (const QString &bad : {u"amount"_s, u"#/amount"_s, u" /a"_s}) {
        const auto pointer = parsePointer(bad);
        ASSERT_FALSE(pointer.has_value()) << bad.toStdString();
        EXPECT_EQ(pointer.error(), u"the JSON pointer \"%1\" must be empty or begin with /"_s.arg(bad));
    }
    for (const QString &bad : {u"/a~"_s, u"/a~2"_s, u"/~~0"_s, u"/~/a"_s}) {
        const auto pointer = parsePointer(bad);
        ASSERT_FALSE(pointer.has_value()) << bad.toStdString();
        EXPECT_EQ(
            pointer.error(), u"in the JSON pointer \"%1\", ~ must be followed by 0 (for ~) or 1 (for /)"_s.arg(bad));
    }
}

} // namespace
} // namespace idem::json
