// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/expected.h"

#include <gtest/gtest.h>

#include <cmath>

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// As a run does: an attempt at each of `moments`.
struct Attempts
{
    Series series {};
    Counts counts {};

    void add(Duration moment)
    {
        if (series.isDue(moment)) {
            series.add(moment, counts);
        }
        ++counts.attempts;
    }

    [[nodiscard]] std::uint64_t before(Duration moment) const { return series.before(moment, counts).attempts; }
    [[nodiscard]] double rate(Duration from, Duration until) const
    {
        return valueOf({.name = u"attempts"_s, .from = from, .until = until}, {.counts = counts, .series = &series})
            .value_or(NAN);
    }
};

TEST(Series, WithoutEventsThereIsOnlyTheLatest)
{
    const Attempts none;
    EXPECT_EQ(none.before(0s), 0U);
    EXPECT_EQ(none.before(1h), 0U);
    EXPECT_TRUE(none.series.points().empty());
}

TEST(Series, HoldsWhatCameBeforeEachSecond)
{
    Attempts attempts;
    for (const Duration moment : {Duration(0s), Duration(1s - 1us), Duration(1s), Duration(1500ms), Duration(2s)}) {
        attempts.add(moment);
    }
    EXPECT_EQ(attempts.before(0s), 0U);
    EXPECT_EQ(attempts.before(1s), 2U);
    EXPECT_EQ(attempts.before(2s), 4U);
    EXPECT_EQ(attempts.before(3s), 5U);
}

TEST(Series, AGapHasTheCountsOfItsStart)
{
    Attempts attempts;
    attempts.add(500ms);
    attempts.add(1500ms);
    attempts.add(7300ms);
    attempts.add(7400ms);
    for (const Duration moment : {2s, 3s, 4s, 5s, 6s, 7s}) {
        EXPECT_EQ(attempts.before(moment), 2U) << moment.count();
    }
    EXPECT_EQ(attempts.before(8s), 4U);
    EXPECT_EQ(attempts.series.points().size(), 3U); // 0, 1 and 7 s
    EXPECT_EQ(attempts.series.points().back().at, Duration(7s));
}

TEST(Series, BeforeItsFirstEventNothingHappened)
{
    Attempts attempts;
    attempts.add(5200ms);
    attempts.add(5300ms);
    EXPECT_EQ(attempts.before(0s), 0U);
    EXPECT_EQ(attempts.before(5s), 0U);
    EXPECT_EQ(attempts.before(6s), 2U);
}

TEST(Series, HalvesItsPointsAtTheLimit)
{
    // One attempt a second: before second n there were n.
    Attempts attempts;
    constexpr auto seconds = static_cast<std::int64_t>(Series::most) + 1000;
    for (std::int64_t second = 0; second < seconds; ++second) {
        attempts.add(std::chrono::seconds(second));
    }
    EXPECT_EQ(attempts.series.step(), Duration(2s));
    EXPECT_LE(attempts.series.points().size(), Series::most);
    EXPECT_EQ(attempts.series.points().size(), static_cast<std::size_t>(seconds / 2));
    for (const Series::Point &point : attempts.series.points()) {
        ASSERT_EQ(point.at % Duration(2s), Duration::zero());
        ASSERT_EQ(point.at, std::chrono::seconds(point.counts.attempts));
    }
    EXPECT_DOUBLE_EQ(attempts.rate(0s, 100'000s), 1);
    EXPECT_DOUBLE_EQ(attempts.rate(99'000s, 101'000s), 1);
}

TEST(Judge, AWindowIsARateWithinIt)
{
    // 10 in the first second, 30 in the second, none in the third, 5 in the fourth.
    Attempts attempts;
    for (int i = 0; i < 10; ++i) {
        attempts.add(i * 100ms);
    }
    for (int i = 0; i < 30; ++i) {
        attempts.add(1s + i * 10ms);
    }
    for (int i = 0; i < 5; ++i) {
        attempts.add(3s + i * 100ms);
    }
    EXPECT_DOUBLE_EQ(attempts.rate(0s, 1s), 10);
    EXPECT_DOUBLE_EQ(attempts.rate(1s, 2s), 30);
    EXPECT_DOUBLE_EQ(attempts.rate(2s, 3s), 0);
    EXPECT_DOUBLE_EQ(attempts.rate(0s, 2s), 20);
    EXPECT_DOUBLE_EQ(attempts.rate(1s, 4s), 35.0 / 3);
    EXPECT_DOUBLE_EQ(attempts.rate(3s, 8s), 1); // the run ended within it

    const Facts facts {.counts = attempts.counts, .series = &attempts.series};
    const auto verdicts =
        judge({{.name = u"attempts"_s, .value = 32, .tolerance = 4, .from = 1s, .until = 2s},
                  {.name = u"attempts"_s, .value = 45}, {.name = u"attempts"_s, .value = 45, .from = 1s, .until = 2s}},
            facts);
    EXPECT_TRUE(verdicts[0].ok);
    EXPECT_DOUBLE_EQ(verdicts[0].z.value(), -2);
    EXPECT_TRUE(verdicts[1].ok); // the whole run's
    EXPECT_FALSE(verdicts[2].ok);
    EXPECT_EQ(verdicts[2].measured, 30);
}

TEST(Judge, AMeasureHasNoWindow)
{
    const Series series;
    const Facts facts {.measures = {.stuck_ms = 12.5}, .series = &series};
    EXPECT_EQ(valueOf({.name = u"stuck_ms"_s, .from = 0s, .until = 1s}, facts), 12.5);
    EXPECT_EQ(valueOf({.name = u"no such thing"_s}, facts), std::nullopt);
    EXPECT_TRUE(isMeasurable(u"stuck_ms"));
    EXPECT_TRUE(isMeasurable(u"attempts"));
    EXPECT_FALSE(isMeasurable(u"no such thing"));
}

TEST(Measures, EveryMemberHasOneEntry)
{
    // All members are doubles, so the size tells how many there are.
    EXPECT_EQ(Measures::entries().size(), sizeof(Measures) / sizeof(double));
    Measures measures;
    for (const Measures::Entry &entry : Measures::entries()) {
        measures.*entry.member += 1;
        EXPECT_EQ(measures.value(QString::fromStdString(std::string(entry.name))), 1) << entry.name;
    }
    for (const Measures::Entry &entry : Measures::entries()) {
        EXPECT_EQ(measures.*entry.member, 1) << entry.name;
    }
    EXPECT_EQ(measures.value(u"Stuck_ms"), std::nullopt);
}

} // namespace
} // namespace idem::sim
