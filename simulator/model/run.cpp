// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run_private.h"

#include "simulator/model/restartable_store.h"

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

Run::Private::Private(Scenario scenario_, Seed seed_, RunOptions options_)
    : scenario(std::move(scenario_))
    , seed(seed_)
    , options(std::move(options_))
    , random(static_cast<std::uint64_t>(seed_))
    , storeClock(clock)
    , scheduler(queue, clock)
    , faults(scenario.faults, scenario.heal)
    , monitor(scenario.store.policy, scenario.clients.operations)
    , watching(options.checkInvariants)
    , instances(scenario.server.instances)
{
    if (scenario.store.enabled) {
        store = openStore();
    }
    for (Instance &instance : instances) {
        for (std::uint32_t worker = scenario.server.workers; worker > 0; --worker) {
            instance.idleWorkers.push_back(worker);
        }
        if (store && faults.has(Fault::Kind::StoreSplit)) {
            instance.replica = makeStore();
        }
    }
    const Clients &clients = scenario.clients;
    if (clients.budget.kind != RetryGateOptions::Kind::None) {
        for (std::uint32_t i = 0; i < (clients.sharedBudget ? 1 : clients.count); ++i) {
            gates.push_back(RetryGate::make(clients.budget));
        }
    }
    for (std::size_t i = 0; i < scenario.operatorActions.size(); ++i) {
        push(Kind::Operator, scenario.operatorActions[i].at, {.subject = i});
    }
    for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
        const Fault::Kind kind = scenario.faults[i].kind;
        if (kind == Fault::Kind::ServerRestart || kind == Fault::Kind::StoreRestart) {
            push(Kind::FaultStarts, scenario.faults[i].from, {.subject = i});
        }
    }
    startArrivals();
}

std::unique_ptr<Store> Run::Private::makeStore()
{
    // One shard: then every order inside the store, that of a sweep's events too, is a function of the calls.
    std::unique_ptr<Store> made = std::make_unique<MemoryStore>(MemoryStoreOptions {.policy = scenario.store.policy,
        .clock = &storeClock,
        .scheduler = &scheduler,
        .shards = 1,
        .idSecret = secretOf(random)});
    return options.wrapStore ? options.wrapStore(std::move(made)) : std::move(made);
}

std::unique_ptr<Store> Run::Private::openStore()
{
    if (!faults.has(Fault::Kind::StoreRestart)) {
        return makeStore();
    }
    auto opened = std::make_unique<RestartableStore>([this] { return makeStore(); });
    restartable = opened.get();
    return opened;
}

Run::Private::~Private()
{
    // A guard would release its key and a closing store wakes its waiters: the run is over, nobody listens.
    closing = true;
    requests.detachAll();
    store.reset();
}

void Run::Private::pushAt(Kind kind, Instant at, Event event, Tie tie)
{
    event.at = at;
    event.kind = static_cast<std::uint8_t>(kind);
    queue.push(event, tie);
    ++live;
}

void Run::Private::push(Kind kind, Duration delay, Event event, Tie tie)
{
    pushAt(kind, saturatingAdd(now(), delay), event, tie);
}

Duration Run::Private::delayOf(const Fault &fault, std::uint64_t operation, std::uint32_t attempt) const
{
    const auto index = static_cast<std::uint32_t>(&fault - faults.faults().data());
    return draw(
        fault.delay, random.bits(static_cast<std::uint32_t>(Stream::FirstFaultDetail) + index, operation, attempt));
}

void Run::Private::tell(RunEvent::Kind kind, std::uint64_t operation, std::uint32_t attempt, std::uint32_t instance)
{
    if (options.observer) {
        options.observer({.kind = kind,
            .at = now().time_since_epoch(),
            .event = events,
            .operation = operation,
            .attempt = attempt,
            .client = operation < ledger.opened() ? ledger.client(operation) : 0,
            .instance = instance});
    }
}

/// True for an event that lost its meaning after it was pushed: it is skipped as if it had never been.
bool Run::Private::isVoid(const Event &event) const
{
    switch (static_cast<Kind>(event.kind)) {
    case Kind::Timer:
        return !scheduler.isPending(event.subject);
    case Kind::TimeOut:
        return !isAwaited(event.subject, event.attempt);
    case Kind::Act:
    case Kind::HandlerEnd:
    case Kind::AnswerEnd:
        return !requests.isThere(event.subject);
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
    const Duration at = event.at.time_since_epoch();
    if (series.isDue(at)) {
        series.add(at, counts());
    }
    clock.advanceTo(event.at);
    ++events;
    const bool isTimer = event.kind == VirtualScheduler::timerKind;
    if (!isTimer) {
        --live;
    }
    if (!isTimer || !scheduler.isBackground(event.subject)) {
        trace.add(static_cast<std::uint64_t>(at.count()));
        trace.add(event.subject << 8 | event.kind);
        trace.add(static_cast<std::uint64_t>(event.attempt) << 16 | event.detail);
    }
    handling = true;
    dispatch(event);
    serveQueues();
    handling = false;
    if (isFinished() && !judged) {
        judgeEnd();
    }
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
    case Kind::Retry:
        onRetry(event.subject);
        break;
    case Kind::HeldBack:
        send(event.subject);
        break;
    case Kind::Hedge:
        onHedge(event.subject);
        break;
    case Kind::Reach:
        onReach(event.subject, event.attempt, event.detail);
        break;
    case Kind::Act:
        begin(RequestPool::slotOf(event.subject));
        break;
    case Kind::HandlerEnd:
        onHandlerEnd(RequestPool::slotOf(event.subject));
        break;
    case Kind::AnswerEnd:
        onAnswerEnd(RequestPool::slotOf(event.subject));
        break;
    case Kind::Answer:
        onAnswer(event.subject, event.attempt, Answer::unpacked(event.detail));
        break;
    case Kind::TimeOut:
        onTimeOut(event.subject, event.attempt);
        break;
    case Kind::ClientRestart:
        onClientRestart(event.subject, event.detail != 0);
        break;
    case Kind::Operator:
        onOperator(scenario.operatorActions[event.subject]);
        break;
    case Kind::FaultStarts:
        onFaultStarts(scenario.faults[event.subject]);
        break;
    }
}

Run::Run(Scenario scenario, Seed seed, RunOptions options)
    : d(std::make_unique<Private>(std::move(scenario), seed, std::move(options)))
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

void Run::apply(const OperatorAction &action)
{
    if (d->store) {
        d->trace.add(UINT64_MAX);
        d->actOn(*d->store, action);
    }
}

Counts Run::counts() const
{
    return d->counts();
}

const Series &Run::series() const
{
    return d->series;
}

const Histogram &Run::latencies() const
{
    return d->latencies;
}

std::vector<Violation> Run::violations() const
{
    return d->monitor.firstViolations();
}

std::vector<QString> Run::unreached() const
{
    const Counts counts = d->counts();
    std::vector<QString> names;
    for (const QString &name : d->scenario.reaches) {
        if (counts.value(name).value_or(0) == 0) {
            names.push_back(name);
        }
    }
    return names;
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
