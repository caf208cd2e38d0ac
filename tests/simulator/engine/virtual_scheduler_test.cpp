// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/trace.h"
#include "simulator/engine/virtual_clock.h"
#include "simulator/engine/virtual_scheduler.h"

#include <gtest/gtest.h>

#include <string>

namespace idem::sim {
namespace {

using namespace std::chrono_literals;

class VirtualSchedulerTest : public testing::Test
{
protected:
    /// Fires what is due until `end`, as a run does.
    void advance(Duration end)
    {
        while (!queue.isEmpty() && queue.top().at <= Instant(end)) {
            const Event event = queue.pop();
            if (scheduler.isPending(event.subject)) {
                clock.advanceTo(event.at);
                scheduler.fire(event.subject);
            }
        }
        clock.advanceTo(Instant(end));
    }
    std::function<void()> note(char name)
    {
        return [this, name] { log += name + std::to_string(clock.now().time_since_epoch() / 1s) + ' '; };
    }

    VirtualClock clock;
    EventQueue queue;
    VirtualScheduler scheduler {queue, clock};
    std::string log;
};

TEST_F(VirtualSchedulerTest, CallsOnceAtItsMoment)
{
    scheduler.callAt(Instant(2s), note('b'));
    scheduler.callAt(Instant(1s), note('a'));
    scheduler.callAt(Instant(2s), note('c'));
    EXPECT_EQ(scheduler.pendingCalls(), 3U);
    EXPECT_EQ(log, "");
    advance(1s);
    EXPECT_EQ(log, "a1 ");
    advance(10s);
    EXPECT_EQ(log, "a1 b2 c2 ");
    EXPECT_EQ(scheduler.pendingCalls(), 0U);
}

TEST_F(VirtualSchedulerTest, ThePastMeansNow)
{
    advance(5s);
    scheduler.callAt(Instant(1s), note('a'));
    EXPECT_EQ(log, "");
    advance(5s);
    EXPECT_EQ(log, "a5 ");
}

TEST_F(VirtualSchedulerTest, RepeatsInTheBackground)
{
    const TimerId id = scheduler.every(2s, note('t'));
    EXPECT_TRUE(scheduler.isBackground(id));
    EXPECT_EQ(scheduler.pendingCalls(), 0U);
    advance(7s);
    EXPECT_EQ(log, "t2 t4 t6 ");
    scheduler.cancel(id);
    EXPECT_FALSE(scheduler.isPending(id));
    advance(20s);
    EXPECT_EQ(log, "t2 t4 t6 ");
}

TEST_F(VirtualSchedulerTest, ACancelledCallNeverComes)
{
    const TimerId id = scheduler.callAt(Instant(1s), note('a'));
    scheduler.cancel(id);
    scheduler.cancel(id);
    scheduler.cancel(12345);
    EXPECT_EQ(scheduler.pendingCalls(), 0U);
    advance(2s);
    EXPECT_EQ(log, "");
}

TEST_F(VirtualSchedulerTest, ACallMayCancelItselfAndScheduleAnother)
{
    TimerId id = 0;
    id = scheduler.every(1s, [&] {
        note('t')();
        scheduler.cancel(id);
        scheduler.callAt(Instant(4s), note('n'));
    });
    advance(9s);
    EXPECT_EQ(log, "t1 n4 ");
    EXPECT_EQ(scheduler.pendingCalls(), 0U);
}

TEST(VirtualClock, StandsStillAndStartsInEveryRunAtTheSameMoment)
{
    VirtualClock clock;
    EXPECT_EQ(clock.now(), Instant());
    // 1 January 2026, 00:00 UTC in seconds since 1970: date -u -d 2026-01-01 +%s
    EXPECT_EQ(clock.wallNow().time_since_epoch(), Duration(1'767'225'600s));
    clock.advanceTo(Instant(90s));
    EXPECT_EQ(clock.now(), Instant(90s));
    EXPECT_EQ(clock.wallNow().time_since_epoch(), Duration(1'767'225'690s));
}

TEST(Trace, DependsOnWordsAndTheirOrder)
{
    Trace empty;
    Trace oneTwo;
    oneTwo.add(1);
    oneTwo.add(2);
    Trace twoOne;
    twoOne.add(2);
    twoOne.add(1);
    Trace again;
    again.add(1);
    again.add(2);
    EXPECT_EQ(oneTwo.hash(), again.hash());
    EXPECT_NE(oneTwo.hash(), twoOne.hash());
    EXPECT_NE(oneTwo.hash(), empty.hash());
    again.add(0);
    EXPECT_NE(oneTwo.hash(), again.hash());
}

} // namespace
} // namespace idem::sim
