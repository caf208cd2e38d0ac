// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/http/fingerprints.h"

#include <gtest/gtest.h>

#include <array>

namespace idem {
namespace {

using namespace Qt::StringLiterals;
using test::expectDistinct;
using test::head;
using test::ofJson;
using test::rules;

QByteArray ofHead(const RequestHead &requestHead, const FingerprintRules &options = {})
{
    return fingerprintOf(options, requestHead, "x").text;
}

// A stored fingerprint outlives the program: these were computed from the layout in fingerprint.h by another program.
TEST(Fingerprint, KeepsTheLayoutOfVersion1)
{
    EXPECT_EQ(fingerprintOf({}, head(""), "").text, "v1:qyxW2WSVA2zKSHmB9vM-_gAi7PV9PDz8--t10hNCWKs");

    const Headers lines {{"Host", "a"}, {"X-Account", " 7 "}};
    RequestHead json = head("application/json; charset=utf-8", "b=2&a");
    json.headers = lines;
    EXPECT_EQ(
        fingerprintOf(rules({.headers = {u"x-account"_s}}), json, R"({ "note": "\u20AC", "amount": 12.50 })").text,
        "v1:qEcgXDlvTIDLTgT8gpfDJL3tU5x6BYa0i-E3_8ViKUE");

    RequestHead multipart = head("multipart/form-data; boundary=q");
    multipart.route = "/files";
    EXPECT_EQ(fingerprintOf({}, multipart,
                  "--q\r\nContent-Disposition: form-data; name=f; filename=a.txt\r\nContent-Type: text/plain\r\n\r\n"
                  "hello\r\n--q--\r\n")
                  .text,
        "v1:JW9EAk8ae3mGayHtN0mWVfMlaAjY4n7pzbHB_boHsO4");
}

TEST(Fingerprint, CountsMethodRouteQueryMediaTypeAndBody)
{
    std::vector<QByteArray> texts;
    for (const RequestHead &each : std::initializer_list<RequestHead> {
             {},
             {.method = "POST"},
             {.method = "post"},
             {.method = "PATCH"},
             {.route = "POST"},
             {.query = "POST"},
             {.query = "POST="},
             {.mediaType = "POST"},
             {.method = "PO", .route = "ST"},
             {.method = "P", .route = "OST"},
             {.route = "/ctx/1"},
             {.route = "/ctx/2"},
             {.route = "/ctx/1", .query = "a=1"},
             {.route = "/ctx/1", .mediaType = "text/plain"},
             {.route = "/ctx/1", .mediaType = "text/plain; charset=utf-8"},
         }) {
        texts.push_back(ofHead(each));
        texts.push_back(fingerprintOf({}, each, "").text);
    }
    expectDistinct(texts);
}

TEST(Fingerprint, CountsTheHeadersThatTheRulesName)
{
    const FingerprintRules withAccount = rules({.headers = {u"X-Account"_s, u"x-account"_s, u"Prefer"_s}});
    const auto of = [&](const Headers &lines) {
        RequestHead requestHead = head("");
        requestHead.headers = lines;
        return ofHead(requestHead, withAccount);
    };
    expectDistinct({of({}), of({{"X-Account", ""}}), of({{"X-Account", "1"}}), of({{"X-Account", "2"}}),
        of({{"X-Account", "1"}, {"X-Account", "2"}}), of({{"X-Account", "2"}, {"X-Account", "1"}}),
        of({{"X-Account", "1, 2"}}), of({{"Prefer", "1"}}), of({{"X-Account", "1"}, {"Prefer", "1"}})});
    EXPECT_EQ(
        of({{"Prefer", "p"}, {"Date", "today"}, {"x-ACCOUNT", "\t1 "}}), of({{"X-Account", "1"}, {"prefer", "p"}}));
}

TEST(Fingerprint, IsTheSameForEverySpellingOfTheMediaType)
{
    EXPECT_EQ(ofHead(head("Text/Plain;Charset=\"UTF-8\"")), ofHead(head("text/plain; charset=utf-8")));
    EXPECT_EQ(ofJson("{}"), fingerprintOf({}, head("APPLICATION/JSON ; charset=UTF-8"), "{ }").text);
    // Two types are two requests, though both are JSON.
    EXPECT_NE(ofJson("{}"), fingerprintOf({}, head("application/vnd.api+json"), "{}").text);
    EXPECT_EQ(fingerprintOf({}, head("application/vnd.api+json"), "{}").text,
        fingerprintOf({}, head("application/vnd.api+json"), "{ }").text);
}

TEST(Fingerprint, FallsBackToTheBytesAndSaysWhy)
{
    struct Case
    {
        QByteArray mediaType;
        QByteArray body;
        QString why;
    };
    const std::array cases {
        Case {"application/json", R"({"a":1,"a":1})", u"line 1, column 8: the member \"a\" is there twice"_s},
        Case {"application/json", R"(["\ud83d"])", u"surrogate"_s},
        Case {"application/json", "[\"\xff\"]", u"UTF-8"_s},
        Case {"application/json", "{\"a\":\n1,}", u"line 2, column 2"_s},
        Case {"application/json", QByteArray(65, '[') + QByteArray(65, ']'), u"nested more than 64 deep"_s},
        Case {"application/json", "\xef\xbb\xbf{}", u"byte order mark"_s},
        Case {"application/json", "\x1f\x8b", u"a value should stand here"_s},
        Case {"application/problem+json", " ", u"is empty"_s},
        Case {"multipart/form-data; boundary=b", "--b\r\n\r\nx", u"closing delimiter is missing"_s},
        Case {"multipart/form-data", "--b--", u"boundary is malformed"_s},
        Case {"multipart/form-data; boundary=b; boundary=c", "--b--", u"boundary is malformed"_s},
        Case {"application/json, text/plain", "{}", u"media type is malformed"_s},
    };
    for (const Case &each : cases) {
        const Fingerprint result = fingerprintOf({}, head(each.mediaType), each.body);
        EXPECT_TRUE(result.fellBack) << each.body.toStdString();
        EXPECT_NE(result.why.indexOf(each.why), -1) << result.why.toStdString();
        // Every byte counts now, a space too.
        EXPECT_EQ(result.text, fingerprintOf({}, head(each.mediaType), each.body).text);
        EXPECT_NE(result.text, fingerprintOf({}, head(each.mediaType), each.body + ' ').text);
    }
}

TEST(Fingerprint, HasNothingToComplainOfWithoutABody)
{
    for (const QByteArray type : {"application/json", "multipart/form-data; boundary=b", "multipart/form-data", "?"}) {
        const Fingerprint result = fingerprintOf({}, head(type), "");
        EXPECT_FALSE(result.fellBack) << result.why.toStdString();
        EXPECT_NE(result.text, fingerprintOf({}, head(type), "null").text);
    }
}

TEST(Fingerprint, NeverTakesBytesForTheStructureThatTheySpell)
{
    // The canonical text of 10 is the very text of a body that is too long to be read.
    const FingerprintRules some = rules({.maxJsonBytes = 2});
    const Fingerprint structured = fingerprintOf(some, head("application/json"), "10");
    const Fingerprint bytes = fingerprintOf(some, head("application/json"), "1e1");
    EXPECT_FALSE(structured.fellBack);
    EXPECT_TRUE(bytes.fellBack);
    EXPECT_NE(structured.text, bytes.text);
}

TEST(FingerprintRules, NameTheSettingThatIsWrong)
{
    struct Case
    {
        FingerprintOptions options;
        QString problem;
    };
    const std::array cases {
        Case {{.include = {u"/ok"_s, u"amount"_s}}, u"include: the JSON pointer \"amount\" must be empty"_s},
        Case {{.exclude = {u"/a~"_s}}, u"exclude: in the JSON pointer \"/a~\", ~ must be followed by"_s},
        Case {{.exclude = {u"/a"_s, u""_s}}, u"exclude: the JSON pointer \"\" means the whole body"_s},
        Case {{.headers = {u"X Account"_s}}, u"headers: \"X Account\" is no name of a header"_s},
        Case {{.headers = {u""_s}}, u"headers: \"\" is no name"_s},
        Case {{.headers = {u"X-Stra\u00dfe"_s}}, u"is no name of a header"_s},
        Case {{.maxJsonBytes = -1}, u"maxJsonBytes: -1 is not between 0 and 67108864"_s},
        Case {{.maxJsonBytes = 67108865}, u"maxJsonBytes: 67108865"_s},
    };
    for (const Case &each : cases) {
        const auto result = FingerprintRules::from(each.options);
        ASSERT_FALSE(result.has_value()) << each.problem.toStdString();
        EXPECT_NE(result.error().indexOf(each.problem), -1) << result.error().toStdString();
    }
    EXPECT_TRUE(FingerprintRules::from({.maxJsonBytes = 67108864}).has_value());
}

TEST(FingerprintRules, DoNotDependOnTheOrderOfTheirLists)
{
    const QByteArray body = R"({"a":{"b":1,"c":2},"d":3,"e":4})";
    EXPECT_EQ(ofJson(body, rules({.include = {u"/a"_s, u"/d"_s}, .exclude = {u"/a/c"_s, u"/a/b"_s}})),
        ofJson(body, rules({.include = {u"/d"_s, u"/a"_s, u"/d"_s}, .exclude = {u"/a/b"_s, u"/a/c"_s, u"/a/c/x"_s}})));
}

TEST(FingerprintRules, NeverLeaveNothingToCompare)
{
    // Two bodies without any included member are not one request.
    const FingerprintRules amount = rules({.include = {u"/amount"_s}});
    const Fingerprint first = fingerprintOf(amount, head("application/json"), R"({"sum":1})");
    EXPECT_TRUE(first.fellBack);
    EXPECT_NE(first.why.indexOf(u"included"), -1);
    EXPECT_NE(first.text, fingerprintOf(amount, head("application/json"), R"({"sum":2})").text);
}

TEST(FingerprintVersion, IsKnownForWhatThisProgramMakesOnly)
{
    const QByteArray text = ofJson("{}");
    EXPECT_EQ(text.size(), 46);
    EXPECT_TRUE(isKnownFingerprint(text));
    EXPECT_TRUE(isKnownFingerprint("v1:" + QByteArray(43, 'A')));
    for (const QByteArray &unknown : {QByteArray(), QByteArray("v1"), QByteArray("v1:"), text.sliced(3),
             "v2:" + text.sliced(3), "V1:" + text.sliced(3), "v10:" + text.sliced(3), ' ' + text, text + ' ',
             text.chopped(1), text + 'A', text + '=', text.chopped(1) + '+', "v1:" + QByteArray(64, 'a'),
             // 43 characters carry two bits more than 32 bytes; they are 0.
             "v1:" + QByteArray(42, 'A') + 'B'}) {
        EXPECT_FALSE(isKnownFingerprint(unknown)) << unknown.toStdString();
    }
}

} // namespace
} // namespace idem
