// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/policy.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace idem {

using namespace Qt::StringLiterals;

namespace {

struct Case
{
    QString setting;
    std::function<void(Policy &)> spoil;
};

const std::vector<Case> spoiled {
    {u"lease"_s, [](Policy &p) { p.lease = 0us; }},
    {u"lease"_s, [](Policy &p) { p.lease = -1us; }},
    {u"lease"_s, [](Policy &p) { p.lease = maxPolicyDuration + 1us; }},
    {u"lease"_s, [](Policy &p) { p.lease = Duration::max(); }},
    {u"ttl"_s, [](Policy &p) { p.ttl = -1us; }},
    {u"ttl"_s, [](Policy &p) { p.ttl = Duration::min(); }},
    {u"ttl"_s, [](Policy &p) { p.ttl = maxPolicyDuration + 1us; }},
    {u"stuckAfter"_s, [](Policy &p) { p.stuckAfter = 0us; }},
    {u"stuckAfter"_s, [](Policy &p) { p.stuckAfter = maxPolicyDuration + 1us; }},
    {u"maxWait"_s, [](Policy &p) { p.maxWait = -1us; }},
    {u"maxWait"_s, [](Policy &p) { p.maxWait = maxPolicyDuration + 1us; }},
    {u"maxWaitersPerKey"_s, [](Policy &p) { p.maxWaitersPerKey = 0; }},
    {u"minBytes"_s, [](Policy &p) { p.key.minBytes = 0; }},
    {u"maxBytes"_s, [](Policy &p) { p.key.maxBytes = 256; }},
    {u"maxBytes"_s, [](Policy &p) { p.maxBytes = 0; }},
    {u"historyEvents"_s, [](Policy &p) { p.historyEvents = -1; }},
    {u"historyEvents"_s, [](Policy &p) { p.historyEvents = 1001; }},
    {u"maxBodyBytes"_s, [](Policy &p) { p.maxBodyBytes = std::numeric_limits<qsizetype>::max(); }},
    {u"maxBodyBytes"_s, [](Policy &p) { p.maxBodyBytes = 0; }},
    {u"maxRecords"_s, [](Policy &p) { p.maxRecords = std::numeric_limits<qint64>::min(); }},
    {u"sweepInterval"_s, [](Policy &p) { p.sweepInterval = 0us; }},
    {u"minBytes"_s, [](Policy &p) { p.key.minBytes = p.key.maxBytes + 1; }},
};

} // namespace

TEST(Policy, TheDefaultsHold)
{
    EXPECT_EQ(Policy().problems(), QStringList());
    EXPECT_EQ(Policy().lease, 60s);
    EXPECT_EQ(Policy().ttl, 24h);
    EXPECT_EQ(Policy().key.maxBytes, 255);
}

TEST(Policy, TheBoundsThemselvesHold)
{
    Policy policy;
    policy.lease = 1us;
    policy.ttl = 0us;
    policy.maxWait = 0us;
    policy.key.minBytes = policy.key.maxBytes = 1;
    policy.maxRecords = policy.maxBodyBytes = policy.maxWaitersPerKey = 1;
    EXPECT_EQ(policy.problems(), QStringList());
    policy.lease = policy.ttl = policy.stuckAfter = policy.maxWait = policy.sweepInterval = maxPolicyDuration;
    EXPECT_EQ(policy.problems(), QStringList());
    policy.lease.reset();
    EXPECT_EQ(policy.problems(), QStringList());
}

TEST(Policy, EveryProblemNamesItsSetting)
{
    for (const Case &one : spoiled) {
        Policy policy;
        one.spoil(policy);
        const QStringList problems = policy.problems();
        ASSERT_FALSE(problems.isEmpty()) << one.setting.toStdString();
        EXPECT_TRUE(problems.first().startsWith(one.setting)) << problems.first().toStdString();
        EXPECT_TRUE(problems.first().endsWith(u'.'));
    }
}

TEST(Policy, AllProblemsAreToldAtOnce)
{
    Policy policy;
    policy.lease = 0us;
    policy.ttl = -1us;
    policy.maxRecords = 0;
    EXPECT_EQ(policy.problems().size(), 3);
}

TEST(Semantics, NamesLeadBackToTheirRules)
{
    EXPECT_EQ(Semantics::names(), (QStringList {u"idemscope"_s, u"seed-rust"_s, u"seed-go"_s, u"seed-go-store"_s}));
    for (const QString &name : Semantics::names()) {
        EXPECT_EQ(Semantics::fromName(name)->name, name);
    }
    EXPECT_FALSE(Semantics::fromName(u"Idemscope"));
    EXPECT_FALSE(Semantics::fromName(u""));
}

TEST(Semantics, TheProductIsFencedAndTheSeedIsNot)
{
    const Semantics ours = Semantics::idemscope();
    EXPECT_TRUE(ours.fenced);
    EXPECT_FALSE(ours.abandonAnyState);
    EXPECT_TRUE(ours.fingerprinted);
    const Semantics named = Semantics::fromName(u"idemscope").value();
    EXPECT_EQ(named.fenced, ours.fenced);
    EXPECT_EQ(named.abandonAnyState, ours.abandonAnyState);
    EXPECT_EQ(named.fingerprinted, ours.fingerprinted);
    const Semantics rust = Semantics::seedRust();
    EXPECT_EQ(rust.name, u"seed-rust"_s);
    EXPECT_FALSE(rust.fenced);
    EXPECT_TRUE(rust.abandonAnyState);
    EXPECT_FALSE(rust.fingerprinted);
}

} // namespace idem
