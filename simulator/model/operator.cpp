// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run_private.h"

namespace idem::sim {

namespace {

bool leavesAnswer(const OperatorAction &action)
{
    return (action.verb == OperatorAction::Verb::Abandon && action.abandonAs == AbandonAs::Failed)
        || (action.verb == OperatorAction::Verb::Settle && action.settleExecuted);
}

bool leavesUnknown(const OperatorAction &action)
{
    return action.verb == OperatorAction::Verb::Abandon && action.abandonAs == AbandonAs::Unknown;
}

} // namespace

void Run::Private::onOperator(const OperatorAction &action)
{
    if (store) {
        actOn(*store, action);
    }
    if (action.every && ledger.ended() < scenario.clients.operations && live > 0) {
        const auto index = static_cast<std::uint64_t>(&action - scenario.operatorActions.data());
        push(Kind::Operator, *action.every, {.subject = index});
    }
}

/// The list is read to its end before the first key is freed: what the operator does must not change what he looked at.
void Run::Private::actOn(Store &target, const OperatorAction &action)
{
    std::vector<std::pair<Identity, Fence>> selected;
    Query query {.filter = action.select, .limit = 10'000};
    do {
        Result<Page> page = target.list(query);
        if (!page) {
            break; // closed from outside: there is no list any more
        }
        for (RecordView &record : page->records) {
            selected.emplace_back(std::move(record.identity), record.fence);
        }
        query.cursor = page->nextCursor;
    } while (!query.cursor.isEmpty());

    for (const auto &[identity, fence] : selected) {
        const Verb waking(*this);
        bool done = false;
        switch (action.verb) {
        case OperatorAction::Verb::Abandon:
            done = target
                       .abandon(identity,
                           {.expectedFence = fence,
                               .reason = action.reason,
                               .as = action.abandonAs,
                               .overrideLive = action.overrideLive})
                       .has_value();
            tally.abandons_refused += done ? 0 : 1;
            break;
        case OperatorAction::Verb::Settle: {
            SettleRequest request {.expectedFence = fence, .reason = action.reason};
            if (action.settleExecuted) {
                Name body("{\"operation\":", numberOf(identity));
                body.add(",\"execution\":0}");
                request.executed = Response {.status = 200, .headers = {}, .body = body.view().toByteArray()};
            }
            done = target.settle(identity, request).has_value();
            tally.settles += done ? 1 : 0;
            break;
        }
        case OperatorAction::Verb::Purge:
            done = target.purge(identity, fence, action.reason).has_value();
            tally.purges += done ? 1 : 0;
            break;
        }
        trace.add(done ? 1 : 0);
        if (!done) {
            continue;
        }
        const std::uint64_t number = numberOf(identity);
        tell(RunEvent::Kind::Operator, number, 0);
        if (!watching) {
            continue;
        }
        if (action.verb == OperatorAction::Verb::Abandon) {
            monitor.abandoned(number, now());
        }
        if (leavesAnswer(action)) {
            monitor.completed(number, 0, now(), false);
        } else if (leavesUnknown(action)) {
            monitor.suspended(number, now());
        } else if (action.verb != OperatorAction::Verb::Abandon) {
            monitor.freed(number, now());
        }
    }
}

} // namespace idem::sim
