// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/filter.h"
#include "core/store/query.h"

#include <algorithm>
#include <limits>

namespace idem {

namespace {

using Field = FilterField;
using Kind = FilterKind;

constexpr std::array vocabulary {
    FilterFieldInfo {Field::State, Kind::State, true, u"state", u"state:in_progress,lease_expired"},
    FilterFieldInfo {Field::Tenant, Kind::Text, true, u"tenant", u"tenant:acme"},
    FilterFieldInfo {Field::Caller, Kind::Text, true, u"caller", u"caller:web-*"},
    FilterFieldInfo {Field::Key, Kind::Text, true, u"key", u"key:pay*"},
    FilterFieldInfo {Field::Id, Kind::Id, true, u"id", u"id:Cf0sbTNMirfAuOoCjfUC8ZfX6dZmZWJB51eLCVXlUbU"},
    FilterFieldInfo {Field::Owner, Kind::Text, true, u"owner", u"owner:\"server 1\""},
    FilterFieldInfo {Field::Age, Kind::TimeSpan, false, u"age", u"age:>5m"},
    FilterFieldInfo {Field::LeaseLeft, Kind::TimeSpan, false, u"lease_left", u"lease_left:<30s"},
    FilterFieldInfo {Field::TtlLeft, Kind::TimeSpan, false, u"ttl_left", u"ttl_left:<1h"},
    FilterFieldInfo {Field::Attempt, Kind::Number, false, u"attempt", u"attempt:>1"},
    FilterFieldInfo {Field::Replays, Kind::Number, false, u"replays", u"replays:>0"},
    FilterFieldInfo {Field::Conflicts, Kind::Number, false, u"conflicts", u"conflicts:>=10"},
    FilterFieldInfo {Field::Mismatches, Kind::Number, false, u"mismatches", u"mismatches:>0"},
    FilterFieldInfo {Field::Fence, Kind::Number, false, u"fence", u"fence:1234"},
    FilterFieldInfo {Field::Waiting, Kind::Number, false, u"waiting", u"waiting:>0"},
    FilterFieldInfo {Field::Status, Kind::Status, true, u"status", u"status:5xx"},
    FilterFieldInfo {Field::Stuck, Kind::Flag, false, u"stuck", u"stuck:true"},
    FilterFieldInfo {Field::Late, Kind::Flag, false, u"late", u"late:true"},
    FilterFieldInfo {Field::BodyOmitted, Kind::Flag, false, u"body_omitted", u"body_omitted:true"},
    FilterFieldInfo {Field::SideEffect, Kind::Flag, false, u"side_effect", u"side_effect:true"},
};

/// `end - now`, or the end of the range that it lies beyond.
Duration span(Instant end, Instant now)
{
    Duration::rep difference = 0;
    if (__builtin_sub_overflow(end.time_since_epoch().count(), now.time_since_epoch().count(), &difference)) {
        return end > now ? Duration::max() : Duration::min();
    }
    return Duration(difference);
}

template <typename Value> bool holds(Comparison comparison, Value left, Value right)
{
    switch (comparison) {
    case Comparison::Equal:
        return left == right;
    case Comparison::Greater:
        return left > right;
    case Comparison::AtLeast:
        return left >= right;
    case Comparison::Less:
        return left < right;
    case Comparison::AtMost:
        return left <= right;
    }
    Q_UNREACHABLE();
}

/// What a term of one record's field is compared with; one per type of FilterValue.
struct Asked
{
    const FilterTerm &term;

    [[nodiscard]] bool is(State state) const
    {
        return any<State>([&](State wanted) { return wanted == state; });
    }
    [[nodiscard]] bool is(QByteArrayView text) const
    {
        return any<TextPattern>([&](const TextPattern &pattern) { return pattern.matches(text); });
    }
    [[nodiscard]] bool is(const RecordId &id) const
    {
        return any<RecordId>([&](const RecordId &wanted) { return wanted == id; });
    }
    [[nodiscard]] bool is(Duration duration) const
    {
        return any<DurationTest>(
            [&](const DurationTest &test) { return holds(test.comparison, duration, test.bound); });
    }
    [[nodiscard]] bool is(std::uint64_t number) const
    {
        return any<NumberTest>([&](const NumberTest &test) { return holds(test.comparison, number, test.bound); });
    }
    [[nodiscard]] bool isStatus(int status) const
    {
        return is(static_cast<std::uint64_t>(status))
            || any<StatusClass>([&](const StatusClass &wanted) { return status / 100 == wanted.hundreds; });
    }
    [[nodiscard]] bool isFlag(bool flag) const
    {
        return any<bool>([&](bool wanted) { return wanted == flag; });
    }

private:
    template <typename Value, typename Predicate> [[nodiscard]] bool any(Predicate predicate) const
    {
        return std::ranges::any_of(term.values, [&](const FilterValue &value) {
            const Value *const wanted = std::get_if<Value>(&value);
            return wanted != nullptr && predicate(*wanted);
        });
    }
};

bool hasAnyValue(const FilterTerm &term, const FilterSubject &subject)
{
    const Asked asked {term};
    switch (term.field) {
    case Field::State:
        return asked.is(subject.state);
    case Field::Tenant:
        return asked.is(subject.identity.tenant);
    case Field::Caller:
        return asked.is(subject.identity.caller);
    case Field::Key:
        return asked.is(subject.identity.key);
    case Field::Id:
        Q_ASSERT(subject.id != nullptr);
        return asked.is(*subject.id);
    case Field::Owner:
        return asked.is(subject.owner);
    case Field::Age:
        return asked.is(span(subject.now, subject.startedAt));
    case Field::LeaseLeft:
        return subject.leaseEnd && asked.is(span(*subject.leaseEnd, subject.now));
    case Field::TtlLeft:
        return subject.expiresAt && asked.is(span(*subject.expiresAt, subject.now));
    case Field::Attempt:
        return asked.is(std::uint64_t {subject.attempt});
    case Field::Replays:
        return asked.is(std::uint64_t {subject.replays});
    case Field::Conflicts:
        return asked.is(std::uint64_t {subject.conflicts});
    case Field::Mismatches:
        return asked.is(std::uint64_t {subject.mismatches});
    case Field::Fence:
        return asked.is(toNumber(subject.fence));
    case Field::Waiting:
        return asked.is(std::uint64_t {subject.waiting});
    case Field::Status:
        return subject.status != 0 && asked.isStatus(subject.status);
    case Field::Stuck:
        return asked.isFlag(subject.stuck);
    case Field::Late:
        return asked.isFlag(subject.late);
    case Field::BodyOmitted:
        return asked.isFlag(subject.bodyOmitted);
    case Field::SideEffect:
        return asked.isFlag(subject.sideEffect);
    }
    Q_UNREACHABLE();
}

} // namespace

FilterSubject FilterSubject::of(const RecordView &view)
{
    return {
        .identity = view.identity,
        .state = view.state,
        .fence = view.fence,
        .attempt = view.attempt,
        .owner = view.owner,
        .startedAt = view.startedAt,
        .leaseEnd = view.leaseEnd,
        .expiresAt = view.expiresAt,
        .status = view.status,
        .replays = view.replays,
        .conflicts = view.conflicts,
        .mismatches = view.mismatches,
        .waiting = view.waiting,
        .stuck = view.stuck,
        .late = view.late,
        .bodyOmitted = view.bodyOmitted,
        .sideEffect = view.sideEffect,
        .id = &view.id,
        .now = view.observedAt,
    };
}

std::span<const FilterFieldInfo> Filter::fields()
{
    return vocabulary;
}

Filter Filter::stuck()
{
    return {{{.field = Field::Stuck, .values = {true}}}};
}

Filter Filter::inStates(const std::vector<State> &states)
{
    Q_ASSERT(!states.empty());
    return {{{.field = Field::State, .values = std::vector<FilterValue>(states.begin(), states.end())}}};
}

Filter Filter::ofTenant(const QByteArray &tenant)
{
    return {{{.field = Field::Tenant, .values = {TextPattern::exactly(tenant)}}}};
}

Filter Filter::keysStartingWith(const QByteArray &prefix)
{
    return {{{.field = Field::Key, .values = {TextPattern::startingWith(prefix)}}}};
}

Filter Filter::with(const Filter &other) const
{
    Filter both = *this;
    both.terms.insert(both.terms.end(), other.terms.begin(), other.terms.end());
    return both;
}

bool Filter::matches(const FilterSubject &subject) const
{
    return std::ranges::all_of(
        terms, [&](const FilterTerm &term) { return hasAnyValue(term, subject) != term.isNegated; });
}

bool Filter::needsId() const
{
    return std::ranges::find(terms, Field::Id, &FilterTerm::field) != terms.end();
}

} // namespace idem
