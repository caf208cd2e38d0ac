// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/mutation/lessons.h"

#include "tests/simulator/model/scenarios.h"

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

struct Exact
{
    QString name;
    double value;
};

Scenario withExpected(Scenario scenario, const QString &name, const std::vector<Exact> &counts)
{
    scenario.name = name;
    for (const Exact &count : counts) {
        scenario.expected.push_back({.name = count.name, .value = count.value});
    }
    scenario.expected.push_back({.name = u"invariant_violations"_s, .value = 0});
    return scenario;
}

Scenario overlapping(std::uint32_t attempts)
{
    Scenario scenario = plain(1);
    scenario.store.policy.lease = 100ms;
    scenario.clients.timeout = 200ms;
    scenario.clients.retry.maxAttempts = attempts;
    scenario.server.service = constant(350ms);
    return scenario;
}

} // namespace

Scenario overtaken()
{
    // Begins at 5, 305, 605 ms; ends at 355 and 655 ms, each after the next one's begin, and at 955 ms, after its
    // lease.
    return withExpected(overlapping(3), u"overtaken"_s,
        {{u"fresh"_s, 3}, {u"takeovers"_s, 2}, {u"stale_completes"_s, 2}, {u"late_completes"_s, 1}, {u"effects"_s, 3},
            {u"double_charges"_s, 2}, {u"client_unknown"_s, 1}});
}

Scenario overtakenAndThrown()
{
    // The first handler throws at 355 ms, while the second is at work from 305 to 655 ms.
    Scenario scenario = overlapping(2);
    scenario.faults = {{.kind = Fault::Kind::HandlerThrows, .firstAttempts = 1}};
    return withExpected(std::move(scenario), u"overtaken and thrown"_s,
        {{u"fresh"_s, 2}, {u"takeovers"_s, 1}, {u"handler_errors"_s, 1}, {u"effects"_s, 1}, {u"late_completes"_s, 1},
            {u"client_unknown"_s, 1}});
}

Scenario overtakenAndFinished()
{
    // The first handler works from 5 to 505 ms, the second from 305 to 355 ms; its client is content at 360 ms.
    Scenario scenario = overlapping(2);
    scenario.server.service = constant(50ms);
    scenario.faults = {{.kind = Fault::Kind::SlowHandler, .firstAttempts = 1, .factor = 10}};
    return withExpected(std::move(scenario), u"overtaken and finished"_s,
        {{u"fresh"_s, 2}, {u"takeovers"_s, 1}, {u"stale_completes"_s, 1}, {u"double_charges"_s, 1},
            {u"overwritten_responses"_s, 0}, {u"client_ok"_s, 1}});
}

Scenario abandoned()
{
    Scenario scenario = plain(1);
    scenario.server.service = constant(300ms);
    scenario.operatorActions = {{.at = 100ms, .select = Filter::inStates({State::InProgress})}};
    return withExpected(std::move(scenario), u"abandoned"_s,
        {{u"abandons"_s, 1}, {u"effects"_s, 1}, {u"stale_completes"_s, 1}, {u"lost_results"_s, 1}});
}

Scenario abandonedTooLate()
{
    Scenario scenario = plain(1);
    scenario.faults = {{.kind = Fault::Kind::ResponseLost, .firstAttempts = 1}};
    scenario.operatorActions = {{.at = 500ms, .select = Filter {}}};
    return withExpected(std::move(scenario), u"abandoned too late"_s,
        {{u"abandons_refused"_s, 1}, {u"replays"_s, 1}, {u"effects"_s, 1}, {u"client_ok"_s, 1}});
}

Scenario retriedAfterLife(Duration after)
{
    // Stored at 15 ms; the time-out at 1,000 ms and the wait of 100 ms bring the retry to the server at 1,105 ms.
    Scenario scenario = plain(1);
    scenario.store.policy.ttl = 1090ms - after;
    scenario.faults = {{.kind = Fault::Kind::ResponseLost, .firstAttempts = 1}};
    const double again = after >= Duration::zero() ? 1 : 0;
    return withExpected(std::move(scenario), again > 0 ? u"retried after its life"_s : u"retried within its life"_s,
        {{u"fresh"_s, 1 + again}, {u"replays"_s, 1 - again}, {u"double_charges"_s, again}, {u"client_ok"_s, 1}});
}

Scenario answersLost()
{
    Scenario scenario = plain(5);
    scenario.faults = {{.kind = Fault::Kind::ResponseLost, .firstAttempts = 1}};
    return withExpected(std::move(scenario), u"answers lost"_s,
        {{u"fresh"_s, 5}, {u"replays"_s, 5}, {u"wrong_replays"_s, 0}, {u"effects"_s, 5}, {u"lost_results"_s, 0},
            {u"client_ok"_s, 5}});
}

Scenario impatient()
{
    // At work from 5 to 405 ms. A time-out at 50 ms; then conflicts, at 155, 265 and 375 ms.
    Scenario scenario = plain(1);
    scenario.store.policy.lease = 450ms;
    scenario.clients.timeout = 50ms;
    scenario.server.service = constant(400ms);
    return withExpected(std::move(scenario), u"impatient"_s,
        {{u"attempts"_s, 4}, {u"fresh"_s, 1}, {u"conflicts"_s, 3}, {u"replays"_s, 0}, {u"false_conflicts"_s, 0},
            {u"effects"_s, 1}, {u"client_unknown"_s, 1}});
}

Scenario undisturbed()
{
    return withExpected(plain(3), u"undisturbed"_s,
        {{u"attempts"_s, 3}, {u"fresh"_s, 3}, {u"conflicts"_s, 0}, {u"effects"_s, 3}, {u"client_ok"_s, 3}});
}

Scenario thrownWhileWaitedFor()
{
    // At work from 5 to 105 ms, and then for the request that has waited since 25 ms.
    Scenario scenario = plain(1);
    scenario.store.wait = 10s;
    scenario.clients.hedging = {20ms, 2};
    scenario.server.service = constant(100ms);
    scenario.faults = {{.kind = Fault::Kind::HandlerThrows, .firstAttempts = 1}};
    return withExpected(std::move(scenario), u"thrown while waited for"_s,
        {{u"attempts"_s, 2}, {u"waits"_s, 1}, {u"fresh"_s, 2}, {u"handler_errors"_s, 1}, {u"replays"_s, 0},
            {u"effects"_s, 1}, {u"client_ok"_s, 1}});
}

Scenario thrown()
{
    Scenario scenario = plain(1);
    scenario.faults = {{.kind = Fault::Kind::HandlerThrows, .firstAttempts = 1}};
    return withExpected(std::move(scenario), u"thrown"_s,
        {{u"attempts"_s, 2}, {u"fresh"_s, 2}, {u"conflicts"_s, 0}, {u"effects"_s, 1}, {u"client_ok"_s, 1}});
}

Scenario keyReused()
{
    // Operations 1 and 3 come with the keys of 0 and 2, which are done by then.
    Scenario scenario = plain(4);
    scenario.clients.arrival.interval = 100ms;
    scenario.clients.key = {.kind = KeyStrategy::Kind::Reused, .every = 2};
    return withExpected(std::move(scenario), u"key reused"_s,
        {{u"fresh"_s, 2}, {u"mismatches"_s, 2}, {u"replays"_s, 0}, {u"wrong_replays"_s, 0}, {u"client_ok"_s, 2},
            {u"client_failed"_s, 2}});
}

} // namespace idem::sim
