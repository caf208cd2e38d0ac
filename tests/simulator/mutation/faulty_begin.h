// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/simulator/mutation/faulty_stores.h"

namespace idem::test {

/// makeFaulty() for those that answer begin wrongly; null for any other fault.
[[nodiscard]] std::unique_ptr<Store> makeFaultyBegin(StoreFault fault, std::unique_ptr<Store> within);

} // namespace idem::test
