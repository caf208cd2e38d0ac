// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/constant_time.h"
#include "core/store/memory/engine.h"

#include <QCryptographicHash>
#include <QJsonDocument>
#include <QJsonObject>

namespace idem::memory {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype maxReasonCharacters = 1000;
constexpr int failedStatus = 409;

QByteArrayView bytesOf(const OwnerToken &token)
{
    return {reinterpret_cast<const char *>(token.bytes.data()), qsizetype(token.bytes.size())};
}

bool isOwner(const Record &record, const Ownership &owner)
{
    const bool isSameToken = equalsInConstantTime(bytesOf(record.token), bytesOf(owner.token));
    return isSameToken && record.fence == owner.fence && !owner.token.isNull() && !record.operatorEnded;
}

bool hasSameAnswer(const Record &record, const Answer &answer)
{
    if (record.state != answer.state || record.bodyOmitted != !answer.response) {
        return false;
    }
    return answer.response ? *record.response == *answer.response : record.omittedDigest == answer.omittedDigest;
}

void addPart(QCryptographicHash &hash, const QByteArray &part)
{
    hash.addData(QByteArray::number(part.size()) + ':');
    hash.addData(part);
}

QByteArray digestOf(const Response &response)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    addPart(hash, QByteArray::number(response.status));
    for (const auto &[name, value] : response.headers) {
        addPart(hash, name);
        addPart(hash, value);
    }
    hash.addData("body"_ba);
    addPart(hash, response.body.value_or(QByteArray()));
    return hash.result();
}

StoreError staleOwner(const Record &record, Instant now)
{
    return refusal(StoreErrorCode::StaleOwner, u"This attempt does not own the record."_s, record, now);
}

StoreError leaseOver(const Record &record, Instant now)
{
    return refusal(StoreErrorCode::LeaseOver, u"The lease is over, and the policy refuses late owners."_s, record, now);
}

} // namespace

Response failureResponse(const QString &detail)
{
    QString text = detail.left(maxReasonCharacters);
    if (!text.isEmpty() && text.back().isHighSurrogate()) {
        text.chop(1);
    }
    const QJsonObject problem {
        {u"type"_s, u"about:blank"_s},
        {u"title"_s, u"The operation failed"_s},
        {u"status"_s, failedStatus},
        {u"detail"_s, text},
        {u"code"_s, u"operation-failed"_s},
        {u"retryable"_s, false},
    };
    return {failedStatus, {{"Content-Type"_ba, "application/problem+json"_ba}},
        QJsonDocument(problem).toJson(QJsonDocument::Compact)};
}

std::optional<StoreError> checkStatus(const Response &response)
{
    if (response.status < 100 || response.status > 599) {
        return StoreError {StoreErrorCode::Invalid, u"The status must be 100 to 599."_s};
    }
    return std::nullopt;
}

Answer Engine::makeAnswer(State state, Response response) const
{
    Answer answer {state, {}, std::uint16_t(response.status), {}};
    if (response.body && response.body->size() > m_policy.maxBodyBytes) {
        answer.omittedDigest = digestOf(response);
    } else {
        answer.response = std::make_shared<const Response>(std::move(response));
    }
    return answer;
}

Result<Completion> Engine::complete(const Ownership &owner, Response response)
{
    if (const auto error = checkStatus(response)) {
        return tl::unexpected(*error);
    }
    const bool isFinalAnswer = isFinal(m_policy.finalAnswers, response.status);
    return store(owner, makeAnswer(State::Completed, std::move(response)), isFinalAnswer);
}

Result<Completion> Engine::fail(const Ownership &owner, const QString &reason)
{
    return store(owner, makeAnswer(State::Failed, failureResponse(reason)), true);
}

Result<Completion> Engine::store(const Ownership &owner, const Answer &answer, bool isFinalAnswer)
{
    const std::size_t hash = hashOf(owner.identity);
    Section section(*this, shardOf(hash));
    if (!m_policy.semantics.fenced) {
        return storeUnfenced(section, owner, hash, answer);
    }
    const Result<Record *> found = findOwned(section, owner, hash, answer.response);
    if (!found) {
        return tl::unexpected(found.error());
    }
    Record &record = **found;
    if (record.isFinished()) {
        if (!hasSameAnswer(record, answer)) {
            return tl::unexpected(refusal(
                StoreErrorCode::DifferentResult, u"The record is final with another result."_s, record, section.now));
        }
        return Completion {record.state, record.late, true, false, record.bodyOmitted};
    }
    if (record.state != State::InProgress) {
        return tl::unexpected(refusal(
            StoreErrorCode::NotFound, u"This attempt gave the key back: nobody holds it."_s, record, section.now));
    }
    if (record.isLapsed(section.now) && m_policy.late == LatePolicy::Strict) {
        return tl::unexpected(leaseOver(record, section.now));
    }
    return storeHeld(section, record, answer, isFinalAnswer);
}

Completion Engine::storeHeld(Section &section, Record &record, const Answer &answer, bool isFinalAnswer)
{
    const bool isLate = record.isLapsed(section.now);
    if (isLate) {
        noteWatch(section.shard, record, section.now);
        ++section.shard.counters.lateCompletes;
    }
    if (!isFinalAnswer) {
        return {leaveLocked(section, record, false), isLate};
    }
    record.late = isLate;
    finish(section, record, answer);
    countStored(section, record, answer);
    settleWaiters(section, record);
    return {answer.state, isLate, false, false, !answer.response};
}

void Engine::countStored(Section &section, Record &record, const Answer &answer)
{
    const bool isFailure = answer.state == State::Failed;
    ++(isFailure ? section.shard.counters.failed : section.shard.counters.completed);
    const EventKind kind = isFailure ? EventKind::Failed : EventKind::Completed;
    emitEvent(record, kind, section.now, {.response = answer.response});
}

Result<Completion> Engine::storeUnfenced(
    Section &section, const Ownership &owner, std::size_t hash, const Answer &answer)
{
    if (m_isClosed.load(std::memory_order_acquire)) {
        return tl::unexpected(storeClosed());
    }
    if (checkKey(owner.identity.key)) {
        return tl::unexpected(StoreError {StoreErrorCode::Invalid, u"The idempotency key is malformed."_s});
    }
    Record *record = section.shard.records.find(hash, owner.identity);
    bool overwrites = false;
    if (!record) {
        record = insertRecord(section, owner.identity, hash);
        if (!record) {
            return tl::unexpected(StoreError {StoreErrorCode::Invalid, u"The store is at capacity."_s});
        }
        record->fence = nextFence(); // for the order of lists: nobody owns it
    } else if (record->isExpired(section.now)) {
        noteExpired(section, *record);
        startNewLife(section, *record);
    } else {
        overwrites = record->isFinished();
    }
    finish(section, *record, answer);
    countStored(section, *record, answer);
    settleWaiters(section, *record);
    return Completion {answer.state, false, false, overwrites, !answer.response};
}

Result<Record *> Engine::findOwned(Section &section, const Ownership &owner, std::size_t hash, ResponsePtr evidence)
{
    if (m_isClosed.load(std::memory_order_acquire)) {
        return tl::unexpected(storeClosed());
    }
    Record *const record = findLive(section, owner.identity, hash);
    if (!record) {
        return tl::unexpected(notFound());
    }
    if (m_policy.semantics.fenced && !isOwner(*record, owner)) {
        ++section.shard.counters.staleRefused;
        emitEvent(*record, EventKind::StaleRefused, section.now, {.response = std::move(evidence)});
        return tl::unexpected(staleOwner(*record, section.now));
    }
    return record;
}

Result<Record *> Engine::findHeld(Section &section, const Ownership &owner, std::size_t hash)
{
    Result<Record *> found = findOwned(section, owner, hash);
    if (found && (*found)->state != State::InProgress) {
        return tl::unexpected(wrongState(**found, section.now));
    }
    return found;
}

Result<std::optional<Instant>> Engine::renew(const Ownership &owner)
{
    const std::size_t hash = hashOf(owner.identity);
    Section section(*this, shardOf(hash));
    const Result<Record *> found = findHeld(section, owner, hash);
    if (!found) {
        return tl::unexpected(found.error());
    }
    Record &record = **found;
    if (record.isLapsed(section.now)) {
        if (m_policy.late == LatePolicy::Strict) {
            return tl::unexpected(leaseOver(record, section.now));
        }
        noteWatch(section.shard, record, section.now);
    }
    record.renewedAt = section.now;
    if (record.leaseEnd) {
        const bool wasNoted = record.watchNoted;
        if (wasNoted) {
            leaveState(section.shard, record);
        }
        record.leaseEnd = std::max(*record.leaseEnd, saturatingAdd(section.now, *record.lease));
        if (wasNoted) {
            enterState(section.shard, record, State::InProgress);
        }
    }
    emitEvent(record, EventKind::Renewed, section.now);
    return record.leaseEnd;
}

Result<void> Engine::release(const Ownership &owner)
{
    if (!m_policy.semantics.abandonAnyState) {
        return leave(owner, false);
    }
    const std::size_t hash = hashOf(owner.identity);
    Section section(*this, shardOf(hash));
    const Result<Record *> found = findOwned(section, owner, hash);
    if (!found) {
        return tl::unexpected(found.error());
    }
    ++section.shard.counters.released;
    removeWithoutTrace(section, **found, EventKind::Released, {});
    return {};
}

Result<void> Engine::markUnknown(const Ownership &owner)
{
    return leave(owner, true);
}

Result<void> Engine::leave(const Ownership &owner, bool toUnknown)
{
    const std::size_t hash = hashOf(owner.identity);
    Section section(*this, shardOf(hash));
    const Result<Record *> found = findHeld(section, owner, hash);
    if (!found) {
        return tl::unexpected(found.error());
    }
    if ((*found)->isLapsed(section.now)) {
        noteWatch(section.shard, **found, section.now);
    }
    leaveLocked(section, **found, toUnknown);
    return {};
}

State Engine::leaveLocked(Section &section, Record &record, bool toUnknown)
{
    const bool isUnknown = toUnknown || record.sideEffect;
    const State left = isUnknown ? State::OutcomeUnknown : State::Abandoned;
    endUnfinished(section, record, left);
    section.shard.counters.released += isUnknown ? 0 : 1;
    emitEvent(record, isUnknown ? EventKind::MarkedUnknown : EventKind::Released, section.now);
    settleWaiters(section, record); // the oldest may own the record from here on
    return left;
}

Result<void> Engine::sideEffectStarted(const Ownership &owner)
{
    const std::size_t hash = hashOf(owner.identity);
    Section section(*this, shardOf(hash));
    const Result<Record *> found = findHeld(section, owner, hash);
    if (!found) {
        return tl::unexpected(found.error());
    }
    if (!std::exchange((*found)->sideEffect, true)) {
        emitEvent(**found, EventKind::SideEffectStarted, section.now);
    }
    return {};
}

void Engine::removeWithoutTrace(Section &section, Record &record, EventKind kind, const QString &reason)
{
    endUnfinished(section, record, State::Abandoned);
    emitEvent(record, kind, section.now, {.reason = reason});
    if (!record.waits) {
        removeRecord(section, record);
        return;
    }
    startNewLife(section, record);
    settleWaiters(section, record);
}

} // namespace idem::memory
