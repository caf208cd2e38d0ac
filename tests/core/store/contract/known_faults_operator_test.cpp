// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/bulk_support.h"

namespace idem::test {

// Faults of what operators see and do that other products had, each as the rule that it broke.

namespace {

/// Keys that look like paths, escapes, queries or globs, and those as long as a key may be.
std::vector<QByteArray> awkwardKeys()
{
    return {"a/b", "../x", "..", ".", "/", "//", "%2F", "%2f", "%252F", "a%00b", ":", "a:b", "?x=1", "#", "#x", "*",
        "?", "a b", " a", "a ", "'; --", "\"", "\\", "{}", "<b>", QByteArray(255, '/'), QByteArray(255, '%'),
        QByteArray("../").repeated(85)};
}

AbandonRequest abandonRequest(Fence fence)
{
    AbandonRequest request;
    request.expectedFence = fence;
    request.reason = why;
    return request;
}

} // namespace

TEST_P(StoreContract, AwkwardKeysAreListedFoundAbandonedAndPurgedAsTheyAre)
{
    const std::vector<QByteArray> keys = awkwardKeys();
    std::map<QByteArray, Ownership> owners;
    for (const QByteArray &key : keys) {
        owners[key] = own({.key = key});
    }
    EXPECT_EQ(walk({.limit = 3}), keys) << "none is folded into another";
    const auto page = store().list({});
    ASSERT_TRUE(page);
    ASSERT_EQ(page->records.size(), keys.size());
    for (const RecordView &view : page->records) {
        const QByteArray &key = view.identity.key;
        SCOPED_TRACE(key.toStdString());
        const auto byId = store().find(view.id); // as an interface has it, which shows no key in a path
        ASSERT_TRUE(byId);
        EXPECT_EQ(byId->identity, owners[key].identity);
        EXPECT_EQ(RecordId::fromString(view.id.toString()), view.id);
        const auto abandoned = store().abandon(byId->identity, abandonRequest(byId->fence));
        ASSERT_TRUE(abandoned);
        EXPECT_EQ(abandoned->state, State::Abandoned);
        EXPECT_EQ(store().find(view.id)->state, State::Abandoned);
        ASSERT_TRUE(store().purge(byId->identity, byId->fence, why));
        EXPECT_FALSE(store().find(view.id));
        EXPECT_FALSE(exists({.key = key}));
        EXPECT_EQ(ask(key), OutcomeKind::Fresh);
    }
    EXPECT_EQ(store().counters().purged, keys.size());
}

TEST_P(StoreContract, ABulkReachesAwkwardKeysToo)
{
    const std::vector<QByteArray> keys = awkwardKeys();
    for (const QByteArray &key : keys) {
        own({.key = key});
    }
    BulkReviews reviews(store());
    for (const BulkVerb verb : {BulkVerb::Abandon, BulkVerb::Purge}) {
        const auto review = reviews.review(bulk(verb));
        ASSERT_TRUE(review);
        EXPECT_EQ(reviews.run(review->token, confirm(keys.size()))->done, keys.size());
    }
    EXPECT_EQ(store().counters().records, 0U);
}

TEST_P(StoreContract, AnIdHasOneLengthWhateverItIsMadeOf)
{
    const QByteArray longest(255, 'x');
    for (const Ask &asked : {Ask {.key = "k", .tenant = "", .caller = ""}, Ask {},
             Ask {.key = longest, .tenant = longest, .caller = longest}}) {
        own(asked);
        EXPECT_EQ(record(asked).id.toString().size(), 43); // 256 bits in base64url, RFC 4648 section 5
    }
}

TEST_P(StoreContract, TheAnswerOfAnOperatorsVerbIsTheStateThatIsThere)
{
    for (const AbandonAs as : {AbandonAs::Release, AbandonAs::Failed, AbandonAs::Unknown}) {
        open({});
        const Ownership owner = own();
        const auto answered = abandon(owner, as);
        ASSERT_TRUE(answered);
        EXPECT_EQ(answered->state, state());
        EXPECT_EQ(answered->id, record().id);
        EXPECT_EQ(answered->fence, record().fence);
        EXPECT_EQ(answered->expiresAt, record().expiresAt);
        EXPECT_EQ(answered->status, record().status);
        const auto twice = abandon(owner, as);
        EXPECT_EQ(refusalOf(twice), StoreErrorCode::WrongState) << "done, and said so once";
        EXPECT_EQ(twice.error().state, state());
        EXPECT_EQ(twice.error().currentFence, owner.fence);
    }
}

TEST_P(StoreContract, EveryRefusalShowsTheRecordThatIsThere)
{
    Policy policy;
    policy.late = LatePolicy::Strict;
    open(policy);
    const auto expectShown = [&](const auto &refused, StoreErrorCode code, const Ask &asked = {}) {
        SCOPED_TRACE(toString(code).toStdString());
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, code);
        EXPECT_EQ(refused.error().currentFence, record(asked).fence);
        EXPECT_EQ(refused.error().state, state(asked));
        EXPECT_TRUE(refused.error().message.endsWith(u'.')) << "a sentence";
        EXPECT_FALSE(refused.error().message.contains(QStringLiteral("order-1"))) << "without the key";
    };
    const Ownership first = own();
    advance(60s);
    expectShown(complete(first), StoreErrorCode::LeaseOver);
    expectShown(store().renew(first), StoreErrorCode::LeaseOver);
    const Ownership second = own();
    expectShown(complete(first), StoreErrorCode::StaleOwner);
    expectShown(store().release(first), StoreErrorCode::StaleOwner);
    expectShown(store().abandon(second.identity, abandonRequest(first.fence)), StoreErrorCode::FenceMismatch);
    expectShown(store().purge(second.identity, first.fence, why), StoreErrorCode::FenceMismatch);
    expectShown(store().purge(second.identity, second.fence, why), StoreErrorCode::WrongState);
    expectShown(store().settle(second.identity, {second.fence, why, {}}), StoreErrorCode::WrongState);
    ASSERT_TRUE(store().renew(second));
    expectShown(store().abandon(second.identity, abandonRequest(second.fence)), StoreErrorCode::LiveOwner);
    ASSERT_TRUE(complete(second));
    expectShown(complete(second, 201, "another"), StoreErrorCode::DifferentResult);
    expectShown(store().renew(second), StoreErrorCode::WrongState);
    expectShown(store().abandon(second.identity, abandonRequest(second.fence)), StoreErrorCode::WrongState);
}

TEST_P(StoreContract, NoVerbOfABulkLeavesItsTenant)
{
    const std::vector<QByteArray> others {"acme2", "acm", "ACME", "acme ", " acme", "", "acme/alice", "*", "globex"};
    for (const BulkVerb verb : {BulkVerb::Abandon, BulkVerb::Purge, BulkVerb::Settle}) {
        SCOPED_TRACE(int(verb));
        open({});
        const auto prepare = [&](const Ask &asked) {
            const Ownership owner = own(asked);
            if (verb == BulkVerb::Purge) {
                ASSERT_TRUE(complete(owner));
            } else if (verb == BulkVerb::Settle) {
                ASSERT_TRUE(store().markUnknown(owner));
            }
        };
        prepare({});
        prepare({.key = "order-2", .caller = "bob"});
        std::map<QByteArray, std::string> before;
        for (const QByteArray &tenant : others) {
            prepare({.tenant = tenant, .caller = "acme"});
            before[tenant] = snapshot({.tenant = tenant, .caller = "acme"});
        }
        BulkReviews reviews(store());
        BulkRequest elsewhere = bulk(verb);
        elsewhere.which.filter = Filter::ofTenant("globex");
        EXPECT_TRUE(reviews.review(elsewhere)->items.empty()) << "a filter narrows and never widens";
        const auto review = reviews.review(bulk(verb));
        ASSERT_EQ(review->items.size(), 2U) << "all of its callers";
        EXPECT_EQ(reviews.run(review->token, confirm(2))->done, 2U);
        for (const QByteArray &tenant : others) {
            EXPECT_EQ(snapshot({.tenant = tenant, .caller = "acme"}), before[tenant]) << tenant.toStdString();
        }
    }
}

TEST_P(StoreContract, ASettledResultIsReplayedWhateverItsStatus)
{
    for (const int status : {201, 404, 429, 503}) {
        const Ask asked {.key = QByteArray::number(status)};
        const Ownership owner = own(asked);
        ASSERT_TRUE(store().markUnknown(owner));
        const Response found {status, {{"Content-Type", "text/plain"}}, "as reconciled"};
        ASSERT_TRUE(store().settle(owner.identity, {owner.fence, why, found}));
        EXPECT_EQ(*expect<Replay>(asked).response, found) << "the operator knows that it ran";
        EXPECT_EQ(refusalOf(complete(owner)), StoreErrorCode::StaleOwner);
        EXPECT_EQ(refusalOf(store().settle(owner.identity, {owner.fence, why, {}})), StoreErrorCode::WrongState)
            << "settled once";
    }
}

TEST_P(StoreContract, ASettledResultThatIsTooLargeIsNotRunAgain)
{
    Policy policy;
    policy.maxBodyBytes = 4;
    open(policy);
    const Ownership owner = own();
    ASSERT_TRUE(store().markUnknown(owner));
    const auto settled = store().settle(owner.identity, {owner.fence, why, Response {201, {}, "12345"}});
    ASSERT_TRUE(settled);
    EXPECT_TRUE(settled->bodyOmitted);
    EXPECT_EQ(expect<NotStored>().originalStatus, 201);
}

TEST_P(StoreContract, AnUnknownOutcomeStaysUntilItIsSettled)
{
    const Ownership owner = own();
    ASSERT_TRUE(store().sideEffectStarted(owner));
    ASSERT_TRUE(store().release(owner)) << "the owner goes, the effect may have happened";
    for (int year = 0; year < 3; ++year) {
        advance(365 * 24h);
        EXPECT_EQ(store().sweepNow(), 0U);
        EXPECT_EQ(ask(), OutcomeKind::Unknown);
        EXPECT_TRUE(record().stuck);
        EXPECT_EQ(refusalOf(store().purge(owner.identity, owner.fence, why)), StoreErrorCode::WrongState);
    }
    ASSERT_TRUE(store().settle(owner.identity, {owner.fence, why, {}}));
    const Ownership next = own();
    EXPECT_GT(next.fence, owner.fence);
    EXPECT_EQ(record().attempt, 2U);
}

} // namespace idem::test
