// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store.h"

#include <memory>
#include <ostream>

namespace idem::test {

/// One backend under the contract suite: makes stores on a clock that the suite moves.
class StoreHarness
{
public:
    virtual ~StoreHarness() = default;

    /// A new, empty store; the one before is gone.
    virtual Store &make(const Policy &policy) = 0;
    /// Moves the store's clock on, running its timers on the way.
    virtual void advance(Duration span) = 0;
    /// How many timers the store has scheduled, its sweep included.
    [[nodiscard]] virtual std::size_t pendingTimers() const = 0;
};

/// A row of the suite's parameter table.
struct Backend
{
    const char *name;
    std::unique_ptr<StoreHarness> (*makeHarness)();

    friend void PrintTo(const Backend &backend, std::ostream *out) { *out << backend.name; }
};

[[nodiscard]] std::unique_ptr<StoreHarness> makeMemoryHarness();

} // namespace idem::test
