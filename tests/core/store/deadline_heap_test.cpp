// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/deadline_heap.h"
#include "core/store/memory/record_map.h"

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
    return Record::make({"tenant", "caller", key}, std::size_t(number));
}

} // namespace

TEST(DeadlineHeap, AgreesWithAnOrderedMapUnderRandomWork)
{
    std::mt19937 random(7);
    const auto draw = [&random](unsigned below) { return int(random() % below); };
    std::vector<RecordPtr> records;
    for (int i = 0; i < 300; ++i) {
        records.push_back(makeRecord(i));
    }
    DeadlineHeap heap;
    std::map<Record *, Instant> model;
    for (int step = 0; step < 20'000; ++step) {
        Record &record = *records[std::size_t(draw(300))];
        if (model.erase(&record) > 0) {
            heap.remove(record);
        } else {
            const Instant when = at(draw(100));
            heap.push(record, when);
            model.emplace(&record, when);
        }
        ASSERT_EQ(heap.isEmpty(), model.empty());
        if (!model.empty()) {
            const auto earliest =
                std::ranges::min_element(model, {}, [](const auto &entry) { return entry.second; })->second;
            ASSERT_EQ(heap.topDeadline(), earliest);
            ASSERT_EQ(model.at(&heap.top()), earliest);
        }
    }
    Instant last = Instant::min();
    while (!heap.isEmpty()) {
        EXPECT_GE(heap.topDeadline(), last);
        last = heap.topDeadline();
        model.erase(&heap.top());
        heap.remove(heap.top());
    }
    EXPECT_TRUE(model.empty());
}

TEST(DeadlineHeap, RemovingWhatIsNotThereDoesNothing)
{
    DeadlineHeap heap;
    const RecordPtr first = makeRecord(1);
    const RecordPtr second = makeRecord(2);
    heap.push(*first, at(1));
    heap.remove(*second);
    EXPECT_EQ(&heap.top(), first.get());
    heap.remove(*first);
    heap.remove(*first);
    EXPECT_TRUE(heap.isEmpty());
}

TEST(RecordMap, TellsEqualHashesApart)
{
    RecordMap map;
    Record &first = map.insert(Record::make({"a", "b", "c"}, 42));
    Record &second = map.insert(Record::make({"a", "bc", ""}, 42));
    EXPECT_EQ(map.find(42, {"a", "b", "c"}), &first);
    EXPECT_EQ(map.find(42, {"a", "bc", ""}), &second);
    EXPECT_EQ(map.find(42, {"ab", "", "c"}), nullptr);
    EXPECT_EQ(map.find(43, {"a", "b", "c"}), nullptr);
    const RecordPtr removed = map.remove(first);
    EXPECT_EQ(removed->identity, (IdentityView {"a", "b", "c"}));
    EXPECT_EQ(map.find(42, {"a", "b", "c"}), nullptr);
    EXPECT_EQ(map.find(42, {"a", "bc", ""}), &second);
}

TEST(RecordMap, VisitsEveryRecordOnce)
{
    RecordMap map;
    for (int i = 0; i < 1000; ++i) {
        map.insert(makeRecord(i));
    }
    std::set<const Record *> seen;
    map.forEach([&](const Record &record) { EXPECT_TRUE(seen.insert(&record).second); });
    EXPECT_EQ(seen.size(), 1000U);
}

} // namespace idem::memory
