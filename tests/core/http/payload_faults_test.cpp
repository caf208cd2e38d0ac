// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/http/fingerprints.h"

#include <gtest/gtest.h>

#include <algorithm>

/// Faults of payload comparison that other products had, each as the rule that it broke.
namespace idem {
namespace {

using namespace Qt::StringLiterals;
using test::expectDistinct;
using test::head;
using test::ofJson;
using test::rules;

Fingerprint inPieces(const FingerprintRules &options, QByteArrayView mediaType, const QByteArray &body, qsizetype size)
{
    FingerprintStream stream(options, head(mediaType));
    for (qsizetype i = 0; i < body.size(); i += size) {
        stream.add(QByteArrayView(body).sliced(i, std::min(size, body.size() - i)));
    }
    return stream.finish();
}

TEST(PayloadFaults, MemberOrderWhiteSpaceAndEscapesMakeNoOtherRequest)
{
    const QByteArray one = ofJson(R"({"a":1,"b":2})");
    EXPECT_EQ(ofJson(R"({"b":2,"a":1})"), one);
    EXPECT_EQ(ofJson(" {\r\n\t\"a\" : 1 ,\n\"b\": 2 }\n"), one);
    EXPECT_EQ(ofJson(R"({"\u0061":1,"\u0062":2})"), one);
    EXPECT_EQ(ofJson(R"({"a":1.0,"b":0.2e1})"), one);
    EXPECT_NE(ofJson(R"({"a":2,"b":1})"), one);
    EXPECT_NE(ofJson(R"({"A":1,"b":2})"), one);
}

TEST(PayloadFaults, TheOrderOfAnArrayIsPartOfTheRequest)
{
    EXPECT_NE(ofJson("[1,2]"), ofJson("[2,1]"));
    EXPECT_NE(ofJson(R"({"x":[{"n":1},{"n":2}]})"), ofJson(R"({"x":[{"n":2},{"n":1}]})"));
    EXPECT_EQ(ofJson(R"([{"a":1,"b":2}])"), ofJson(R"([{"b":2,"a":1}])"));
    // Nor does nesting vanish.
    expectDistinct({ofJson("[1,2]"), ofJson("[[1],2]"), ofJson("[[1,2]]"), ofJson("[12]"), ofJson(R"(["1,2"])")});
}

TEST(PayloadFaults, TwoPayloadsAreNeverOneRequest)
{
    const auto of = [](QByteArrayView mediaType, QByteArrayView body) {
        return fingerprintOf({}, head(mediaType), body).text;
    };
    std::vector<QByteArray> texts;
    for (const QByteArray type : {"application/json", "application/x-www-form-urlencoded", "text/plain", ""}) {
        for (const QByteArray body : {"", "0", "null", "\"\"", "[]", "{}", "false", "a=1", "a=2", "a=1&b=2"}) {
            texts.push_back(of(type, body));
        }
    }
    for (const QByteArray &body : {QByteArray(1, '\0'), QByteArray(2, '\0'), QByteArray("\0x", 2), QByteArray("\xff"),
             QByteArray("\xfe"), QByteArray("\xff\x00\xff", 3), QByteArray("\xff\x00\xfe", 3)}) {
        texts.push_back(of("application/octet-stream", body));
    }
    for (int byte = 0; byte < 256; ++byte) {
        texts.push_back(of("image/png", QByteArray(1, static_cast<char>(byte))));
    }
    expectDistinct(texts);
}

TEST(PayloadFaults, ALongBodyIsReadToItsEndWhateverThePiecesItArrivesIn)
{
    for (const qsizetype size : {29'000, 30'720, 5'000'000}) {
        const QByteArray text = QByteArray("caf\xc3\xa9 \\u20ac ").repeated(50);
        QByteArray json = "{\"items\":[";
        while (json.size() < size) {
            json += "{\"text\":\"" + text + "\",\"amount\":1234.50,\"tags\":[true,null]},";
        }
        json += "0]}";
        const QByteArray multipart =
            "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\n" + json + "\r\n--\r\n--b--\r\n";
        const FingerprintRules large = rules({.maxJsonBytes = qsizetype {8} * 1024 * 1024});
        for (const auto &[type, body] : {std::pair<QByteArray, QByteArray> {"application/json", json},
                 {"multipart/form-data; boundary=b", multipart}, {"application/octet-stream", json}}) {
            const Fingerprint whole = fingerprintOf(large, head(type), body);
            EXPECT_FALSE(whole.fellBack) << whole.why.toStdString();
            for (const qsizetype piece : {1, 1024, 65'536}) {
                EXPECT_EQ(inPieces(large, type, body, piece).text, whole.text) << type.toStdString() << ' ' << piece;
            }
            // Its last byte but what closes it counts as its first.
            QByteArray changed = body;
            changed[body.lastIndexOf("0]}")] = '1';
            EXPECT_NE(fingerprintOf(large, head(type), changed).text, whole.text) << type.toStdString();
        }
    }
}

TEST(PayloadFaults, ABodyAboveTheBufferCountsByItsBytesInPiecesOfAnySize)
{
    const FingerprintRules small = rules({.maxJsonBytes = 1000});
    const QByteArray fits = '"' + QByteArray(998, 'x') + '"';
    const QByteArray tooLong = ' ' + fits;
    for (const qsizetype piece : {1, 7, 999, 1000, 1001, 5000}) {
        const Fingerprint structured = inPieces(small, "application/json", fits, piece);
        EXPECT_FALSE(structured.fellBack);
        EXPECT_EQ(structured.text, ofJson(fits, small));
        const Fingerprint raw = inPieces(small, "application/json", tooLong, piece);
        EXPECT_TRUE(raw.fellBack);
        EXPECT_EQ(raw.why, u"the JSON body is longer than 1000 bytes"_s);
        EXPECT_EQ(raw.text, fingerprintOf(small, head("application/json"), tooLong).text);
        EXPECT_NE(raw.text, structured.text);
    }
}

TEST(PayloadFaults, TheQueryIsPartOfTheRequestInAnyOrder)
{
    const auto of = [](QByteArrayView query) { return fingerprintOf({}, head("", query), "x").text; };
    expectDistinct({of(""), of("dry=1"), of("dry=0"), of("dry"), of("dry="), of("dry=1&dry=1"), of("dry=1&x=2"),
        of("x=1&dry=2"), of("dry=1%26x=2")});
    EXPECT_EQ(of("dry=1&x=2"), of("x=2&dry=1"));
    EXPECT_EQ(of("dry=1&x=2"), of("x=%32&%64ry=1&"));
    EXPECT_EQ(of("x=1&x=2"), of("x=2&x=1"));
}

TEST(PayloadFaults, ARecordOfAnUnknownFormatIsNotTakenForOneOfThisFormat)
{
    // A bare digest, as products write that came to versions late.
    EXPECT_FALSE(isKnownFingerprint(ofJson("{}").sliced(3)));
    EXPECT_FALSE(isKnownFingerprint("v2:" + ofJson("{}").sliced(3)));
}

TEST(PayloadFaults, VolatileMembersThatAreExcludedMakeNoOtherRequest)
{
    const FingerprintRules excluding = rules({.exclude = {u"/createdAt"_s, u"/meta/nonce"_s, u"/items/0/at"_s}});
    const QByteArray one =
        ofJson(R"({"amount":5,"createdAt":"10:00","meta":{"nonce":"a","by":"x"},"items":[{"at":1,"n":1}]})", excluding);
    EXPECT_EQ(
        ofJson(R"({"amount":5,"createdAt":"10:01","meta":{"nonce":"b","by":"x"},"items":[{"at":2,"n":1}]})", excluding),
        one);
    EXPECT_EQ(ofJson(R"({"amount":5,"meta":{"by":"x"},"items":[{"n":1}]})", excluding), one);
    expectDistinct({one,
        ofJson(R"({"amount":6,"createdAt":"10:00","meta":{"nonce":"a","by":"x"},"items":[{"at":1,"n":1}]})", excluding),
        ofJson(R"({"amount":5,"createdAt":"10:00","meta":{"nonce":"a","by":"y"},"items":[{"at":1,"n":1}]})", excluding),
        ofJson(R"({"amount":5,"createdAt":"10:00","meta":{"nonce":"a","by":"x"},"items":[{"at":1,"n":2}]})", excluding),
        ofJson(R"({"amount":5,"createdAt":"10:00","nonce":"a","meta":{"by":"x"},"items":[{"n":1}]})", excluding)});
    // Without the rules they do.
    EXPECT_NE(ofJson(R"({"amount":5,"createdAt":1})"), ofJson(R"({"amount":5,"createdAt":2})"));
}

TEST(PayloadFaults, AStreamedBodyIsPartOfTheRequest)
{
    // Two loads that differ at their very end, far beyond what any buffer holds, of every kind of body.
    const FingerprintRules small = rules({.maxJsonBytes = 16});
    const QByteArray rows = QByteArray("1,2,3\r\n").repeated(100'000);
    std::vector<QByteArray> texts;
    for (const QByteArray type :
        {"text/csv", "application/json", "multipart/mixed; boundary=b", "multipart/mixed", ""}) {
        for (const QByteArray end : {"", "4", "5"}) {
            texts.push_back(inPieces(small, type, "--b\r\n\r\n" + rows + end + "\r\n--b--\r\n", 65'536).text);
        }
    }
    texts.push_back(inPieces(small, "text/csv", "", 1).text);
    expectDistinct(texts);
}

TEST(PayloadFaults, BatchesOfOtherCountsAreOtherRequests)
{
    std::vector<QByteArray> texts;
    QByteArray json = "[";
    QByteArray lines;
    QByteArray parts;
    for (int count = 0; count < 50; ++count) {
        texts.push_back(ofJson(json + ']'));
        texts.push_back(ofJson(R"({"batch":)" + json + "]}"));
        texts.push_back(fingerprintOf({}, head("application/x-ndjson"), lines).text);
        texts.push_back(fingerprintOf({}, head("multipart/mixed; boundary=b"), parts + "--b--\r\n").text);
        json += count == 0 ? "{}" : ",{}";
        lines += "{}\n";
        parts += "--b\r\n\r\n{}\r\n";
    }
    expectDistinct(texts);
}

} // namespace
} // namespace idem
