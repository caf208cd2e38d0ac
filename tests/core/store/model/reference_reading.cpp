// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/model/reference_store.h"

#include <algorithm>

namespace idem::test {

/// "LeaseExpired is derived: an in-progress record with now >= leaseEnd reads so everywhere"
State ReferenceStore::stateOf(const Rec &record, Instant now) const
{
    const bool isOver = record.state == State::InProgress && record.leaseEnd && now >= *record.leaseEnd;
    return isOver ? State::LeaseExpired : record.state;
}

/// "LeaseExpired, OutcomeUnknown, or no lease and older than stuckAfter"
bool ReferenceStore::isStuck(const Rec &record, Instant now) const
{
    const State state = stateOf(record, now);
    return state == State::LeaseExpired || state == State::OutcomeUnknown
        || (state == State::InProgress && !record.leaseEnd && now - record.startedAt >= m_policy.stuckAfter);
}

RecordView ReferenceStore::viewOf(const Identity &identity, const Rec &record, Instant now) const
{
    RecordView view;
    view.identity = identity;
    view.state = stateOf(record, now);
    view.fence = record.proof.fence;
    view.attempt = record.attempt;
    view.owner = record.owner;
    view.fingerprint = record.fingerprint;
    view.createdAt = record.createdAt;
    view.startedAt = record.startedAt;
    view.renewedAt = record.renewedAt;
    if (record.state == State::InProgress) {
        view.leaseEnd = record.leaseEnd;
    }
    view.expiresAt = record.expiresAt;
    view.createdWall = record.createdWall;
    view.changedWall = record.changedWall;
    view.late = record.late;
    view.bodyOmitted = record.bodyOmitted;
    view.sideEffect = record.sideEffect;
    view.stuck = isStuck(record, now);
    view.status = record.result ? record.result->status : 0;
    view.replays = record.replays;
    view.conflicts = record.conflicts;
    view.mismatches = record.mismatches;
    view.observedAt = now;
    return view;
}

std::optional<RecordView> ReferenceStore::find(const Identity &identity, Instant now) const
{
    const auto found = m_records.find(identity);
    if (found == m_records.end() || (found->second.expiresAt && now >= *found->second.expiresAt)) {
        return std::nullopt;
    }
    return viewOf(identity, found->second, now);
}

AnswerPtr ReferenceStore::response(const Identity &identity, Instant now) const
{
    const auto view = find(identity, now);
    return view ? served(m_records.at(identity)) : nullptr;
}

Query Listing::toQuery() const
{
    Query query;
    if (!states.empty()) {
        query.filter = query.filter.with(Filter::inStates(states));
    }
    if (!tenant.isEmpty()) {
        query.filter = query.filter.with(Filter::ofTenant(tenant));
    }
    if (!keyPrefix.isEmpty()) {
        query.filter = query.filter.with(Filter::keysStartingWith(keyPrefix));
    }
    if (stuckOnly) {
        query.filter = query.filter.with(Filter::stuck());
    }
    query.sort = sort;
    query.descending = descending;
    query.limit = limit;
    return query;
}

Result<std::vector<StoreEvent>> ReferenceStore::history(const Identity &identity, Instant now) const
{
    if (!find(identity, now)) {
        return tl::unexpected(errorFor(StoreErrorCode::NotFound, nullptr, now));
    }
    const auto &history = m_records.at(identity).history;
    return std::vector<StoreEvent>(history.begin(), history.end());
}

std::vector<RecordView> ReferenceStore::list(const Listing &listing, Instant now) const
{
    std::vector<RecordView> views;
    for (const auto &[identity, record] : m_records) {
        const auto view = find(identity, now);
        const bool matches = view && (listing.states.empty() || std::ranges::count(listing.states, view->state) > 0)
            && (listing.tenant.isEmpty() || listing.tenant == identity.tenant)
            && identity.key.startsWith(listing.keyPrefix) && (!listing.stuckOnly || view->stuck);
        if (matches) {
            views.push_back(*view);
        }
    }
    const auto momentOf = [&listing](const RecordView &view) {
        switch (listing.sort) {
        case SortKey::LeaseEnd:
            return view.leaseEnd;
        case SortKey::Expiry:
            return view.expiresAt;
        default:
            return std::optional(Instant());
        }
    };
    // "records without the sort's moment come last"
    std::ranges::sort(views, [&](const RecordView &left, const RecordView &right) {
        const auto leftMoment = momentOf(left);
        const auto rightMoment = momentOf(right);
        if (leftMoment.has_value() != rightMoment.has_value()) {
            return leftMoment.has_value();
        }
        const auto leftPlace = std::pair(leftMoment, left.fence);
        const auto rightPlace = std::pair(rightMoment, right.fence);
        return listing.descending ? rightPlace < leftPlace : leftPlace < rightPlace;
    });
    return views;
}

Counters ReferenceStore::counters(Instant now) const
{
    Counters counters = m_counters;
    counters.records = m_records.size();
    const auto bytesOf = [](const Identity &identity, const Rec &record) {
        return identity.tenant.size() + identity.caller.size() + identity.key.size() + record.fingerprint.size()
            + record.attemptId.size() + record.owner.size();
    };
    for (const auto &[identity, record] : m_records) {
        ++counters.byState[static_cast<std::size_t>(stateOf(record, now))];
        counters.stuck += isStuck(record, now) ? 1 : 0;
        counters.bytes += static_cast<std::uint64_t>(bytesOf(identity, record));
        counters.bytes += served(record) ? StoredResponse::byteCount(*record.result) : 0;
    }
    return counters;
}

bool ReferenceStore::keepsFailure() const
{
    return std::ranges::any_of(m_records, [](const auto &entry) { return entry.second.state == State::Failed; });
}

std::vector<std::uint64_t> ReferenceStore::expiryForecast(Duration step, std::size_t buckets, Instant now) const
{
    std::vector<std::uint64_t> forecast(buckets);
    for (const auto &[identity, record] : m_records) {
        const bool isFinished = record.state == State::Completed || record.state == State::Failed;
        if (isFinished && *record.expiresAt > now) {
            const auto bucket = static_cast<std::size_t>((*record.expiresAt - now) / step);
            if (bucket < buckets) {
                ++forecast[bucket];
            }
        }
    }
    return forecast;
}

std::optional<Ownership> ReferenceStore::lastOwner(const Identity &identity) const
{
    const auto found = m_records.find(identity);
    if (found == m_records.end()) {
        return std::nullopt;
    }
    return Ownership {identity, found->second.proof.fence, found->second.proof.token};
}

std::set<Instant> ReferenceStore::boundaries(Instant now) const
{
    std::set<Instant> moments;
    for (const auto &[identity, record] : m_records) {
        const bool inProgress = record.state == State::InProgress;
        for (const auto &moment : {inProgress ? record.leaseEnd : std::nullopt, record.expiresAt}) {
            if (moment && *moment > now) {
                moments.insert(*moment);
            }
        }
    }
    return moments;
}

} // namespace idem::test
