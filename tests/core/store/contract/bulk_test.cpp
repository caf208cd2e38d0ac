// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/bulk_support.h"

#include <set>

namespace idem::test {

// What a bulk touches and what it leaves alone.

TEST_P(StoreContract, ABulkTouchesWhatWasReviewedAndDidNotChange)
{
    std::vector<Ownership> owners;
    for (int i = 0; i < 18; ++i) {
        owners.push_back(own({.key = keyOf(i)}));
    }
    BulkReviews reviews(store());
    const auto review = reviews.review(bulk(BulkVerb::Abandon));
    ASSERT_TRUE(review);
    ASSERT_EQ(review->items.size(), 18U);

    ASSERT_TRUE(complete(owners[3]));
    ASSERT_TRUE(store().release(owners[7]));
    const Ownership again = own({.key = keyOf(7)});
    ASSERT_TRUE(complete(owners[11]));
    ASSERT_TRUE(store().purge(owners[11].identity, owners[11].fence, why));
    own({.key = "came later"});
    const std::string completed = snapshot({.key = keyOf(3)});
    const std::string anew = snapshot({.key = keyOf(7)});

    const auto report = reviews.run(review->token, confirm(18));
    ASSERT_TRUE(report);
    EXPECT_EQ(report->done, 15U);
    EXPECT_EQ(report->refused, 3U);
    EXPECT_EQ(report->skipped, 0U);
    EXPECT_EQ(refusalOf(*report, keyOf(3)), StoreErrorCode::WrongState);
    EXPECT_EQ(refusalOf(*report, keyOf(7)), StoreErrorCode::FenceMismatch);
    EXPECT_EQ(resultOf(*report, keyOf(7))->error->currentFence, again.fence);
    EXPECT_EQ(refusalOf(*report, keyOf(11)), StoreErrorCode::NotFound);
    EXPECT_EQ(snapshot({.key = keyOf(3)}), completed);
    EXPECT_EQ(snapshot({.key = keyOf(7)}), anew);
    EXPECT_EQ(state({.key = "came later"}), State::InProgress);
    EXPECT_EQ(store().counters().abandoned, 15U);
    ASSERT_EQ(report->results.size(), 18U);
    for (std::size_t i = 0; i < 18; ++i) {
        const BulkResult &result = report->results[i];
        EXPECT_EQ(result.item.identity, owners[i].identity) << "in the review's order";
        EXPECT_EQ(result.fate == BulkFate::Refused, result.error.has_value());
        if (result.fate == BulkFate::Done) {
            EXPECT_EQ(state({.key = result.item.identity.key}), State::Abandoned);
        }
    }
}

TEST_P(StoreContract, ABulksVerbAppliesToItsStatesOnly)
{
    struct Row
    {
        BulkVerb verb;
        State after;
        std::set<QByteArray> applies;
    };
    const std::vector<Row> rows {
        {BulkVerb::Abandon, State::Abandoned, {"in_progress", "lease_expired"}},
        {BulkVerb::Purge, {}, {"completed", "failed", "abandoned"}},
        {BulkVerb::Settle, State::Abandoned, {"outcome_unknown"}},
    };
    for (const Row &row : rows) {
        open({});
        own({.key = "lease_expired", .lease = 1s});
        advance(1s);
        own({.key = "in_progress"});
        ASSERT_TRUE(complete(own({.key = "completed"})));
        ASSERT_TRUE(store().fail(own({.key = "failed"}), why));
        ASSERT_TRUE(store().release(own({.key = "abandoned"})));
        ASSERT_TRUE(store().markUnknown(own({.key = "outcome_unknown"})));
        BulkReviews reviews(store());
        const auto review = reviews.review(bulk(row.verb));
        ASSERT_TRUE(review);
        ASSERT_EQ(review->items.size(), 6U);
        EXPECT_THAT(review->byState, testing::Each(1U));
        EXPECT_EQ(review->refusals, 6 - row.applies.size());
        const auto report = reviews.run(review->token, confirm(6));
        ASSERT_TRUE(report);
        EXPECT_EQ(report->done, row.applies.size());
        for (const BulkItem &item : review->items) {
            const QByteArray &key = item.identity.key;
            ASSERT_EQ(toString(item.state).toLatin1(), key);
            const bool applies = row.applies.contains(key);
            EXPECT_EQ(item.refusal, applies ? std::nullopt : std::optional(StoreErrorCode::WrongState)) << key.data();
            EXPECT_EQ(refusalOf(*report, key), item.refusal) << key.data();
            if (!applies) {
                EXPECT_EQ(state({.key = key}), item.state);
            } else if (row.verb == BulkVerb::Purge) {
                EXPECT_FALSE(exists({.key = key})) << key.data();
            } else {
                EXPECT_EQ(state({.key = key}), row.after);
            }
        }
    }
}

TEST_P(StoreContract, ABulkAbandonsAsAsked)
{
    for (const auto &[as, after] : {std::pair(AbandonAs::Release, State::Abandoned),
             std::pair(AbandonAs::Failed, State::Failed), std::pair(AbandonAs::Unknown, State::OutcomeUnknown)}) {
        open({});
        own();
        BulkReviews reviews(store());
        BulkRequest request = bulk(BulkVerb::Abandon);
        request.abandonAs = as;
        EXPECT_EQ(reviews.run(reviews.review(request)->token, confirm(1))->done, 1U);
        EXPECT_EQ(state(), after);
    }
}

TEST_P(StoreContract, ABulkLeavesLiveOwnersUnlessOverridden)
{
    Policy policy;
    policy.lease = 30s;
    open(policy);
    const Ownership live = own({.key = "live"});
    const Ownership quiet = own({.key = "quiet"});
    ASSERT_TRUE(store().renew(quiet));
    advance(1us);
    ASSERT_TRUE(store().renew(live));
    advance(10s - 1us); // a third of the lease after the quiet one's renewal
    BulkReviews reviews(store());
    BulkRequest request = bulk(BulkVerb::Abandon);
    const auto review = reviews.review(request);
    EXPECT_EQ(review->liveOwners, 1U);
    const auto report = reviews.run(review->token, confirm(2));
    ASSERT_TRUE(report);
    EXPECT_EQ(report->done, 1U);
    EXPECT_EQ(refusalOf(*report, "live"), StoreErrorCode::LiveOwner);
    EXPECT_EQ(state({.key = "live"}), State::InProgress);

    request.which.filter = Filter::keysStartingWith("live");
    request.overrideLive = true;
    const auto overriding = reviews.review(request);
    EXPECT_EQ(overriding->liveOwners, 1U);
    EXPECT_EQ(overriding->refusals, 0U);
    EXPECT_EQ(reviews.run(overriding->token, confirm(1))->done, 1U);
    EXPECT_EQ(refusalOf(complete(live)), StoreErrorCode::StaleOwner);
}

TEST_P(StoreContract, AnOwnerThatRenewsAfterTheReviewIsLive)
{
    const Ownership owner = own();
    BulkReviews reviews(store());
    const auto review = reviews.review(bulk(BulkVerb::Abandon));
    EXPECT_EQ(review->liveOwners, 0U);
    ASSERT_TRUE(store().renew(owner));
    EXPECT_EQ(refusalOf(*reviews.run(review->token, confirm(1)), "order-1"), StoreErrorCode::LiveOwner);
    EXPECT_TRUE(complete(owner));
}

TEST_P(StoreContract, ABulkLeavesWhatItsVerbAppliesToOnlySinceTheReview)
{
    const Ownership finishing = own({.key = "finishing"});
    BulkReviews reviews(store());
    const auto purge = reviews.review(bulk(BulkVerb::Purge));
    const auto settle = reviews.review(bulk(BulkVerb::Settle));
    ASSERT_TRUE(store().markUnknown(finishing));
    const auto settled = reviews.run(settle->token, confirm(1));
    EXPECT_EQ(refusalOf(*settled, "finishing"), StoreErrorCode::WrongState);
    EXPECT_EQ(resultOf(*settled, "finishing")->error->state, State::InProgress) << "as it was reviewed";
    EXPECT_EQ(state({.key = "finishing"}), State::OutcomeUnknown);
    ASSERT_TRUE(store().settle(finishing.identity, {finishing.fence, why, Response {201, {}, "made"}}));
    EXPECT_EQ(refusalOf(*reviews.run(purge->token, confirm(1)), "finishing"), StoreErrorCode::WrongState);
    EXPECT_EQ(expect<Replay>({.key = "finishing"}).response->body(), "made") << "a fresh answer is not purged unseen";
}

TEST_P(StoreContract, ABulkNeverLeavesItsTenant)
{
    own({.tenant = "acme"});
    own({.tenant = "acme2"});
    own({.tenant = "ACME"});
    BulkReviews reviews(store());
    const auto review = reviews.review(bulk(BulkVerb::Abandon));
    ASSERT_EQ(review->items.size(), 1U);
    EXPECT_EQ(reviews.run(review->token, confirm(1))->done, 1U);
    EXPECT_EQ(state({.tenant = "acme"}), State::Abandoned);
    EXPECT_EQ(state({.tenant = "acme2"}), State::InProgress);
    EXPECT_EQ(state({.tenant = "ACME"}), State::InProgress);
}

TEST_P(StoreContract, ACancelledBulkReportsWhatItDid)
{
    for (int i = 0; i < 10; ++i) {
        own({.key = keyOf(i)});
    }
    BulkReviews reviews(store());
    const QByteArray token = reviews.review(bulk(BulkVerb::Abandon))->token;
    std::vector<std::size_t> steps;
    const auto report = reviews.run(token, confirm(10), [&](std::size_t behind, std::size_t total) {
        EXPECT_EQ(total, 10U);
        steps.push_back(behind);
        return behind < 4;
    });
    ASSERT_TRUE(report);
    EXPECT_EQ(steps, (std::vector<std::size_t> {0, 1, 2, 3, 4, 4}));
    EXPECT_EQ(report->done, 4U);
    EXPECT_EQ(report->skipped, 6U);
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(report->results[std::size_t(i)].fate, i < 4 ? BulkFate::Done : BulkFate::Skipped);
        EXPECT_EQ(state({.key = keyOf(i)}), i < 4 ? State::Abandoned : State::InProgress);
    }
    EXPECT_TRUE(isInvalid(reviews.run(token, confirm(10)), QLatin1StringView("was used")));
}

TEST_P(StoreContract, ProgressMayReviewAndRun)
{
    own({.key = "outer"});
    BulkReviews reviews(store());
    const QByteArray token = reviews.review(bulk(BulkVerb::Abandon))->token;
    std::size_t inner = 0;
    const auto report = reviews.run(token, confirm(1), [&](std::size_t behind, std::size_t) {
        if (behind == 0) {
            own({.key = "inner"});
            BulkRequest request = bulk(BulkVerb::Abandon);
            request.which.filter = Filter::keysStartingWith("inner");
            inner = reviews.run(reviews.review(request)->token, confirm(1))->done;
        }
        return true;
    });
    EXPECT_EQ(report->done, 1U);
    EXPECT_EQ(inner, 1U);
}

TEST_P(StoreContract, AnEmptyBulkIsFine)
{
    BulkReviews reviews(store());
    const auto review = reviews.review(bulk(BulkVerb::Purge));
    ASSERT_TRUE(review);
    EXPECT_TRUE(review->items.empty());
    EXPECT_TRUE(isInvalid(reviews.run(review->token, confirm(1)), QLatin1StringView("0 records")));
    const auto report = reviews.run(review->token, confirm(0));
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->results.empty());
    EXPECT_EQ(report->done + report->refused + report->skipped, 0U);
}

TEST_P(StoreContract, ABulkOnAClosedStoreReportsIt)
{
    own({.key = "a"});
    own({.key = "b"});
    BulkReviews reviews(store());
    const auto review = reviews.review(bulk(BulkVerb::Abandon));
    store().close();
    const auto report = reviews.run(review->token, confirm(2));
    ASSERT_TRUE(report);
    EXPECT_EQ(report->refused, 2U);
    EXPECT_EQ(refusalOf(*report, "a"), StoreErrorCode::Closed);
}

} // namespace idem::test
