// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/execute_calls.h"

#include <atomic>
#include <stdexcept>
#include <thread>

namespace idem::test {

// Each fault of the Go seed as its presets keep it, and what becomes of it here:
//
//   call                                       the Go seed                               here
//   Acquire A, Release, Acquire B, A commits   others get A's value, B's Commit panics   StaleOwner
//   fn panics while others wait in Do          waiters get an empty success              the real outcome
//   a time to live of 0                        silently 10 minutes                       never replayed
//   store mode, 10 concurrent Do               fn runs 10 times                          once
//   store down                                 fn runs unprotected, silently             fails closed
//
// Its verbs here: Do is execute(); Acquire, Commit and Release are begin(), complete() and release(); Get is find();
// Len is counters().records; Forget is purge(); Stop is close(); WithGCInterval is the policy's sweepInterval, and
// WithCacheErrors its preset of final answers.

namespace {

Policy goPolicy(FinalPreset errors = FinalPreset::SeedGo)
{
    Policy policy;
    policy.semantics = Semantics::seedGo();
    policy.finalAnswers = errors;
    policy.ttl = 10min;
    policy.lease.reset();
    return policy;
}

Policy goStorePolicy()
{
    Policy policy = goPolicy();
    policy.semantics = Semantics::seedGoStore();
    return policy;
}

constexpr std::array errorPresets {FinalPreset::SeedGo, FinalPreset::SeedGoCacheErrors};

/// Sleeps until `isSo`; after a minute it goes on, so that a test fails and does not hang.
template <typename Condition> void await(Condition isSo)
{
    const auto limit = std::chrono::steady_clock::now() + 60s;
    while (!isSo() && std::chrono::steady_clock::now() < limit) {
        std::this_thread::sleep_for(100us);
    }
}

/// Calls execute() on ten threads at once and returns what each got.
std::vector<ExecuteResult> onTenThreads(Store &store, const std::function<Response(int)> &operation)
{
    constexpr int calls = 10;
    std::vector<ExecuteResult> results(calls, ExecuteResult());
    std::vector<std::jthread> threads;
    for (int call = 0; call < calls; ++call) {
        threads.emplace_back([&, call] {
            results[std::size_t(call)] =
                execute(store, requestOf(waiting), [&](Execution &) { return operation(call); });
        });
    }
    threads.clear();
    return results;
}

std::ptrdiff_t sharedOf(const std::vector<ExecuteResult> &results)
{
    return std::ranges::count_if(results, [](const ExecuteResult &result) { return result && result->shared; });
}

Response panics(Execution & /*execution*/)
{
    throw std::runtime_error("panic");
}

} // namespace

TEST_P(StoreContract, GoSeedServesALateCommitAndRefusesTheOwnersOwn)
{
    for (const FinalPreset errors : errorPresets) {
        open(goPolicy(errors));
        const Ownership first = own();
        ASSERT_TRUE(store().release(first));
        const Ownership second = own();
        const auto late = complete(first, 200, "A");
        ASSERT_TRUE(late);
        EXPECT_FALSE(late->overwrote);
        EXPECT_EQ(expect<Replay>().response->body(), "A") << "as if the second attempt had made it";
        EXPECT_EQ(refusalOf(complete(second, 200, "B")), StoreErrorCode::DifferentResult) << "the seed panics";
        EXPECT_EQ(refusalOf(complete(second, 200, "A")), StoreErrorCode::DifferentResult) << "whatever it commits";
        EXPECT_EQ(expect<Replay>().response->body(), "A");
        EXPECT_EQ(store().counters().staleRefused, 0U);
    }
}

TEST_P(StoreContract, HereALateCommitIsStaleAndTheOwnersOwnStands)
{
    const Ownership first = own();
    ASSERT_TRUE(store().release(first));
    const Ownership second = own();
    const std::string before = snapshot();
    EXPECT_EQ(refusalOf(complete(first, 200, "A")), StoreErrorCode::StaleOwner);
    EXPECT_EQ(snapshot(), before);
    EXPECT_TRUE(complete(second, 200, "B"));
    EXPECT_EQ(expect<Replay>().response->body(), "B");
    EXPECT_EQ(store().counters().staleRefused, 1U);
}

TEST_P(StoreContract, GoSeedsLateReleaseFreesSomebodyElsesAttempt)
{
    open(goPolicy());
    const Ownership first = own();
    ASSERT_TRUE(store().release(first));
    own();
    EXPECT_EQ(ask(), OutcomeKind::InProgress);
    ASSERT_TRUE(store().release(first));
    EXPECT_EQ(ask(), OutcomeKind::Fresh) << "a third attempt beside the second";
}

TEST_P(StoreContract, GoSeedsPresetGivesWaitersOfAThrowAnEmptySuccess)
{
    for (const FinalPreset errors : errorPresets) {
        open(goPolicy(errors));
        std::shared_ptr<Later> later;
        EXPECT_THROW(static_cast<void>(execute(store(), requestOf({}),
                         [&](Execution &execution) {
                             later = beginLater(waiting);
                             return panics(execution);
                         })),
            std::runtime_error);
        ASSERT_EQ(later->kind(), OutcomeKind::Replay);
        EXPECT_EQ(*std::get<Replay>(*later->outcome).response, (Response {200, {}, {}}));
        EXPECT_FALSE(exists()) << "a panic is no error to keep: the next call runs again";
    }
}

TEST_P(StoreContract, HereWaitersOfAThrowRunTheOperationThemselves)
{
    std::shared_ptr<Later> first;
    std::shared_ptr<Later> second;
    EXPECT_THROW(static_cast<void>(execute(store(), requestOf({}),
                     [&](Execution &execution) {
                         first = beginLater(waiting);
                         second = beginLater(waiting);
                         return panics(execution);
                     })),
        std::runtime_error);
    ASSERT_EQ(first->kind(), OutcomeKind::Fresh) << "never an empty success";
    EXPECT_FALSE(second->isKnown());
    ASSERT_TRUE(std::get<Fresh>(*first->outcome).claim.complete(created("real")));
    ASSERT_EQ(second->kind(), OutcomeKind::Replay);
    EXPECT_EQ(std::get<Replay>(*second->outcome).response->body(), "real");
}

TEST_P(StoreContract, HereWaitersOfALostGuardRunTheOperationThemselves)
{
    std::shared_ptr<Later> later;
    {
        const Claim leader = claim();
        later = beginLater(waiting);
    }
    EXPECT_EQ(later->kind(), OutcomeKind::Fresh);
}

TEST_P(StoreContract, GoSeedReadsATtlOfZeroAsTenMinutes)
{
    for (Policy policy : {goPolicy(), goStorePolicy()}) {
        policy.ttl = 0s;
        open(policy);
        ASSERT_TRUE(complete(own()));
        EXPECT_EQ(record().expiresAt, now() + 10min);
        advance(10min - 1us);
        EXPECT_EQ(ask(), OutcomeKind::Replay);
        EXPECT_EQ(store().sweepNow(), 0U);
        advance(1us);
        EXPECT_FALSE(exists());
        EXPECT_EQ(store().sweepNow(), 1U);
        EXPECT_EQ(ask(), OutcomeKind::Fresh);
    }
}

TEST_P(StoreContract, GoSeedTakesAnyOtherTtlAtItsWord)
{
    for (const Duration ttl : {Duration(1us), Duration(10min - 1us), Duration(11min)}) {
        Policy policy = goPolicy();
        policy.ttl = ttl;
        open(policy);
        ASSERT_TRUE(complete(own()));
        EXPECT_EQ(record().expiresAt, now() + ttl);
    }
}

TEST_P(StoreContract, HereATtlOfZeroNeverReplays)
{
    Policy policy;
    policy.ttl = 0s;
    open(policy);
    for (int run = 0; run < 3; ++run) {
        EXPECT_FALSE(answerOf(execute(store(), requestOf({}), answering(created()))).shared) << run;
    }
}

TEST_P(StoreContract, GoSeedsStoreModeRunsTenCallsOnTenThreadsTenTimes)
{
    open(goStorePolicy());
    std::atomic<int> runs = 0;
    const auto results = onTenThreads(store(), [&runs](int call) {
        ++runs;
        await([&runs] { return runs == 10; });
        return created(QByteArray::number(call));
    });
    EXPECT_EQ(runs, 10);
    EXPECT_EQ(sharedOf(results), 0);
    for (int call = 0; call < 10; ++call) {
        EXPECT_EQ(answerOf(results[std::size_t(call)]).response->body(), QByteArray::number(call)) << "each its own";
    }
    const Executed late = answerOf(execute(store(), requestOf({}), unexpectedRun));
    EXPECT_TRUE(late.shared) << "who comes after all of them gets what was written last";
    EXPECT_EQ(late.response->status(), 201);
}

TEST_P(StoreContract, HereTenCallsOnTenThreadsRunOnce)
{
    std::atomic<int> runs = 0;
    const auto results = onTenThreads(store(), [&](int call) {
        ++runs;
        await([this] { return store().counters().waiting == 9; });
        return created(QByteArray::number(call));
    });
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(sharedOf(results), 9);
    for (const ExecuteResult &result : results) {
        EXPECT_EQ(answerOf(result).response->body(), answerOf(results[0]).response->body());
    }
}

TEST_P(StoreContract, GoSeedsStoreModeRunsUnprotectedAndSilentlyWhileTheStoreIsDown)
{
    open(goStorePolicy());
    answerOf(execute(store(), requestOf({}), answering(created("kept"))));
    store().close();
    int runs = 0;
    for (const QByteArray key : {"order-1", "order-1", "order-2"}) {
        const Executed executed = answerOf(execute(store(), requestOf({.key = key}), [&runs](Execution &execution) {
            EXPECT_FALSE(execution.isProtected());
            return created(QByteArray::number(++runs));
        }));
        EXPECT_EQ(executed.response->body(), QByteArray::number(runs)) << "an ordinary answer to its caller";
        EXPECT_FALSE(executed.stored);
    }
    EXPECT_EQ(runs, 3) << "even what was done before";
    EXPECT_EQ(store().counters().records, 1U);
}

TEST_P(StoreContract, HereNothingRunsWhileTheStoreIsDown)
{
    for (const Policy &policy : {Policy(), goPolicy()}) { // the seed in memory has no store that could be down
        open(policy);
        store().close();
        for (const Ask &asked : {Ask {}, waiting}) {
            const auto refused = reasonOf<Rejected>(execute(store(), requestOf(asked), unexpectedRun));
            EXPECT_EQ(refused.reason, RejectReason::Closed);
        }
    }
}

TEST_P(StoreContract, GoSeedForgetsErrorsUnlessItIsToldToCacheThem)
{
    const auto failing = [](Failure::As as) -> Operation {
        return [as](Execution &execution) -> tl::expected<Response, Failure> {
            EXPECT_TRUE(execution.sideEffectStarted()) << "it knows no unknown outcomes";
            return tl::unexpected(Failure {QStringLiteral("no funds"), as});
        };
    };
    for (const FinalPreset errors : errorPresets) {
        open(goPolicy(errors));
        const auto first = reasonOf<Failure>(execute(store(), requestOf({}), failing(Failure::As::Final)));
        EXPECT_EQ(first.reason, QStringLiteral("no funds"));
        if (errors == FinalPreset::SeedGo) {
            EXPECT_FALSE(answerOf(execute(store(), requestOf({}), answering(created()))).shared);
        } else {
            const Executed again = answerOf(execute(store(), requestOf({}), unexpectedRun));
            EXPECT_TRUE(again.shared);
            EXPECT_TRUE(again.failed);
            EXPECT_TRUE(again.response->body()->contains("no funds"));
        }
        reasonOf<Failure>(execute(store(), requestOf({.key = "order-2"}), failing(Failure::As::Release)));
        EXPECT_EQ(ask("order-2"), OutcomeKind::Fresh) << "what the operation itself calls transient";
    }
}

TEST_P(StoreContract, EveryVerbOfTheGoSeedIsHere)
{
    for (const Policy &policy : {Policy(), goPolicy()}) {
        open(policy);
        const Ownership owner = own(); // Acquire: ours
        EXPECT_EQ(ask(), OutcomeKind::InProgress); // Acquire: ErrConflict
        EXPECT_EQ(store().counters().records, 1U); // Len
        EXPECT_FALSE(store().response(owner.identity)); // Get: nothing yet
        ASSERT_TRUE(complete(owner, 201, "first")); // Commit
        EXPECT_EQ(expect<Replay>().response->body(), "first"); // Acquire: a hit
        const Executed hit = answerOf(execute(store(), requestOf({}), unexpectedRun)); // Do: a hit
        EXPECT_TRUE(hit.shared);
        EXPECT_EQ(hit.response->body(), "first");

        const std::uint32_t replays = record().replays;
        EXPECT_EQ(store().response(owner.identity)->body(), "first"); // Get
        EXPECT_EQ(record().replays, replays) << "looking is no replay";
        ASSERT_TRUE(store().purge(owner.identity, owner.fence, QStringLiteral("forget"))); // Forget
        EXPECT_FALSE(exists());
        EXPECT_EQ(store().counters().records, 0U);

        ASSERT_TRUE(store().release(own())); // Release
        EXPECT_FALSE(answerOf(execute(store(), requestOf({}), answering(created()))).shared); // Do: it runs

        own({.key = "held"});
        const auto later = beginLater({.key = "held", .wait = 10s});
        store().close(); // Stop
        ASSERT_EQ(later->kind(), OutcomeKind::Rejected);
        EXPECT_EQ(std::get<Rejected>(*later->outcome).reason, RejectReason::Closed);
        EXPECT_EQ(expect<Rejected>({.key = "new"}).reason, RejectReason::Closed);
    }
}

TEST_P(StoreContract, GoSeedsGcIntervalIsThePolicysSweepInterval)
{
    for (Policy policy : {Policy(), goPolicy()}) {
        policy.ttl = 10min - 1us;
        policy.sweepInterval = 1min;
        openSweeping(policy);
        ASSERT_TRUE(complete(own()));
        advance(10min - 1us);
        EXPECT_FALSE(exists());
        EXPECT_EQ(store().counters().records, 1U) << "until the next pass";
        advance(1us);
        EXPECT_EQ(store().counters().records, 0U);
    }
}

} // namespace idem::test
