// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

#include <random>

namespace idem::test {

// beginMany() is begin() without waiting, one by one.

namespace {

BeginRequest requestFor(const QByteArray &key, QByteArrayView fingerprint = "v1:payload")
{
    BeginRequest request;
    request.tenant = "acme";
    request.caller = "alice";
    request.key = key;
    request.fingerprint = fingerprint;
    return request;
}

std::vector<OutcomeKind> kindsOf(const std::vector<Outcome> &outcomes)
{
    std::vector<OutcomeKind> kinds;
    for (const Outcome &outcome : outcomes) {
        kinds.push_back(kindOf(outcome));
    }
    return kinds;
}

/// All of an outcome but the token, which every store makes itself.
void expectSame(const Outcome &left, const Outcome &right)
{
    ASSERT_EQ(kindOf(left), kindOf(right));
    if (const auto *fresh = std::get_if<Fresh>(&left)) {
        const auto &other = std::get<Fresh>(right);
        EXPECT_EQ(fresh->attempt, other.attempt);
        EXPECT_EQ(fresh->tookOver, other.tookOver);
        EXPECT_EQ(fresh->claim.ownership().identity, other.claim.ownership().identity);
        EXPECT_EQ(fresh->claim.fence(), other.claim.fence());
        EXPECT_EQ(fresh->claim.leaseEnd(), other.claim.leaseEnd());
    } else if (const auto *progress = std::get_if<InProgress>(&left)) {
        const auto &other = std::get<InProgress>(right);
        EXPECT_EQ(progress->fence, other.fence);
        EXPECT_EQ(progress->startedAt, other.startedAt);
        EXPECT_EQ(progress->leaseEnd, other.leaseEnd);
    } else if (const auto *replay = std::get_if<Replay>(&left)) {
        const auto &other = std::get<Replay>(right);
        EXPECT_EQ(replay->response->toResponse(), other.response->toResponse());
        EXPECT_EQ(replay->failed, other.failed);
        EXPECT_EQ(replay->late, other.late);
        EXPECT_EQ(replay->fence, other.fence);
        EXPECT_EQ(replay->storedAt, other.storedAt);
        EXPECT_EQ(replay->expiresAt, other.expiresAt);
    } else if (const auto *mismatch = std::get_if<Mismatch>(&left)) {
        EXPECT_EQ(mismatch->fence, std::get<Mismatch>(right).fence);
        EXPECT_EQ(mismatch->state, std::get<Mismatch>(right).state);
    } else if (const auto *unknown = std::get_if<Unknown>(&left)) {
        EXPECT_EQ(unknown->fence, std::get<Unknown>(right).fence);
        EXPECT_EQ(unknown->state, std::get<Unknown>(right).state);
    } else if (const auto *notStored = std::get_if<NotStored>(&left)) {
        EXPECT_EQ(notStored->fence, std::get<NotStored>(right).fence);
        EXPECT_EQ(notStored->originalStatus, std::get<NotStored>(right).originalStatus);
    } else {
        EXPECT_EQ(std::get<Rejected>(left).reason, std::get<Rejected>(right).reason);
        EXPECT_EQ(std::get<Rejected>(left).message, std::get<Rejected>(right).message);
    }
}

void expectSame(const Counters &left, const Counters &right)
{
    EXPECT_EQ(left.outcomes, right.outcomes);
    EXPECT_EQ(left.byState, right.byState);
    EXPECT_EQ(left.records, right.records);
    EXPECT_EQ(left.bytes, right.bytes);
    EXPECT_EQ(left.completed, right.completed);
    EXPECT_EQ(left.takeovers, right.takeovers);
    EXPECT_EQ(left.expired, right.expired);
    EXPECT_EQ(left.evicted, right.evicted);
}

/// Random begins for few keys: all kinds of outcomes. Keeps the bytes that the requests point at.
class RandomBatch
{
public:
    RandomBatch(std::mt19937 &random, std::size_t size)
    {
        for (std::size_t i = 0; i < size; ++i) {
            Ask ask;
            ask.key = random() % 20 == 0 ? QByteArray("no\tkey") : "order-" + QByteArray::number(random() % 40);
            ask.fingerprint = random() % 10 == 0 ? "v1:other" : "v1:payload";
            ask.attemptId = random() % 3 == 0 ? "attempt-" + QByteArray::number(random() % 2) : QByteArray();
            ask.owner = random() % 30 == 0 ? QByteArray(256, 'o') : QByteArray("server-1");
            ask.lease = random() % 4 == 0 ? std::optional<Duration>(Duration(random() % 3'000'000)) : std::nullopt;
            ask.wait = random() % 2 == 0 ? Duration(10s) : Duration::zero();
            m_asks.push_back(std::move(ask));
        }
        for (const Ask &ask : m_asks) {
            m_requests.push_back(
                {ask.tenant, ask.caller, ask.key, ask.fingerprint, ask.attemptId, ask.owner, ask.lease, ask.wait});
        }
    }

    [[nodiscard]] std::span<const BeginRequest> requests() const { return m_requests; }

private:
    std::vector<Ask> m_asks;
    std::vector<BeginRequest> m_requests;
};

} // namespace

TEST_P(StoreContract, ABatchMayAskForOneKeyTwice)
{
    const QByteArray key = "order-1";
    std::vector<Outcome> outcomes = store().beginMany(std::vector {requestFor(key), requestFor(key)});
    EXPECT_EQ(kindsOf(outcomes), (std::vector {OutcomeKind::Fresh, OutcomeKind::InProgress}));
    EXPECT_EQ(std::get<InProgress>(outcomes[1]).fence, std::get<Fresh>(outcomes[0]).claim.fence());
    EXPECT_EQ(record().conflicts, 1U);
}

TEST_P(StoreContract, ABatchIsAnsweredInItsOrder)
{
    ASSERT_TRUE(complete(own({.key = "done"}), 201, "answer"));
    own({.key = "running"});
    ASSERT_TRUE(store().markUnknown(own({.key = "unknown"})));
    const std::vector<QByteArray> keys {"new", "done", "running", "", "unknown", "a\nb", "done", "new"};
    std::vector<BeginRequest> requests;
    for (const QByteArray &key : keys) {
        requests.push_back(requestFor(key));
    }
    requests[6].fingerprint = "v1:other";
    const std::vector<Outcome> outcomes = store().beginMany(requests);
    EXPECT_EQ(kindsOf(outcomes),
        (std::vector {OutcomeKind::Fresh, OutcomeKind::Replay, OutcomeKind::InProgress, OutcomeKind::Rejected,
            OutcomeKind::Unknown, OutcomeKind::Rejected, OutcomeKind::Mismatch, OutcomeKind::InProgress}));
    EXPECT_EQ(std::get<Replay>(outcomes[1]).response->body(), "answer");
    EXPECT_EQ(std::get<Rejected>(outcomes[3]).reason, RejectReason::KeyMissing);
    EXPECT_EQ(std::get<Rejected>(outcomes[5]).reason, RejectReason::KeyMalformed);
    EXPECT_EQ(store().counters().records, 4U);
    EXPECT_EQ(store().counters().outcome(OutcomeKind::Rejected), 2U);
}

TEST_P(StoreContract, ABatchsGuardsGiveTheirKeysBack)
{
    const QByteArray key = "order-1";
    static_cast<void>(store().beginMany(std::vector {requestFor(key)}));
    EXPECT_EQ(state(), State::Abandoned);
}

TEST_P(StoreContract, ABatchDoesNotWait)
{
    own();
    const QByteArray key = "order-1";
    BeginRequest request = requestFor(key);
    request.wait = 10s;
    const std::size_t timers = pendingTimers();
    EXPECT_EQ(kindsOf(store().beginMany(std::vector {request, request})),
        (std::vector {OutcomeKind::InProgress, OutcomeKind::InProgress}));
    EXPECT_EQ(store().counters().waiting, 0U);
    EXPECT_EQ(pendingTimers(), timers);
}

TEST_P(StoreContract, ABatchMeetsTheCapLikeItsParts)
{
    Policy policy;
    policy.maxRecords = 2;
    open(policy);
    const std::vector<QByteArray> keys {"a", "b", "c", "a"};
    std::vector<BeginRequest> requests;
    for (const QByteArray &key : keys) {
        requests.push_back(requestFor(key));
    }
    const auto outcomes = store().beginMany(requests);
    EXPECT_EQ(kindsOf(outcomes),
        (std::vector {OutcomeKind::Fresh, OutcomeKind::Fresh, OutcomeKind::Rejected, OutcomeKind::InProgress}));
    EXPECT_EQ(std::get<Rejected>(outcomes[2]).reason, RejectReason::AtCapacity);
}

TEST_P(StoreContract, AClosedStoreRefusesTheWholeBatch)
{
    ASSERT_TRUE(complete(own()));
    store().close();
    const QByteArray key = "order-1";
    const auto outcomes = store().beginMany(std::vector {requestFor(key), requestFor("new")});
    ASSERT_EQ(outcomes.size(), 2U);
    for (const Outcome &outcome : outcomes) {
        EXPECT_EQ(std::get<Rejected>(outcome).reason, RejectReason::Closed);
    }
    EXPECT_TRUE(store().beginMany({}).empty());
    EXPECT_EQ(store().counters().outcome(OutcomeKind::Rejected), 2U);
}

TEST_P(StoreContract, ABatchIsWhatItsPartsAre)
{
    Policy policy;
    policy.lease = 2s;
    policy.ttl = 8s;
    policy.maxRecords = 30;
    policy.maxBodyBytes = 8;
    policy.sweepInterval = maxPolicyDuration;
    for (const std::size_t size : {0, 1, 16, 100}) {
        SCOPED_TRACE(size);
        const auto batched = GetParam().makeHarness();
        const auto single = GetParam().makeHarness();
        Store &left = batched->make(policy);
        Store &right = single->make(policy);
        std::mt19937 random(unsigned(size) + 3);
        for (int round = 0; round < 200; ++round) {
            const RandomBatch batch(random, size);
            std::vector<Outcome> together = left.beginMany(batch.requests());
            std::vector<Outcome> apart;
            for (BeginRequest request : batch.requests()) {
                request.wait = Duration::zero();
                apart.push_back(right.begin(request));
            }
            ASSERT_EQ(together.size(), apart.size());
            for (std::size_t i = 0; i < apart.size(); ++i) {
                expectSame(together[i], apart[i]);
                auto *fresh = std::get_if<Fresh>(&together[i]);
                if (!fresh || HasFailure()) {
                    continue;
                }
                // Each owner ends in one of these ways, the same on both sides.
                Claim &other = std::get<Fresh>(apart[i]).claim;
                const Response response {200, {}, QByteArray(qsizetype(random() % 12), 'x')};
                const unsigned way = random() % 6;
                for (Claim *claim : {&fresh->claim, &other}) {
                    static_cast<void>(way <= 1 ? claim->complete(response).has_value()
                            : way == 2         ? claim->fail(QStringLiteral("no")).has_value()
                            : way == 3         ? claim->sideEffectStarted().has_value()
                            : way == 4         ? claim->release().has_value()
                                               : claim->detach().token.isNull());
                }
            }
            ASSERT_FALSE(HasFailure()) << "round " << round;
            // Every guard that is left speaks for itself here: in the order of the batch.
            for (std::size_t i = 0; i < apart.size(); ++i) {
                together[i] = Rejected {};
                apart[i] = Rejected {};
            }
            expectSame(left.counters(), right.counters());
            const Duration span(random() % 700'000);
            batched->advance(span);
            single->advance(span);
        }
        EXPECT_EQ(size == 0, left.counters().outcome(OutcomeKind::Replay) == 0);
    }
}

} // namespace idem::test
