// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/store/model/describe.h"
#include "tests/core/store/model/differential.h"
#include "tests/core/store/model/history_gen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace idem::test {

// Random histories with begins that wait, on the store in memory and on the reference: each key serves its waiters in
// their order, each gets one outcome, which is the real one, and none is lost at the close.

namespace {

struct Delivery
{
    int waiter;
    Instant at;
    Begun begun;
};

/// A begin that has not ended yet.
struct Waiter
{
    int number;
    std::shared_ptr<Request> request;
    Instant deadline;
    bool drops; ///< its callback lets the guard go, which gives the key back
};

class WaitingRun
{
public:
    explicit WaitingRun(const Setup &setup)
        : m_store(makeStore(setup, m_clock, m_scheduler))
        , m_model(setup.policy)
    {
    }

    std::string run(const Command &command)
    {
        std::string result;
        if (command.verb == Verb::Begin) {
            begin(command);
        } else if (isOwnerVerb(command.verb)) {
            const Ownership owner = m_cast.ownerFor(command, m_model);
            const std::string actual = callOwnerVerb(*m_store, command, owner);
            result = difference("different answers", actual, callOwnerVerb(m_model, command, owner, moment()));
        } else if (isOperatorVerb(command.verb)) {
            const Fence fence = Cast::fenceFor(command, m_model);
            const std::string actual = callOperatorVerb(*m_store, command, fence);
            result = difference("different answers", actual, callOperatorVerb(m_model, command, fence, moment()));
        } else if (command.verb == Verb::Advance) {
            advance(Cast::spanFor(command, m_model, m_clock.now()));
        } else if (command.verb == Verb::Sweep) {
            const std::uint64_t actual = m_store->sweepNow();
            result = difference("different counts", std::to_string(actual), std::to_string(m_model.sweep(moment())));
        } else if (command.verb == Verb::Close) {
            close();
        }
        wakeAll(moment());
        m_model.takeEvents(); // the other histories look at them
        return result.empty() ? compare(command.identity()) : result;
    }

    std::string finish()
    {
        close();
        wakeAll(moment());
        std::string result = compare({});
        if (result.empty() && m_actual.size() != static_cast<std::size_t>(m_begins)) {
            result = std::to_string(m_begins) + " begins, " + std::to_string(m_actual.size()) + " outcomes";
        }
        if (result.empty() && m_scheduler.pending() != 0) {
            result = "a timer of a closed store";
        }
        return result;
    }

private:
    [[nodiscard]] Moment moment() const { return {m_clock.now(), m_clock.wallNow()}; }

    void begin(const Command &command)
    {
        auto request = std::make_shared<Request>(command);
        request->begin.wait = Duration(command.amount);
        const int number = m_begins++;
        const bool drops = command.overrideLive;
        m_store->beginAsync(request->begin, [this, number, drops](Outcome outcome) {
            const Moment at = moment();
            if (!drops) {
                m_actual.push_back({number, at.now, toBegun(std::move(outcome))});
                return;
            }
            m_actual.push_back({number, at.now, peek(outcome)});
            const Outcome dropped = std::move(outcome);
        });
        const Policy &policy = m_model.policy();
        const Waiter waiter {number, request, m_clock.now() + std::min(request->begin.wait, policy.maxWait), drops};
        std::deque<Waiter> &queue = m_queues[request->identity];
        const bool waits = waiter.deadline > m_clock.now() && std::ssize(queue) < policy.maxWaitersPerKey
            && wouldBe(waiter, moment()) == OutcomeKind::InProgress;
        if (waits) {
            queue.push_back(waiter);
        } else {
            deliver(waiter, moment());
        }
    }

    /// What the store handed out, which stays the callback's.
    static Begun peek(Outcome &outcome)
    {
        Fresh *fresh = std::get_if<Fresh>(&outcome);
        if (!fresh) {
            return toBegun(std::move(outcome));
        }
        Begun begun;
        begun.kind = OutcomeKind::Fresh;
        begun.issued = {fresh->claim.fence(), fresh->claim.ownership().token};
        begun.attempt = fresh->attempt;
        begun.tookOver = fresh->tookOver;
        begun.leaseEnd = fresh->claim.leaseEnd();
        return begun;
    }

    [[nodiscard]] OutcomeKind wouldBe(const Waiter &waiter, Moment at) const
    {
        ReferenceStore trial = m_model;
        return trial.begin(waiter.request->begin, at, {}).kind;
    }

    void deliver(const Waiter &waiter, Moment at)
    {
        const auto actual = std::ranges::find(m_actual, waiter.number, &Delivery::waiter);
        const Issued issued = actual == m_actual.end() ? Issued() : actual->begun.issued;
        const Begun begun = m_model.begin(waiter.request->begin, at, issued);
        m_expected.push_back({waiter.number, at.now, begun});
        m_keyOf[waiter.number] = waiter.request->identity;
        if (begun.kind != OutcomeKind::Fresh) {
            return;
        }
        const Ownership owner {waiter.request->identity, begun.issued.fence, begun.issued.token};
        m_fencesGrow = m_cast.note(owner) && m_fencesGrow;
        if (waiter.drops) {
            m_dropped.push_back(owner);
        }
    }

    /// "each gets the real outcome; when the key comes free the oldest gets Fresh and the rest keep waiting". All that
    /// a change decides is decided before the next callback runs. Whether at one tick a deadline or a callback comes
    /// first is no rule: there the store says which, and only that is taken from it.
    void wake(std::deque<Waiter> &queue, Moment at)
    {
        const auto deliverWhere = [&](auto isOver) {
            for (auto waiter = queue.begin(); waiter != queue.end();) {
                if (!isOver(*waiter)) {
                    ++waiter;
                    continue;
                }
                const Waiter woken = *waiter;
                waiter = queue.erase(waiter);
                deliver(woken, at);
            }
        };
        const auto decide = [&] {
            deliverWhere([&](const Waiter &waiter) { return wouldBe(waiter, at) != OutcomeKind::InProgress; });
            deliverWhere([&](const Waiter &waiter) { return waiter.deadline <= at.now && wasTooLong(waiter); });
        };
        decide();
        for (; !m_dropped.empty(); m_dropped.pop_front()) {
            m_model.release(m_dropped.front(), at);
            decide();
        }
        deliverWhere([&](const Waiter &waiter) { return waiter.deadline <= at.now; });
    }

    /// True when the store ended the wait in favour of who owns the key now.
    [[nodiscard]] bool wasTooLong(const Waiter &waiter) const
    {
        const auto actual = std::ranges::find(m_actual, waiter.number, &Delivery::waiter);
        const auto owner = m_model.lastOwner(waiter.request->identity);
        return actual != m_actual.end() && actual->begun.kind == OutcomeKind::InProgress && owner
            && actual->begun.issued.fence == owner->fence;
    }

    void wakeAll(Moment at)
    {
        for (auto &[identity, queue] : m_queues) {
            wake(queue, at);
        }
    }

    void advance(Duration span)
    {
        const Moment start = moment();
        m_scheduler.advance(span);
        const Instant end = m_clock.now();
        Moment at = start;
        const auto nextMoment = [&] {
            std::set<Instant> moments = m_model.boundaries(at.now);
            moments.insert(end);
            for (const auto &[identity, queue] : m_queues) {
                for (const Waiter &waiter : queue) {
                    moments.insert(waiter.deadline);
                }
            }
            return std::min(end, *moments.upper_bound(at.now));
        };
        while (at.now < end) {
            const Instant next = nextMoment();
            at = {next, start.wall + (next - start.now)};
            wakeAll(at);
        }
    }

    void close()
    {
        m_store->close();
        m_model.close();
    }

    /// Each key's outcomes, in their order: between keys there is none.
    [[nodiscard]] std::string tell(const std::vector<Delivery> &deliveries) const
    {
        std::map<Identity, std::string> texts;
        for (const Delivery &delivery : deliveries) {
            const auto key = m_keyOf.find(delivery.waiter);
            texts[key == m_keyOf.end() ? Identity() : key->second] += "\n      begin " + std::to_string(delivery.waiter)
                + " at " + std::to_string(delivery.at.time_since_epoch().count()) + ": " + describe(delivery.begun);
        }
        std::string all;
        for (const auto &[identity, text] : texts) {
            all += text;
        }
        return all;
    }

    std::string compare(const Identity &identity)
    {
        std::string result = difference("different outcomes", tell(m_actual), tell(m_expected));
        if (!result.empty()) {
            return result;
        }
        if (!m_fencesGrow) {
            return "a fence that does not grow";
        }
        Counters counters = m_model.counters(m_clock.now());
        counters.bytes = m_store->counters().bytes; // the other histories look at them
        for (const auto &[key, queue] : m_queues) {
            counters.waiting += queue.size();
        }
        auto view = m_model.find(identity, m_clock.now());
        if (view) {
            view->waiting = static_cast<std::uint32_t>(m_queues[identity].size());
        }
        result = difference(
            "different records", tellView(m_store->find(identity), m_model.policy()), tellView(view, m_model.policy()));
        return result.empty() ? difference("different counters", describe(m_store->counters()), describe(counters))
                              : result;
    }

    ManualClock m_clock;
    ManualScheduler m_scheduler {m_clock};
    std::vector<Delivery> m_actual;
    std::vector<Delivery> m_expected;
    std::map<int, Identity> m_keyOf;
    std::unique_ptr<MemoryStore> m_store;
    ReferenceStore m_model;
    Cast m_cast;
    std::map<Identity, std::deque<Waiter>> m_queues;
    std::deque<Ownership> m_dropped; ///< by callbacks that are still to run
    int m_begins = 0;
    bool m_fencesGrow = true;
};

std::string firstWaitingDifference(const History &history)
{
    WaitingRun run(history.setup);
    for (std::size_t i = 0; i < history.commands.size(); ++i) {
        const std::string result = run.run(history.commands[i]);
        if (!result.empty()) {
            return "step " + std::to_string(i + 1) + ": " + result;
        }
    }
    const std::string result = run.finish();
    return result.empty() ? result : "at the end: " + result;
}

} // namespace

TEST(StoreModel, WaitersOfAnyHistoryGetTheirOutcomes)
{
    expectNoDifference(1200, genWaitingHistory(), firstWaitingDifference);
}

} // namespace idem::test
