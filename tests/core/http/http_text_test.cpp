// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/http/canonical_query.h"
#include "core/http/media_type.h"

#include <gtest/gtest.h>

namespace idem::http {
namespace {

TEST(CanonicalQuery, SortsAndKeepsRepeatedItems)
{
    const std::vector<QueryItem> expected {{"a", "1"}, {"a", "2"}, {"a", "2"}, {"b", "3"}};
    EXPECT_EQ(canonicalQuery("a=1&a=2&a=2&b=3"), expected);
    EXPECT_EQ(canonicalQuery("b=3&a=2&a=1&a=2"), expected);
    EXPECT_NE(canonicalQuery("a=1&a=2&b=3"), expected);
}

TEST(CanonicalQuery, LeavesOutEmptyItemsOnly)
{
    EXPECT_TRUE(canonicalQuery("").empty());
    EXPECT_TRUE(canonicalQuery("&&").empty());
    EXPECT_EQ(canonicalQuery("&a=1&&b&"), (std::vector<QueryItem> {{"a", "1"}, {"b", {}}}));
    EXPECT_EQ(canonicalQuery("="), (std::vector<QueryItem> {{"", ""}}));
    EXPECT_EQ(canonicalQuery("a=b=c"), (std::vector<QueryItem> {{"a", "b=c"}}));
}

TEST(CanonicalQuery, TellsAnEmptyValueFromNone)
{
    EXPECT_NE(canonicalQuery("a"), canonicalQuery("a="));
}

TEST(CanonicalQuery, DecodesEscapes)
{
    EXPECT_EQ(canonicalQuery("%61=%7e"), canonicalQuery("a=~"));
    EXPECT_EQ(canonicalQuery("a=%c3%A9"), canonicalQuery("a=%C3%a9"));
    EXPECT_EQ(canonicalQuery("a=%c3%A9"), (std::vector<QueryItem> {{"a", "\xc3\xa9"}}));
    EXPECT_EQ(canonicalQuery("a=%00"), (std::vector<QueryItem> {{"a", QByteArray(1, '\0')}}));
    // An escaped separator separates nothing.
    EXPECT_NE(canonicalQuery("a=1%26b=2"), canonicalQuery("a=1&b=2"));
    EXPECT_NE(canonicalQuery("a%3D1"), canonicalQuery("a=1"));
}

TEST(CanonicalQuery, KeepsPlusSpaceAndPercentApart)
{
    EXPECT_NE(canonicalQuery("a=b+c"), canonicalQuery("a=b%20c"));
    EXPECT_NE(canonicalQuery("a=b+c"), canonicalQuery("a=b%2Bc"));
    EXPECT_NE(canonicalQuery("a=b%20c"), canonicalQuery("a=b%2Bc"));
    EXPECT_EQ(canonicalQuery("a=b%2bc"), canonicalQuery("a=b%2Bc"));
    EXPECT_NE(canonicalQuery("a=%252B"), canonicalQuery("a=%2B"));
    EXPECT_NE(canonicalQuery("a=%2541"), canonicalQuery("a=%41"));
    EXPECT_EQ(canonicalQuery("a=100%"), canonicalQuery("a=100%25"));
    EXPECT_EQ(canonicalQuery("a=%zz&b=%4"), canonicalQuery("a=%25zz&b=%254"));
}

TEST(MediaType, HasOneTextForAllSpellings)
{
    EXPECT_EQ(canonicalMediaType("Text/HTML;Charset=UTF-8"), "text/html;charset=\"utf-8\"");
    EXPECT_EQ(canonicalMediaType(" text/html ; charset=\"Utf-8\" ; "), "text/html;charset=\"utf-8\"");
    EXPECT_EQ(canonicalMediaType("a/b; y=2;; x=1"), "a/b;x=\"1\";y=\"2\"");
    EXPECT_EQ(canonicalMediaType("a/b; x=\"1; \\\"2\\\\\""), "a/b;x=\"1; \\\"2\\\\\"");
    EXPECT_EQ(canonicalMediaType(""), "");
}

TEST(MediaType, KeepsWhatMeansSomething)
{
    EXPECT_NE(canonicalMediaType("text/plain; charset=utf-8"), canonicalMediaType("text/plain; charset=iso-8859-1"));
    EXPECT_NE(canonicalMediaType("a/b; x=1"), canonicalMediaType("a/b; x=2"));
    EXPECT_NE(canonicalMediaType("a/b; x=A"), canonicalMediaType("a/b; x=a"));
    EXPECT_NE(canonicalMediaType("a/b; boundary=1"), canonicalMediaType("a/b; boundary=2"));
}

TEST(MediaType, DropsWhatMeansNothing)
{
    EXPECT_EQ(canonicalMediaType("multipart/form-data; boundary=abc"), "multipart/form-data");
    EXPECT_EQ(canonicalMediaType("multipart/related; type=\"a/b\"; boundary=abc"), "multipart/related;type=\"a/b\"");
    EXPECT_EQ(canonicalMediaType("application/json; charset=UTF-8"), "application/json");
    EXPECT_EQ(canonicalMediaType("application/json; charset=utf-16"), "application/json;charset=\"utf-16\"");
}

TEST(MediaType, KeepsMalformedOnesAsTheyAre)
{
    for (const QByteArray bad : {"text", "/", "a/", "/b", "a/b/c", "a/b c", "a/b; x", "a/b; x=", "a/b; =1",
             "a/b; x=\"1", "a/b; x=1 y=2", "a/b, c/d", "a /b"}) {
        EXPECT_FALSE(parseMediaType(bad).has_value()) << bad.toStdString();
        EXPECT_EQ(canonicalMediaType(' ' + bad + '\t'), bad);
    }
}

TEST(MediaType, KnowsJsonByItsNameOrSuffix)
{
    for (const QByteArray type : {"application/json", "Application/JSON; charset=utf-8", "application/problem+json",
             "application/vnd.api+json"}) {
        EXPECT_TRUE(isJson(parseMediaType(type).value())) << type.toStdString();
    }
    for (const QByteArray type : {"application/jsonp", "text/plain", "application/json-seq", "application/x-ndjson"}) {
        EXPECT_FALSE(isJson(parseMediaType(type).value())) << type.toStdString();
    }
}

TEST(MediaType, FindsAParameterThatIsThereOnce)
{
    const auto type = parseMediaType("a/b; One=1; two=2; TWO=3").value();
    EXPECT_EQ(type.parameter("one"), QByteArray("1"));
    EXPECT_FALSE(type.parameter("two").has_value());
    EXPECT_FALSE(type.parameter("three").has_value());
}

TEST(Parameters, KeepBareBackslashesOfFileNames)
{
    EXPECT_EQ(parseParameterised(R"(form-data; filename="C:\tmp\a.txt")")->parameter("filename"), R"(C:\tmp\a.txt)");
    EXPECT_EQ(parseParameterised(R"(form-data; filename="a\"b\\c")")->parameter("filename"), R"(a"b\c)");
    EXPECT_EQ(parseParameterised("form-data; filename=\"\xc3\xa9\"")->parameter("filename"), "\xc3\xa9");
}

} // namespace
} // namespace idem::http
