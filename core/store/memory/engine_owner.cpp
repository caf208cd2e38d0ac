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
constexpr qsizetype maxHeaderBytes = qsizetype {64} * 1024;

void addPart(QCryptographicHash &hash, QByteArrayView part)
{
    hash.addData(QByteArray::number(part.size()) + ':');
    hash.addData(part);
}

QByteArray digestOf(const ResponseView &response)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    addPart(hash, QByteArray::number(response.status));
    for (const auto &[name, value] : response.headers) {
        addPart(hash, name);
        addPart(hash, value);
    }
    hash.addData(response.body ? "body"_ba : "none"_ba);
    addPart(hash, response.body.value_or(QByteArrayView()));
    return hash.result();
}

bool hasSameAnswer(const Record &record, const Answer &answer)
{
    if (record.state != answer.state) {
        return false;
    }
    const bool isTooLarge = !answer.omittedDigest.isEmpty();
    if (record.bodyOmitted) { // too large, or there was no room for it then
        return record.extras->omittedDigest == (isTooLarge ? answer.omittedDigest : digestOf(answer.response));
    }
    return !isTooLarge && *record.response() == answer.response;
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

std::optional<StoreError> checkStatus(const ResponseView &response)
{
    if (response.status < 100 || response.status > 599) {
        return StoreError {StoreErrorCode::Invalid, u"The status must be 100 to 599."_s};
    }
    return std::nullopt;
}

Answer Engine::makeAnswer(State state, const ResponseView &response) const
{
    const qsizetype bodyBytes = response.body ? response.body->size() : 0;
    const auto lineBytes = qsizetype(StoredResponse::byteCount(response)) - bodyBytes;
    const bool isTooLarge = bodyBytes > m_policy.maxBodyBytes || lineBytes > maxHeaderBytes;
    return {state, response, isTooLarge ? digestOf(response) : QByteArray()};
}

std::optional<Answer> Engine::withRoom(Section &section, const Answer &answer)
{
    const auto bytes = qint64(StoredResponse::byteCount(answer.response));
    if (!m_policy.maxBytes || !answer.omittedDigest.isEmpty()) {
        return answer;
    }
    if (!takeBytes(bytes)) {
        return std::nullopt;
    }
    joinSnapshot(section.shard); // as in takeRoom()
    return Answer {answer.state, answer.response, {}, bytes};
}

Answer Engine::fitted(Section &section, const Answer &answer)
{
    auto kept = withRoom(section, answer);
    return kept ? *std::move(kept) : Answer {answer.state, answer.response, digestOf(answer.response)};
}

Result<Completion> Engine::complete(const OwnershipView &owner, const ResponseView &response)
{
    if (const auto error = checkStatus(response)) {
        return tl::unexpected(*error);
    }
    // The seeds keep any answer: what is final, they leave to the caller.
    const bool isFinalAnswer = !m_policy.semantics.fenced || isFinal(m_policy.finalAnswers, response.status);
    return store(owner, makeAnswer(State::Completed, response), isFinalAnswer);
}

Result<Completion> Engine::fail(const OwnershipView &owner, const QString &reason)
{
    const Response response = failureResponse(reason);
    return store(owner, makeAnswer(State::Failed, response), keepsFailures(m_policy.finalAnswers));
}

Result<Completion> Engine::store(const OwnershipView &owner, Answer answer, bool isFinalAnswer)
{
    const std::size_t hash = hashOf(owner.identity);
    // Nobody goes for what fits into no store under this cap.
    answer.mayEvict = m_policy.maxBytes && m_policy.atCapacity == AtCapacity::EvictOldest
        && qint64(StoredResponse::byteCount(answer.response)) <= *m_policy.maxBytes;
    while (true) {
        {
            Section section(*this, shardOf(hash), hash);
            auto result = storeLocked(section, owner, hash, answer, isFinalAnswer);
            if (result) {
                return *std::move(result);
            }
        }
        answer.mayEvict = evictOldest();
    }
}

std::optional<Result<Completion>> Engine::storeLocked(
    Section &section, const OwnershipView &owner, std::size_t hash, const Answer &answer, bool isFinalAnswer)
{
    if (!m_policy.semantics.fenced) {
        return storeUnfenced(section, owner, hash, answer, isFinalAnswer);
    }
    const Result<Record *> found = findOwned(section, owner, hash, &answer.response);
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
    if (!isFinalAnswer) {
        return storeHeld(section, hash, record, answer, false);
    }
    const auto kept = withRoom(section, answer);
    if (!kept && answer.mayEvict) {
        return std::nullopt;
    }
    return storeHeld(section, hash, record, kept ? *kept : fitted(section, answer), true);
}

Completion Engine::storeHeld(
    Section &section, std::size_t hash, Record &record, const Answer &answer, bool isFinalAnswer)
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
    Record &finished = finish(section, hash, record, answer);
    const Completion completion {answer.state, isLate, false, false, finished.bodyOmitted};
    countStored(section, finished, answer);
    settleWaiters(section, finished);
    return completion;
}

void Engine::countStored(Section &section, Record &record, const Answer &answer)
{
    const bool isFailure = answer.state == State::Failed;
    ++(isFailure ? section.shard.counters.failed : section.shard.counters.completed);
    const EventKind kind = isFailure ? EventKind::Failed : EventKind::Completed;
    if (tellsEvents()) {
        emitEvent(record, kind, section.now, {.response = record.response()});
    }
}

Result<Record *> Engine::findOwned(
    Section &section, const OwnershipView &owner, std::size_t hash, const ResponseView *evidence)
{
    if (m_isClosed.load(std::memory_order_acquire)) {
        return tl::unexpected(storeClosed());
    }
    section.shard.records.prefetchRecord(hash);
    // While the record comes: a token follows from its fence, whatever the record's is.
    const bool isGenuine = equalsInConstantTime(tokenOf(owner.fence), owner.token);
    Record *const record = findLive(section, owner.identity, hash);
    if (!record) {
        return tl::unexpected(notFound());
    }
    const bool isOwner = isGenuine && record->fence == owner.fence && !record->operatorEnded;
    if (m_policy.semantics.fenced && !isOwner) {
        ++section.shard.counters.staleRefused;
        if (tellsEvents()) {
            emitEvent(*record, EventKind::StaleRefused, section.now,
                {.response = evidence ? StoredResponse::make(*evidence) : ResponsePtr()});
        }
        return tl::unexpected(staleOwner(*record, section.now));
    }
    return record;
}

Result<Record *> Engine::findHeld(Section &section, const OwnershipView &owner, std::size_t hash)
{
    Result<Record *> found = findOwned(section, owner, hash);
    if (found && (*found)->state != State::InProgress) {
        return tl::unexpected(wrongState(**found, section.now));
    }
    return found;
}

Result<std::optional<Instant>> Engine::renew(const OwnershipView &owner)
{
    const std::size_t hash = hashOf(owner.identity);
    Section section(*this, shardOf(hash), hash);
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
    record.needExtras().renewedAt = section.now;
    if (record.hasDeadline) {
        const bool wasNoted = record.watchNoted;
        if (wasNoted) {
            leaveState(section.shard, record);
        }
        record.deadline = std::max(record.deadline, saturatingAdd(section.now, leaseOf(record)));
        if (wasNoted) {
            enterState(section.shard, record, State::InProgress);
        }
    }
    emitEvent(record, EventKind::Renewed, section.now);
    return record.leaseEnd();
}

Result<void> Engine::release(const OwnershipView &owner)
{
    if (!m_policy.semantics.abandonAnyState) {
        return leave(owner, false);
    }
    const std::size_t hash = hashOf(owner.identity);
    Section section(*this, shardOf(hash), hash);
    const Result<Record *> found = findOwned(section, owner, hash);
    if (!found) {
        return tl::unexpected(found.error());
    }
    ++section.shard.counters.released;
    removeWithoutTrace(section, **found, EventKind::Released, {});
    return {};
}

Result<void> Engine::markUnknown(const OwnershipView &owner)
{
    return leave(owner, true);
}

Result<void> Engine::leave(const OwnershipView &owner, bool toUnknown)
{
    const std::size_t hash = hashOf(owner.identity);
    Section section(*this, shardOf(hash), hash);
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
    const bool isUnknown = (toUnknown || record.sideEffect) && !forgetsFailures(m_policy.finalAnswers);
    const State left = isUnknown ? State::OutcomeUnknown : State::Abandoned;
    endUnfinished(section, record, left);
    section.shard.counters.released += isUnknown ? 0 : 1;
    emitEvent(record, isUnknown ? EventKind::MarkedUnknown : EventKind::Released, section.now);
    settleWaiters(section, record); // the oldest may own the record from here on
    return left;
}

Result<void> Engine::sideEffectStarted(const OwnershipView &owner)
{
    const std::size_t hash = hashOf(owner.identity);
    Section section(*this, shardOf(hash), hash);
    const Result<Record *> found = findHeld(section, owner, hash);
    if (!found) {
        return tl::unexpected(found.error());
    }
    if (!(*found)->sideEffect) {
        (*found)->sideEffect = true;
        emitEvent(**found, EventKind::SideEffectStarted, section.now);
    }
    return {};
}

} // namespace idem::memory
