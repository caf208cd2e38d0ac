// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/model/differential.h"
#include "tests/core/store/model/history_gen.h"

#include <gtest/gtest.h>

namespace idem::test {

// Random histories on the store in memory and on the reference store: after each step both give the same answers, hold
// the same record and told the same events; at the end also the same counters and lists.

TEST(StoreModel, AnyHistoryIsTheReferences)
{
    expectNoDifference(3000, genHistory(), firstDifference);
}

TEST(StoreModel, AnyHistoryOfTheRustSeedIsTheReferences)
{
    expectNoDifference(700, genSeedHistory(Semantics::seedRust()), firstDifference);
}

TEST(StoreModel, AnyHistoryOfTheGoSeedIsTheReferences)
{
    expectNoDifference(700, genSeedHistory(Semantics::seedGo()), firstDifference);
}

TEST(StoreModel, AnyHistoryOfTheGoSeedOverASharedStoreIsTheReferences)
{
    expectNoDifference(700, genSeedHistory(Semantics::seedGoStore()), firstDifference);
}

} // namespace idem::test
