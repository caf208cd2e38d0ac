// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/execute_calls.h"

#include <atomic>
#include <thread>

namespace idem::test {

// Faults between check and set, and of waiting, that other products had, each as the rule that it broke. Those with
// threads run on any backend, on a clock that stands; races_test.cpp and execute_threads_test.cpp have more of them.

namespace {

const QString why = QStringLiteral("ticket 42");

/// An answer whose status line, header and body say the same, so that a mixed one shows.
Response ofOneCloth(int number)
{
    const QByteArray letter(1, char('a' + number % 26));
    return {200 + number % 26, {{"X-Letter", letter}}, letter.repeated(1000)};
}

bool isOfOneCloth(const StoredResponse &response)
{
    return response.status() >= 200 && response == ofOneCloth(response.status() - 200);
}

/// A view whose members belong to one moment.
void expectWhole(const RecordView &view)
{
    const bool isFinished = view.state == State::Completed;
    EXPECT_EQ(view.status != 0, isFinished) << toString(view.state).toStdString();
    EXPECT_EQ(view.expiresAt.has_value(), isFinished || view.state == State::Abandoned);
    EXPECT_EQ(view.leaseEnd.has_value(), view.state == State::InProgress);
    EXPECT_GT(view.fence, Fence::None);
    EXPECT_GE(view.attempt, 1U);
    EXPECT_EQ(view.fingerprint, "v1:payload");
}

} // namespace

TEST_P(StoreContract, AReaderNeverSeesAHalfWrittenRecord)
{
    constexpr int writers = 4;
    constexpr int rounds = 2000;
    std::atomic<int> left = writers;
    std::atomic<int> finished = 0;
    const auto write = [&](int writer) {
        for (int i = 0; i < rounds; ++i) {
            Outcome outcome = begin();
            if (Fresh *fresh = std::get_if<Fresh>(&outcome)) {
                const bool completes = i % 3 != 0;
                const bool ended = completes ? fresh->claim.complete(ofOneCloth(writer * rounds + i)).has_value()
                                             : fresh->claim.release().has_value();
                EXPECT_TRUE(ended);
                finished += completes ? 1 : 0;
            } else if (const Replay *replay = std::get_if<Replay>(&outcome)) {
                EXPECT_TRUE(isOfOneCloth(*replay->response));
                static_cast<void>(store().purge(identityOf({}), replay->fence, why)); // or another writer does
            } else {
                EXPECT_EQ(kindOf(outcome), OutcomeKind::InProgress);
            }
        }
        --left;
    };
    const auto read = [&] {
        while (left > 0) {
            if (const auto view = store().find(identityOf({}))) {
                expectWhole(*view);
            }
            const auto page = store().list({});
            ASSERT_TRUE(page);
            ASSERT_LE(page->records.size(), 1U);
            std::ranges::for_each(page->records, expectWhole);
            const ResponsePtr response = store().response(identityOf({}));
            EXPECT_TRUE(!response || isOfOneCloth(*response));
        }
    };
    {
        std::vector<std::jthread> threads;
        for (int writer = 0; writer < writers; ++writer) {
            threads.emplace_back(write, writer);
        }
        threads.emplace_back(read);
        threads.emplace_back(read);
    }
    EXPECT_EQ(store().counters().completed, std::uint64_t(finished));
    EXPECT_GT(finished, 0);
}

TEST_P(StoreContract, WhoLosesARaceOwnsNothingThoughItsRequestIsTheSame)
{
    constexpr int threads = 16;
    std::atomic<int> winners = 0;
    std::atomic<int> refused = 0;
    Ownership owner;
    {
        std::vector<std::jthread> racers;
        for (int i = 0; i < threads; ++i) {
            racers.emplace_back([&] {
                Outcome outcome = begin();
                if (Fresh *fresh = std::get_if<Fresh>(&outcome)) {
                    owner = fresh->claim.detach();
                    ++winners;
                    return;
                }
                // The loser learns the winner's fence, and its payload is equal. Neither is a proof.
                const Ownership forged {{"acme", "alice", "order-1"}, std::get<InProgress>(outcome).fence, {}};
                refused += refusalOf(store().complete(forged, created("loser's"))) == StoreErrorCode::StaleOwner;
                refused += refusalOf(store().release(forged)) == StoreErrorCode::StaleOwner;
            });
        }
    }
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(refused, 2 * (threads - 1));
    EXPECT_EQ(state(), State::InProgress);
    ASSERT_TRUE(complete(owner, 201, "winner's"));
    EXPECT_EQ(expect<Replay>().response->body(), "winner's");
}

TEST_P(StoreContract, ABatchMayNameOneKeyTwice)
{
    const std::array asked {Ask {.key = "a"}, Ask {.key = "a"}, Ask {.key = "b"},
        Ask {.key = "a", .fingerprint = "v1:other"}, Ask {.key = ""}, Ask {.key = "a", .wait = 10s}};
    std::vector<BeginRequest> batch;
    std::ranges::transform(asked, std::back_inserter(batch), requestOf);
    auto outcomes = store().beginMany(batch);
    ASSERT_EQ(outcomes.size(), batch.size());
    const std::array kinds {OutcomeKind::Fresh, OutcomeKind::InProgress, OutcomeKind::Fresh, OutcomeKind::Mismatch,
        OutcomeKind::Rejected, OutcomeKind::InProgress};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        EXPECT_EQ(kindOf(outcomes[i]), kinds[i]) << i;
    }
    ASSERT_TRUE(std::get<Fresh>(outcomes[0]).claim.complete(created("a's")));
    outcomes = store().beginMany(std::span(batch).first(3));
    EXPECT_EQ(std::get<Replay>(outcomes[0]).response->body(), "a's");
    EXPECT_EQ(std::get<Replay>(outcomes[1]).response->body(), "a's");
    EXPECT_EQ(kindOf(outcomes[2]), OutcomeKind::InProgress) << "owned by the first batch's outcome";
    EXPECT_TRUE(store().beginMany({}).empty());
}

TEST_P(StoreContract, AWaitersDeadlineHoldsWhileTheKeyGoesFromHandToHand)
{
    constexpr int others = 20;
    Ownership holder = own();
    std::vector<std::shared_ptr<Later>> stealers;
    for (int i = 0; i < others; ++i) {
        stealers.push_back(beginLater({.wait = 30s}));
    }
    const auto victim = beginLater({.owner = "victim", .wait = 200ms});
    for (int i = 0; i + 1 < others; ++i) {
        advance(10ms);
        ASSERT_TRUE(store().release(holder));
        ASSERT_EQ(stealers[std::size_t(i)]->kind(), OutcomeKind::Fresh) << i;
        holder = std::get<Fresh>(*stealers[std::size_t(i)]->outcome).claim.detach();
        EXPECT_EQ(ask(), OutcomeKind::InProgress) << "nobody slips in between";
    }
    advance(10ms - 1us);
    EXPECT_FALSE(victim->isKnown());
    advance(1us);
    EXPECT_EQ(victim->kind(), OutcomeKind::InProgress);
    EXPECT_FALSE(stealers.back()->isKnown()) << "its wait is longer";
    EXPECT_EQ(store().counters().waiting, 1U);
    ASSERT_TRUE(complete(holder));
    EXPECT_EQ(stealers.back()->kind(), OutcomeKind::Replay);
    EXPECT_EQ(pendingTimers(), 1U) << "the sweep's";
}

TEST_P(StoreContract, AWaitersDeadlineHoldsWhileLeasesLapseUnderIt)
{
    own({.lease = 60ms});
    std::vector<std::shared_ptr<Later>> heirs;
    for (int i = 0; i < 5; ++i) {
        heirs.push_back(beginLater({.lease = 60ms, .wait = 30s}));
    }
    const auto victim = beginLater({.wait = 200ms});
    for (std::size_t i = 0; i < 3; ++i) { // at 60, 120 and 180 ms
        advance(60ms);
        ASSERT_EQ(heirs[i]->kind(), OutcomeKind::Fresh) << i;
        EXPECT_TRUE(std::get<Fresh>(*heirs[i]->outcome).tookOver);
        std::get<Fresh>(*heirs[i]->outcome).claim.detach();
    }
    advance(20ms - 1us);
    EXPECT_FALSE(victim->isKnown());
    advance(1us);
    EXPECT_EQ(victim->kind(), OutcomeKind::InProgress);
    EXPECT_FALSE(heirs[3]->isKnown());
}

TEST_P(StoreContract, AHundredWaitersShareOneAnswerWhoeverMakesIt)
{
    Policy policy;
    policy.maxWaitersPerKey = 101;
    open(policy);
    const Ownership owner = own();
    std::vector<std::shared_ptr<Later>> waiters;
    for (int i = 0; i < 101; ++i) {
        waiters.push_back(beginLater(waiting));
    }
    ASSERT_TRUE(store().release(owner));
    ASSERT_EQ(waiters[0]->kind(), OutcomeKind::Fresh);
    ASSERT_TRUE(std::get<Fresh>(*waiters[0]->outcome).claim.complete(created("the heir's")));
    for (std::size_t i = 1; i < waiters.size(); ++i) {
        ASSERT_EQ(waiters[i]->kind(), OutcomeKind::Replay) << i;
        EXPECT_EQ(std::get<Replay>(*waiters[i]->outcome).response->body(), "the heir's");
    }
    EXPECT_EQ(record().waiting, 0U);
}

} // namespace idem::test
