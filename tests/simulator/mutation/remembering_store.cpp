// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/mutation/remembering_store.h"

namespace idem::test {

using namespace Qt::StringLiterals;

void RememberingStore::beginAsync(const BeginRequest &request, BeginCallback callback)
{
    auto asked = std::make_shared<Asked>(
        Asked {.identity = IdentityView(request.tenant, request.caller, request.key).toIdentity(),
            .fingerprint = request.fingerprint.toByteArray()});
    within().beginAsync(request, [this, asked, callback = std::move(callback)](Outcome honest) {
        std::optional<Outcome> outcome = cheat(*asked, adopted(std::move(honest)));
        if (!outcome) {
            return;
        }
        if (const auto *fresh = std::get_if<Fresh>(&*outcome)) {
            m_memories[asked->identity].owner = fresh->claim.ownership();
        }
        callback(*std::move(outcome));
    });
    asked->waited = true; // who is not answered by now
}

Result<Completion> RememberingStore::complete(const OwnershipView &owner, const ResponseView &response)
{
    Result<Completion> done = within().complete(owner, response);
    if (done && done->state == State::Completed) {
        Memory &kept = m_memories[owner.identity.toIdentity()];
        kept.answer = StoredResponse::make(response)->toResponse();
        kept.answeredAt = now();
    }
    return done;
}

std::optional<Outcome> RememberingStore::cheat(const Asked & /*asked*/, Outcome outcome)
{
    return outcome;
}

Outcome RememberingStore::beginAgain(const Asked &asked)
{
    return adopted(within().begin({.tenant = asked.identity.tenant,
        .caller = asked.identity.caller,
        .key = asked.identity.key,
        .fingerprint = asked.fingerprint}));
}

void RememberingStore::giveBack(Outcome outcome)
{
    const Ownership owner = std::get<Fresh>(outcome).claim.detach();
    const Result<void> done = within().release(owner);
    Q_ASSERT(done);
}

void RememberingStore::force(const IdentityView &identity, const ResponseView &response)
{
    const std::optional<RecordView> found = within().find(identity);
    if (!found) {
        return;
    }
    const Asked asked {.identity = found->identity, .fingerprint = found->fingerprint};
    if (found->state == State::Completed) {
        const Result<void> purged = within().purge(identity, found->fence, u"a fault"_s);
        Q_ASSERT(purged);
    }
    Outcome outcome = beginAgain(asked);
    if (auto *fresh = std::get_if<Fresh>(&outcome)) {
        const Result<Completion> done = within().complete(fresh->claim.detach(), response);
        Q_ASSERT(done);
    }
}

} // namespace idem::test
