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
    for (Guarded<Shard> &guarded : shards()) {
        SweepStep step;
        while (!step.isDone) {
            step = sweepPart(guarded, horizon);
            removed += step.removed;
            if (m_onSweepHold) {
                m_onSweepHold(step.hold);
            }
            if (!step.isDone) {
                std::this_thread::yield();
            }
        }
    }
    return removed;
}

Engine::SweepStep Engine::sweepPart(Guarded<Shard> &guarded, Instant horizon)
{
    Section section(*this, guarded);
    SweepStep step;
    // The real time, whatever the store's clock is: the bound protects other threads.
    const Clock &realTime = SystemClock::instance();
    const Instant start = realTime.now();
    const bool freesExpired = m_policy.semantics.freesExpired;
    for (std::size_t count = 1; count <= maxStepsPerHold && !step.isDone; ++count) {
        DeadlineQueue &expiries = section.shard.expiries;
        if (freesExpired && !expiries.isEmpty() && expiries.topDeadline() <= horizon) {
            prefetchExpiries(section.shard);
            step.removed += sweepExpired(section, horizon) ? 1 : 0;
        } else {
            step.isDone = noteDueWatches(section.shard, horizon, 1);
        }
        if (count % stepsPerClockReading == 0 && realTime.now() - start > maxHold) {
            break;
        }
    }
    step.hold = realTime.now() - start;
    return step;
}

void Engine::prefetchExpiries(const Shard &shard) const
{
    constexpr std::size_t recordsAhead = 16;
    constexpr std::size_t placesAhead = 8;
    constexpr std::size_t cacheLine = 64;
    if (const Record *const record = shard.expiries.peek(recordsAhead)) {
        __builtin_prefetch(record);
        __builtin_prefetch(reinterpret_cast<const char *>(record) + cacheLine);
    }
    if (const Record *const record = shard.expiries.peek(placesAhead)) {
        shard.records.prefetchSlot(hashOf(record->identity()));
    }
}

bool Engine::sweepExpired(Section &section, Instant horizon)
{
    Record &record = section.shard.expiries.top();
    if (!record.isExpired(horizon)) { // prolonged by a replay since it was filed
        section.shard.expiries.remove(record);
        section.shard.expiries.push(record, record.deadline);
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
