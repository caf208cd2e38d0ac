// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory_store.h"
#include "tests/core/store/model/describe.h"
#include "tests/support/manual_time.h"

#include <gtest/gtest.h>

#include <ctime>

namespace idem::test {

// "No rule of the store compares civil time": neither the zone of the process nor a jump of its clock changes anything
// but the two moments that are shown.

namespace {

/// A zone for this process, until the end of the scope.
class Zone
{
public:
    explicit Zone(const char *name)
        : m_before(qgetenv("TZ"))
        , m_wasSet(qEnvironmentVariableIsSet("TZ"))
    {
        qputenv("TZ", name);
        tzset();
    }
    ~Zone()
    {
        m_wasSet ? qputenv("TZ", m_before) : qunsetenv("TZ");
        tzset();
    }
    Zone(const Zone &) = delete;
    Zone &operator=(const Zone &) = delete;

private:
    QByteArray m_before;
    bool m_wasSet;
};

/// A store's life around `start`, in words; `jump` moves the civil clock between the steps.
std::string story(WallTime start, Duration jump)
{
    ManualClock clock;
    clock.setWall(start);
    ManualScheduler scheduler(clock);
    MemoryStoreOptions options;
    options.clock = &clock;
    options.scheduler = &scheduler;
    options.policy.lease = 30s;
    options.policy.ttl = 2h;
    options.policy.sweepInterval = 10min;
    MemoryStore store(std::move(options));

    std::string told;
    const auto pass = [&](Duration span) {
        scheduler.advance(span);
        clock.setWall(clock.wallNow() + jump);
    };
    const auto begin = [&] {
        Begun begun = toBegun(store.begin({"acme", "alice", "order-1", "v1:payload"}));
        Ownership owner {{"acme", "alice", "order-1"}, begun.issued.fence, begun.issued.token};
        begun.issued.token = {};
        begun.storedAt = {};
        told += describe(begun) + '\n';
        return owner;
    };
    const auto look = [&] {
        auto view = store.find(Identity {"acme", "alice", "order-1"});
        if (view) {
            view->createdWall = {};
            view->changedWall = {};
        }
        told += describe(view) + '\n';
    };
    begin();
    pass(30s - 1us);
    begin();
    pass(1us);
    const Ownership owner = begin();
    pass(20s);
    told += describe(store.renew(owner)) + '\n';
    look();
    pass(29s);
    told += describe(store.complete(owner, Response {201, {}, QByteArray("done")})) + '\n';
    pass(2h - 1us);
    begin();
    look();
    pass(1us);
    look();
    begin();
    return told;
}

WallTime at(std::int64_t secondsSinceEpoch)
{
    return WallTime(std::chrono::seconds(secondsSinceEpoch));
}

const WallTime usual = at(1'767'225'600); // 2026-01-01T00:00:00Z
// From the tz database: Newfoundland leaves its standard time of UTC-3:30 on 2026-03-08 at 02:00, which is 05:30Z. The
// first lease ends after it.
const WallTime springForward = at(1'772'947'800 - 25);

} // namespace

TEST(CivilTime, TheZoneChangesNothing)
{
    const std::string expected = story(usual, 0s);
    ASSERT_NE(expected.find("took over"), std::string::npos) << expected;
    ASSERT_NE(expected.find("replay"), std::string::npos) << expected;
    for (const char *name : {"UTC", "Pacific/Kiritimati", "America/St_Johns"}) {
        const Zone zone(name);
        EXPECT_EQ(story(usual, 0s), expected) << name;
        EXPECT_EQ(story(springForward, 0s), expected) << name << ", over a change of its daylight saving time";
    }
}

TEST(CivilTime, AJumpOfTheClockChangesNothing)
{
    const std::string expected = story(usual, 0s);
    for (const Duration jump :
        {Duration(-1us), Duration(-1h), Duration(-24h * 365), Duration(1h), Duration(24h * 365)}) {
        EXPECT_EQ(story(usual, jump), expected) << jump.count() << " us between all steps";
    }
}

TEST(CivilTime, TheShownMomentsAreTheClocks)
{
    ManualClock clock;
    ManualScheduler scheduler(clock);
    MemoryStoreOptions options;
    options.clock = &clock;
    options.scheduler = &scheduler;
    MemoryStore store(std::move(options));
    clock.setWall(at(2'000));
    const Begun begun = toBegun(store.begin({"acme", "alice", "order-1"}));
    clock.setWall(at(1'000)); // back, while the operation runs
    const Ownership owner {{"acme", "alice", "order-1"}, begun.issued.fence, begun.issued.token};
    ASSERT_TRUE(store.complete(owner, Response {201, {}, {}}));
    const auto view = store.find(owner.identity);
    ASSERT_TRUE(view);
    EXPECT_EQ(view->createdWall, at(2'000));
    EXPECT_EQ(view->changedWall, at(1'000));
    EXPECT_EQ(toBegun(store.begin({"acme", "alice", "order-1"})).storedAt, at(1'000));
}

} // namespace idem::test
