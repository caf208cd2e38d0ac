// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/bulk_support.h"

#include <set>

namespace idem::test {

// The review before a bulk: its scope, its bounds and its token.

TEST_P(StoreContract, AReviewTellsWhatItSawAndChangesNothing)
{
    const Ownership running = own({.key = "running"});
    const Ownership live = own({.key = "live"});
    ASSERT_TRUE(store().renew(live));
    ASSERT_TRUE(complete(own({.key = "done"})));
    const std::vector<std::string> before {
        snapshot({.key = "running"}), snapshot({.key = "live"}), snapshot({.key = "done"})};
    BulkReviews reviews(store());
    const auto review = reviews.review(bulk(BulkVerb::Abandon));
    ASSERT_TRUE(review);
    ASSERT_EQ(review->items.size(), 3U);
    const BulkItem &first = review->items.front();
    EXPECT_EQ(first.id, record({.key = "running"}).id);
    EXPECT_EQ(first.identity, running.identity);
    EXPECT_EQ(first.fence, running.fence);
    EXPECT_EQ(first.state, State::InProgress);
    EXPECT_EQ(review->byState[std::size_t(State::InProgress)], 2U);
    EXPECT_EQ(review->byState[std::size_t(State::Completed)], 1U);
    EXPECT_EQ(review->liveOwners, 1U);
    EXPECT_EQ(review->refusals, 2U) << "the live one and the completed one";
    EXPECT_EQ(review->observedAt, now());
    EXPECT_EQ(review->validUntil, now() + 10min);
    EXPECT_EQ(review->token.size(), 43);
    EXPECT_EQ(QByteArray::fromBase64(review->token, QByteArray::Base64UrlEncoding).size(), 32);
    EXPECT_EQ(before,
        (std::vector<std::string> {
            snapshot({.key = "running"}), snapshot({.key = "live"}), snapshot({.key = "done"})}));
}

TEST_P(StoreContract, ABulkReachesAllTenantsOnlyByName)
{
    own({.tenant = "acme"});
    own({.tenant = "other"});
    BulkReviews reviews(store());
    BulkRequest request;
    EXPECT_TRUE(isInvalid(reviews.review(request), QLatin1StringView("needs a tenant")));
    request.which.filter = Filter::ofTenant("acme");
    EXPECT_TRUE(isInvalid(reviews.review(request), QLatin1StringView("needs a tenant"))) << "a filter is no scope";
    request.tenant = "other";
    const auto nobody = reviews.review(request);
    ASSERT_TRUE(nobody);
    EXPECT_EQ(nobody->items.size(), 0U) << "the scope is no way out of the filter, nor the filter out of the scope";
    request.which.filter = {};
    request.allTenants = true;
    EXPECT_TRUE(isInvalid(reviews.review(request), QLatin1StringView("not both")));
    request.tenant.clear();
    const auto review = reviews.review(request);
    ASSERT_TRUE(review);
    EXPECT_EQ(reviews.run(review->token, confirm(2))->done, 2U);
}

TEST_P(StoreContract, ABulkTakesWhatItsFilterNames)
{
    own({.key = "pay-1"});
    own({.key = "pay-2", .lease = 1s});
    own({.key = "order-1", .lease = 1s});
    advance(1s);
    BulkReviews reviews(store());
    BulkRequest request = bulk(BulkVerb::Abandon);
    request.which.filter = Filter::keysStartingWith("pay-").with(Filter::inStates({State::LeaseExpired}));
    request.which.limit = 0;
    request.which.cursor = "of no list";
    request.which.descending = true;
    const auto review = reviews.review(request);
    ASSERT_TRUE(review) << "page and order are not the filter's";
    ASSERT_EQ(review->items.size(), 1U);
    EXPECT_EQ(review->items[0].identity.key, "pay-2");
}

TEST_P(StoreContract, AWrongCountOrReasonChangesNothing)
{
    for (int i = 0; i < 3; ++i) {
        own({.key = keyOf(i)});
    }
    BulkReviews reviews(store());
    const QByteArray token = reviews.review(bulk(BulkVerb::Abandon))->token;
    for (const std::size_t count : {std::size_t(0), std::size_t(2), std::size_t(4), SIZE_MAX}) {
        const auto refused = reviews.run(token, confirm(count));
        EXPECT_TRUE(isInvalid(refused, QLatin1StringView("3 records were reviewed")));
    }
    for (const QString &reason : {QString(), QString(1001, u'x')}) {
        const auto refused = reviews.run(token, {3, reason});
        EXPECT_TRUE(isInvalid(refused, QLatin1StringView("reason")));
    }
    EXPECT_EQ(store().counters().abandoned, 0U);
    EXPECT_EQ(reviews.run(token, {3, QString(1000, u'x')})->done, 3U) << "the token is still good";
}

TEST_P(StoreContract, ATokenRunsOnceAndOnlyWhereItCameFrom)
{
    own({.key = "a"});
    BulkReviews reviews(store());
    BulkReviews others(store());
    const QByteArray token = reviews.review(bulk(BulkVerb::Abandon))->token;
    for (const QByteArray &foreign : {others.review(bulk(BulkVerb::Abandon))->token, QByteArray(), token.chopped(1),
             token + 'A', QByteArray(43, 'A')}) {
        EXPECT_TRUE(isInvalid(reviews.run(foreign, confirm(1)), QLatin1StringView("not known")));
    }
    EXPECT_EQ(state({.key = "a"}), State::InProgress);
    ASSERT_TRUE(reviews.run(token, confirm(1)));
    own({.key = "a"});
    EXPECT_TRUE(isInvalid(reviews.run(token, confirm(1)), QLatin1StringView("was used")));
    EXPECT_EQ(state({.key = "a"}), State::InProgress);
}

TEST_P(StoreContract, ATokenExpiresOnTheStoresClock)
{
    Policy policy;
    policy.lease = 24h;
    open(policy);
    own();
    BulkReviews reviews(store());
    const QByteArray early = reviews.review(bulk(BulkVerb::Abandon))->token;
    advance(1us);
    const QByteArray late = reviews.review(bulk(BulkVerb::Abandon))->token;
    advance(10min - 1us);
    EXPECT_TRUE(isInvalid(reviews.run(early, confirm(1)), QLatin1StringView("too old")));
    EXPECT_EQ(state(), State::InProgress);
    EXPECT_EQ(reviews.run(late, confirm(1))->done, 1U) << "the last microsecond";
}

TEST_P(StoreContract, TheOldestOfTooManyReviewsGoes)
{
    own();
    BulkReviews reviews(store());
    std::vector<QByteArray> tokens;
    for (int i = 0; i < 17; ++i) {
        tokens.push_back(reviews.review(bulk(BulkVerb::Abandon))->token);
    }
    EXPECT_EQ(std::set<QByteArray>(tokens.begin(), tokens.end()).size(), 17U);
    EXPECT_TRUE(isInvalid(reviews.run(tokens[0], confirm(1)), QLatin1StringView("replaced")));
    EXPECT_TRUE(reviews.run(tokens[16], confirm(1)));
    reviews.review(bulk(BulkVerb::Abandon)).value(); // takes the place of the used one
    EXPECT_TRUE(reviews.run(tokens[1], confirm(1)));
    EXPECT_TRUE(isInvalid(reviews.run(tokens[16], confirm(1)), QLatin1StringView("was used")));
    for (int i = 0; i < 200; ++i) {
        reviews.review(bulk(BulkVerb::Abandon)).value();
    }
    EXPECT_TRUE(isInvalid(reviews.run(tokens[0], confirm(1)), QLatin1StringView("not known"))) << "forgotten";
}

TEST_P(StoreContract, ABulkWalksAllPagesUpToItsBound)
{
    std::set<QByteArray> keys;
    for (int i = 0; i < 25; ++i) {
        own({.key = keyOf(i)});
        keys.insert(keyOf(i));
    }
    own({.tenant = "other"});
    BulkOptions options;
    options.pageRecords = 10;
    options.maxItems = 25;
    BulkReviews reviews(store(), options);
    const auto review = reviews.review(bulk(BulkVerb::Abandon));
    ASSERT_TRUE(review);
    std::set<QByteArray> seen;
    for (const BulkItem &item : review->items) {
        seen.insert(item.identity.key);
    }
    EXPECT_EQ(review->items.size(), 25U);
    EXPECT_EQ(seen, keys);

    own({.key = "one more"});
    const auto tooMany = reviews.review(bulk(BulkVerb::Abandon));
    EXPECT_TRUE(isInvalid(tooMany, QLatin1StringView("26 records match")));
    EXPECT_TRUE(reviews.run(review->token, confirm(25))) << "an earlier review stands";
}

TEST_P(StoreContract, ABulkNeedsFencesToKeepToItsReview)
{
    Policy policy;
    policy.semantics = Semantics::seedRust();
    open(policy);
    ASSERT_TRUE(complete(own()));
    BulkReviews reviews(store());
    EXPECT_TRUE(isInvalid(reviews.review(bulk(BulkVerb::Abandon)), QLatin1StringView("fence")));
    EXPECT_EQ(reviews.run(reviews.review(bulk(BulkVerb::Purge))->token, confirm(1))->done, 1U);
}

} // namespace idem::test
