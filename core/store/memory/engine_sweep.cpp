// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/engine.h"

#include <thread>

namespace idem::memory {

namespace {

/// The bounds of one hold of a shard's lock.
constexpr std::size_t maxStepsPerHold = 1000;
constexpr auto maxHold = std::chrono::milliseconds(1);
constexpr std::size_t stepsPerClockReading = 32;

} // namespace

std::uint64_t Engine::sweepNow()
{
    std::uint64_t removed = 0;
    // What comes due while this pass runs is the next one's: so it ends, whatever the load.
    const Instant horizon = m_clock.now();
    for (Shard &shard : shards()) {
        SweepStep step;
        while (!step.isDone) {
            step = sweepPart(shard, horizon);
            removed += step.removed;
            if (!step.isDone) {
                std::this_thread::yield();
            }
        }
    }
    return removed;
}

Engine::SweepStep Engine::sweepPart(Shard &shard, Instant horizon)
{
    Section section(*this, shard);
    SweepStep step;
    // The real time, whatever the store's clock is: the bound protects other threads.
    const auto start = SystemClock::instance().now();
    for (std::size_t count = 1; count <= maxStepsPerHold; ++count) {
        if (!shard.expiries.isEmpty() && shard.expiries.topDeadline() <= horizon) {
            step.removed += sweepExpired(section, horizon) ? 1 : 0;
        } else if (noteDueWatches(shard, horizon, 1)) {
            step.isDone = true;
            return step;
        }
        if (count % stepsPerClockReading == 0 && SystemClock::instance().now() - start > maxHold) {
            break;
        }
    }
    return step;
}

bool Engine::sweepExpired(Section &section, Instant horizon)
{
    Record &record = section.shard.expiries.top();
    if (!record.isExpired(horizon)) { // prolonged by a replay since it was filed
        section.shard.expiries.remove(record);
        section.shard.expiries.push(record, *record.expiresAt);
        return false;
    }
    noteExpired(section, record);
    removeRecord(section, record);
    return true;
}

bool Engine::noteDueWatches(Shard &shard, Instant now, std::size_t limit)
{
    for (std::size_t count = 0; !shard.watches.isEmpty() && shard.watches.topDeadline() <= now; ++count) {
        if (count == limit) {
            return false;
        }
        Record &record = shard.watches.top();
        const Instant due = record.watchAt(m_policy.stuckAfter);
        if (due > now) { // renewed since it was filed
            shard.watches.remove(record);
            shard.watches.push(record, due);
        } else {
            noteWatch(shard, record, now);
        }
    }
    return true;
}

} // namespace idem::memory
