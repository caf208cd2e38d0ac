// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/model/verbs.h"

#include "tests/core/store/model/describe.h"

namespace idem::test {

namespace {

AbandonRequest abandonOf(const Command &command, Fence fence)
{
    return {fence, command.reasonText(), command.as, command.overrideLive};
}

SettleRequest settleOf(const Command &command, Fence fence)
{
    return {fence, command.reasonText(), command.answer < 0 ? std::nullopt : std::optional(command.response())};
}

template <typename T> std::string tell(const Result<T> &result, const Policy &policy)
{
    if (!result) {
        StoreError error = result.error();
        if (!policy.semantics.fenced) {
            error.currentFence = Fence::None;
        }
        return describe(error);
    }
    if constexpr (std::is_same_v<T, RecordView>) {
        RecordView shown = *result;
        shown.waiting = 0; // the record as the verb left it; its waiters are woken after that
        return tellView(shown, policy);
    } else {
        return describe(result);
    }
}

} // namespace

bool Cast::note(const Ownership &owner)
{
    std::vector<Ownership> &owners = m_owners[owner.identity];
    if (!owners.empty() && owners.back() == owner) {
        return true;
    }
    const bool grows = owner.fence > (owners.empty() ? Fence::None : owners.back().fence);
    owners.push_back(owner);
    return grows;
}

Ownership Cast::ownerFor(const Command &command, const ReferenceStore &model) const
{
    const Identity identity = command.identity();
    const auto owners = m_owners.find(identity);
    const Ownership latest = owners == m_owners.end() ? Ownership {identity, Fence(1), {}} : owners->second.back();
    Ownership owner = model.lastOwner(identity).value_or(latest);
    switch (command.who) {
    case Who::Current:
        break;
    case Who::Displaced:
        if (owners != m_owners.end() && owners->second.size() > 1) {
            owner = owners->second[owners->second.size() - 2];
        }
        break;
    case Who::Foreign:
        for (const auto &[other, theirs] : m_owners) {
            owner.token = other == identity ? owner.token : theirs.back().token;
        }
        break;
    case Who::MadeUp:
        owner.token = {};
        break;
    case Who::WrongFence:
        owner.fence = Fence(toNumber(owner.fence) - 1);
    }
    return owner;
}

Fence Cast::fenceFor(const Command &command, const ReferenceStore &model)
{
    const auto last = model.lastOwner(command.identity());
    const Fence right = last ? last->fence : Fence(1);
    switch (command.looked) {
    case Looked::Right:
        return right;
    case Looked::Older:
        return Fence(toNumber(right) - 1);
    default:
        return Fence::None;
    }
}

Duration Cast::spanFor(const Command &command, const ReferenceStore &model, Instant now)
{
    Duration span {command.amount};
    if (command.span == Span::Ticks) {
        return span;
    }
    int skip = command.amount;
    for (const Instant boundary : model.boundaries(now)) {
        const Duration ahead = boundary - now;
        if (ahead > 1s) {
            break; // a lease of 365 days: the store's own sweeps on the way would be very many
        }
        span = command.span == Span::BeforeBoundary ? ahead - 1us : ahead;
        if (skip-- == 0) {
            break;
        }
    }
    return span;
}

Request::Request(const Command &command)
    : identity(command.identity())
    , fingerprint(command.fingerprintBytes())
    , attemptId(command.attemptIdBytes())
    , owner("server-" + QByteArray::number(command.attemptId))
    , begin {identity.tenant, identity.caller, identity.key, fingerprint, attemptId, owner, command.ownLease()}
{
    if (command.verb == Verb::BadBegin) {
        command.spoil(begin);
        identity = IdentityView(begin.tenant, begin.caller, begin.key).toIdentity();
        begin.tenant = identity.tenant;
        begin.caller = identity.caller;
        begin.key = identity.key;
    }
}

bool isOwnerVerb(Verb verb)
{
    return verb >= Verb::Complete && verb <= Verb::MarkUnknown;
}

bool isOperatorVerb(Verb verb)
{
    return verb == Verb::Abandon || verb == Verb::Settle || verb == Verb::Purge;
}

std::string callOwnerVerb(Store &store, const Command &command, const Ownership &owner)
{
    switch (command.verb) {
    case Verb::Complete:
        return tell(store.complete(owner, command.response()), store.policy());
    case Verb::Fail:
        return tell(store.fail(owner, command.reasonText()), store.policy());
    case Verb::Renew:
        return tell(store.renew(owner), store.policy());
    case Verb::Release:
        return tell(store.release(owner), store.policy());
    case Verb::SideEffectStarted:
        return tell(store.sideEffectStarted(owner), store.policy());
    default:
        return tell(store.markUnknown(owner), store.policy());
    }
}

std::string callOwnerVerb(ReferenceStore &store, const Command &command, const Ownership &owner, Moment at)
{
    switch (command.verb) {
    case Verb::Complete:
        return tell(store.complete(owner, command.response(), at), store.policy());
    case Verb::Fail:
        return tell(store.fail(owner, command.reasonText(), at), store.policy());
    case Verb::Renew:
        return tell(store.renew(owner, at), store.policy());
    case Verb::Release:
        return tell(store.release(owner, at), store.policy());
    case Verb::SideEffectStarted:
        return tell(store.sideEffectStarted(owner, at), store.policy());
    default:
        return tell(store.markUnknown(owner, at), store.policy());
    }
}

std::string callOperatorVerb(Store &store, const Command &command, Fence fence)
{
    const Identity identity = command.identity();
    switch (command.verb) {
    case Verb::Abandon:
        return tell(store.abandon(identity, abandonOf(command, fence)), store.policy());
    case Verb::Settle:
        return tell(store.settle(identity, settleOf(command, fence)), store.policy());
    default:
        return tell(store.purge(identity, fence, command.reasonText()), store.policy());
    }
}

std::string callOperatorVerb(ReferenceStore &store, const Command &command, Fence fence, Moment at)
{
    const Identity identity = command.identity();
    switch (command.verb) {
    case Verb::Abandon:
        return tell(store.abandon(identity, abandonOf(command, fence), at), store.policy());
    case Verb::Settle:
        return tell(store.settle(identity, settleOf(command, fence), at), store.policy());
    default:
        return tell(store.purge(identity, fence, command.reasonText(), at), store.policy());
    }
}

std::string tellView(const std::optional<RecordView> &view, const Policy &policy)
{
    if (!view) {
        return describe(view);
    }
    RecordView shown = *view;
    if (policy.semantics.fenced) {
        return describe(shown);
    }
    shown.fence = Fence::None;
    shown.attempt = 0;
    shown.owner.clear();
    shown.fingerprint.clear();
    return describe(shown);
}

std::string tellEvent(const StoreEvent &event, const Policy &policy)
{
    StoreEvent shown = event;
    if (!policy.semantics.fenced) {
        shown.fence = Fence::None;
        shown.attempt = 0;
        shown.owner.clear();
    }
    return describe(shown);
}

std::string tellBegun(const Begun &begun, const Policy &policy)
{
    Begun shown = begun;
    if (!policy.semantics.fenced && shown.kind != OutcomeKind::Fresh) {
        shown.issued = {};
    }
    return describe(shown);
}

} // namespace idem::test
