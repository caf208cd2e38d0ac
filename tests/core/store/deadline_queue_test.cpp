// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/deadline_queue.h"
#include "core/store/memory/record_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace idem::memory {

namespace {

Instant at(int tick)
{
    return Instant(Duration(tick));
}

RecordPtr makeRecord(int number)
{
    const QByteArray key = QByteArray::number(number);
    return Record::make({"tenant", "caller", key}, {});
}

} // namespace

TEST(DeadlineQueue, AgreesWithAnOrderedMapUnderRandomWork)
{
    std::mt19937 random(7);
    const auto draw = [&random](unsigned below) { return int(random() % below); };
    std::vector<RecordPtr> records;
    for (int i = 0; i < 300; ++i) {
        records.push_back(makeRecord(i));
    }
    DeadlineQueue queue;
    std::map<Record *, Instant> model;
    for (int step = 0; step < 20'000; ++step) {
        Record &record = *records[std::size_t(draw(300))];
        if (model.erase(&record) > 0) {
            queue.remove(record);
        } else {
            const Instant when = at(draw(100));
            queue.push(record, when);
            model.emplace(&record, when);
        }
        ASSERT_EQ(queue.isEmpty(), model.empty());
        if (!model.empty()) {
            const auto earliest =
                std::ranges::min_element(model, {}, [](const auto &entry) { return entry.second; })->second;
            ASSERT_EQ(queue.topDeadline(), earliest);
            ASSERT_EQ(model.at(&queue.top()), earliest);
        }
    }
    Instant last = Instant::min();
    while (!queue.isEmpty()) {
        EXPECT_GE(queue.topDeadline(), last);
        last = queue.topDeadline();
        model.erase(&queue.top());
        queue.remove(queue.top());
    }
    EXPECT_TRUE(model.empty());
}

TEST(DeadlineQueue, RemovingWhatIsNotThereDoesNothing)
{
    DeadlineQueue queue;
    const RecordPtr first = makeRecord(1);
    const RecordPtr second = makeRecord(2);
    queue.push(*first, at(1));
    queue.remove(*second);
    EXPECT_EQ(&queue.top(), first.get());
    queue.remove(*first);
    queue.remove(*first);
    EXPECT_TRUE(queue.isEmpty());
}

TEST(DeadlineQueue, OneThatStaysDoesNotKeepThePlacesOfThoseThatPass)
{
    DeadlineQueue queue;
    const RecordPtr stays = makeRecord(0);
    const RecordPtr passes = makeRecord(1);
    queue.push(*stays, at(1));
    for (int i = 0; i < 100'000; ++i) {
        queue.push(*passes, at(2 + i));
        const RecordPtr behind = makeRecord(2);
        queue.push(*behind, at(3 + i)); // so that the one before it leaves a gap
        queue.remove(*passes);
        queue.remove(*behind);
    }
    EXPECT_EQ(&queue.top(), stays.get());
    EXPECT_EQ(queue.peek(0), stays.get());
    EXPECT_EQ(queue.peek(1), nullptr);
    queue.remove(*stays);
    EXPECT_TRUE(queue.isEmpty());
}

} // namespace idem::memory
