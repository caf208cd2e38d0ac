// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run_private.h"

#include <algorithm>

namespace idem::sim {

namespace {

/// 32 bytes that depend on the seed only, so that record ids are those of every run of it.
QByteArray secretOf(const KeyedRandom &random)
{
    constexpr std::uint32_t stream = UINT32_MAX; // no model event draws from it
    QByteArray secret;
    for (std::uint64_t word = 0; word < 4; ++word) {
        const std::uint64_t bits = random.bits(stream, word);
        for (int shift = 0; shift < 64; shift += 8) {
            secret.append(static_cast<char>(bits >> shift));
        }
    }
    return secret;
}

} // namespace

Run::Private::Private(Scenario scenario_, Seed seed_)
    : scenario(std::move(scenario_))
    , seed(seed_)
    , random(static_cast<std::uint64_t>(seed_))
    , scheduler(queue, clock)
    , faults(scenario.faults)
{
    if (scenario.store.enabled) {
        // One shard: then every order inside the store, that of a sweep's events too, is a function of the calls.
        store = std::make_unique<MemoryStore>(MemoryStoreOptions {.policy = scenario.store.policy,
            .clock = &clock,
            .scheduler = &scheduler,
            .shards = 1,
            .idSecret = secretOf(random)});
    }
    for (std::uint32_t worker = scenario.server.workers; worker > 0; --worker) {
        idleWorkers.push_back(worker);
    }
    for (std::size_t i = 0; i < scenario.operatorActions.size(); ++i) {
        push(Kind::Operator, scenario.operatorActions[i].at, {.subject = i});
    }
    scheduleOperation(0);
}

Run::Private::~Private()
{
    // A guard would release its key and a closing store wakes its waiters: the run is over, nobody listens.
    closing = true;
    requests.detachAll();
    store.reset();
}

void Run::Private::push(Kind kind, Duration delay, Event event, Tie tie)
{
    event.at = saturatingAdd(now(), delay);
    event.kind = static_cast<std::uint8_t>(kind);
    queue.push(event, tie);
    ++live;
}

/// True for an event that lost its meaning after it was pushed: it is skipped as if it had never been.
bool Run::Private::isVoid(const Event &event) const
{
    switch (static_cast<Kind>(event.kind)) {
    case Kind::Timer:
        return !scheduler.isPending(event.subject);
    case Kind::TimeOut:
        return !isAwaited(event.subject, event.attempt);
    default:
        return false;
    }
}

void Run::Private::dropVoid()
{
    while (!queue.isEmpty() && isVoid(queue.top())) {
        queue.pop();
    }
}

/// Precondition: the top event is not void.
void Run::Private::handleNext()
{
    const Event event = queue.pop();
    clock.advanceTo(event.at);
    ++events;
    const bool isTimer = event.kind == VirtualScheduler::timerKind;
    if (!isTimer) {
        --live;
    }
    if (!isTimer || !scheduler.isBackground(event.subject)) {
        trace.add(static_cast<std::uint64_t>(event.at.time_since_epoch().count()));
        trace.add(event.subject << 8 | event.kind);
        trace.add(static_cast<std::uint64_t>(event.attempt) << 16 | event.detail);
    }
    handling = true;
    dispatch(event);
    serveQueue();
    handling = false;
}

void Run::Private::dispatch(const Event &event)
{
    switch (static_cast<Kind>(event.kind)) {
    case Kind::Timer:
        scheduler.fire(event.subject);
        break;
    case Kind::Operation:
        onOperation(event.subject);
        break;
    case Kind::Send:
        send(event.subject);
        break;
    case Kind::Reach:
        onReach(event.subject, event.attempt);
        break;
    case Kind::HandlerEnd:
        onHandlerEnd(static_cast<std::uint32_t>(event.subject));
        break;
    case Kind::Answer:
        onAnswer(event.subject, event.attempt, static_cast<Answer>(event.detail));
        break;
    case Kind::TimeOut:
        onTimeOut(event.subject);
        break;
    case Kind::Operator:
        onOperator(scenario.operatorActions[event.subject]);
        break;
    }
}

Run::Run(Scenario scenario, Seed seed)
    : d(std::make_unique<Private>(std::move(scenario), seed))
{
}

Run::Run(const Scenario &scenario)
    : Run(scenario, scenario.seed)
{
}

Run::~Run() = default;

bool Run::step()
{
    if (d->isFinished()) {
        return false;
    }
    d->dropVoid();
    d->handleNext();
    return true;
}

std::uint64_t Run::runUntil(Duration until, std::uint64_t limit)
{
    const Instant end {until};
    std::uint64_t handled = 0;
    for (d->dropVoid(); !d->queue.isEmpty() && d->queue.top().at <= end; d->dropVoid()) {
        if (handled == limit) {
            return handled;
        }
        d->handleNext();
        ++handled;
    }
    d->clock.advanceTo(std::max(end, d->now()));
    return handled;
}

std::uint64_t Run::run(std::uint64_t limit)
{
    std::uint64_t handled = 0;
    while (handled < limit && step()) {
        ++handled;
    }
    return handled;
}

void Run::toEnd()
{
    run(UINT64_MAX);
}

bool Run::isFinished() const
{
    return d->isFinished();
}

double Run::progress() const
{
    if (isFinished()) {
        return 1;
    }
    const auto &scenario = d->scenario;
    double done = static_cast<double>(d->ledger.ended())
        / static_cast<double>(std::max<std::uint64_t>(scenario.clients.operations, 1));
    if (scenario.duration && *scenario.duration > Duration::zero()) {
        done = std::max(done, static_cast<double>(elapsed().count()) / static_cast<double>(scenario.duration->count()));
    }
    return std::min(done, 1.0);
}

Duration Run::elapsed() const
{
    return d->now().time_since_epoch();
}

std::uint64_t Run::events() const
{
    return d->events;
}

std::uint64_t Run::traceHash() const
{
    return d->trace.hash();
}

Counts Run::counts() const
{
    Counts counts = d->tally;
    d->ledger.report(counts);
    if (d->store) {
        const Counters counters = d->store->counters();
        counts.stuck_keys = counters.stuck;
        counts.abandons = counters.abandoned; // also what an operator did by hand
    }
    return counts;
}

const Scenario &Run::scenario() const
{
    return d->scenario;
}

Seed Run::seed() const
{
    return d->seed;
}

Store *Run::store()
{
    return d->store.get();
}

} // namespace idem::sim
