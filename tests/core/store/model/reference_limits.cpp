// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/model/reference_store.h"

#include <algorithm>

namespace idem::test {

// What begin refuses, and how it makes room

/// "All of it is checked before any look-up"
std::optional<RejectReason> ReferenceStore::wrongText(const BeginRequest &request) const
{
    if (request.key.isEmpty()) {
        return RejectReason::KeyMissing;
    }
    if (request.key.size() < m_policy.key.minBytes) {
        return RejectReason::KeyTooShort;
    }
    if (request.key.size() > m_policy.key.maxBytes) {
        return RejectReason::KeyTooLong;
    }
    const auto isPrintable = [](char c) { return c >= 0x20 && c <= 0x7e; };
    if (!std::all_of(request.key.begin(), request.key.end(), isPrintable)) {
        return RejectReason::KeyMalformed;
    }
    for (const auto &text : {request.tenant, request.caller, request.fingerprint, request.attemptId, request.owner}) {
        if (text.size() > maxTextBytes) {
            return RejectReason::TextTooLong;
        }
    }
    return std::nullopt;
}

/// "limits (key, body, capacity): refused, nothing stored"; "an expired one counts as absent"
std::optional<RejectReason> ReferenceStore::refusal(const Identity &identity, Moment at)
{
    if (m_closed) {
        return RejectReason::Closed;
    }
    dropExpired(identity, at);
    return m_records.contains(identity) || makeRoom(at) ? std::nullopt : std::optional(RejectReason::AtCapacity);
}

bool ReferenceStore::makeRoom(Moment at)
{
    return std::ssize(m_records) < m_policy.maxRecords
        || (m_policy.atCapacity == AtCapacity::EvictOldest && evictOldest(at));
}

/// "drops the finished or abandoned record that expires first"; one past its expiry has merely expired.
bool ReferenceStore::evictOldest(Moment at)
{
    std::vector<Identity> first;
    std::optional<Instant> earliest;
    for (const auto &[identity, record] : m_records) {
        if (!record.expiresAt || (earliest && *record.expiresAt > *earliest)) {
            continue;
        }
        if (record.expiresAt != earliest) {
            first.clear();
            earliest = record.expiresAt;
        }
        first.push_back(identity);
    }
    if (first.empty()) {
        return false;
    }
    const auto told =
        std::ranges::find_if(m_gone, [&](const Identity &identity) { return std::ranges::count(first, identity) > 0; });
    const Identity victim = told == m_gone.end() ? first.front() : *told;
    if (told != m_gone.end()) {
        m_gone.erase(told);
    }
    if (*earliest <= at.now) {
        dropExpired(victim, at);
        return true;
    }
    ++m_counters.evicted;
    tell(EventKind::Evicted, victim, &m_records.at(victim), at);
    m_records.erase(victim);
    return true;
}

} // namespace idem::test
