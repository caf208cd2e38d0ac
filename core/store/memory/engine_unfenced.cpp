// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/engine.h"

// What the presets of the seeds do in place of the product's rules: see Semantics.

namespace idem::memory {

using namespace Qt::StringLiterals;

Result<Completion> Engine::storeUnfenced(
    Section &section, const OwnershipView &owner, std::size_t hash, const Answer &answer, bool isFinalAnswer)
{
    if (m_isClosed.load(std::memory_order_acquire)) {
        return tl::unexpected(storeClosed());
    }
    if (m_keyCheck.check(owner.identity.key)) {
        return tl::unexpected(StoreError {StoreErrorCode::Invalid, u"The idempotency key is malformed."_s});
    }
    Record *record = section.shard.records.find(hash, owner.identity);
    if (record && record->isExpired(section.now)) {
        noteExpired(section, *record);
        removeRecord(section, *record);
        record = nullptr;
    }
    const bool overwrites = record && record->isFinished();
    if (!record) {
        const BeginRequest nobodys {owner.identity.tenant, owner.identity.caller, owner.identity.key};
        record = insertRecord(section, {nobodys, hash});
        if (!record) {
            return tl::unexpected(StoreError {StoreErrorCode::Invalid, u"The store is at capacity."_s});
        }
        record->fence = nextFence(); // for the order of lists: nobody owns it
        enterState(section.shard, *record, State::Abandoned);
    }
    if (overwrites && m_policy.semantics.firstResultStands) {
        return tl::unexpected(refusal(
            StoreErrorCode::DifferentResult, u"The record is final with another result."_s, *record, section.now));
    }
    if (!isFinalAnswer) {
        ++section.shard.counters.released;
        removeWithoutTrace(section, *record, EventKind::Released, {});
        return Completion {State::Abandoned};
    }
    Record &finished = finish(section, hash, *record, fitted(section, answer));
    const Completion completion {answer.state, false, false, overwrites, finished.bodyOmitted};
    countStored(section, finished, answer);
    settleWaiters(section, finished);
    return completion;
}

Result<RecordView> Engine::abandonAnyState(const IdentityView &identity, const QString &reason)
{
    const std::size_t hash = hashOf(identity);
    Section section(*this, shardOf(hash), hash);
    if (m_isClosed.load(std::memory_order_acquire)) {
        return tl::unexpected(storeClosed());
    }
    Record *const record = findLive(section, identity, hash);
    if (!record) {
        return tl::unexpected(notFound());
    }
    RecordView view = record->view(section.now, m_policy.stuckAfter);
    view.state = State::Abandoned;
    view.leaseEnd.reset();
    view.stuck = false; // nobody's any more
    ++section.shard.counters.abandoned;
    removeWithoutTrace(section, *record, EventKind::Abandoned, reason);
    return view;
}

void Engine::removeWithoutTrace(Section &section, Record &record, EventKind kind, const QString &reason)
{
    endUnfinished(section, record, State::Abandoned);
    emitEvent(record, kind, section.now, {.reason = reason});
    if (!record.waits()) {
        removeRecord(section, record);
        return;
    }
    startNewLife(section, record);
    settleWaiters(section, record);
}

} // namespace idem::memory
