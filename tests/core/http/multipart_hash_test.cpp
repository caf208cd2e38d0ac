// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/http/multipart_hash.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace idem::http {
namespace {

tl::expected<QByteArray, QString> hashOf(const QByteArray &boundary, const QByteArray &body, qsizetype chunk = 1 << 20)
{
    MultipartHash hash(boundary);
    for (qsizetype i = 0; i < body.size(); i += chunk) {
        hash.add(QByteArrayView(body).sliced(i, std::min(chunk, body.size() - i)));
    }
    return hash.finish();
}

QByteArray part(const QByteArray &headers, const QByteArray &content)
{
    return headers + "\r\n" + content;
}

QByteArray field(const QByteArray &name, const QByteArray &content)
{
    return part("Content-Disposition: form-data; name=\"" + name + "\"\r\n", content);
}

QByteArray bodyOf(const QByteArray &boundary, const std::vector<QByteArray> &parts)
{
    QByteArray body;
    for (const QByteArray &each : parts) {
        body += "--" + boundary + "\r\n" + each + "\r\n";
    }
    return body + "--" + boundary + "--\r\n";
}

QByteArray digest(const std::vector<QByteArray> &parts)
{
    const auto hash = hashOf("b", bodyOf("b", parts));
    EXPECT_TRUE(hash.has_value()) << hash.error().toStdString();
    return hash.value_or(QByteArray());
}

TEST(Multipart, DoesNotCountTheBoundary)
{
    const std::vector<QByteArray> parts {field("a", "1"), field("b", "two\r\nlines")};
    EXPECT_EQ(
        hashOf("b", bodyOf("b", parts)).value(), hashOf("x'()+_,-./:=? y", bodyOf("x'()+_,-./:=? y", parts)).value());
    // A boundary of the greatest length, 70 (RFC 2046 section 5.1.1).
    const QByteArray longest(70, '-');
    EXPECT_EQ(hashOf(longest, bodyOf(longest, parts)).value(), digest(parts));
}

TEST(Multipart, CountsNamesFileNamesTypesBytesNumberAndOrder)
{
    const auto file = [](const QByteArray &name, const QByteArray &type) {
        return part(
            "Content-Disposition: form-data; name=\"f\"; filename=\"" + name + "\"\r\nContent-Type: " + type + "\r\n",
            "x");
    };
    const std::vector<std::vector<QByteArray>> bodies {
        {},
        {field("a", "")},
        {field("a", "1")},
        {field("a", "2")},
        {field("b", "1")},
        {field("a", "1"), field("a", "1")},
        {field("a", "1"), field("b", "2")},
        {field("b", "2"), field("a", "1")},
        {field("a", "1\r\n")},
        {field("f", "x")},
        {file("a.txt", "text/plain")},
        {file("b.txt", "text/plain")},
        {file("a.txt", "text/html")},
        {part("Content-Disposition: form-data; name=\"f\"; filename*=\"a.txt\"\r\nContent-Type: text/plain\r\n", "x")},
        {part("", "x")},
        {part("Content-Transfer-Encoding: base64\r\n", "x")},
    };
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            EXPECT_NE(digest(bodies[i]), digest(bodies[k])) << i << " and " << k;
        }
    }
}

TEST(Multipart, DoesNotCountSpellingsAndMeaninglessHeaders)
{
    const QByteArray one = digest(
        {part("Content-Disposition: form-data; name=\"f\"; filename=\"a\"\r\nContent-Type: text/plain\r\n", "x")});
    EXPECT_EQ(one,
        digest({part("content-type:Text/Plain\r\nX-Trace: 7\r\nContent-ID: <9>\r\nContent-Length: 1\r\n"
                     "CONTENT-DISPOSITION:  Form-Data ;filename=a;name=f\t\r\n",
            "x")}));
}

TEST(Multipart, SkipsPreambleEpilogueAndPadding)
{
    const QByteArray plain = digest({part("", "x"), part("", "")});
    for (const QByteArray body : {
             "--b\r\n\r\nx\r\n--b\r\n\r\n\r\n--b--",
             "--b \t\r\n\r\nx\r\n--b\t\r\n\r\n\r\n--b-- \t",
             "\r\n--b\r\n\r\nx\r\n--b\r\n\r\n\r\n--b-- \r\n",
             "This text\r\n--a means nothing.\r\n--b\r\n\r\nx\r\n--b\r\n\r\n\r\n--b--\r\nNor does this --b\r\n--b\r\n",
             // An empty part whose only line end is that of its header (RFC 2046, body-part).
             "--b\r\n\r\nx\r\n--b\r\n\r\n--b--\r\n",
         }) {
        const auto hash = hashOf("b", body);
        ASSERT_TRUE(hash.has_value()) << body.toStdString() << hash.error().toStdString();
        EXPECT_EQ(hash.value(), plain) << body.toStdString();
    }
}

TEST(Multipart, TakesWhatLooksLikeADelimiterAsContent)
{
    const QByteArray content = "\r\n--\r\n--a\r\n -- b\r\n-b\n--b\r--b--\r\r\n-";
    const QByteArray hash = digest({part("", content)});
    EXPECT_EQ(hash, hashOf("other", bodyOf("other", {part("", content)})).value());
    EXPECT_NE(hash, digest({part("", content + '-')}));
}

TEST(Multipart, GivesOneDigestForPiecesOfAnySize)
{
    QByteArray content = "\r\n--boundar\r\n--bound\r\r\n\r\n";
    while (content.size() < 200'000) {
        content += content;
    }
    const QByteArray body =
        "before\r\n" + bodyOf("boundary", {field("a", content), field("b", ""), part("", "z")}) + "after";
    const QByteArray whole = hashOf("boundary", body, body.size()).value();
    for (const qsizetype chunk : {1, 2, 3, 7, 1000, 65536, 65537}) {
        EXPECT_EQ(hashOf("boundary", body, chunk).value(), whole) << chunk;
    }
}

struct Malformed
{
    const char *what;
    QByteArray boundary;
    QByteArray body;
    const char *problem;
};

class Refused : public testing::TestWithParam<Malformed>
{
};

TEST_P(Refused, InPiecesOfAnySize)
{
    for (const qsizetype chunk : {1, 1 << 20}) {
        const auto hash = hashOf(GetParam().boundary, GetParam().body, chunk);
        ASSERT_FALSE(hash.has_value());
        EXPECT_NE(hash.error().indexOf(QLatin1StringView(GetParam().problem)), -1) << hash.error().toStdString();
    }
}

const QByteArray good = "--b\r\n\r\nx\r\n--b--\r\n";

const Malformed malformed[] = {
    {"NoBoundary", "", good, "the boundary is malformed"},
    {"LongBoundary", QByteArray(71, 'b'), bodyOf(QByteArray(71, 'b'), {}), "the boundary is malformed"},
    {"BoundaryWithASpaceAtItsEnd", "b ", bodyOf("b ", {}), "the boundary is malformed"},
    {"BoundaryWithALineEnd", "b\r\nb", bodyOf("b\r\nb", {}), "the boundary is malformed"},
    {"NotThisBoundary", "c", good, "closing delimiter is missing"},
    {"Nothing", "b", "", "closing delimiter is missing"},
    {"Truncated", "b", "--b\r\n\r\nx\r\n--b", "closing delimiter is missing"},
    {"TruncatedInHeader", "b", "--b\r\nContent-Type: a/b", "closing delimiter is missing"},
    {"TruncatedInTheLastDelimiter", "b", "--b\r\n\r\nx\r\n--b-", "closing delimiter is missing"},
    {"OneDelimiterAsTheEndOfTwo", "b", "--b\r\n--b--\r\n", "malformed line"},
    {"BareLineFeeds", "b", "--b\n\nx\n--b--\n", "goes on otherwise"},
    {"LongerBoundary", "b", "--bc\r\n\r\nx\r\n--b--\r\n", "goes on otherwise"},
    {"LongerBoundaryLater", "b", "--b\r\n\r\nx\r\n--bc\r\n--b--\r\n", "goes on otherwise"},
    {"HyphensBehindASpace", "b", "--b\r\n\r\nx\r\n--b --\r\n", "goes on otherwise"},
    {"TextBehindTheEnd", "b", "--b\r\n\r\nx\r\n--b--x\r\n", "closing delimiter's line"},
    {"HeaderWithoutColon", "b", "--b\r\nContent\r\n\r\nx\r\n--b--\r\n", "malformed line"},
    {"HeaderWithASpaceInItsName", "b", "--b\r\nContent-Type : a/b\r\n\r\nx\r\n--b--\r\n", "malformed line"},
    {"FoldedHeader", "b", "--b\r\nContent-Type: a/b;\r\n x=1\r\n\r\nx\r\n--b--\r\n", "malformed line"},
    {"LineFeedInHeader", "b", "--b\r\nContent-Type: a/b\nX: y\r\n\r\nx\r\n--b--\r\n", "malformed line"},
    {"LongHeaderLine", "b", "--b\r\nX: " + QByteArray(4094, 'x') + "\r\n\r\nx\r\n--b--\r\n", "4096 bytes"},
    {"EndlessHeaderLine", "b", "--b\r\nX: " + QByteArray(100'000, 'x'), "4096 bytes"},
    {"ManyHeaderLines", "b", "--b\r\n" + QByteArray("X: y\r\n").repeated(65) + "\r\nx\r\n--b--\r\n", "64 header lines"},
};

INSTANTIATE_TEST_SUITE_P(
    Multipart, Refused, testing::ValuesIn(malformed), [](const auto &test) { return test.param.what; });

TEST(Multipart, TakesHeadersUpToTheirBounds)
{
    EXPECT_TRUE(hashOf("b", "--b\r\nX: " + QByteArray(4093, 'x') + "\r\n\r\nx\r\n--b--\r\n").has_value());
    EXPECT_TRUE(hashOf("b", "--b\r\n" + QByteArray("X: y\r\n").repeated(64) + "\r\nx\r\n--b--\r\n").has_value());
}

} // namespace
} // namespace idem::http
