// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/duration_text.h"
#include "core/store/near_name.h"

#include <gtest/gtest.h>

#include <random>

namespace idem {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

TEST(DurationText, ReadsWhatPeopleType)
{
    const std::vector<std::pair<QString, Duration>> table {
        {u"250ms"_s, 250ms},
        {u"30s"_s, 30s},
        {u"5m"_s, 5min},
        {u"2h"_s, 2h},
        {u"1d"_s, 24h},
        {u"7us"_s, 7us},
        {u"7\u00B5s"_s, 7us},
        {u"7\u03BCs"_s, 7us},
        {u"1h30m"_s, 90min},
        {u"1.5h"_s, 90min},
        {u"1h1.5m"_s, 61min + 30s},
        {u"0.000001s"_s, 1us},
        {u"0.5ms"_s, 500us},
        {u"1d2h3m4s5ms6us"_s, 26h + 3min + 4s + 5ms + 6us},
        {u"0s"_s, 0us},
        {u"007s"_s, 7s},
        {u"90m"_s, 90min},
        {u"-5m"_s, -5min},
        {u"-1h30m"_s, -90min},
        {u"36500d"_s, maxDurationFromText},
        {u"36499d24h"_s, maxDurationFromText},
    };
    for (const auto &[text, duration] : table) {
        const auto read = durationFromText(text);
        ASSERT_TRUE(read) << text.toStdString() << ": " << read.error().toStdString();
        EXPECT_EQ(read->count(), duration.count()) << text.toStdString();
    }
}

TEST(DurationText, SaysWhatIsWrong)
{
    const std::vector<std::pair<QString, QString>> table {
        {u""_s, u"A duration is a number with a unit, such as 5m."_s},
        {u"-"_s, u"A duration is a number with a unit, such as 5m."_s},
        {u"m"_s, u"A duration is a number with a unit, such as 5m."_s},
        {u"1.h"_s, u"A duration is a number with a unit, such as 5m."_s},
        {u".5h"_s, u"A duration is a number with a unit, such as 5m."_s},
        {u"--5m"_s, u"A duration is a number with a unit, such as 5m."_s},
        {u"\u0665m"_s, u"A duration is a number with a unit, such as 5m."_s},
        {u"5"_s, u"The number 5 needs a unit: us, ms, s, m, h or d."_s},
        {u"1h30"_s, u"The number 30 needs a unit: us, ms, s, m, h or d."_s},
        {u"5min"_s, u"The units of a duration are us, ms, s, m, h and d."_s},
        {u"5M"_s, u"The units of a duration are us, ms, s, m, h and d."_s},
        {u"1.2.3s"_s, u"The units of a duration are us, ms, s, m, h and d."_s},
        {u"30m1h"_s, u"The units of a duration go from the largest to the smallest, such as 1h30m."_s},
        {u"1h1h"_s, u"The units of a duration go from the largest to the smallest, such as 1h30m."_s},
        {u"1.5h30m"_s, u"Only the last number of a duration may have decimals."_s},
        {u"1.5us"_s, u"A duration is not finer than a microsecond."_s},
        {u"0.0001ms"_s, u"A duration is not finer than a microsecond."_s},
        {u"0.1234567s"_s, u"A duration has at most 6 decimals."_s},
        {u"36501d"_s, u"A duration is at most 36500 days."_s},
        {u"36500d1us"_s, u"A duration is at most 36500 days."_s},
        {u"-36501d"_s, u"A duration is at most 36500 days."_s},
        {u"99999999999999999999999999d"_s, u"A duration is at most 36500 days."_s},
        {u"9223372036854775808us"_s, u"A duration is at most 36500 days."_s},
    };
    for (const auto &[text, message] : table) {
        const auto read = durationFromText(text);
        ASSERT_FALSE(read) << text.toStdString();
        EXPECT_EQ(read.error().toStdString(), message.toStdString()) << text.toStdString();
    }
}

TEST(DurationText, IsWrittenInWholeNumbers)
{
    EXPECT_EQ(exactDurationText(0us), u"0s"_s);
    EXPECT_EQ(exactDurationText(90min), u"1h30m"_s);
    EXPECT_EQ(exactDurationText(-90s), u"-1m30s"_s);
    EXPECT_EQ(exactDurationText(1500us), u"1ms500us"_s);
    EXPECT_EQ(exactDurationText(maxDurationFromText), u"36500d"_s);
}

TEST(DurationText, LeadsThereAndBack)
{
    std::mt19937_64 random(11);
    for (int i = 0; i < 20'000; ++i) {
        const auto magnitude = std::uint64_t(maxDurationFromText.count()) >> (random() % 50);
        const Duration duration(Duration::rep(random() % (magnitude + 1)) * (random() % 2 == 0 ? 1 : -1));
        ASSERT_EQ(durationFromText(exactDurationText(duration)), duration) << duration.count();
    }
}

TEST(NearName, IsFewSlipsAwayOrAPart)
{
    const QStringList names {u"tenant"_s, u"owner"_s, u"key"_s, u"id"_s, u"lease_left"_s, u"status"_s, u"state"_s};
    EXPECT_EQ(nearestName(u"tennant", names), u"tenant"_s);
    EXPECT_EQ(nearestName(u"TENANT", names), u"tenant"_s);
    EXPECT_EQ(nearestName(u"tenatn", names), u"tenant"_s);
    EXPECT_EQ(nearestName(u"kye", names), u"key"_s) << "two letters swapped are one slip";
    EXPECT_EQ(nearestName(u"keys", names), u"key"_s);
    EXPECT_EQ(nearestName(u"leaseleft", names), u"lease_left"_s);
    EXPECT_EQ(nearestName(u"lease", names), u"lease_left"_s);
    EXPECT_EQ(nearestName(u"status_code", names), u"status"_s);
    EXPECT_EQ(nearestName(u"stats", names), u"status"_s) << "both are one slip away: the first";
    EXPECT_EQ(nearestName(u"order", names), std::nullopt) << "two slips in five letters are another word";
    EXPECT_EQ(nearestName(u"xyzzy", names), std::nullopt);
    EXPECT_EQ(nearestName(u"", names), std::nullopt);
    EXPECT_EQ(nearestName(QString(5000, u'e'), names), std::nullopt);
}

} // namespace idem
