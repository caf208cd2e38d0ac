// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/monitor.h"

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

constexpr std::uint64_t key = 3;

Instant at(Duration since)
{
    return Instant(since);
}

Policy livingFor(Duration ttl, ExpiryOrigin from = ExpiryOrigin::Completion)
{
    return {.ttl = ttl, .ttlFrom = from};
}

std::string brokenBy(const Monitor &monitor)
{
    QStringList names;
    for (const Violation &violation : monitor.firstViolations()) {
        names.append(toString(violation.invariant));
    }
    return names.join(u' ').toStdString();
}

/// Keys in the array and in the table are followed alike.
class MonitorTest : public testing::TestWithParam<std::uint64_t>
{
protected:
    Monitor monitor {livingFor(10s), GetParam()};
};

TEST_P(MonitorTest, AnUndisturbedKeyBreaksNothing)
{
    monitor.granted(key, 1, at(0s), at(60s));
    monitor.started(key);
    EXPECT_TRUE(monitor.isRunning(key));
    monitor.conflicted(key, at(1s));
    monitor.effect(key, 1, at(2s), true);
    monitor.completed(key, 1, at(2s), false);
    monitor.ended(key);
    EXPECT_FALSE(monitor.isRunning(key));
    monitor.replayed(key, 1, at(12s - 1us));
    monitor.granted(key, 2, at(12s), at(72s)); // the first life is over
    monitor.effect(key, 2, at(13s), true);
    monitor.completed(key, 2, at(13s), false);
    EXPECT_EQ(monitor.violations(), 0U);
}

TEST_P(MonitorTest, ASecondEffectOfAFinishedKeyBreaksI1)
{
    monitor.granted(key, 1, at(0s), at(60s));
    monitor.effect(key, 1, at(1s), true);
    monitor.completed(key, 1, at(1s), false);
    monitor.granted(key, 2, at(11s - 1us), at(71s));
    monitor.effect(key, 2, at(12s), true);
    EXPECT_EQ(brokenBy(monitor), "I1");
    EXPECT_EQ(monitor.firstViolations()[0].at, Duration(12s));
}

TEST_P(MonitorTest, AnEffectWithoutAGrantCountsToo)
{
    monitor.granted(key, 1, at(0s), at(60s));
    monitor.effect(key, 1, at(1s), true);
    monitor.effect(key, 2, at(2s), false);
    EXPECT_EQ(brokenBy(monitor), "I1");
}

TEST_P(MonitorTest, AReleaseAndALapseExcuseOneEffectEach)
{
    monitor.granted(key, 1, at(0s), at(5s));
    monitor.effect(key, 1, at(1s), true);
    monitor.granted(key, 2, at(5s), at(10s)); // takes over
    monitor.effect(key, 1, at(6s), true); // a displaced owner's: judged when it was displaced
    monitor.effect(key, 2, at(7s), true);
    monitor.released(key, 2, at(8s));
    monitor.granted(key, 3, at(8s), at(13s));
    monitor.effect(key, 3, at(9s), true);
    monitor.completed(key, 3, at(9s), false);
    EXPECT_EQ(monitor.violations(), 0U);
    monitor.granted(key, 4, at(10s), at(15s));
    monitor.effect(key, 4, at(11s), true); // nobody was displaced since the third one's
    EXPECT_EQ(brokenBy(monitor), "I1");
}

TEST_P(MonitorTest, AnAbandonedFinishedKeyExcusesNothing)
{
    for (const bool isFinished : {false, true}) {
        SCOPED_TRACE(isFinished);
        Monitor fresh(livingFor(10s), GetParam());
        fresh.granted(key, 1, at(0s), at(60s));
        fresh.effect(key, 1, at(1s), true);
        if (isFinished) {
            fresh.completed(key, 1, at(1s), false);
        }
        fresh.abandoned(key, at(2s));
        fresh.granted(key, 2, at(3s), at(63s));
        fresh.effect(key, 2, at(4s), true);
        EXPECT_EQ(brokenBy(fresh), isFinished ? "I1" : "");
    }
}

TEST_P(MonitorTest, APurgeBeginsANewLife)
{
    monitor.granted(key, 1, at(0s), at(60s));
    monitor.effect(key, 1, at(1s), true);
    monitor.completed(key, 1, at(1s), false);
    monitor.freed(key, at(2s));
    monitor.granted(key, 2, at(3s), at(63s));
    monitor.effect(key, 2, at(4s), true);
    EXPECT_EQ(monitor.violations(), 0U);
}

TEST_P(MonitorTest, AnotherAnswerBreaksI2)
{
    monitor.granted(key, 1, at(0s), at(60s));
    monitor.completed(key, 1, at(1s), false);
    monitor.replayed(key, 1, at(2s));
    EXPECT_EQ(monitor.violations(), 0U);
    monitor.replayed(key, 2, at(3s));
    EXPECT_EQ(brokenBy(monitor), "I2");
}

TEST_P(MonitorTest, AnOverwrittenAnswerBreaksI2WhetherOrNotTheStoreSaysSo)
{
    for (const bool admits : {false, true}) {
        SCOPED_TRACE(admits);
        Monitor fresh(livingFor(10s), GetParam());
        fresh.granted(key, 1, at(0s), at(60s));
        fresh.completed(key, 1, at(1s), false);
        fresh.completed(key, 2, at(2s), admits);
        EXPECT_EQ(brokenBy(fresh), "I2");
    }
}

TEST_P(MonitorTest, AReplayWithoutALivingResultBreaksI3)
{
    monitor.replayed(key, 1, at(0s)); // never asked for
    monitor.granted(key, 1, at(1s), at(61s));
    monitor.replayed(key, 1, at(2s)); // not yet done
    monitor.completed(key, 1, at(3s), false);
    monitor.replayed(key, 1, at(13s)); // its life is over
    EXPECT_EQ(brokenBy(monitor), "I3 I3 I3");
}

TEST_P(MonitorTest, LivesCountFromWhereThePolicySays)
{
    // Begun at 0, done at 4 s, shown at 9 s; 10 s long.
    const std::pair<ExpiryOrigin, Duration> ends[] = {
        {ExpiryOrigin::Begin, 10s}, {ExpiryOrigin::Completion, 14s}, {ExpiryOrigin::Sliding, 19s}};
    for (const auto &[from, end] : ends) {
        SCOPED_TRACE(end.count());
        Monitor fresh(livingFor(10s, from), GetParam());
        fresh.granted(key, 1, at(0s), at(60s));
        fresh.completed(key, 1, at(4s), false);
        fresh.replayed(key, 1, at(9s));
        Monitor over = fresh;
        fresh.replayed(key, 1, at(end - 1us));
        EXPECT_EQ(fresh.violations(), 0U);
        over.replayed(key, 1, at(end));
        EXPECT_EQ(brokenBy(over), "I3");
    }
}

TEST_P(MonitorTest, AConflictOnAFreeKeyBreaksI4)
{
    monitor.conflicted(key, at(0s));
    monitor.granted(key, 1, at(1s), at(2s));
    monitor.conflicted(key, at(2s - 1us)); // held
    monitor.conflicted(key, at(2s)); // its lease is over
    monitor.completed(key, 1, at(3s), false);
    monitor.conflicted(key, at(4s));
    EXPECT_EQ(brokenBy(monitor), "I4 I4 I4");
}

TEST_P(MonitorTest, ASuspendedKeyIsHeldByNobodyForEver)
{
    monitor.granted(key, 1, at(0s), at(2s));
    monitor.suspended(key, at(1s));
    monitor.conflicted(key, at(100s));
    monitor.refused(key, 1, at(100s));
    EXPECT_EQ(monitor.violations(), 0U);
    monitor.completed(key, 0, at(101s), false); // settled by the operator
    monitor.replayed(key, 0, at(102s));
    EXPECT_EQ(monitor.violations(), 0U);
}

TEST_P(MonitorTest, TwoOwnersAtOnceBreakI4)
{
    monitor.granted(key, 1, at(0s), at(5s));
    monitor.granted(key, 2, at(5s - 1us), at(10s));
    EXPECT_EQ(brokenBy(monitor), "I4");
    monitor.granted(key, 3, at(10s), std::nullopt);
    EXPECT_EQ(monitor.violations(), 1U);
    monitor.granted(key, 4, at(24h), std::nullopt); // without a lease an owner stays
    EXPECT_EQ(monitor.violations(), 2U);
}

TEST_P(MonitorTest, ARefusedOwnerBreaksI6)
{
    monitor.granted(key, 1, at(0s), at(5s));
    monitor.granted(key, 2, at(5s), at(10s));
    monitor.refused(key, 1, at(6s)); // it was displaced
    EXPECT_EQ(monitor.violations(), 0U);
    monitor.refused(key, 2, at(10s)); // its lease is over, and the store may be strict
    EXPECT_EQ(monitor.violations(), 0U);
    monitor.refused(key, 2, at(10s - 1us));
    EXPECT_EQ(brokenBy(monitor), "I6");
}

TEST_P(MonitorTest, AResultOrAReleaseOfNoOwnerBreaksI6)
{
    monitor.granted(key, 1, at(0s), at(5s));
    monitor.granted(key, 2, at(5s), at(10s));
    monitor.released(key, 1, at(6s));
    EXPECT_EQ(brokenBy(monitor), "I6");
    monitor.completed(key, 2, at(7s), false); // freed by then
    EXPECT_EQ(brokenBy(monitor), "I6 I6");
}

TEST_P(MonitorTest, ALateResultThatNobodyOvertookIsTheOwners)
{
    monitor.granted(key, 1, at(0s), at(5s));
    monitor.completed(key, 1, at(6s), false);
    monitor.replayed(key, 1, at(7s));
    EXPECT_EQ(monitor.violations(), 0U);
}

TEST_P(MonitorTest, AStoreThatForgotEverythingOwesNothing)
{
    monitor.granted(key, 1, at(0s), at(60s));
    monitor.granted(key + 1, 2, at(0s), at(60s));
    monitor.effect(key + 1, 2, at(1s), true);
    monitor.completed(key + 1, 2, at(1s), false);
    monitor.freedAll(at(2s));
    monitor.granted(key, 3, at(3s), at(63s));
    monitor.granted(key + 1, 4, at(3s), at(63s));
    monitor.effect(key + 1, 4, at(4s), true);
    monitor.refused(key, 1, at(5s));
    EXPECT_EQ(monitor.violations(), 0U);
}

TEST_P(MonitorTest, StuckTimeIsFromTheOwnersEndToTheKeys)
{
    monitor.granted(key, 1, at(1s), at(5s));
    monitor.orphaned(key, 1, at(2s));
    EXPECT_EQ(monitor.stuckTime(at(3s)), Duration(1s));
    EXPECT_EQ(monitor.stuckTime(at(9s)), Duration(3s)); // its lease ended at 5 s
    monitor.granted(key + 1, 2, at(9s), std::nullopt);
    monitor.orphaned(key + 1, 2, at(10s));
    EXPECT_EQ(monitor.stuckTime(at(12s)), Duration(3s + 2s));
    monitor.granted(key, 3, at(13s), at(20s)); // taken over
    monitor.completed(key, 3, at(14s), false);
    EXPECT_EQ(monitor.stuckTime(at(14s)), Duration(3s + 4s));
    monitor.abandoned(key + 1, at(15s)); // freed by hand
    EXPECT_EQ(monitor.stuckTime(at(1h)), Duration(3s + 5s));
    EXPECT_EQ(monitor.violations(), 0U);
}

TEST_P(MonitorTest, ADisplacedOwnersEndMakesNoKeyStuck)
{
    monitor.granted(key, 1, at(0s), at(5s));
    monitor.granted(key, 2, at(5s), at(60s));
    monitor.orphaned(key, 1, at(6s));
    EXPECT_EQ(monitor.stuckTime(at(10s)), Duration::zero());
    monitor.orphaned(key, 2, at(20s));
    monitor.orphaned(key, 2, at(25s)); // said twice
    EXPECT_EQ(monitor.stuckTime(at(30s)), Duration(10s));
    monitor.freedAll(at(30s));
    EXPECT_EQ(monitor.stuckTime(at(40s)), Duration(10s));
}

INSTANTIATE_TEST_SUITE_P(Keys, MonitorTest, testing::Values(0, 100),
    [](const auto &param) { return param.param == 0 ? "InTheTable" : "InTheArray"; });

TEST(Monitor, ShowsTheFirstAndCountsThemAll)
{
    Monitor monitor({}, 0);
    for (std::uint64_t i = 0; i < 2 * Monitor::shown; ++i) {
        monitor.violate(Invariant::Conservation, at(Duration(i)), u"%1"_s.arg(i));
    }
    EXPECT_EQ(monitor.violations(), 2 * Monitor::shown);
    ASSERT_EQ(monitor.firstViolations().size(), Monitor::shown);
    EXPECT_EQ(monitor.firstViolations().back().what.toStdString(), "19");
    EXPECT_EQ(monitor.firstViolations().back().at, Duration(19));
    EXPECT_EQ(toString(monitor.firstViolations().back().invariant).toStdString(), "I5");
}

} // namespace
} // namespace idem::sim
