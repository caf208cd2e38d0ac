// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/model/reference_store.h"

#include <algorithm>
#include <array>

namespace idem::test {

// The operator's verbs

/// "expected fence and reason required"
tl::expected<ReferenceStore::Rec *, StoreError> ReferenceStore::lookedAt(
    const Identity &identity, Fence expected, const QString &reason, Moment at)
{
    if (reason.isEmpty() || reason.size() > 1000) {
        return tl::unexpected(errorFor(StoreErrorCode::Invalid, nullptr, at.now));
    }
    if (m_closed) {
        return tl::unexpected(errorFor(StoreErrorCode::Closed, nullptr, at.now));
    }
    Rec *record = lookUp(identity, at.now);
    if (!record) {
        return tl::unexpected(errorFor(StoreErrorCode::NotFound, nullptr, at.now));
    }
    if (record->proof.fence != expected && m_policy.semantics.fenced) {
        return tl::unexpected(errorFor(StoreErrorCode::FenceMismatch, record, at.now));
    }
    return record;
}

Result<RecordView> ReferenceStore::abandon(const Identity &identity, const AbandonRequest &request, Moment at)
{
    const auto found = lookedAt(identity, request.expectedFence, request.reason, at);
    if (!found) {
        return tl::unexpected(found.error());
    }
    if (m_policy.semantics.abandonAnyState) {
        return removeUnfenced(EventKind::Abandoned, identity, request.reason, at);
    }
    Rec &record = **found;
    if (record.state != State::InProgress) {
        return tl::unexpected(errorFor(StoreErrorCode::WrongState, &record, at.now));
    }
    // "a renew, not the begin, within the last third of a lease", in whole ticks
    const bool isLive =
        record.renewedAt && record.lease && at.now - *record.renewedAt < *record.lease / 3 && !request.overrideLive;
    if (isLive) {
        return tl::unexpected(errorFor(StoreErrorCode::LiveOwner, &record, at.now));
    }
    record.held = false;
    switch (request.as) {
    case AbandonAs::Release:
        change(record, State::Abandoned, at);
        break;
    case AbandonAs::Failed:
        change(record, State::Failed, at);
        keep(record,
            std::make_shared<const Response>(
                Response {409, {{"Content-Type", "application/problem+json"}}, std::nullopt}));
        break;
    case AbandonAs::Unknown:
        change(record, State::OutcomeUnknown, at);
    }
    ++m_counters.abandoned;
    tell(Told {.kind = EventKind::Abandoned, .reason = request.reason}, identity, &record, at);
    return viewOf(identity, record, at.now);
}

/// The seeds' abandon and Release: "removes a record in any state, without a trace".
RecordView ReferenceStore::removeUnfenced(EventKind kind, const Identity &identity, const QString &reason, Moment at)
{
    Rec gone = m_records.extract(identity).mapped();
    ++(kind == EventKind::Released ? m_counters.released : m_counters.abandoned);
    gone.state = State::Abandoned;
    tell(Told {.kind = kind, .reason = reason}, identity, &gone, at);
    return viewOf(identity, gone, at.now);
}

Result<RecordView> ReferenceStore::settle(const Identity &identity, const SettleRequest &request, Moment at)
{
    if (request.executed && (request.executed->status < 100 || request.executed->status > 599)) {
        return tl::unexpected(errorFor(StoreErrorCode::Invalid, nullptr, at.now));
    }
    const auto found = lookedAt(identity, request.expectedFence, request.reason, at);
    if (!found) {
        return tl::unexpected(found.error());
    }
    Rec &record = **found;
    if (record.state != State::OutcomeUnknown) {
        return tl::unexpected(errorFor(StoreErrorCode::WrongState, &record, at.now));
    }
    record.held = false;
    change(record, request.executed ? State::Completed : State::Abandoned, at);
    if (request.executed) {
        keep(record, std::make_shared<const Response>(*request.executed));
    }
    tell(Told {.kind = EventKind::Settled, .reason = request.reason}, identity, &record, at);
    return viewOf(identity, record, at.now);
}

Result<void> ReferenceStore::purge(const Identity &identity, Fence expectedFence, const QString &reason, Moment at)
{
    const auto found = lookedAt(identity, expectedFence, reason, at);
    if (!found) {
        return tl::unexpected(found.error());
    }
    if ((*found)->state == State::InProgress || (*found)->state == State::OutcomeUnknown) {
        return tl::unexpected(errorFor(StoreErrorCode::WrongState, *found, at.now));
    }
    ++m_counters.purged;
    tell(Told {.kind = EventKind::Purged, .reason = reason}, identity, *found, at);
    m_records.erase(identity);
    return {};
}

// Time

std::uint64_t ReferenceStore::sweep(Moment at)
{
    std::vector<Identity> expired;
    for (const auto &[identity, record] : m_records) {
        if (m_policy.semantics.freesExpired && record.expiresAt && at.now >= *record.expiresAt) {
            expired.push_back(identity);
        }
        if (stateOf(record, at.now) == State::LeaseExpired && !record.lapseTold) {
            m_fault = "a sweep passed and did not tell the lapse of " + identity.key.toStdString();
        }
    }
    for (const Identity &identity : expired) {
        dropExpired(identity, at);
    }
    return expired.size();
}

/// "a finished record with now >= expiresAt counts as absent"
ReferenceStore::Rec *ReferenceStore::lookUp(const Identity &identity, Instant now)
{
    const auto found = m_records.find(identity);
    const bool isThere = found != m_records.end() && !(found->second.expiresAt && now >= *found->second.expiresAt);
    return isThere ? &found->second : nullptr;
}

void ReferenceStore::dropExpired(const Identity &identity, Moment at)
{
    const auto found = m_records.find(identity);
    if (found != m_records.end() && !lookUp(identity, at.now)) {
        ++m_counters.expired;
        tell(EventKind::Expired, identity, &found->second, at);
        m_records.erase(found);
    }
}

// Transitions

void ReferenceStore::change(Rec &record, State to, Moment at)
{
    if (stateOf(record, at.now) == State::LeaseExpired && !record.lapseTold) {
        m_fault = "a lapsed record went on and its lapse was not told";
    }
    record.state = to;
    record.changedWall = at.wall;
    record.expiresAt.reset();
    if (to == State::Abandoned) {
        record.expiresAt = saturatingAdd(at.now, ttl());
    } else if (to == State::Completed || to == State::Failed) {
        const Instant origin = m_policy.ttlFrom == ExpiryOrigin::Begin ? record.startedAt : at.now;
        record.expiresAt = saturatingAdd(origin, ttl());
    }
}

/// "a result above the cap becomes a tombstone"
void ReferenceStore::keep(Rec &record, const AnswerPtr &result) const
{
    record.result = result;
    record.bodyOmitted = isAboveCap(*result);
}

bool ReferenceStore::tellLapse(const Identity &identity, Fence fence, Instant now)
{
    const auto found = m_records.find(identity);
    if (found == m_records.end() || found->second.proof.fence != fence || found->second.lapseTold
        || stateOf(found->second, now) != State::LeaseExpired) {
        return false;
    }
    found->second.lapseTold = true;
    StoreEvent event = shownBy(identity, &found->second, now);
    event.kind = EventKind::LeaseLapsed;
    remember(found->second, std::move(event));
    return true;
}

std::vector<StoreEvent> ReferenceStore::takeEvents()
{
    return std::exchange(m_events, {});
}

StoreEvent ReferenceStore::shownBy(const Identity &identity, const Rec *record, Instant now) const
{
    StoreEvent event;
    event.at = now;
    event.identity = identity;
    if (record) {
        event.fence = record->proof.fence;
        event.attempt = record->attempt;
        event.state = stateOf(*record, now);
        event.owner = record->owner;
    }
    return event;
}

void ReferenceStore::tell(Told told, const Identity &identity, Rec *record, Moment at)
{
    StoreEvent event = shownBy(identity, record, at.now);
    event.kind = told.kind;
    event.outcome = told.outcome;
    event.reason = std::move(told.reason);
    event.response = std::move(told.response);
    m_events.push_back(event);
    if (record) {
        remember(*record, std::move(event));
    }
}

/// "The record's last events, oldest first, as many as `policy().historyEvents` keeps"
void ReferenceStore::remember(Rec &record, StoreEvent event) const
{
    record.history.push_back(std::move(event));
    if (std::ssize(record.history) > m_policy.historyEvents) {
        record.history.pop_front();
    }
}

/// "True when fail() is stored and replayed"; of an answer its status decides.
bool ReferenceStore::isKept(const Response &result, State as) const
{
    const FinalPreset preset = m_policy.finalAnswers;
    const int status = result.status;
    if (as == State::Failed) {
        return preset != FinalPreset::Powertools && preset != FinalPreset::SeedGo;
    }
    switch (preset) {
    case FinalPreset::Default: {
        constexpr std::array transient {401, 403, 408, 409, 425, 429};
        return status >= 200 && status < 500 && std::ranges::count(transient, status) == 0;
    }
    case FinalPreset::SuccessOnly:
        return status / 100 == 2;
    default:
        return true;
    }
}

/// "a failure deletes, even after a side effect": Powertools and the seeds.
bool ReferenceStore::forgetsSideEffects() const
{
    return m_policy.finalAnswers >= FinalPreset::Powertools;
}

/// "What a time to live of 0 means"
Duration ReferenceStore::ttl() const
{
    return m_policy.ttl == Duration::zero() ? m_policy.semantics.zeroTtlMeans : m_policy.ttl;
}

StoreError ReferenceStore::errorFor(StoreErrorCode code, const Rec *record, Instant now) const
{
    StoreError error;
    error.code = code;
    if (record) {
        error.currentFence = record->proof.fence;
        error.state = stateOf(*record, now);
    }
    return error;
}

} // namespace idem::test
