// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run_private.h"

#include <cmath>

namespace idem::sim {

namespace {

/// A body that tells which run of the handler it comes from.
Name bodyOf(const Request &request)
{
    Name body("{\"operation\":", request.operation);
    body.add(",\"execution\":");
    body.add(request.execution);
    body.add("}");
    return body;
}

const Headers &headers()
{
    static const Headers json {{QByteArrayLiteral("Content-Type"), QByteArrayLiteral("application/json")}};
    return json;
}

constexpr int created = 201;

} // namespace

void Run::Private::startHandler(std::uint32_t slot)
{
    Request &request = requests[slot];
    request.phase = Phase::Running;
    ++tally.executions;
    if (!store) {
        request.execution = tally.executions;
    }
    if (watching) {
        monitor.started(request.key);
    }
    tell(RunEvent::Kind::Executing, request.operation, request.attempt, request.instance);
    const Chance chance = chanceOf(request);
    if (faults.strike(Fault::Kind::CrashAfterBegin, now(), random, chance)) {
        crash(slot);
        return;
    }
    Duration service = draw(scenario.server.service, bits(Stream::Service, request.operation, request.attempt));
    if (const Fault *slow = faults.strike(Fault::Kind::SlowHandler, now(), random, chance)) {
        service = Duration(std::llround(static_cast<double>(service.count()) * slow->factor));
    }
    pushAt(Kind::HandlerEnd, faults.endBeyondStalls(now(), service, request.instance),
        {.subject = requests.nameOf(slot), .attempt = request.attempt});
}

/// Handlers do not announce their effect to the store: sideEffectStarted() is never called, so that a lapsed or
/// abandoned key is free for the next attempt. That is what the lessons on leases and on abandoning are about.
void Run::Private::onHandlerEnd(std::uint32_t slot)
{
    Request &request = requests[slot];
    const Chance chance = chanceOf(request);
    if (const Fault *error = faults.strike(Fault::Kind::HandlerError, now(), random, chance)) {
        endWithError(slot, error->status);
        return;
    }
    if (faults.strike(Fault::Kind::HandlerThrows, now(), random, chance)) {
        endWithThrow(slot);
        return;
    }
    ledger.effect(request.operation);
    tell(RunEvent::Kind::Effect, request.operation, request.attempt, request.instance);
    if (watching) {
        monitor.effect(request.key, request.execution, now(), store && !request.unguarded);
    }
    if (faults.strike(Fault::Kind::CrashAfterEffect, now(), random, chance)) {
        crash(slot);
        return;
    }
    complete(request, created);
    if (watching) {
        monitor.ended(request.key);
    }
    if (faults.strike(Fault::Kind::CrashAfterComplete, now(), random, chance)) {
        ++tally.crashes;
        tell(RunEvent::Kind::HandlerCrashed, request.operation, request.attempt, request.instance);
    } else {
        carryBack(request, {.meaning = Meaning::Success}); // also of a displaced owner: it does not know better
    }
    leave(slot);
}

void Run::Private::endWithError(std::uint32_t slot, int status)
{
    Request &request = requests[slot];
    ++tally.handler_errors;
    complete(request, status);
    if (watching) {
        monitor.ended(request.key);
    }
    const bool isFinal = status >= 400 && status < 500 && status != 409 && status != 429;
    carryBack(request,
        {.meaning = isFinal ? Meaning::Final : Meaning::RetryLater,
            .failure = status == 429 ? Failure::Throttled : Failure::Transient});
    leave(slot);
}

/// The guard gives the key back, as it does for every handler that unwinds.
void Run::Private::endWithThrow(std::uint32_t slot)
{
    Request &request = requests[slot];
    ++tally.handler_errors;
    giveKeyBack(request);
    if (watching) {
        monitor.ended(request.key);
    }
    carryBack(request, {.meaning = Meaning::RetryLater, .failure = Failure::Transient});
    leave(slot);
}

/// The handler, or its whole server, is gone with its claim: no release, no completion, no answer.
void Run::Private::crash(std::uint32_t slot)
{
    Request &request = requests[slot];
    ++tally.crashes;
    tell(RunEvent::Kind::HandlerCrashed, request.operation, request.attempt, request.instance);
    if (watching && request.phase == Phase::Running) {
        monitor.ended(request.key);
    }
    orphanKey(request);
    leave(slot);
}

/// The owner releases its key, if it has one.
void Run::Private::giveKeyBack(Request &request)
{
    if (!request.claim.isActive()) {
        return;
    }
    const Verb verb(*this);
    const bool isFree = request.claim.release().has_value();
    if (watching && isFree) {
        monitor.released(request.key, request.execution, now());
    } else if (watching) {
        monitor.refused(request.key, request.execution, now()); // its lease was over, and another owner came
    }
}

/// The owner is gone, or cannot reach the store, and its key stays held.
void Run::Private::orphanKey(Request &request)
{
    if (!request.claim.isActive()) {
        return;
    }
    request.claim.detach();
    if (watching) {
        monitor.orphaned(request.key, request.execution, now());
    }
}

/// Hands the result to the store, as far as there is one and the request may.
void Run::Private::complete(Request &request, int status)
{
    if (!store) {
        return;
    }
    const bool hasEffect = status == created;
    if (isStoreOut(request)) {
        orphanKey(request);
        tally.lost_results += hasEffect ? 1 : 0;
        return;
    }
    const Verb verb(*this);
    const Name body = bodyOf(request);
    const ResponseView response {status, headers(), body.view()};
    Result<Completion> done = tl::unexpected(StoreError {});
    storeClock.setOffset(faults.clockOffset(now(), request.instance));
    if (request.claim.isActive()) {
        done = request.claim.complete(response);
    } else if (request.takesOver) {
        const RequestIdentity identity = identify(request);
        done = storeOf(request)->complete(OwnershipView(identity.view(), Fence::None, OwnerToken {}), response);
    } else {
        tally.lost_results += hasEffect ? 1 : 0;
    }
    storeClock.setOffset(Duration::zero());
    trace.add(done ? 1 : 0);
    if (done) {
        tally.overwritten_responses += done->overwrote ? 1 : 0;
        tally.late_completes += done->late ? 1 : 0;
        tell(RunEvent::Kind::Completed, request.operation, request.attempt, request.instance);
        if (watching && (done->state == State::Completed || done->state == State::Failed)) {
            monitor.completed(request.key, request.execution, now(), done->overwrote);
        } else if (watching) {
            monitor.released(request.key, request.execution, now());
        }
    } else if (!request.unguarded || request.takesOver) {
        tally.stale_completes += done.error().code != StoreErrorCode::Closed ? 1 : 0;
        tally.lost_results += hasEffect ? 1 : 0;
        tell(RunEvent::Kind::Stale, request.operation, request.attempt, request.instance);
        if (watching) {
            monitor.refused(request.key, request.execution, now());
        }
    }
}

} // namespace idem::sim
