// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace idem::test {

using namespace Qt::StringLiterals;

// The owner's verbs: who may call them, what they do, and how often.

namespace {

using Verb = std::optional<StoreErrorCode> (*)(Store &, const Ownership &);

struct OwnerVerb
{
    const char *name;
    Verb call;
};

const std::vector<OwnerVerb> ownerVerbs {
    {"complete",
        [](Store &store, const Ownership &owner) {
            return refusalOf(store.complete(owner, Response {200, {}, {}}));
        }},
    {"fail", [](Store &store, const Ownership &owner) { return refusalOf(store.fail(owner, QStringLiteral("no"))); }},
    {"renew", [](Store &store, const Ownership &owner) { return refusalOf(store.renew(owner)); }},
    {"release", [](Store &store, const Ownership &owner) { return refusalOf(store.release(owner)); }},
    {"sideEffectStarted",
        [](Store &store, const Ownership &owner) { return refusalOf(store.sideEffectStarted(owner)); }},
    {"markUnknown", [](Store &store, const Ownership &owner) { return refusalOf(store.markUnknown(owner)); }},
};

} // namespace

TEST_P(StoreContract, EveryOwnerVerbObeysOnlyTheCurrentOwner)
{
    for (const OwnerVerb &verb : ownerVerbs) {
        SCOPED_TRACE(verb.name);
        const QByteArray key = verb.name;
        const Ownership older = own({.key = key});
        advance(60s);
        const Ownership current = own({.key = key});
        const Ownership foreign = own({.key = key + "-other"});
        const Ownership wrongFence {current.identity, older.fence, current.token};
        const Ownership wrongToken {current.identity, current.fence, foreign.token};
        const Ownership empty {current.identity, current.fence, {}};
        const std::string before = snapshot({.key = key});

        for (const Ownership &stale : {older, wrongFence, wrongToken, empty}) {
            EXPECT_EQ(verb.call(store(), stale), StoreErrorCode::StaleOwner);
            EXPECT_EQ(snapshot({.key = key}), before);
        }
        EXPECT_EQ(verb.call(store(), current), std::nullopt);
    }
    EXPECT_EQ(store().counters().staleRefused, 4 * ownerVerbs.size());
}

TEST_P(StoreContract, EveryOwnerVerbRefusesAKeyThatNobodyHolds)
{
    const Ownership nobody {{"acme", "alice", "never"}, Fence(1), {}};
    for (const OwnerVerb &verb : ownerVerbs) {
        EXPECT_EQ(verb.call(store(), nobody), StoreErrorCode::NotFound) << verb.name;
    }
    EXPECT_FALSE(exists({.key = "never"}));
    EXPECT_EQ(store().counters().staleRefused, 0U);
}

TEST_P(StoreContract, EveryOwnerVerbIsStaleAfterAnAbandon)
{
    for (const AbandonAs as : {AbandonAs::Release, AbandonAs::Failed, AbandonAs::Unknown}) {
        for (const OwnerVerb &verb : ownerVerbs) {
            SCOPED_TRACE(verb.name);
            const QByteArray key = QByteArray(verb.name) + QByteArray::number(int(as));
            const Ownership owner = own({.key = key});
            ASSERT_TRUE(abandon(owner, as));
            const std::string before = snapshot({.key = key});
            EXPECT_EQ(verb.call(store(), owner), StoreErrorCode::StaleOwner);
            EXPECT_EQ(snapshot({.key = key}), before);
        }
    }
}

TEST_P(StoreContract, EveryOwnerVerbIsNotFoundOnceTheRecordExpired)
{
    for (const OwnerVerb &verb : ownerVerbs) {
        const QByteArray key = verb.name;
        const Ownership owner = own({.key = key});
        ASSERT_TRUE(complete(owner, 200, {}));
        advance(24h);
        EXPECT_EQ(verb.call(store(), owner), StoreErrorCode::NotFound) << verb.name;
    }
}

TEST_P(StoreContract, AReleasedKeyIsHeldByNobody)
{
    const Ownership owner = own();
    ASSERT_TRUE(store().release(owner));
    EXPECT_EQ(refusalOf(complete(owner)), StoreErrorCode::NotFound);
    EXPECT_EQ(refusalOf(store().fail(owner, QStringLiteral("no"))), StoreErrorCode::NotFound);
    for (const OwnerVerb &verb : {ownerVerbs[2], ownerVerbs[3], ownerVerbs[4], ownerVerbs[5]}) {
        EXPECT_EQ(verb.call(store(), owner), StoreErrorCode::WrongState) << verb.name;
    }
    EXPECT_EQ(state(), State::Abandoned);
}

TEST_P(StoreContract, AfterItsEndTheOwnerMayOnlyRepeatIt)
{
    const Ownership owner = own();
    ASSERT_TRUE(complete(owner));
    for (const OwnerVerb &verb : {ownerVerbs[2], ownerVerbs[3], ownerVerbs[4], ownerVerbs[5]}) {
        EXPECT_EQ(verb.call(store(), owner), StoreErrorCode::WrongState) << verb.name;
    }
    EXPECT_EQ(state(), State::Completed);
}

TEST_P(StoreContract, StaleOwnerLearnsTheCurrentFence)
{
    const Ownership first = own();
    advance(60s);
    const Ownership second = own();
    const auto refused = complete(first);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().currentFence, second.fence);
    EXPECT_EQ(refused.error().state, State::InProgress);
    EXPECT_FALSE(refused.error().message.isEmpty());
}

TEST_P(StoreContract, RepeatingACompleteChangesNothing)
{
    const Ownership owner = own();
    const auto first = complete(owner);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->state, State::Completed);
    EXPECT_FALSE(first->repeated);
    advance(1h);
    const std::string before = snapshot();
    const auto second = complete(owner);
    ASSERT_TRUE(second);
    EXPECT_TRUE(second->repeated);
    EXPECT_FALSE(second->overwrote);
    EXPECT_EQ(snapshot(), before) << "the time to live is not restarted either";
    EXPECT_EQ(store().counters().completed, 1U);
}

TEST_P(StoreContract, AFinalRecordIsNeverOverwritten)
{
    const Ownership owner = own();
    ASSERT_TRUE(complete(owner, 201, "first"));
    const std::string before = snapshot();
    EXPECT_EQ(refusalOf(complete(owner, 201, "second")), StoreErrorCode::DifferentResult);
    EXPECT_EQ(refusalOf(complete(owner, 200, "first")), StoreErrorCode::DifferentResult);
    EXPECT_EQ(
        refusalOf(store().complete(owner, Response {201, {}, QByteArray("first")})), StoreErrorCode::DifferentResult)
        << "other headers";
    EXPECT_EQ(refusalOf(store().fail(owner, QStringLiteral("no"))), StoreErrorCode::DifferentResult);
    EXPECT_EQ(snapshot(), before);
}

TEST_P(StoreContract, AnAbsentBodyIsAnotherResultThanAnEmptyOne)
{
    const Ownership owner = own();
    ASSERT_TRUE(store().complete(owner, Response {204, {}, std::nullopt}));
    EXPECT_EQ(refusalOf(store().complete(owner, Response {204, {}, QByteArray("")})), StoreErrorCode::DifferentResult);
}

TEST_P(StoreContract, FailureIsReplayedAsAProblem)
{
    const Ownership owner = own();
    const auto failed = store().fail(owner, QStringLiteral("card \"declined\""));
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->state, State::Failed);
    const auto replay = expect<Replay>();
    EXPECT_TRUE(replay.failed);
    EXPECT_EQ(replay.response->status(), 409);
    EXPECT_EQ(replay.response->headers(), (Headers {{"Content-Type", "application/problem+json"}}));
    const QJsonObject problem = QJsonDocument::fromJson(replay.response->body().value().toByteArray()).object();
    EXPECT_EQ(
        problem.keys(), (QStringList {u"code"_s, u"detail"_s, u"retryable"_s, u"status"_s, u"title"_s, u"type"_s}));
    EXPECT_EQ(problem[u"code"], u"operation-failed"_s);
    EXPECT_EQ(problem[u"detail"], u"card \"declined\""_s);
    EXPECT_EQ(problem[u"status"], 409);
    EXPECT_EQ(problem[u"retryable"], false);
    EXPECT_EQ(record().status, 409);
}

TEST_P(StoreContract, RepeatingAFailureSucceeds)
{
    const Ownership owner = own();
    ASSERT_TRUE(store().fail(owner, QStringLiteral("no")));
    const auto again = store().fail(owner, QStringLiteral("no"));
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->repeated);
    EXPECT_EQ(refusalOf(store().fail(owner, QStringLiteral("other"))), StoreErrorCode::DifferentResult);
}

TEST_P(StoreContract, AReasonOfAnyLengthFails)
{
    const Ownership owner = own();
    ASSERT_TRUE(store().fail(owner, QString(5000, u'x')));
    const auto replay = expect<Replay>();
    const QJsonObject problem = QJsonDocument::fromJson(replay.response->body().value().toByteArray()).object();
    EXPECT_EQ(problem[u"detail"].toString(), QString(1000, u'x'));
}

TEST_P(StoreContract, OnlyHttpStatusesAreStored)
{
    const Ownership owner = own();
    for (const int status : {-1, 0, 99, 600, 65'736}) {
        EXPECT_EQ(refusalOf(complete(owner, status)), StoreErrorCode::Invalid) << status;
    }
    EXPECT_EQ(state(), State::InProgress);
    EXPECT_TRUE(complete(owner, 200));
}

TEST_P(StoreContract, SideEffectIsAnnouncedOnce)
{
    const Ownership owner = own();
    EXPECT_FALSE(record().sideEffect);
    ASSERT_TRUE(store().sideEffectStarted(owner));
    ASSERT_TRUE(store().sideEffectStarted(owner)) << "again is no error";
    EXPECT_TRUE(record().sideEffect);
}

TEST_P(StoreContract, AReleaseAfterASideEffectLeavesTheOutcomeUnknown)
{
    const Ownership owner = own();
    ASSERT_TRUE(store().sideEffectStarted(owner));
    ASSERT_TRUE(store().release(owner));
    EXPECT_EQ(state(), State::OutcomeUnknown);
    EXPECT_EQ(ask(), OutcomeKind::Unknown);
    EXPECT_EQ(store().counters().released, 0U);
}

TEST_P(StoreContract, ANewAttemptHasAnnouncedNothing)
{
    Policy policy;
    policy.lapse = LapsePolicy::TakeoverAlways;
    open(policy);
    ASSERT_TRUE(store().sideEffectStarted(own()));
    advance(60s);
    own();
    EXPECT_FALSE(record().sideEffect);
}

} // namespace idem::test
