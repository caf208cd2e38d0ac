// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

#include <array>

namespace idem::test {

// Which answers are kept, by preset, and what becomes of the others.

namespace {

/// The statuses of semantics.md's "What is final", each with its answer under the three presets.
struct FinalRow
{
    int status;
    bool byDefault;
    bool bySuccessOnly;
};

constexpr std::array finalRows {
    FinalRow {200, true, true},
    FinalRow {201, true, true},
    FinalRow {202, true, true},
    FinalRow {204, true, true},
    FinalRow {206, true, true},
    FinalRow {299, true, true},
    FinalRow {300, true, false},
    FinalRow {303, true, false},
    FinalRow {304, true, false},
    FinalRow {400, true, false},
    FinalRow {401, false, false},
    FinalRow {402, true, false},
    FinalRow {403, false, false},
    FinalRow {404, true, false},
    FinalRow {406, true, false},
    FinalRow {408, false, false},
    FinalRow {409, false, false},
    FinalRow {410, true, false},
    FinalRow {422, true, false},
    FinalRow {425, false, false},
    FinalRow {429, false, false},
    FinalRow {499, true, false},
    FinalRow {500, false, false},
    FinalRow {502, false, false},
    FinalRow {503, false, false},
    FinalRow {504, false, false},
    FinalRow {599, false, false},
};

} // namespace

TEST_P(StoreContract, FinalAnswersAreReplayedAndOthersGiveTheKeyBack)
{
    for (const FinalPreset preset : {FinalPreset::Default, FinalPreset::SuccessOnly, FinalPreset::StripeV1}) {
        Policy policy;
        policy.finalAnswers = preset;
        open(policy);
        for (const FinalRow &row : finalRows) {
            SCOPED_TRACE(testing::Message() << "preset " << int(preset) << " status " << row.status);
            const bool isFinalHere =
                preset == FinalPreset::StripeV1 || (preset == FinalPreset::Default ? row.byDefault : row.bySuccessOnly);
            EXPECT_EQ(isFinal(preset, row.status), isFinalHere);
            const Ask ask {.key = QByteArray::number(row.status)};
            const auto completion = complete(own(ask), row.status);
            ASSERT_TRUE(completion);
            EXPECT_EQ(completion->state, isFinalHere ? State::Completed : State::Abandoned);
            EXPECT_EQ(this->ask(ask), isFinalHere ? OutcomeKind::Replay : OutcomeKind::Fresh);
        }
    }
}

TEST_P(StoreContract, ATransientAnswerLeavesNothingBehind)
{
    const Ownership owner = own();
    ASSERT_TRUE(complete(owner, 503, "try later"));
    EXPECT_FALSE(store().response(owner.identity));
    EXPECT_EQ(record().status, 0);
    EXPECT_EQ(store().counters().released, 1U);
    EXPECT_EQ(store().counters().completed, 0U);
    const auto next = expect<Fresh>();
    EXPECT_EQ(next.attempt, 2U);
}

TEST_P(StoreContract, ATransientAnswerAfterASideEffectIsUnknown)
{
    const Ownership owner = own();
    ASSERT_TRUE(store().sideEffectStarted(owner));
    const auto completion = complete(owner, 500);
    ASSERT_TRUE(completion);
    EXPECT_EQ(completion->state, State::OutcomeUnknown);
    EXPECT_EQ(ask(), OutcomeKind::Unknown);
}

TEST_P(StoreContract, ARunningInterimStatusIsNotFinal)
{
    EXPECT_FALSE(isFinal(FinalPreset::Default, 100));
    EXPECT_FALSE(isFinal(FinalPreset::SuccessOnly, 199));
    EXPECT_TRUE(isFinal(FinalPreset::StripeV1, 100));
}

// What is kept, byte for byte.

TEST_P(StoreContract, BodiesReplayAsThemselves)
{
    QByteArray everyByte;
    for (int byte = 0; byte < 256; ++byte) {
        everyByte.append(char(byte));
    }
    const std::vector<std::optional<QByteArray>> bodies {std::nullopt, QByteArray(""), QByteArray("null"),
        QByteArray("0"), QByteArray("false"), QByteArray("\"\""), QByteArray("[]"), QByteArray("{}"), everyByte,
        QByteArray("\xff\xfe\x00\x80", 4), QByteArray(1, '\0')};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Ask ask {.key = QByteArray::number(qulonglong(i))};
        ASSERT_TRUE(store().complete(own(ask), Response {200, {}, bodies[i]}));
        const auto replay = expect<Replay>(ask);
        EXPECT_EQ(replay.response->body().has_value(), bodies[i].has_value()) << i;
        EXPECT_EQ(replay.response->body(), bodies[i]) << i;
    }
}

TEST_P(StoreContract, AnswersWithoutABodyAreKeptToo)
{
    for (const int status : {202, 204}) {
        const Ask ask {.key = QByteArray::number(status)};
        ASSERT_TRUE(store().complete(own(ask), Response {status, {}, std::nullopt}));
        const auto replay = expect<Replay>(ask);
        EXPECT_EQ(replay.response->status(), status);
        EXPECT_FALSE(replay.response->body().has_value());
    }
}

TEST_P(StoreContract, HeadersKeepTheirOrderCaseAndLines)
{
    const Headers headers {
        {"Link", "</a>; rel=next"}, {"content-type", "text/plain"}, {"LINK", "</b>, </c>"}, {"Empty", ""}};
    ASSERT_TRUE(store().complete(own(), Response {200, headers, QByteArray("x")}));
    EXPECT_EQ(expect<Replay>().response->headers(), headers);
}

TEST_P(StoreContract, HeaderLinesBeyondTheirBoundLeaveATombstoneToo)
{
    const auto withLine = [](qsizetype bytes) { return Response {200, {{"X-Long", QByteArray(bytes, 'h')}}, {}}; };
    const auto kept = store().complete(own({.key = "kept"}), withLine(60'000));
    ASSERT_TRUE(kept);
    EXPECT_FALSE(kept->bodyOmitted);
    const auto omitted = store().complete(own({.key = "omitted"}), withLine(66'000));
    ASSERT_TRUE(omitted);
    EXPECT_TRUE(omitted->bodyOmitted);
    EXPECT_EQ(ask("omitted"), OutcomeKind::NotStored);
}

TEST_P(StoreContract, ABodyAboveTheCapLeavesATombstone)
{
    Policy policy;
    policy.maxBodyBytes = 8;
    open(policy);
    const Ownership fits = own({.key = "fits"});
    const auto kept = complete(fits, 201, QByteArray(8, 'x'));
    ASSERT_TRUE(kept);
    EXPECT_FALSE(kept->bodyOmitted);
    EXPECT_EQ(ask("fits"), OutcomeKind::Replay);

    const Ownership owner = own();
    const auto completion = complete(owner, 201, QByteArray(9, 'x'));
    ASSERT_TRUE(completion);
    EXPECT_EQ(completion->state, State::Completed);
    EXPECT_TRUE(completion->bodyOmitted);
    const auto notStored = expect<NotStored>();
    EXPECT_EQ(notStored.originalStatus, 201);
    EXPECT_EQ(notStored.fence, owner.fence);
    EXPECT_EQ(state(), State::Completed) << "never executed again";
    EXPECT_TRUE(record().bodyOmitted);
    EXPECT_FALSE(store().response(owner.identity));
    EXPECT_EQ(ask({.fingerprint = "v1:other"}), OutcomeKind::Mismatch);
}

TEST_P(StoreContract, ATombstoneKnowsARepeat)
{
    Policy policy;
    policy.maxBodyBytes = 8;
    open(policy);
    const Ownership owner = own();
    ASSERT_TRUE(complete(owner, 201, "0123456789"));
    const auto again = complete(owner, 201, "0123456789");
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->repeated);
    EXPECT_TRUE(again->bodyOmitted);
    EXPECT_EQ(refusalOf(complete(owner, 201, "0123456780")), StoreErrorCode::DifferentResult);
    EXPECT_EQ(refusalOf(complete(owner, 200, "0123456789")), StoreErrorCode::DifferentResult);
    EXPECT_EQ(refusalOf(complete(owner, 201, "short")), StoreErrorCode::DifferentResult);
}

TEST_P(StoreContract, ATombstoneExpiresLikeAnyAnswer)
{
    Policy policy;
    policy.maxBodyBytes = 1;
    open(policy);
    ASSERT_TRUE(complete(own(), 201, "too long"));
    advance(24h);
    EXPECT_EQ(ask(), OutcomeKind::Fresh);
    EXPECT_FALSE(record().bodyOmitted);
}

} // namespace idem::test
