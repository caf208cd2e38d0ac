// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/retry_after.h"

#include <QByteArray>

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

using namespace std::chrono;

/// Sun, 06 Nov 1994 08:49:37 GMT, the moment of RFC 9110's examples: 784,111,777 s after the epoch.
constexpr WallTime example {seconds(784'111'777)};

TEST(RetryAfter, ReadsSeconds)
{
    EXPECT_EQ(parseRetryAfter("120", example), Duration(120s)); // RFC 9110, section 10.2.3
    EXPECT_EQ(parseRetryAfter("0", example), Duration(0s));
    EXPECT_EQ(parseRetryAfter("007", example), Duration(7s));
    EXPECT_EQ(parseRetryAfter(" \t5 ", example), Duration(5s));
}

TEST(RetryAfter, ReadsTheThreeDates)
{
    // RFC 9110, section 5.6.7: one moment in three forms.
    for (const char *text :
        {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"}) {
        EXPECT_EQ(parseRetryAfter(text, example), Duration(0s)) << text;
        EXPECT_EQ(parseRetryAfter(text, example - 90s), Duration(90s)) << text;
        EXPECT_EQ(parseRetryAfter(text, example - 1us), Duration(1us)) << text;
        EXPECT_EQ(parseRetryAfter(text, example + hours(9)), Duration(0s)) << text; // past
    }
    // RFC 9110, section 10.2.3
    EXPECT_EQ(
        parseRetryAfter("Fri, 31 Dec 1999 23:59:59 GMT", WallTime(sys_days(year(2000) / 1 / 1)) - 10s), Duration(9s));
    EXPECT_EQ(parseRetryAfter("Wed Dec 31 23:59:60 1998", WallTime(sys_days(year(1999) / 1 / 1)) - 10s), Duration(10s));
    EXPECT_EQ(
        parseRetryAfter("Tue, 29 Feb 2000 00:00:00 GMT", WallTime(sys_days(year(2000) / 2 / 28))), Duration(hours(24)));
}

TEST(RetryAfter, PutsTwoDigitYearsWithinFiftyYears)
{
    const WallTime in2026(sys_days(year(2026) / 6 / 1));
    const auto ahead = [](int yearNumber) { return WallTime(sys_days(year(yearNumber) / 1 / 1)); };
    EXPECT_EQ(parseRetryAfter("Saturday, 01-Jan-28 00:00:00 GMT", in2026), Duration(ahead(2028) - in2026));
    EXPECT_EQ(parseRetryAfter("Wednesday, 01-Jan-76 00:00:00 GMT", in2026), Duration(ahead(2076) - in2026));
    EXPECT_EQ(parseRetryAfter("Saturday, 01-Jan-77 00:00:00 GMT", in2026), Duration(0s)); // of 1977
    EXPECT_EQ(parseRetryAfter("Saturday, 01-Jan-94 00:00:00 GMT", in2026), Duration(0s));
}

TEST(RetryAfter, SaturatesWhatIsTooFarAway)
{
    constexpr auto most = Duration(seconds(2'147'483'648)); // 2^31, RFC 9111, section 1.2.2
    EXPECT_EQ(parseRetryAfter("2147483648", example), most);
    EXPECT_EQ(parseRetryAfter("2147483649", example), most);
    EXPECT_EQ(parseRetryAfter("9223372036854775808", example), most);
    EXPECT_EQ(parseRetryAfter(QByteArray(1000, '9'), example), most);
    EXPECT_EQ(parseRetryAfter("Fri, 31 Dec 9999 23:59:59 GMT", example), most);
}

TEST(RetryAfter, RefusesGarbage)
{
    const QByteArrayView refused[] = {"", " ", "-1", "+1", "1.5", "1e3", "0x10", "10s", "5, 6", "soon", "NaN",
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT junk", "Sun, 06 Nov 1994 08:49:37 CET",
        "sun, 06 nov 1994 08:49:37 gmt", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Mon, 29 Feb 1999 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT",
        "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
        "Sun Nov  6 08:49:37 94", "Sun,", "Sun, 0", QByteArrayView("5\0", 2), "\xff\xfe"};
    for (const QByteArrayView text : refused) {
        EXPECT_FALSE(parseRetryAfter(text, example)) << text.toByteArray().toStdString();
    }
}

TEST(RetryAfter, SurvivesEveryPrefixOfADate)
{
    for (const QByteArrayView whole : {QByteArrayView("Sun, 06 Nov 1994 08:49:37 GMT"),
             QByteArrayView("Sunday, 06-Nov-94 08:49:37 GMT"), QByteArrayView("Sun Nov  6 08:49:37 1994")}) {
        for (qsizetype length = 0; length < whole.size(); ++length) {
            EXPECT_FALSE(parseRetryAfter(whole.first(length), example)) << length;
        }
    }
}

TEST(GrpcPushback, IsNotANumberWhereTheServerForbidsARetry)
{
    EXPECT_EQ(parseGrpcPushback("0"), Duration(0ms));
    EXPECT_EQ(parseGrpcPushback("2500"), Duration(2500ms));
    for (const char *text : {"", "-1", "-100", "abc", "1.5", " 5", "5 "}) {
        EXPECT_FALSE(parseGrpcPushback(text)) << text;
    }
}

} // namespace
} // namespace idem::sim
