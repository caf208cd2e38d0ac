// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/check/monitor.h"

#include <algorithm>

namespace idem::sim {

using namespace Qt::StringLiterals;

QString toString(Invariant invariant)
{
    return u"I%1"_s.arg(static_cast<int>(invariant));
}

Monitor::Monitor(const Policy &policy, std::uint64_t denseKeys)
    : m_ttl(policy.ttl > Duration::zero() ? policy.ttl : policy.semantics.zeroTtlMeans)
    , m_ttlFrom(policy.ttlFrom)
    , m_denseKeys(denseKeys)
{
}

Monitor::Key &Monitor::at(std::uint64_t number)
{
    if (number >= m_denseKeys) {
        return m_others[number];
    }
    if (number >= m_keys.size()) {
        m_keys.resize(number + 1);
    }
    return m_keys[number];
}

const Monitor::Key *Monitor::find(std::uint64_t number) const
{
    if (number >= m_denseKeys) {
        const auto other = m_others.find(number);
        return other == m_others.end() ? nullptr : &other->second;
    }
    return number < m_keys.size() ? &m_keys[number] : nullptr;
}

void Monitor::violate(Invariant invariant, Instant now, const QString &what)
{
    ++m_violations;
    if (m_first.size() < shown) {
        m_first.push_back({.invariant = invariant, .at = now.time_since_epoch(), .what = what});
    }
}

Instant Monitor::stuckUntil(const Key &key, Instant now)
{
    return std::min(now, key.leaseEnd);
}

void Monitor::settleOrphan(Key &key, Instant now)
{
    if (key.orphanedAt != Instant::max()) {
        m_stuck += std::max(stuckUntil(key, now) - key.orphanedAt, Duration::zero());
        key.orphanedAt = Instant::max();
    }
}

void Monitor::granted(std::uint64_t number, std::uint64_t execution, Instant now, std::optional<Instant> leaseEnd)
{
    Key &key = at(number);
    settleOrphan(key, now);
    switch (key.standing) {
    case Standing::Free:
        break; // effects that are left are those of an abandoned finished key
    case Standing::Held:
        if (now < key.leaseEnd) {
            violate(Invariant::ConflictWhileHeld, now,
                u"key %1 has a second owner within the first one's lease"_s.arg(number));
        } else {
            key.effects = 0; // whoever sets a lease decides that work beyond it may be done twice
        }
        break;
    case Standing::Done:
        break; // the second effect, if there is one, breaks I1
    }
    if (key.standing != Standing::Held && now >= key.expiresAt) {
        key.effects = 0; // a new life
    }
    key.standing = Standing::Held;
    key.execution = execution;
    key.leaseEnd = leaseEnd.value_or(Instant::max());
    key.expiresAt = saturatingAdd(now, m_ttl);
}

void Monitor::conflicted(std::uint64_t number, Instant now)
{
    const Key &key = at(number);
    if (key.standing != Standing::Held || now >= key.leaseEnd) {
        violate(Invariant::ConflictWhileHeld, now, u"a conflict on key %1, which nobody holds"_s.arg(number));
    }
}

void Monitor::replayed(std::uint64_t number, std::uint64_t execution, Instant now)
{
    Key &key = at(number);
    if (key.standing != Standing::Done || now >= key.expiresAt) {
        violate(Invariant::ReplayAfterComplete, now, u"key %1 is replayed without a result that lives"_s.arg(number));
    } else if (key.execution != execution) {
        violate(Invariant::SameAnswer, now,
            u"key %1 replays execution %2 after it showed %3"_s.arg(number).arg(execution).arg(key.execution));
    }
    if (m_ttlFrom == ExpiryOrigin::Sliding) {
        key.expiresAt = saturatingAdd(now, m_ttl);
    }
}

void Monitor::started(std::uint64_t number)
{
    ++at(number).running;
}

void Monitor::ended(std::uint64_t number)
{
    --at(number).running;
}

bool Monitor::isRunning(std::uint64_t number) const
{
    const Key *key = find(number);
    return key && key->running > 0;
}

void Monitor::effect(std::uint64_t number, std::uint64_t execution, Instant now, bool guarded)
{
    Key &key = at(number);
    const bool isDisplaced = guarded && (key.standing == Standing::Free || key.execution != execution);
    if (isDisplaced) {
        return; // whether it might be was judged when it happened
    }
    if (key.effects > 0) {
        violate(Invariant::OneEffect, now, u"key %1 has a second effect, by execution %2"_s.arg(number).arg(execution));
    }
    ++key.effects;
}

void Monitor::completed(std::uint64_t number, std::uint64_t execution, Instant now, bool overwrote)
{
    Key &key = at(number);
    settleOrphan(key, now);
    const bool hasOther = key.standing == Standing::Done && key.execution != execution && now < key.expiresAt;
    if (overwrote || (hasOther && execution != 0)) {
        violate(Invariant::SameAnswer, now,
            u"execution %1 overwrites the result of %2 on key %3"_s.arg(execution).arg(key.execution).arg(number));
    } else if (execution != 0 && !isOwner(key, execution)) {
        violate(Invariant::StaleHasCause, now,
            u"the result of execution %1 is taken, which does not own key %2"_s.arg(execution).arg(number));
    }
    key.standing = Standing::Done;
    key.execution = execution;
    if (m_ttlFrom != ExpiryOrigin::Begin) {
        key.expiresAt = saturatingAdd(now, m_ttl);
    }
}

void Monitor::refused(std::uint64_t number, std::uint64_t execution, Instant now)
{
    const Key &key = at(number);
    if (isOwner(key, execution) && now < key.leaseEnd) {
        violate(Invariant::StaleHasCause, now,
            u"execution %1 owns key %2, and its result is refused"_s.arg(execution).arg(number));
    }
}

bool Monitor::isOwner(const Key &key, std::uint64_t execution)
{
    return key.standing == Standing::Held && key.execution == execution;
}

void Monitor::free(Key &key, Instant now)
{
    settleOrphan(key, now);
    key.effects = 0;
    key.standing = Standing::Free;
}

void Monitor::released(std::uint64_t number, std::uint64_t execution, Instant now)
{
    Key &key = at(number);
    if (!isOwner(key, execution)) {
        violate(Invariant::StaleHasCause, now,
            u"execution %1 gives key %2 back, which it does not own"_s.arg(execution).arg(number));
    }
    free(key, now);
}

void Monitor::orphaned(std::uint64_t number, std::uint64_t execution, Instant now)
{
    Key &key = at(number);
    if (isOwner(key, execution) && key.orphanedAt == Instant::max()) {
        key.orphanedAt = now;
    }
}

void Monitor::abandoned(std::uint64_t number, Instant now)
{
    Key &key = at(number);
    if (key.standing == Standing::Done && now < key.expiresAt) {
        key.standing = Standing::Free;
    } else {
        free(key, now);
    }
}

void Monitor::freed(std::uint64_t number, Instant now)
{
    free(at(number), now);
}

void Monitor::suspended(std::uint64_t number, Instant now)
{
    Key &key = at(number);
    settleOrphan(key, now);
    key.standing = Standing::Held;
    key.execution = 0;
    key.leaseEnd = Instant::max();
    key.effects = 0;
}

void Monitor::freedAll(Instant now)
{
    for (Key &key : m_keys) {
        free(key, now);
    }
    for (auto &[number, key] : m_others) {
        free(key, now);
    }
}

Duration Monitor::stuckTime(Instant now) const
{
    Duration sum = m_stuck;
    const auto add = [&](const Key &key) {
        if (key.orphanedAt != Instant::max()) {
            sum += std::max(stuckUntil(key, now) - key.orphanedAt, Duration::zero());
        }
    };
    std::for_each(m_keys.begin(), m_keys.end(), add);
    for (const auto &[number, key] : m_others) {
        add(key);
    }
    return sum;
}

} // namespace idem::sim
