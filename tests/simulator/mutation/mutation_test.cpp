// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run.h"
#include "tests/simulator/mutation/faulty_stores.h"
#include "tests/simulator/mutation/lessons.h"

#include <gtest/gtest.h>

#include <iostream>

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using test::StoreFault;

struct Case
{
    StoreFault fault = StoreFault::None;
    QString what {};
    Scenario scenario {};
    /// What must notice: invariants, or counts where a fault breaks none.
    QStringList caughtBy {};
};

std::vector<Case> cases()
{
    return {
        {StoreFault::SecondFresh, u"a second owner beside the first"_s, impatient(), {u"I4"_s}},
        {StoreFault::FalseConflict, u"a conflict on a free key"_s, undisturbed(), {u"I4"_s, u"conflicts"_s}},
        {StoreFault::OtherAnswer, u"another key's answer"_s, answersLost(), {u"I2"_s, u"wrong_replays"_s}},
        {StoreFault::DefaultSuccess, u"an empty success for a waiter"_s, thrownWhileWaitedFor(), {u"I3"_s}},
        {StoreFault::LostWakeup, u"a waiter is never woken"_s, thrownWhileWaitedFor(), {u"I7"_s}},
        {StoreFault::EarlyLeaseEnd, u"a lease ends 200 ms early"_s, impatient(), {u"I4"_s, u"effects"_s}},
        {StoreFault::LongTtl, u"an answer lives 1 s too long"_s, retriedAfterLife(900ms), {u"I3"_s, u"replays"_s}},
        {StoreFault::LongTtlByOne, u"an answer lives 1 us too long"_s, retriedAfterLife(0us), {u"I3"_s}},
        {StoreFault::ShortTtlByOne, u"an answer lives 1 us too short"_s, retriedAfterLife(-1us), {u"I1"_s}},
        {StoreFault::NoFingerprint, u"another payload is not noticed"_s, keyReused(), {u"wrong_replays"_s}},
        {StoreFault::ReplayTooSoon, u"an answer before there is one"_s, impatient(), {u"I3"_s}},
        {StoreFault::NoFence, u"a displaced owner's result is taken"_s, overtaken(), {u"I6"_s}},
        {StoreFault::CompleteAfterAbandon, u"a result is taken after abandon"_s, abandoned(), {u"I6"_s}},
        {StoreFault::Overwrite, u"a late result overwrites, unsaid"_s, overtakenAndFinished(), {u"I2"_s}},
        {StoreFault::OwnerRefused, u"the owner's result is refused"_s, answersLost(), {u"I6"_s}},
        {StoreFault::DroppedResult, u"a result is dropped, unsaid"_s, answersLost(), {u"I1"_s, u"effects"_s}},
        {StoreFault::LostRelease, u"a released key stays held"_s, thrown(), {u"I4"_s, u"client_ok"_s}},
        {StoreFault::StaleRelease, u"a displaced owner frees the key"_s, overtakenAndThrown(), {u"I6"_s}},
        {StoreFault::AbandonFinished, u"abandon of a finished key"_s, abandonedTooLate(), {u"I1"_s}},
    };
}

/// What a run found wrong: the broken invariants, and the counts that are not those expected.
QStringList findings(const Scenario &scenario, StoreFault fault)
{
    Run run(scenario, scenario.seed,
        {.wrapStore = [fault](std::unique_ptr<Store> store) { return test::makeFaulty(fault, std::move(store)); }});
    run.toEnd();
    QStringList found;
    for (const Violation &violation : run.violations()) {
        found.append(toString(violation.invariant));
    }
    for (const Verdict &verdict : judge(scenario.expected, {.counts = run.counts(), .measures = run.measures()})) {
        if (!verdict.ok && verdict.expected.name != u"invariant_violations") {
            found.append(verdict.expected.name);
        }
    }
    found.removeDuplicates();
    return found;
}

TEST(Mutation, AnHonestStoreIsNotAccused)
{
    for (const Case &one : cases()) {
        SCOPED_TRACE(one.scenario.name.toStdString());
        EXPECT_EQ(findings(one.scenario, StoreFault::None).join(u' ').toStdString(), "");
    }
}

TEST(Mutation, TheDecoratorAloneChangesNothing)
{
    for (const Case &one : cases()) {
        SCOPED_TRACE(one.scenario.name.toStdString());
        sim::Run bare(one.scenario);
        sim::Run wrapped(one.scenario, one.scenario.seed, {.wrapStore = [](std::unique_ptr<Store> store) {
            return test::makeFaulty(StoreFault::None, std::move(store));
        }});
        bare.toEnd();
        wrapped.toEnd();
        EXPECT_EQ(bare.traceHash(), wrapped.traceHash());
        EXPECT_EQ(bare.counts(), wrapped.counts());
        EXPECT_EQ(bare.measures(), wrapped.measures());
    }
}

TEST(Mutation, EveryFaultIsNoticed)
{
    const auto line = [](const QString &fault, const QString &scenario, const QString &found) {
        std::cout << qPrintable(fault.leftJustified(36)) << qPrintable(scenario.leftJustified(26)) << qPrintable(found)
                  << '\n';
    };
    line(u"fault"_s, u"scenario"_s, u"caught by"_s);
    for (const Case &one : cases()) {
        const QStringList found = findings(one.scenario, one.fault);
        line(one.what, one.scenario.name, found.join(u", "_s));
        for (const QString &expected : one.caughtBy) {
            EXPECT_TRUE(found.contains(expected)) << qPrintable(one.what) << ": no " << qPrintable(expected);
        }
    }
}

} // namespace
} // namespace idem::sim
