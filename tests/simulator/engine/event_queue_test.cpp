// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/event_queue.h"
#include "simulator/engine/random.h"

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

Event at(std::int64_t us, std::uint64_t subject)
{
    return {.at = Instant(Duration(us)), .subject = subject};
}

TEST(EventQueue, IsAStableSort)
{
    const KeyedRandom random(1);
    for (std::uint64_t round = 0; round < 50; ++round) {
        EventQueue queue;
        std::vector<std::pair<Event, int>> pushed;
        const std::uint64_t count = random.bits(0, round) % 400;
        for (std::uint64_t i = 0; i < count; ++i) {
            // Few moments, so that many events share one.
            const Event event = at(static_cast<std::int64_t>(random.bits(1, round * 1000 + i) % 20), i);
            const bool isTimeOut = random.bits(2, round * 1000 + i) % 3 == 0;
            pushed.emplace_back(event, isTimeOut ? 1 : 0);
            queue.push(event, isTimeOut ? Tie::TimeOut : Tie::Ordinary);
        }
        std::stable_sort(pushed.begin(), pushed.end(), [](const auto &left, const auto &right) {
            return std::pair(left.first.at, left.second) < std::pair(right.first.at, right.second);
        });
        for (const auto &[event, tie] : pushed) {
            ASSERT_FALSE(queue.isEmpty());
            EXPECT_EQ(queue.top().subject, event.subject);
            const Event popped = queue.pop();
            ASSERT_EQ(popped.subject, event.subject);
            ASSERT_EQ(popped.at, event.at);
        }
        EXPECT_TRUE(queue.isEmpty());
    }
}

TEST(EventQueue, StaysInOrderWhenPushesAndPopsMix)
{
    const KeyedRandom random(2);
    EventQueue queue;
    Instant last {};
    std::size_t size = 0;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        if (queue.isEmpty() || random.bits(0, i) % 5 < 3) {
            // Never before what was popped, as in a simulation.
            const auto later = static_cast<std::int64_t>(random.bits(1, i) % 1000);
            queue.push(at(last.time_since_epoch().count() + later, i));
            ++size;
        } else {
            const Event event = queue.pop();
            --size;
            ASSERT_GE(event.at, last);
            last = event.at;
        }
        ASSERT_EQ(queue.size(), size);
    }
}

TEST(EventQueue, AnAnswerBeatsATimeOutOfItsMicrosecond)
{
    EventQueue queue;
    queue.push(at(7, 1), Tie::TimeOut);
    queue.push(at(7, 2));
    queue.push(at(6, 3), Tie::TimeOut);
    EXPECT_EQ(queue.pop().subject, 3U);
    EXPECT_EQ(queue.pop().subject, 2U);
    queue.push(at(7, 4)); // pushed late, still first
    EXPECT_EQ(queue.pop().subject, 4U);
    EXPECT_EQ(queue.pop().subject, 1U);
}

} // namespace
} // namespace idem::sim
