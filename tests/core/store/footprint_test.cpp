// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory_store.h"
#include "tests/core/store/printing.h"
#include "tests/support/manual_time.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <malloc.h>
#include <unistd.h>

namespace idem {

using namespace std::chrono_literals;

// Keys that are used once leave nothing behind: not in the counters, and not in the memory of the process.

namespace {

constexpr qsizetype bodyBytes = 200;

/// Resident memory of this process: proc(5), the second number of statm, in pages.
double residentBytes()
{
    std::ifstream statm("/proc/self/statm");
    long total = 0;
    long resident = 0;
    statm >> total >> resident;
    EXPECT_GT(resident, 0);
    return double(resident) * double(::sysconf(_SC_PAGESIZE));
}

/// After what is free went back to the system.
double settledBytes()
{
    ::malloc_trim(0);
    return residentBytes();
}

/// 36 bytes, in the form of a UUID.
QByteArray keyOf(int number)
{
    std::array<char, 37> text {};
    std::snprintf(
        text.data(), text.size(), "%08x-5c1e-4000-8000-%012x", unsigned(number) * 2654435761U, unsigned(number));
    return {text.data(), qsizetype(text.size()) - 1};
}

class Footprint : public testing::Test
{
protected:
    static Policy quiet()
    {
        Policy policy;
        policy.sweepInterval = maxPolicyDuration;
        return policy;
    }
    Ownership own(int number)
    {
        const QByteArray key = keyOf(number);
        Outcome outcome = store.begin({"acme", "alice", key, "v1:payload", {}, "server-1"});
        Fresh *const fresh = std::get_if<Fresh>(&outcome);
        return fresh ? fresh->claim.detach() : Ownership {};
    }
    /// Begins and completes; false when either was refused.
    bool use(int number)
    {
        const Ownership owner = own(number);
        return owner.fence != Fence::None && store.complete(owner, Response {200, {}, body}).has_value();
    }
    void expectNothingCounted()
    {
        const Counters counters = store.counters();
        EXPECT_EQ(counters.records, 0U);
        EXPECT_EQ(counters.bytes, 0U);
        EXPECT_EQ(counters.byState, (std::array<std::uint64_t, StateCount> {}));
        EXPECT_EQ(counters.stuck, 0U);
        EXPECT_EQ(counters.waiting, 0U);
    }
    /// What is left of the growth since `start`, as a part of it.
    double leftOf(double start, double peak)
    {
        store.squeeze();
        const double left = (settledBytes() - start) / (peak - start);
        RecordProperty("leftPercent", int(left * 100));
        return left;
    }

    const QByteArray body = QByteArray(bodyBytes, 'b');
    test::ManualClock clock;
    test::ManualScheduler scheduler {clock};
    MemoryStore store {{.policy = quiet(), .clock = &clock, .scheduler = &scheduler}};
};

} // namespace

TEST_F(Footprint, AMillionSingleUseKeysLeaveNothing)
{
    constexpr int keys = 1'000'000;
    const double start = settledBytes();
    for (int i = 0; i < keys; ++i) {
        ASSERT_TRUE(use(i)) << i;
    }
    EXPECT_EQ(store.counters().records, std::uint64_t(keys));
    EXPECT_EQ(store.counters().state(State::Completed), std::uint64_t(keys));
    EXPECT_GE(store.counters().bytes, std::uint64_t(keys) * (36 + bodyBytes));
    const double peak = residentBytes();
    EXPECT_GE(peak - start, double(store.counters().bytes) * 0.9) << "what is counted is there";
    EXPECT_EQ(store.sweepNow(), 0U);
    clock.advance(24h);
    EXPECT_EQ(store.sweepNow(), std::uint64_t(keys));
    expectNothingCounted();
    EXPECT_EQ(store.counters().expired, std::uint64_t(keys));
    EXPECT_LE(leftOf(start, peak), 0.1);
}

TEST_F(Footprint, GenerationAfterGenerationNeedsNoMore)
{
    constexpr int generations = 8;
    constexpr int keys = 50'000;
    double first = 0;
    for (int generation = 0; generation < generations; ++generation) {
        for (int i = 0; i < keys; ++i) {
            ASSERT_TRUE(use(generation * keys + i));
        }
        clock.advance(24h);
        EXPECT_EQ(store.sweepNow(), std::uint64_t(keys));
        expectNothingCounted();
        // Without squeeze(): the tables stay, and the next generation lives in them.
        const double resident = settledBytes();
        first = generation == 0 ? resident : first;
        EXPECT_LE(resident, first + double(keys * bodyBytes) / 2) << "generation " << generation;
    }
}

TEST_F(Footprint, WhoStaysDoesNotKeepTheOthersMemory)
{
    constexpr int keys = 200'000;
    constexpr int every = 1000;
    static_cast<void>(store.find(RecordId {})); // from here on there is an index by id
    const double start = settledBytes();
    std::vector<Ownership> abandoned;
    for (int i = 0; i < keys; ++i) {
        if (i % every == 0) {
            ASSERT_NE(own(i).fence, Fence::None);
        } else if (i % every == 1) {
            abandoned.push_back(own(i));
        } else {
            ASSERT_TRUE(use(i)) << i;
        }
    }
    clock.advance(1h);
    for (const Ownership &owner : abandoned) {
        ASSERT_TRUE(store.release(owner));
    }
    const double peak = residentBytes();
    const RecordId id = store.find({"acme", "alice", keyOf(2)})->id;
    EXPECT_TRUE(store.find(id));
    clock.advance(23h);
    EXPECT_EQ(store.sweepNow(), std::uint64_t(keys - 2 * keys / every));
    EXPECT_FALSE(store.find(id));
    EXPECT_EQ(store.counters().records, std::uint64_t(2 * keys / every));
    EXPECT_EQ(store.counters().state(State::LeaseExpired), std::uint64_t(keys / every));
    EXPECT_EQ(store.counters().state(State::Abandoned), std::uint64_t(keys / every));
    EXPECT_EQ(store.counters().stuck, std::uint64_t(keys / every));
    EXPECT_LE(leftOf(start, peak), 0.1);

    clock.advance(1h);
    EXPECT_EQ(store.sweepNow(), std::uint64_t(keys / every)) << "the abandoned ones";
    for (int i = 0; i < keys; i += every) {
        const auto view = store.find({"acme", "alice", keyOf(i)});
        ASSERT_TRUE(view) << i;
        EXPECT_EQ(store.find(view->id)->fence, view->fence);
        ASSERT_TRUE(store.abandon(view->identity, {view->fence, QStringLiteral("gone"), AbandonAs::Release, false}));
    }
    clock.advance(24h);
    EXPECT_EQ(store.sweepNow(), std::uint64_t(keys / every));
    expectNothingCounted();
    EXPECT_LE(leftOf(start, peak), 0.1);
}

} // namespace idem
