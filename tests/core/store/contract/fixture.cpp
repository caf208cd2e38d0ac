// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/contract/fixture.h"

#include <sstream>

namespace idem::test {

namespace {

BeginRequest toRequest(const Ask &ask)
{
    BeginRequest request;
    request.tenant = ask.tenant;
    request.caller = ask.caller;
    request.key = ask.key;
    request.fingerprint = ask.fingerprint;
    request.attemptId = ask.attemptId;
    request.owner = ask.owner;
    request.lease = ask.lease;
    request.wait = ask.wait;
    return request;
}

std::string text(const std::optional<Instant> &moment)
{
    return moment ? std::to_string(moment->time_since_epoch().count()) : "none";
}

std::vector<QByteArray> keysOf(const std::vector<RecordView> &records)
{
    std::vector<QByteArray> keys;
    for (const RecordView &record : records) {
        keys.push_back(record.identity.key);
    }
    return keys;
}

} // namespace

StoreContract::StoreContract()
    : m_harness(GetParam().makeHarness())
{
    open({});
}

void StoreContract::open(Policy policy)
{
    policy.sweepInterval = maxPolicyDuration;
    openSweeping(policy);
}

void StoreContract::openSweeping(const Policy &policy)
{
    ASSERT_EQ(policy.problems(), QStringList());
    m_store = &m_harness->make(policy);
}

Outcome StoreContract::begin(const Ask &ask)
{
    return store().begin(toRequest(ask));
}

OutcomeKind StoreContract::ask(const Ask &ask)
{
    Outcome outcome = begin(ask);
    if (Fresh *fresh = std::get_if<Fresh>(&outcome)) {
        fresh->claim.detach();
    }
    return kindOf(outcome);
}

Ownership StoreContract::own(const Ask &ask)
{
    return expect<Fresh>(ask).claim.detach();
}

Claim StoreContract::claim(const Ask &ask)
{
    return std::move(expect<Fresh>(ask).claim);
}

std::shared_ptr<Later> StoreContract::beginLater(Ask ask)
{
    auto later = std::make_shared<Later>();
    store().beginAsync(toRequest(ask), [later](Outcome outcome) {
        EXPECT_FALSE(later->isKnown()) << "called twice";
        later->outcome.emplace(std::move(outcome));
    });
    return later;
}

Result<Completion> StoreContract::complete(const Ownership &owner, int status, const QByteArray &body)
{
    return store().complete(owner, Response {status, {{"Content-Type", "application/json"}}, body});
}

Result<RecordView> StoreContract::abandon(const Ownership &owner, AbandonAs as)
{
    AbandonRequest request;
    request.expectedFence = owner.fence;
    request.reason = QStringLiteral("the server is gone");
    request.as = as;
    return store().abandon(owner.identity, request);
}

std::vector<QByteArray> StoreContract::list(const Query &query)
{
    const auto page = store().list(query);
    EXPECT_TRUE(page);
    return page ? keysOf(page->records) : std::vector<QByteArray>();
}

std::vector<QByteArray> StoreContract::walk(Query query, const std::function<void()> &between)
{
    std::vector<QByteArray> keys;
    do {
        const auto page = store().list(query);
        if (!page) {
            ADD_FAILURE() << page.error().message.toStdString();
            break;
        }
        EXPECT_LE(page->records.size(), query.limit);
        const auto some = keysOf(page->records);
        keys.insert(keys.end(), some.begin(), some.end());
        query.cursor = page->nextCursor;
        between();
    } while (!query.cursor.isEmpty());
    return keys;
}

RecordView StoreContract::record(const Ask &ask)
{
    const auto view = store().find(identityOf(ask));
    EXPECT_TRUE(view) << "no record of " << ask.key.toStdString();
    return view.value_or(RecordView());
}

bool StoreContract::exists(const Ask &ask)
{
    return store().find(identityOf(ask)).has_value();
}

std::string StoreContract::snapshot(const Ask &ask)
{
    const auto view = store().find(identityOf(ask));
    if (!view) {
        return "absent";
    }
    std::ostringstream out;
    out << toString(view->state).toStdString() << " fence " << toNumber(view->fence) << " attempt " << view->attempt
        << " owner " << view->owner.toStdString() << " fingerprint " << view->fingerprint.toStdString() << " created "
        << text(view->createdAt) << " started " << text(view->startedAt) << " renewed " << text(view->renewedAt)
        << " lease end " << text(view->leaseEnd) << " expires " << text(view->expiresAt) << " changed "
        << view->changedWall.time_since_epoch().count() << " late " << view->late << " omitted " << view->bodyOmitted
        << " side effect " << view->sideEffect << " status " << view->status << " replays " << view->replays
        << " conflicts " << view->conflicts << " body ";
    const ResponsePtr response = store().response(identityOf(ask));
    out << (response ? response->body().value_or("absent").toByteArray().toStdString() : "none");
    return out.str();
}

} // namespace idem::test
