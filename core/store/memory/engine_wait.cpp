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
    auto &waits = record.needExtras().waits;
    if (!waits) {
        waits = std::make_unique<WaitList>();
    }
    auto &waiters = waits->waiters;
    if (waiters.size() >= std::size_t(m_policy.maxWaitersPerKey)) {
        return false;
    }
    const std::uint64_t id = section.shard.nextSerial++;
    const TimerId timer = m_scheduler.callAt(saturatingAdd(section.now, wait),
        gated([this, identity = record.identity().toIdentity(), hash = attempt.hash, id] {
            onWaitOver(identity, hash, id);
        }));
    const BeginRequest &request = attempt.request;
    waiters.push_back({id, request.fingerprint.toByteArray(), request.attemptId.toByteArray(),
        request.owner.toByteArray(), request.lease, std::move(callback), timer});
    ++section.shard.counters.waiting;
    armLeaseTimer(section, record);
    return true;
}

void Engine::armLeaseTimer(Section &section, Record &record)
{
    WaitList &waits = *record.waits();
    const auto leaseEnd = record.leaseEnd();
    if (!leaseEnd || (waits.leaseTimer != 0 && waits.leaseTimerAt <= *leaseEnd)) {
        return; // a timer that is too early finds that out and is armed again
    }
    section.cancel(waits.leaseTimer);
    waits.leaseTimerSerial = section.shard.nextSerial++;
    waits.leaseTimerAt = *leaseEnd;
    const IdentityView identity = record.identity();
    waits.leaseTimer = m_scheduler.callAt(waits.leaseTimerAt,
        gated([this, identity = identity.toIdentity(), hash = hashOf(identity), serial = waits.leaseTimerSerial] {
            onLeaseEnd(identity, hash, serial);
        }));
}

Record &Engine::settleWaiters(Section &section, Record &record)
{
    if (!record.waits()) {
        return record;
    }
    Record *current = &record;
    const bool isClosed = m_isClosed.load(std::memory_order_acquire);
    const std::size_t hash = hashOf(record.identity());
    auto &waiters = record.waits()->waiters; // moves along with the record
    waiters.remove_if([&](Waiter &waiter) {
        const IdentityView identity = current->identity();
        const BeginRequest request {identity.tenant, identity.caller, identity.key, waiter.fingerprint,
            waiter.attemptId, waiter.owner, waiter.lease};
        Verdict verdict =
            isClosed ? Verdict::rejected(RejectReason::Closed) : decide(section, current, {request, hash});
        if (verdict.kind == OutcomeKind::InProgress) {
            return false;
        }
        tellWaiter(section, *current, waiter, std::move(verdict));
        return true;
    });
    if (waiters.empty()) {
        dropWaits(section, *current);
    } else {
        armLeaseTimer(section, *current);
    }
    return *current;
}

void Engine::tellWaiter(Section &section, Record &record, Waiter &waiter, Verdict verdict)
{
    --section.shard.counters.waiting;
    section.cancel(waiter.deadlineTimer);
    countOutcome(section, &record, record.identity(), verdict);
    section.wake({std::move(waiter.callback), record.identity().toIdentity(), std::move(verdict)});
}

void Engine::dropWaits(Section &section, Record &record)
{
    section.cancel(record.waits()->leaseTimer);
    record.extras->waits.reset();
}

void Engine::onWaitOver(const Identity &identity, std::size_t hash, std::uint64_t waiterId)
{
    Section section(*this, shardOf(hash), hash);
    Record *record = section.shard.records.find(hash, identity);
    if (!record || !record->waits()) {
        return;
    }
    auto &waiters = record->waits()->waiters;
    const auto isOurs = [waiterId](const Waiter &waiter) { return waiter.id == waiterId; };
    const auto ours = std::find_if(waiters.begin(), waiters.end(), isOurs);
    if (ours == waiters.end()) {
        return;
    }
    ours->deadlineTimer = 0; // this one: who settles must not wait for it
    record = &settleWaiters(section, *record);
    if (!record->waits() || std::find_if(waiters.begin(), waiters.end(), isOurs) == waiters.end()) {
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
    Section section(*this, shardOf(hash), hash);
    Record *const record = section.shard.records.find(hash, identity);
    if (!record || !record->waits() || record->waits()->leaseTimerSerial != serial) {
        return;
    }
    record->waits()->leaseTimer = 0; // this one
    settleWaiters(section, *record);
}

void Engine::close()
{
    m_isClosed.store(true, std::memory_order_release);
    m_scheduler.cancel(m_sweepTimer.exchange(0));
    for (Guarded<Shard> &guarded : shards()) {
        Section section(*this, guarded);
        section.shard.records.forEach([&](Record &record) { settleWaiters(section, record); });
    }
}

} // namespace idem::memory
