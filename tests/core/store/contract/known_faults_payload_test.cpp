// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/execute_calls.h"

namespace idem::test {

// Faults of payload comparison that other products had, each as the rule that it broke: a payload that is not looked
// at on one path or in one state, and a refusal that harms whoever is right.

namespace {

const QString why = QStringLiteral("ticket 42");

/// A record in some state: how it came there, and what a begin with its own payload gets.
struct Story
{
    const char *name;
    std::function<void()> tell;
    State state;
    OutcomeKind own;
};

Response longAnswer()
{
    return created(QByteArray(1025, 'x'));
}

/// Tells stories, and asks with other payloads after each.
class OtherPayloads : public StoreContract
{
protected:
    void leaveUnknown()
    {
        const Ownership owner = own();
        ASSERT_TRUE(store().markUnknown(owner));
    }
    void expectMismatchesAfter(const Story &story);
};

void OtherPayloads::expectMismatchesAfter(const Story &story)
{
    SCOPED_TRACE(story.name);
    Policy policy;
    policy.maxBodyBytes = 1024;
    open(policy);
    story.tell();
    ASSERT_EQ(state(), story.state);
    const Fence fence = record().fence;
    const std::string before = snapshot();
    const auto expectMismatch = [&](const Mismatch &mismatch) {
        EXPECT_EQ(mismatch.fence, fence);
        EXPECT_EQ(mismatch.state, story.state);
        EXPECT_EQ(snapshot(), before);
    };
    for (const char *other : {"v1:other", "", "v1:payloa", "v1:payload ", "V1:payload", "v2:payload", "payload"}) {
        SCOPED_TRACE(other);
        const Ask asked {.fingerprint = other, .wait = 10s};
        expectMismatch(expect<Mismatch>({.fingerprint = other}));
        expectMismatch(expect<Mismatch>(asked));
        const auto later = beginLater(asked);
        ASSERT_EQ(later->kind(), OutcomeKind::Mismatch) << "told at once";
        expectMismatch(std::get<Mismatch>(*later->outcome));
        const std::array batch {requestOf(asked)};
        const auto outcomes = store().beginMany(batch);
        ASSERT_EQ(kindOf(outcomes.at(0)), OutcomeKind::Mismatch);
        expectMismatch(std::get<Mismatch>(outcomes[0]));
        expectMismatch(reasonOf<Mismatch>(execute(store(), requestOf(asked), unexpectedRun)));
    }
    EXPECT_EQ(ask(), story.own) << "who is right is not harmed";
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Memory, OtherPayloads, testing::Values(Backend {"memory", makeMemoryHarness}));

TEST_P(OtherPayloads, AreMismatchesWhileItRuns)
{
    const std::vector<Story> stories {
        {"in progress", [this] { own(); }, State::InProgress, OutcomeKind::InProgress},
        {"in progress, waited for",
            [this] {
                own();
                beginLater(waiting);
            },
            State::InProgress, OutcomeKind::InProgress},
        {"after a side effect", [this] { ASSERT_TRUE(store().sideEffectStarted(own())); }, State::InProgress,
            OutcomeKind::InProgress},
        {"renewed", [this] { ASSERT_TRUE(store().renew(own())); }, State::InProgress, OutcomeKind::InProgress},
        {"taken over",
            [this] {
                own({.fingerprint = "v1:payload", .lease = 1s});
                advance(1s);
                own();
            },
            State::InProgress, OutcomeKind::InProgress},
        {"given back and begun again",
            [this] {
                ASSERT_TRUE(store().release(own({.fingerprint = "v1:former"})));
                own();
            },
            State::InProgress, OutcomeKind::InProgress},
        {"expired and begun again",
            [this] {
                ASSERT_TRUE(complete(own({.fingerprint = "v1:former"})));
                advance(24h);
                own();
            },
            State::InProgress, OutcomeKind::InProgress},
    };
    for (const Story &story : stories) {
        expectMismatchesAfter(story);
    }
}

TEST_P(OtherPayloads, AreMismatchesOnceItIsOver)
{
    const std::vector<Story> stories {
        {"lapsed",
            [this] {
                own({.lease = 1s});
                advance(1s);
            },
            State::LeaseExpired, OutcomeKind::Fresh},
        {"lapsed after a side effect",
            [this] {
                ASSERT_TRUE(store().sideEffectStarted(own({.lease = 1s})));
                advance(1s);
            },
            State::LeaseExpired, OutcomeKind::Unknown},
        {"completed", [this] { ASSERT_TRUE(complete(own())); }, State::Completed, OutcomeKind::Replay},
        {"completed late",
            [this] {
                const Ownership owner = own({.lease = 1s});
                advance(1s);
                ASSERT_TRUE(complete(owner));
            },
            State::Completed, OutcomeKind::Replay},
        {"too large to keep", [this] { ASSERT_TRUE(store().complete(own(), longAnswer())); }, State::Completed,
            OutcomeKind::NotStored},
        {"failed", [this] { ASSERT_TRUE(store().fail(own(), why)); }, State::Failed, OutcomeKind::Replay},
        {"abandoned as failed", [this] { ASSERT_TRUE(abandon(own(), AbandonAs::Failed)); }, State::Failed,
            OutcomeKind::Replay},
        {"unknown", [this] { leaveUnknown(); }, State::OutcomeUnknown, OutcomeKind::Unknown},
        {"abandoned as unknown", [this] { ASSERT_TRUE(abandon(own(), AbandonAs::Unknown)); }, State::OutcomeUnknown,
            OutcomeKind::Unknown},
        {"settled",
            [this] {
                leaveUnknown();
                ASSERT_TRUE(store().settle(identityOf({}), {record().fence, why, created()}));
            },
            State::Completed, OutcomeKind::Replay},
    };
    for (const Story &story : stories) {
        expectMismatchesAfter(story);
    }
}

TEST_P(StoreContract, APayloadIsComparedBeforeTheAttemptIdIs)
{
    const Ownership owner = own({.attemptId = "try-1"});
    const auto mismatch = expect<Mismatch>({.fingerprint = "v1:other", .attemptId = "try-1"});
    EXPECT_EQ(mismatch.fence, owner.fence);
    EXPECT_EQ(expect<Fresh>({.attemptId = "try-1"}).claim.detach(), owner);
}

TEST_P(StoreContract, WhereNothingIsHeldAnotherPayloadIsAnotherOperation)
{
    const std::vector<std::pair<const char *, std::function<void()>>> stories {
        {"released", [this] { ASSERT_TRUE(store().release(own())); }},
        {"answered with 503", [this] { ASSERT_TRUE(complete(own(), 503)); }},
        {"abandoned", [this] { ASSERT_TRUE(abandon(own())); }},
        {"settled as not executed",
            [this] {
                const Ownership owner = own();
                ASSERT_TRUE(store().markUnknown(owner));
                ASSERT_TRUE(store().settle(owner.identity, {owner.fence, why, {}}));
            }},
        {"expired",
            [this] {
                ASSERT_TRUE(complete(own()));
                advance(24h);
            }},
        {"purged",
            [this] {
                const Ownership owner = own();
                ASSERT_TRUE(complete(owner));
                ASSERT_TRUE(store().purge(owner.identity, owner.fence, why));
            }},
    };
    for (const auto &[name, tell] : stories) {
        SCOPED_TRACE(name);
        open({});
        tell();
        const Ownership next = own({.fingerprint = "v1:other"});
        EXPECT_EQ(ask(), OutcomeKind::Mismatch) << "the former payload is the other one now";
        ASSERT_TRUE(complete(next, 201, "the other's"));
        EXPECT_EQ(expect<Replay>({.fingerprint = "v1:other"}).response->body(), "the other's");
    }
}

TEST_P(StoreContract, UnderHoldAnotherPayloadIsAMismatchToo)
{
    Policy policy;
    policy.lapse = LapsePolicy::Hold;
    open(policy);
    own();
    advance(60s);
    EXPECT_EQ(expect<Mismatch>({.fingerprint = "v1:other"}).state, State::LeaseExpired);
    EXPECT_EQ(ask(), OutcomeKind::Unknown);
}

TEST_P(StoreContract, AWaiterWithAnotherPayloadTakesNobodysPlace)
{
    Policy policy;
    policy.maxWaitersPerKey = 1;
    open(policy);
    const Ownership owner = own();
    EXPECT_EQ(beginLater({.fingerprint = "v1:other", .wait = 10s})->kind(), OutcomeKind::Mismatch);
    EXPECT_EQ(store().counters().waiting, 0U);
    const auto later = beginLater(waiting);
    EXPECT_FALSE(later->isKnown());
    EXPECT_EQ(beginLater({.fingerprint = "v1:other", .wait = 10s})->kind(), OutcomeKind::Mismatch)
        << "not told that the key is busy";
    ASSERT_TRUE(complete(owner, 201, "right"));
    ASSERT_EQ(later->kind(), OutcomeKind::Replay);
    EXPECT_EQ(std::get<Replay>(*later->outcome).response->body(), "right");
    EXPECT_EQ(record().mismatches, 2U);
    EXPECT_EQ(record().conflicts, 0U);
}

TEST_P(StoreContract, AnErrorOfOnePayloadIsNeverTheAnswerToAnother)
{
    // The answer to a wrong one-time password, which is final by itself.
    ASSERT_TRUE(complete(own({.fingerprint = "v1:otp=000000"}), 400, "wrong password"));
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(expect<Mismatch>({.fingerprint = "v1:otp=123456"}).state, State::Completed);
        const auto replay = expect<Replay>({.fingerprint = "v1:otp=000000"});
        EXPECT_EQ(replay.response->status(), 400);
        EXPECT_EQ(replay.response->body(), "wrong password");
    }
    EXPECT_EQ(record().mismatches, 3U);
}

} // namespace idem::test
