// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/execute_calls.h"

namespace idem::test {

// Faults of what is kept and replayed that other products had, each as the rule that it broke.

namespace {

constexpr std::array allPresets {FinalPreset::Default, FinalPreset::SuccessOnly, FinalPreset::StripeV1,
    FinalPreset::Powertools, FinalPreset::SeedRust, FinalPreset::SeedGo, FinalPreset::SeedGoCacheErrors};

/// Those that keep an answer whatever its status: what they leave out is only what gives none.
bool keepsAnyStatus(FinalPreset preset)
{
    return preset != FinalPreset::Default && preset != FinalPreset::SuccessOnly;
}

} // namespace

TEST_P(StoreContract, AnErrorThatPassesIsFinalOnlyUnderAPresetThatKeepsAnyAnswer)
{
    for (const FinalPreset preset : allPresets) {
        Policy policy;
        policy.finalAnswers = preset;
        open(policy);
        for (const int status : {401, 403, 408, 409, 425, 429, 500, 502, 503, 504}) {
            SCOPED_TRACE(toString(preset).toStdString() + ' ' + std::to_string(status));
            const Ask asked {.key = QByteArray::number(status)};
            const Response answer {status, {{"Content-Type", "text/plain"}}, "busy"};
            const Executed first = answerOf(execute(store(), requestOf(asked), answering(answer)));
            EXPECT_EQ(*first.response, answer) << "its own caller gets it in any case";
            EXPECT_FALSE(first.shared);
            EXPECT_EQ(first.stored, keepsAnyStatus(preset));
            int runs = 0;
            const Executed again = answerOf(execute(store(), requestOf(asked), [&runs](Execution &) {
                ++runs;
                return created("recovered");
            }));
            EXPECT_EQ(runs, keepsAnyStatus(preset) ? 0 : 1);
            EXPECT_EQ(again.shared, keepsAnyStatus(preset)) << "a replayed error is told from a new one";
            EXPECT_EQ(*again.response, keepsAnyStatus(preset) ? answer : created("recovered"));
        }
    }
}

TEST_P(StoreContract, AFailureIsFinalOrForgottenAsThePresetSays)
{
    for (const FinalPreset preset : allPresets) {
        SCOPED_TRACE(toString(preset).toStdString());
        const bool deletes = preset == FinalPreset::Powertools || preset == FinalPreset::SeedGo;
        EXPECT_EQ(keepsFailures(preset), !deletes);
        Policy policy;
        policy.finalAnswers = preset;
        open(policy);
        const auto ended = store().fail(own(), QStringLiteral("no funds"));
        ASSERT_TRUE(ended);
        EXPECT_EQ(ended->state, deletes ? State::Abandoned : State::Failed);
        EXPECT_EQ(ask(), deletes ? OutcomeKind::Fresh : OutcomeKind::Replay);
    }
}

TEST_P(StoreContract, AnOwnerThatLeavesAfterASideEffectIsForgottenOnlyWhereThePresetSaysSo)
{
    for (const FinalPreset preset : allPresets) {
        SCOPED_TRACE(toString(preset).toStdString());
        const bool isOurs =
            preset == FinalPreset::Default || preset == FinalPreset::SuccessOnly || preset == FinalPreset::StripeV1;
        EXPECT_EQ(forgetsFailures(preset), !isOurs);
        Policy policy;
        policy.finalAnswers = preset;
        open(policy);
        ASSERT_TRUE(claim().sideEffectStarted()); // and the guard goes
        EXPECT_EQ(ask(), isOurs ? OutcomeKind::Unknown : OutcomeKind::Fresh);
    }
}

TEST_P(StoreContract, APresetDecidesWhenAnAnswerComesAndNotWhenItIsAskedFor)
{
    // An outage's answer: kept or not, what follows is the same however often it is asked for.
    Policy policy;
    policy.finalAnswers = FinalPreset::StripeV1;
    open(policy);
    ASSERT_TRUE(complete(own(), 500, "database down"));
    for (int i = 0; i < 3; ++i) {
        advance(1h);
        const auto replay = expect<Replay>();
        EXPECT_EQ(replay.response->status(), 500);
        EXPECT_FALSE(replay.failed) << "an answer, not a failure of the operation";
    }
    advance(21h);
    EXPECT_EQ(ask(), OutcomeKind::Fresh) << "not beyond its time";
}

TEST_P(StoreContract, EveryStatusReplaysWithItsLinesAndItsBody)
{
    Policy policy;
    policy.finalAnswers = FinalPreset::StripeV1;
    open(policy);
    for (const int status : {200, 201, 202, 204, 206, 303, 304, 406, 422, 499, 500, 599}) {
        const bool hasBody = status != 204 && status != 304; // RFC 9110 sections 15.3.5 and 15.4.5
        const Response answer {status,
            {{"Location", "/orders/7"}, {"ETag", "\"" + QByteArray::number(status) + "\""}, {"Link", "</a>"},
                {"Link", "</b>"}},
            hasBody ? std::optional<QByteArray>("{\"status\":" + QByteArray::number(status) + "}") : std::nullopt};
        const Ask asked {.key = QByteArray::number(status)};
        ASSERT_TRUE(store().complete(own(asked), answer));
        EXPECT_EQ(*expect<Replay>(asked).response, answer) << status;
        EXPECT_EQ(record(asked).status, status);
    }
    EXPECT_EQ(store().counters().outcome(OutcomeKind::Replay), 12U);
}

TEST_P(StoreContract, ABodyOfEveryLengthAroundTheCapReplaysByteForByteOrNotAtAll)
{
    constexpr qsizetype cap = 1000;
    Policy policy;
    policy.maxBodyBytes = cap;
    open(policy);
    QByteArray everyByte;
    while (everyByte.size() <= cap) {
        everyByte.append(char(everyByte.size() * 7));
    }
    for (const qsizetype size : {qsizetype(0), qsizetype(1), qsizetype(256), cap - 1, cap, cap + 1}) {
        const Ask asked {.key = QByteArray::number(size)};
        const Response answer {200, {}, everyByte.first(size)};
        const Executed own = answerOf(execute(store(), requestOf(asked), answering(answer)));
        EXPECT_EQ(*own.response, answer) << "the first caller gets every byte";
        if (size <= cap) {
            EXPECT_EQ(*expect<Replay>(asked).response, answer) << size;
        } else {
            EXPECT_EQ(expect<NotStored>(asked).originalStatus, 200) << size;
        }
    }
}

TEST_P(StoreContract, AReplayRunsNothing)
{
    int effects = 0;
    for (int i = 0; i < 5; ++i) {
        answerOf(execute(store(), requestOf({}), [&effects](Execution &) {
            ++effects; // what else the operation does: mails, web hooks
            return created();
        }));
    }
    EXPECT_EQ(effects, 1);
    EXPECT_EQ(store().counters().completed, 1U);
    EXPECT_EQ(record().replays, 4U);
}

} // namespace idem::test
