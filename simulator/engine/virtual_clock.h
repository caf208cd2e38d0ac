// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

#include <atomic>

namespace idem::sim {

/// Virtual time: stands still until it is set. It starts at zero; civil time starts on 1 January 2026, 00:00 UTC, in
/// every run. Thread-safety: read from any thread, set from one.
class VirtualClock final : public Clock
{
public:
    [[nodiscard]] Instant now() const override;
    [[nodiscard]] WallTime wallNow() const override;

    /// Precondition: `moment` is not before now().
    void advanceTo(Instant moment);

private:
    std::atomic<Duration::rep> m_now {0};
};

} // namespace idem::sim
