// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace idem {

/// Names one scheduled call; 0 is never used.
using TimerId = std::uint64_t;

/// Runs calls later. Injected: a thread of its own in production (ThreadScheduler), the event queue in the simulator,
/// so that a store's time-outs and sweeps run on the same time as its clock.
///
/// Thread-safety: every function may be called from any thread; callbacks run on the scheduler's thread, never inside
/// callAt(), every() or cancel().
class Scheduler
{
public:
    virtual ~Scheduler() = default;

    /// Runs `call` once, at `when` or as soon after as possible; a moment in the past means at once.
    virtual TimerId callAt(Instant when, std::function<void()> call) = 0;

    /// Runs `call` each `interval` (> 0) until cancelled. A missed tick is not made up for.
    virtual TimerId every(Duration interval, std::function<void()> call) = 0;

    /// Forgets a call. On return it has finished or will never run, except when called from inside a callback of this
    /// scheduler. An unknown id is ignored.
    virtual void cancel(TimerId id) = 0;
};

/// The production scheduler: a thread of its own that sleeps until the next call is due. It needs no QCoreApplication,
/// without which Qt delivers no timer event on any thread, so that any host is served. Delays of any length are waited
/// for in parts of a second at most, which bounds how late a call is after a suspend of the machine.
class ThreadScheduler final : public Scheduler
{
public:
    explicit ThreadScheduler(const Clock &clock = SystemClock::instance());
    ~ThreadScheduler() override;
    ThreadScheduler(const ThreadScheduler &) = delete;
    ThreadScheduler &operator=(const ThreadScheduler &) = delete;

    TimerId callAt(Instant when, std::function<void()> call) override;
    TimerId every(Duration interval, std::function<void()> call) override;
    void cancel(TimerId id) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace idem
