// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/record_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace idem::memory {

namespace {

RecordPtr makeRecord(int number)
{
    const QByteArray key = QByteArray::number(number);
    return Record::make({"tenant", "caller", key}, {});
}

} // namespace

TEST(RecordIndex, TellsEqualHashesApart)
{
    RecordIndex index;
    EXPECT_EQ(index.find(42, {"a", "b", "c"}), nullptr) << "an empty one";
    Record &first = index.insert(42, Record::make({"a", "b", "c"}, {}));
    Record &second = index.insert(42, Record::make({"a", "bc", ""}, {}));
    EXPECT_EQ(index.find(42, {"a", "b", "c"}), &first);
    EXPECT_EQ(index.find(42, {"a", "bc", ""}), &second);
    EXPECT_EQ(index.find(42, {"ab", "", "c"}), nullptr);
    EXPECT_EQ(index.find(43, {"a", "b", "c"}), nullptr);
    const RecordPtr removed = index.remove(42, first);
    EXPECT_EQ(removed->identity(), (IdentityView {"a", "b", "c"}));
    EXPECT_EQ(index.find(42, {"a", "b", "c"}), nullptr);
    EXPECT_EQ(index.find(42, {"a", "bc", ""}), &second);
}

TEST(RecordIndex, AReplacedRecordIsFoundAtItsNewAddress)
{
    RecordIndex index;
    Record &old = index.insert(7, makeRecord(1));
    RecordPtr fresh = makeRecord(1);
    Record *const address = fresh.get();
    const RecordPtr replaced = index.replace(7, old, std::move(fresh));
    EXPECT_EQ(replaced.get(), &old);
    EXPECT_EQ(index.find(7, {"tenant", "caller", "1"}), address);
    EXPECT_EQ(index.size(), 1U);
}

TEST(RecordIndex, VisitsEveryRecordOnce)
{
    RecordIndex index;
    for (int i = 0; i < 1000; ++i) {
        index.insert(std::size_t(i), makeRecord(i));
    }
    std::set<const Record *> seen;
    index.forEach([&](const Record &record) { EXPECT_TRUE(seen.insert(&record).second); });
    EXPECT_EQ(seen.size(), 1000U);
}

TEST(RecordIndex, AgreesWithAMapUnderRandomWork)
{
    // Few hashes, at the table's end too, so that runs of places are long, wrap around and are shifted back.
    std::mt19937 random(11);
    const auto hashOf = [](int number) { return std::size_t(number % 13) - 6; };
    RecordIndex index;
    std::map<int, Record *> model;
    for (int step = 0; step < 40'000; ++step) {
        const int number = int(random() % 400);
        const auto found = model.find(number);
        const QByteArray key = QByteArray::number(number);
        ASSERT_EQ(
            index.find(hashOf(number), {"tenant", "caller", key}), found == model.end() ? nullptr : found->second);
        if (found == model.end()) {
            model[number] = &index.insert(hashOf(number), makeRecord(number));
        } else {
            const RecordPtr removed = index.remove(hashOf(number), *found->second);
            ASSERT_EQ(removed.get(), found->second);
            model.erase(found);
        }
        if (step % 5000 == 0) {
            index.squeeze();
        }
        ASSERT_EQ(index.size(), model.size());
    }
    for (const auto &[number, record] : model) {
        const QByteArray key = QByteArray::number(number);
        EXPECT_EQ(index.find(hashOf(number), {"tenant", "caller", key}), record);
    }
}

} // namespace idem::memory
