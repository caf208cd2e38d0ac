// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/filter.h"
#include "core/store/query.h"

#include <gtest/gtest.h>

#include <functional>

// What a filter lets through. How its text is read and written: filter_text_test.cpp.
namespace idem {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr Instant now {100h};

/// An attempt that began five minutes ago, with 30 s of its lease left; nothing was counted yet.
FilterSubject running()
{
    FilterSubject subject;
    subject.identity = {"acme", "web-1", "pay-2026"};
    subject.fence = Fence(42);
    subject.attempt = 1;
    subject.owner = "server 1";
    subject.startedAt = now - 5min;
    subject.leaseEnd = now + 30s;
    subject.now = now;
    return subject;
}

/// The same, answered with 201 and an hour to live.
FilterSubject completed()
{
    FilterSubject subject = running();
    subject.state = State::Completed;
    subject.leaseEnd.reset();
    subject.expiresAt = now + 1h;
    subject.status = 201;
    return subject;
}

bool isMatch(const QString &text, const FilterSubject &subject)
{
    const auto filter = Filter::parse(text);
    if (!filter) {
        ADD_FAILURE() << text.toStdString() << ": " << filter.error().message.toStdString();
        return false;
    }
    return filter->matches(subject);
}

struct Case
{
    QString text;
    bool isMatch;
};

void check(const std::vector<Case> &cases, const FilterSubject &subject)
{
    for (const Case &one : cases) {
        EXPECT_EQ(isMatch(one.text, subject), one.isMatch) << one.text.toStdString();
    }
}

} // namespace

TEST(Filter, WithoutTermsEverythingMatches)
{
    check({{u""_s, true}, {u" \t\n\u00A0"_s, true}}, running());
    check({{u""_s, true}}, FilterSubject {});
    EXPECT_TRUE(Filter {}.matches(completed()));
}

TEST(Filter, States)
{
    check({{u"state:in_progress"_s, true}, {u"state:lease_expired,in_progress"_s, true}, {u"state:completed"_s, false},
              {u"-state:completed"_s, true}, {u"-state:in_progress,completed"_s, false}},
        running());
    for (int i = 0; i < StateCount; ++i) {
        FilterSubject subject = running();
        subject.state = State(i);
        for (int k = 0; k < StateCount; ++k) {
            EXPECT_EQ(isMatch(u"state:"_s + toString(State(k)), subject), i == k);
        }
    }
}

TEST(Filter, TextsMatchWholeOrByWildcards)
{
    check({{u"tenant:acme"_s, true}, {u"tenant:acm"_s, false}, {u"tenant:ACME"_s, false},
              {u"tenant:globex,acme"_s, true}, {u"tenant:\"\""_s, false}, {u"-tenant:globex"_s, true},
              {u"caller:web-1"_s, true}, {u"caller:web-?"_s, true}, {u"caller:pay*"_s, false},
              {u"key:pay-2026"_s, true}, {u"key:pay*"_s, true}, {u"key:*26"_s, true}, {u"key:p*2?26"_s, true},
              {u"key:*"_s, true}, {u"key:pay"_s, false}, {u"key:pay\\*"_s, false}, {u"key:\"pay*\""_s, true},
              {u"owner:\"server 1\""_s, true}, {u"owner:server\" \"1"_s, true}, {u"owner:server*"_s, true},
              {u"owner:server\\ 1"_s, true}, {u"owner:acme"_s, false}},
        running());
    FilterSubject odd = running();
    odd.identity = {"", "a,b \"c\"", "pay*\\?"};
    odd.owner = "\xC3\xA9\xFF";
    check({{u"tenant:\"\""_s, true}, {u"tenant:*"_s, true}, {u"caller:\"a,b \\\"c\\\"\""_s, true},
              {u"key:pay\\*\\\\\\?"_s, true}, {u"key:pay\\?\\\\\\?"_s, false}, {u"owner:\u00E9\\xff"_s, true},
              {u"owner:\\xC3\\xA9\\xFF"_s, true}, {u"owner:??"_s, true}, {u"owner:???"_s, false}},
        odd);
}

TEST(Filter, ABareWordLooksIntoTheKey)
{
    check({{u"2026"_s, true}, {u"pay"_s, true}, {u"y-2"_s, true}, {u"p*6"_s, true}, {u"acme"_s, false},
              {u"PAY"_s, false}, {u"acme,pay"_s, true}, {u"-acme"_s, true}, {u"-pay"_s, false}, {u"pay 2026"_s, true},
              {u"pay 2027"_s, false}, {u"\"pay 2026\""_s, false}, {u"\"-2026\""_s, true}},
        running());
    EXPECT_EQ(Filter::parse(u"pay"), Filter::parse(u"key:*pay*"));
}

TEST(Filter, IdsMatchExactly)
{
    RecordId id;
    id.bytes.fill(7);
    FilterSubject subject = running();
    subject.id = &id;
    const QString other(43, u'A');
    check({{u"id:"_s + id.toString(), true}, {u"id:"_s + other, false}, {u"-id:"_s + other, true},
              {u"id:%1,%2"_s.arg(other, id.toString()), true}},
        subject);
    EXPECT_TRUE(Filter::parse(u"pay -id:"_s + other)->needsId());
    EXPECT_FALSE(Filter::parse(u"pay stuck:true")->needsId());
    EXPECT_FALSE(Filter {}.needsId());
}

TEST(Filter, DurationsAtTheirBoundaries)
{
    check({{u"age:>5m"_s, false}, {u"age:>=5m"_s, true}, {u"age:<5m"_s, false}, {u"age:<=5m"_s, true},
              {u"age:5m"_s, true}, {u"age:300000001us"_s, false}, {u"age:>299999999us"_s, true},
              {u"age:<300000001us"_s, true}, {u"age:>0.5h"_s, false}, {u"age:>4m59.999999s"_s, true},
              {u"-age:>5m"_s, true}},
        running());
    check({{u"lease_left:<30s"_s, false}, {u"lease_left:<=30s"_s, true}, {u"lease_left:30s"_s, true},
              {u"lease_left:29s"_s, false}, {u"lease_left:>29s"_s, true}, {u"lease_left:>30s"_s, false}},
        running());
    check({{u"ttl_left:<1h"_s, false}, {u"ttl_left:1h"_s, true}, {u"ttl_left:>=60m"_s, true},
              {u"ttl_left:<1h1us"_s, true}},
        completed());
}

TEST(Filter, ALeaseThatIsOverHasANegativeTimeLeft)
{
    FilterSubject lapsed = running();
    lapsed.state = State::LeaseExpired;
    lapsed.leaseEnd = now;
    check({{u"lease_left:<=0s"_s, true}, {u"lease_left:<0s"_s, false}}, lapsed);
    lapsed.leaseEnd = now - 5min;
    check({{u"lease_left:<30s"_s, true}, {u"lease_left:<=-5m"_s, true}, {u"lease_left:<-5m"_s, false},
              {u"lease_left:>-6m"_s, true}},
        lapsed);
}

TEST(Filter, WhatIsAbsentMatchesNothingButItsNegation)
{
    check({{u"lease_left:<30s"_s, false}, {u"lease_left:>30s"_s, false}, {u"-lease_left:<30s"_s, true},
              {u"-lease_left:>30s"_s, true}},
        completed());
    check({{u"ttl_left:<1h"_s, false}, {u"-ttl_left:<1h"_s, true}, {u"status:<500"_s, false}, {u"-status:<500"_s, true},
              {u"status:2xx,3xx,4xx"_s, false}},
        running());
}

TEST(Filter, TheEndsOfTimeDoNotOverflow)
{
    FilterSubject subject = running();
    subject.startedAt = Instant::min();
    subject.leaseEnd = Instant::max();
    subject.now = Instant::max();
    check({{u"age:>36500d"_s, true}, {u"lease_left:<=0s"_s, true}}, subject);
    subject.now = Instant(-1us);
    check({{u"lease_left:>36500d"_s, true}}, subject);
    subject.startedAt = Instant::max();
    subject.now = Instant::min();
    check({{u"age:<-36500d"_s, true}}, subject);
}

TEST(Filter, NumbersCompareExactly)
{
    const std::vector<std::pair<QString, std::function<void(FilterSubject &, std::uint32_t)>>> fields {
        {u"attempt"_s, [](FilterSubject &s, std::uint32_t n) { s.attempt = n; }},
        {u"replays"_s, [](FilterSubject &s, std::uint32_t n) { s.replays = n; }},
        {u"conflicts"_s, [](FilterSubject &s, std::uint32_t n) { s.conflicts = n; }},
        {u"mismatches"_s, [](FilterSubject &s, std::uint32_t n) { s.mismatches = n; }},
        {u"waiting"_s, [](FilterSubject &s, std::uint32_t n) { s.waiting = n; }},
        {u"fence"_s, [](FilterSubject &s, std::uint32_t n) { s.fence = Fence(n); }},
    };
    for (const auto &[name, set] : fields) {
        FilterSubject subject;
        subject.attempt = subject.replays = subject.conflicts = subject.mismatches = subject.waiting = 99;
        subject.fence = Fence(99);
        set(subject, 3);
        check(
            {{name + u":3"_s, true}, {name + u":=3"_s, true}, {name + u":2"_s, false}, {name + u":>2"_s, true},
                {name + u":>3"_s, false}, {name + u":>=3"_s, true}, {name + u":<3"_s, false}, {name + u":<=3"_s, true},
                {name + u":<4"_s, true}, {name + u":<=2"_s, false}, {u"-"_s + name + u":3"_s, false}},
            subject);
    }
    FilterSubject last;
    last.fence = Fence(UINT64_MAX);
    check({{u"fence:18446744073709551615"_s, true}, {u"fence:>18446744073709551614"_s, true}}, last);
}

TEST(Filter, Statuses)
{
    FilterSubject subject = completed();
    check(
        {{u"status:201"_s, true}, {u"status:2xx"_s, true}, {u"status:5xx"_s, false}, {u"status:404,2xx"_s, true},
            {u"status:>=201"_s, true}, {u"status:>201"_s, false}, {u"status:<202"_s, true}, {u"-status:2xx"_s, false}},
        subject);
    for (const auto &[status, isServerError] : {std::pair(499, false), {500, true}, {599, true}}) {
        subject.status = status;
        EXPECT_EQ(isMatch(u"status:5xx"_s, subject), isServerError) << status;
    }
}

TEST(Filter, Flags)
{
    const std::vector<std::pair<QString, bool FilterSubject::*>> flags {
        {u"stuck"_s, &FilterSubject::stuck},
        {u"late"_s, &FilterSubject::late},
        {u"body_omitted"_s, &FilterSubject::bodyOmitted},
        {u"side_effect"_s, &FilterSubject::sideEffect},
    };
    for (const auto &[name, flag] : flags) {
        FilterSubject subject = running();
        check({{name + u":true"_s, false}, {name + u":false"_s, true}, {u"-"_s + name + u":true"_s, true}}, subject);
        subject.*flag = true;
        check({{name + u":true"_s, true}, {name + u":false"_s, false}, {u"-"_s + name + u":false"_s, true}}, subject);
    }
}

TEST(Filter, AllTermsMustHold)
{
    check({{u"tenant:acme key:pay* age:>1m attempt:1 stuck:false"_s, true},
              {u"tenant:acme key:pay* age:>1m attempt:2 stuck:false"_s, false}, {u"key:pay* -key:*2026"_s, false},
              {u"  key:pay*   -key:*2027  "_s, true}},
        running());
}

TEST(Filter, HelpersSayWhatTheirTextsSay)
{
    EXPECT_EQ(Filter::stuck(), Filter::parse(u"stuck:true"));
    EXPECT_EQ(Filter::inStates({State::Failed, State::Completed}), Filter::parse(u"state:failed,completed"));
    EXPECT_EQ(Filter::ofTenant("a*b"), Filter::parse(u"tenant:a\\*b"));
    EXPECT_EQ(Filter::ofTenant(""), Filter::parse(u"tenant:\"\""));
    EXPECT_EQ(Filter::keysStartingWith("pay-"), Filter::parse(u"key:pay-*"));
    EXPECT_EQ(Filter::keysStartingWith(""), Filter::parse(u"key:*"));
    EXPECT_EQ(Filter::stuck().with(Filter::ofTenant("acme")), Filter::parse(u"stuck:true tenant:acme"));
    EXPECT_EQ(Filter::stuck().with({}), Filter::stuck());
}

TEST(Filter, ASubjectShowsAllOfAView)
{
    RecordView view;
    view.id.bytes.fill(9);
    view.identity = {"acme", "web-1", "pay-1"};
    view.state = State::Failed;
    view.fence = Fence(7);
    view.attempt = 2;
    view.owner = "server-1";
    view.startedAt = now - 10s;
    view.leaseEnd = now + 20s;
    view.expiresAt = now + 30s;
    view.late = view.bodyOmitted = view.sideEffect = view.stuck = true;
    view.status = 409;
    view.replays = 3;
    view.conflicts = 4;
    view.mismatches = 5;
    view.waiting = 6;
    view.observedAt = now;
    check({{u"id:"_s + view.id.toString(), true}, {u"tenant:acme caller:web-1 key:pay-1 owner:server-1"_s, true},
              {u"state:failed fence:7 attempt:2 status:409"_s, true}, {u"age:>=10s -age:>10s"_s, true},
              {u"lease_left:<=20s -lease_left:<20s ttl_left:<=30s -ttl_left:<30s"_s, true},
              {u"replays:3 conflicts:4 mismatches:5 waiting:6"_s, true},
              {u"late:true body_omitted:true side_effect:true stuck:true"_s, true}},
        FilterSubject::of(view));
    check({{u"late:false body_omitted:false side_effect:false stuck:false"_s, true}}, FilterSubject::of(RecordView {}));
}

} // namespace idem
