// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run_private.h"

#include "simulator/model/restartable_store.h"

#include <cmath>

namespace idem::sim {

Chance Run::Private::chanceOf(const Request &request) const
{
    return {.operation = request.operation,
        .attempt = request.attempt,
        .client = ledger.client(request.operation),
        .instance = request.instance};
}

void Run::Private::onReach(std::uint64_t operation, std::uint32_t attempt, std::uint16_t detail)
{
    ++tally.arrivals;
    const std::uint32_t slot = requests.acquire(operation, attempt);
    ++requestsAtServer;
    Request &request = requests[slot];
    request.detail = detail;
    request.instance = Parcel::unpacked(detail).instance;
    request.arrivedAt = now();
    request.key = store ? keyNumberOf(request) : operation;
    tell(RunEvent::Kind::Arrived, operation, attempt, request.instance);
    const Chance chance = chanceOf(request);
    if (faults.strike(Fault::Kind::ServerDown, now(), random, chance)
        || faults.strike(Fault::Kind::ServerRestart, now(), random, chance)) {
        refuse(slot);
    } else if (store && scenario.server.guard == Server::Guard::Admission) {
        ask(slot);
    } else {
        admit(slot);
    }
}

/// Into the queue; handleNext() serves it in the same moment.
void Run::Private::admit(std::uint32_t slot)
{
    Request &request = requests[slot];
    Instance &instance = instances[request.instance];
    const bool mustWait = hasWorkers() && instance.idleWorkers.empty();
    const auto &cap = scenario.server.queueCap;
    if (mustWait && cap && instance.line.size() >= *cap) {
        giveKeyBack(request);
        refuse(slot);
        return;
    }
    noteQueue();
    ++queued;
    instance.line.push_back(slot);
    if (!handling) {
        serveQueues();
    }
}

/// Before the number of those who wait changes: they have been as many until now.
void Run::Private::noteQueue()
{
    queueArea += static_cast<double>(queued) * static_cast<double>((now() - queueSince).count());
    queueSince = now();
}

void Run::Private::serveQueues()
{
    for (Instance &instance : instances) {
        serveQueue(instance);
    }
}

/// As long as there is a worker.
void Run::Private::serveQueue(Instance &instance)
{
    while (!instance.line.empty() && (!hasWorkers() || !instance.idleWorkers.empty())) {
        const bool isFifo = scenario.server.order == Server::Order::Fifo;
        const std::uint32_t slot = isFifo ? instance.line.front() : instance.line.back();
        isFifo ? instance.line.pop_front() : instance.line.pop_back();
        noteQueue();
        --queued;
        Request &request = requests[slot];
        ++taken;
        waitedFor += now() > request.arrivedAt ? 1 : 0;
        waitSum += static_cast<double>((now() - request.arrivedAt).count());
        if (hasWorkers()) {
            request.worker = instance.idleWorkers.back();
            request.holdsWorker = true;
            instance.idleWorkers.pop_back();
        }
        if (store && request.phase == Phase::Queued) {
            ask(slot);
        } else {
            startHandler(slot);
        }
    }
}

/// 503: the server has no room, or is not there.
void Run::Private::refuse(std::uint32_t slot)
{
    ++tally.overloads;
    const Request &request = requests[slot];
    tell(RunEvent::Kind::Overloaded, request.operation, request.attempt, request.instance);
    carryBack(request,
        {.meaning = Meaning::RetryLater,
            .failure = scenario.server.retryAfter ? Failure::Throttled : Failure::Transient,
            .retryAfter = scenario.server.retryAfter.has_value()});
    leave(slot);
}

/// The answer to a request that was not executed: it may cost its worker time.
void Run::Private::answerAfterCost(std::uint32_t slot, Answer answer)
{
    Request &request = requests[slot];
    if (!request.holdsWorker || scenario.server.kappa <= 0) {
        carryBack(request, answer);
        leave(slot);
        return;
    }
    request.phase = Phase::Answering;
    request.answer = answer.packed();
    const Duration service = draw(scenario.server.service, bits(Stream::Service, request.operation, request.attempt));
    const Duration cost(std::llround(static_cast<double>(service.count()) * scenario.server.kappa));
    pushAt(Kind::AnswerEnd, faults.endBeyondStalls(now(), cost, request.instance), {.subject = requests.nameOf(slot)});
}

void Run::Private::onAnswerEnd(std::uint32_t slot)
{
    const Request &request = requests[slot];
    carryBack(request, Answer::unpacked(request.answer));
    leave(slot);
}

void Run::Private::giveWorkerBack(Request &request)
{
    if (request.holdsWorker) {
        request.holdsWorker = false;
        instances[request.instance].idleWorkers.push_back(request.worker);
    }
}

/// The request leaves the server.
void Run::Private::leave(std::uint32_t slot)
{
    giveWorkerBack(requests[slot]);
    neverStarted += requests[slot].phase == Phase::Claimed ? 1 : 0;
    requests.release(slot);
    --requestsAtServer;
}

void Run::Private::onFaultStarts(const Fault &fault)
{
    if (fault.kind == Fault::Kind::ServerRestart) {
        restartServer(fault);
    } else {
        restartStore(fault);
    }
}

/// Whatever was at the instance is gone: handlers, queue, and its word to the store.
void Run::Private::restartServer(const Fault &fault)
{
    tell(RunEvent::Kind::ServerRestarted, 0, 0, fault.instance.value_or(0));
    for (std::uint32_t i = 0; i < instances.size(); ++i) {
        if (!fault.instance || *fault.instance == i) {
            noteQueue();
            queued -= instances[i].line.size();
            instances[i].line.clear();
        }
    }
    for (std::uint32_t slot = 0; slot < requests.size(); ++slot) {
        const Request &request = requests[slot];
        if (request.phase != Phase::Free && (!fault.instance || *fault.instance == request.instance)) {
            const bool hasEvent =
                request.phase == Phase::Looking || request.phase == Phase::Running || request.phase == Phase::Answering;
            live -= hasEvent ? 1 : 0; // that event is void now
            crash(slot);
        }
    }
}

void Run::Private::restartStore(const Fault &fault)
{
    tell(RunEvent::Kind::StoreRestarted, 0, 0);
    if (fault.isVolatile && restartable) {
        const Verb verb(*this);
        if (watching) {
            monitor.freedAll(now());
        }
        restartable->restart();
    }
}

} // namespace idem::sim
