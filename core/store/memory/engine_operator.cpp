// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/engine.h"

namespace idem::memory {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype maxReasonCharacters = 1000;

std::optional<StoreError> checkReason(const QString &reason)
{
    if (reason.isEmpty() || reason.size() > maxReasonCharacters) {
        return StoreError {StoreErrorCode::Invalid, u"The reason must be 1 to 1,000 characters."_s};
    }
    return std::nullopt;
}

State stateAfter(AbandonAs as)
{
    switch (as) {
    case AbandonAs::Release:
        return State::Abandoned;
    case AbandonAs::Failed:
        return State::Failed;
    case AbandonAs::Unknown:
        return State::OutcomeUnknown;
    }
    Q_UNREACHABLE();
}

} // namespace

bool Engine::hasLiveOwner(const Record &record, Instant now) const
{
    // A renewal is a sign of life; the begin is none.
    return record.extras && record.extras->renewedAt && record.hasDeadline
        && now < saturatingAdd(*record.extras->renewedAt, leaseOf(record) / 3);
}

Result<Record *> Engine::findReviewed(
    Section &section, const IdentityView &identity, std::size_t hash, Fence expectedFence)
{
    if (m_isClosed.load(std::memory_order_acquire)) {
        return tl::unexpected(storeClosed());
    }
    Record *const record = findLive(section, identity, hash);
    if (!record) {
        return tl::unexpected(notFound());
    }
    if (record->fence != expectedFence) {
        return tl::unexpected(refusal(
            StoreErrorCode::FenceMismatch, u"The record changed since it was looked at."_s, *record, section.now));
    }
    return record;
}

Result<RecordView> Engine::abandon(const IdentityView &identity, const AbandonRequest &request)
{
    if (const auto error = checkReason(request.reason)) {
        return tl::unexpected(*error);
    }
    Result<RecordView> result = m_policy.semantics.abandonAnyState ? abandonAnyState(identity, request.reason)
                                                                   : abandonFenced(identity, request);
    if (result) {
        result->id = idOf(identity);
    }
    return result;
}

Result<RecordView> Engine::abandonFenced(const IdentityView &identity, const AbandonRequest &request)
{
    const bool fails = request.as == AbandonAs::Failed;
    const Response failure = fails ? failureResponse(u"An operator ended the operation."_s) : Response {};
    const std::size_t hash = hashOf(identity);
    Section section(*this, shardOf(hash), hash);
    const Result<Record *> found = findReviewed(section, identity, hash, request.expectedFence);
    if (!found) {
        return tl::unexpected(found.error());
    }
    Record *record = *found;
    if (record->state != State::InProgress) {
        return tl::unexpected(wrongState(*record, section.now));
    }
    if (!request.overrideLive && hasLiveOwner(*record, section.now)) {
        return tl::unexpected(refusal(StoreErrorCode::LiveOwner,
            u"The owner renewed its lease lately: abandon needs an override."_s, *record, section.now));
    }
    if (record->isLapsed(section.now)) {
        noteWatch(section.shard, *record, section.now);
    }
    record->operatorEnded = true;
    if (fails) {
        record = &finish(section, hash, *record, fitted(section, makeAnswer(State::Failed, failure)));
    } else {
        endUnfinished(section, *record, stateAfter(request.as));
    }
    ++section.shard.counters.abandoned;
    emitEvent(*record, EventKind::Abandoned, section.now, {.reason = request.reason});
    RecordView view = record->view(section.now, m_policy.stuckAfter); // before a waiter owns it
    settleWaiters(section, *record);
    return view;
}

Result<RecordView> Engine::settle(const IdentityView &identity, const SettleRequest &request)
{
    if (const auto error = checkReason(request.reason)) {
        return tl::unexpected(*error);
    }
    std::optional<Answer> answer;
    if (request.executed) {
        if (const auto error = checkStatus(*request.executed)) {
            return tl::unexpected(*error);
        }
        answer = makeAnswer(State::Completed, *request.executed);
    }
    Result<RecordView> result = settleWith(identity, request, answer);
    if (result) {
        result->id = idOf(identity);
    }
    return result;
}

Result<RecordView> Engine::settleWith(
    const IdentityView &identity, const SettleRequest &request, const std::optional<Answer> &answer)
{
    const std::size_t hash = hashOf(identity);
    Section section(*this, shardOf(hash), hash);
    const Result<Record *> found = findReviewed(section, identity, hash, request.expectedFence);
    if (!found) {
        return tl::unexpected(found.error());
    }
    Record *record = *found;
    if (record->state != State::OutcomeUnknown) {
        return tl::unexpected(wrongState(*record, section.now));
    }
    record->operatorEnded = true;
    if (answer) {
        record = &finish(section, hash, *record, fitted(section, *answer));
    } else {
        endUnfinished(section, *record, State::Abandoned);
    }
    emitEvent(*record, EventKind::Settled, section.now, {.reason = request.reason});
    return record->view(section.now, m_policy.stuckAfter);
}

Result<void> Engine::purge(const IdentityView &identity, Fence expectedFence, const QString &reason)
{
    if (const auto error = checkReason(reason)) {
        return tl::unexpected(*error);
    }
    const std::size_t hash = hashOf(identity);
    Section section(*this, shardOf(hash), hash);
    const Result<Record *> found = findReviewed(section, identity, hash, expectedFence);
    if (!found) {
        return tl::unexpected(found.error());
    }
    Record &record = **found;
    if (!record.isFinished() && record.state != State::Abandoned) {
        return tl::unexpected(wrongState(record, section.now));
    }
    ++section.shard.counters.purged;
    emitEvent(record, EventKind::Purged, section.now, {.reason = reason});
    removeRecord(section, record);
    return {};
}

} // namespace idem::memory
