// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run_private.h"

namespace idem::sim {

namespace {

Query queryOf(OperatorAction::Select select)
{
    Query query {.limit = 10'000};
    switch (select) {
    case OperatorAction::Select::InProgress:
        query.filter = Filter::inStates({State::InProgress});
        break;
    case OperatorAction::Select::Stuck:
        query.filter = Filter::stuck();
        break;
    case OperatorAction::Select::Completed:
        query.filter = Filter::inStates({State::Completed});
        break;
    case OperatorAction::Select::All:
        break;
    }
    return query;
}

} // namespace

/// The list is read to its end before the first key is freed: what the operator does must not change what he looked at.
void Run::Private::onOperator(const OperatorAction &action)
{
    if (!store) {
        return;
    }
    std::vector<std::pair<Identity, Fence>> selected;
    Query query = queryOf(action.select);
    do {
        Result<Page> page = store->list(query);
        if (!page) {
            break; // closed from outside: there is no list any more
        }
        for (RecordView &record : page->records) {
            selected.emplace_back(std::move(record.identity), record.fence);
        }
        query.cursor = page->nextCursor;
    } while (!query.cursor.isEmpty());

    for (const auto &[identity, fence] : selected) {
        const Result<RecordView> done =
            store->abandon(identity, {.expectedFence = fence, .reason = action.reason, .overrideLive = true});
        if (!done) {
            ++tally.abandons_refused;
        }
        trace.add(done ? 1 : 0);
    }
}

} // namespace idem::sim
