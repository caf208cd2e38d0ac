// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/engine.h"

#include <algorithm>

namespace idem::memory {

std::function<void()> Engine::gated(std::function<void()> call)
{
    return [gate = m_gate, call = std::move(call)] {
        if (const CallGate::Pass pass(*gate); pass.isOpen()) {
            call();
        }
    };
}

bool Engine::enqueue(Section &section, Record &record, const Attempt &attempt, Duration wait, BeginCallback &callback)
{
    if (!record.waits) {
        record.waits = std::make_unique<WaitList>();
    }
    auto &waiters = record.waits->waiters;
    if (waiters.size() >= std::size_t(m_policy.maxWaitersPerKey)) {
        return false;
    }
    const std::uint64_t id = section.shard.nextSerial++;
    const TimerId timer = m_scheduler.callAt(saturatingAdd(section.now, wait),
        gated([this, identity = record.identity.toIdentity(), hash = record.hash, id] {
            onWaitOver(identity, hash, id);
        }));
    waiters.push_back({id, attempt.fingerprint.toByteArray(), attempt.attemptId.toByteArray(),
        attempt.owner.toByteArray(), attempt.lease, std::move(callback), timer});
    ++section.shard.counters.waiting;
    armLeaseTimer(section, record);
    return true;
}

void Engine::armLeaseTimer(Section &section, Record &record)
{
    WaitList &waits = *record.waits;
    if (!record.leaseEnd || (waits.leaseTimer != 0 && waits.leaseTimerAt <= *record.leaseEnd)) {
        return; // a timer that is too early finds that out and is armed again
    }
    section.cancel(waits.leaseTimer);
    waits.leaseTimerSerial = section.shard.nextSerial++;
    waits.leaseTimerAt = *record.leaseEnd;
    waits.leaseTimer = m_scheduler.callAt(waits.leaseTimerAt,
        gated([this, identity = record.identity.toIdentity(), hash = record.hash, serial = waits.leaseTimerSerial] {
            onLeaseEnd(identity, hash, serial);
        }));
}

void Engine::settleWaiters(Section &section, Record &record)
{
    if (!record.waits) {
        return;
    }
    const bool isClosed = m_isClosed.load(std::memory_order_acquire);
    record.waits->waiters.remove_if([&](Waiter &waiter) {
        const Attempt attempt {
            record.identity, record.hash, waiter.fingerprint, waiter.attemptId, waiter.owner, waiter.lease};
        Record *same = &record;
        Verdict verdict = isClosed ? Verdict::rejected(RejectReason::Closed) : decide(section, same, attempt);
        if (verdict.kind == OutcomeKind::InProgress) {
            return false;
        }
        tellWaiter(section, record, waiter, std::move(verdict));
        return true;
    });
    if (record.waits->waiters.empty()) {
        dropWaits(section, record);
    } else {
        armLeaseTimer(section, record);
    }
}

void Engine::tellWaiter(Section &section, Record &record, Waiter &waiter, Verdict verdict)
{
    --section.shard.counters.waiting;
    section.cancel(waiter.deadlineTimer);
    countOutcome(section, &record, record.identity, verdict);
    section.wake({std::move(waiter.callback), record.identity.toIdentity(), std::move(verdict)});
}

void Engine::dropWaits(Section &section, Record &record)
{
    section.cancel(record.waits->leaseTimer);
    record.waits.reset();
}

void Engine::onWaitOver(const Identity &identity, std::size_t hash, std::uint64_t waiterId)
{
    Section section(*this, shardOf(hash));
    Record *const record = section.shard.records.find(hash, identity);
    if (!record || !record->waits) {
        return;
    }
    auto &waiters = record->waits->waiters;
    const auto isOurs = [waiterId](const Waiter &waiter) { return waiter.id == waiterId; };
    const auto ours = std::find_if(waiters.begin(), waiters.end(), isOurs);
    if (ours == waiters.end()) {
        return;
    }
    ours->deadlineTimer = 0; // this one: who settles must not wait for it
    settleWaiters(section, *record);
    if (!record->waits || std::find_if(waiters.begin(), waiters.end(), isOurs) == waiters.end()) {
        return; // told by the rules of begin
    }
    tellWaiter(section, *record, *ours, Verdict::describing(OutcomeKind::InProgress, *record, section.now));
    waiters.erase(ours);
    if (waiters.empty()) {
        dropWaits(section, *record);
    }
}

void Engine::onLeaseEnd(const Identity &identity, std::size_t hash, std::uint64_t serial)
{
    Section section(*this, shardOf(hash));
    Record *const record = section.shard.records.find(hash, identity);
    if (!record || !record->waits || record->waits->leaseTimerSerial != serial) {
        return;
    }
    record->waits->leaseTimer = 0; // this one
    settleWaiters(section, *record);
}

void Engine::close()
{
    m_isClosed.store(true, std::memory_order_release);
    m_scheduler.cancel(m_sweepTimer.exchange(0));
    for (Shard &shard : shards()) {
        Section section(*this, shard);
        shard.records.forEach([&](Record &record) { settleWaiters(section, record); });
    }
}

} // namespace idem::memory
