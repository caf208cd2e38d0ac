// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run_private.h"

#include <algorithm>
#include <bit>

namespace idem::sim {

/// An open loop names its next operation at each one, whatever became of it; a closed loop's clients each wait for
/// their own.
void Run::Private::startArrivals()
{
    const Clients &clients = scenario.clients;
    if (!clients.think) {
        scheduleOperation(0);
        return;
    }
    for (std::uint32_t client = 0; client < clients.count; ++client) {
        scheduleNextOf(client, client);
    }
}

void Run::Private::scheduleOperation(std::uint64_t operation)
{
    if (operation >= scenario.clients.operations) {
        return;
    }
    lastArrival = nextArrival(scenario.clients.arrival, operation, lastArrival, bits(Stream::Arrival, operation));
    const Instant at {lastArrival};
    if (at == Instant::max() || (scenario.duration && lastArrival >= *scenario.duration)) {
        return;
    }
    pushAt(Kind::Operation, at, {.subject = operation});
}

/// In a closed loop: `after` is any number of the client's own, for the draw.
void Run::Private::scheduleNextOf(std::uint32_t client, std::uint64_t after)
{
    const Duration pause = draw(*scenario.clients.think, bits(Stream::Think, after, client));
    if (scenario.duration && now().time_since_epoch() + pause >= *scenario.duration) {
        return;
    }
    push(Kind::Operation, pause, {.subject = client});
}

RetryGate *Run::Private::gateOf(std::uint32_t client)
{
    return gates.empty() ? nullptr : gates[client % gates.size()].get();
}

void Run::Private::onOperation(std::uint64_t subject)
{
    const Clients &clients = scenario.clients;
    const std::uint64_t operation = ledger.opened();
    if (operation >= clients.operations) {
        return; // the clients of a closed loop compete for the last ones
    }
    Pending &client = operations.emplace_back();
    client.startedAt = now();
    client.client =
        clients.think ? static_cast<std::uint32_t>(subject) : static_cast<std::uint32_t>(operation % clients.count);
    ledger.open(operation, client.client);
    client.hedges = static_cast<std::uint8_t>(clients.hedging.requests - 1);
    tell(RunEvent::Kind::Started, operation, 0);
    if (!clients.think) {
        scheduleOperation(operation + 1);
    }
    if (RetryGate *gate = gateOf(client.client); gate && !gate->mayStart(now(), bits(Stream::Gate, operation))) {
        refuseAtHome(operation);
        return;
    }
    sendWhenLet(operation);
    onHedge(operation);
}

/// The client's own budget, throttle or breaker forbids the next attempt.
void Run::Private::refuseAtHome(std::uint64_t operation)
{
    ++tally.local_refusals;
    tell(RunEvent::Kind::Refused, operation, pending(operation)->attempt);
    end(operation, ClientEnd::GaveUp);
}

/// Now, or when the client's rate limiter lets the attempt go.
void Run::Private::sendWhenLet(std::uint64_t operation)
{
    RetryGate *gate = gateOf(pending(operation)->client);
    const std::optional<Duration> held = gate ? gate->holdBack(now()) : Duration::zero();
    if (!held) {
        refuseAtHome(operation);
    } else if (*held > Duration::zero()) {
        push(Kind::HeldBack, *held, {.subject = operation});
    } else {
        send(operation);
    }
}

void Run::Private::onRetry(std::uint64_t operation)
{
    const Pending &client = *pending(operation);
    if (RetryGate *gate = gateOf(client.client);
        gate && !gate->maySend(now(), bits(Stream::Gate, operation, client.attempt))) {
        refuseAtHome(operation);
        return;
    }
    ++tally.retries;
    sendWhenLet(operation);
}

/// Sends the copies that are due, and schedules the next one.
void Run::Private::onHedge(std::uint64_t operation)
{
    const Hedging &hedging = scenario.clients.hedging;
    for (Pending *client = pending(operation); client && client->hedges > 0 && client->awaited != 0;
         client = pending(operation)) {
        const Instant due = client->startedAt + hedging.delay * client->attempt;
        if (due > now()) {
            pushAt(Kind::Hedge, due, {.subject = operation});
            return;
        }
        --client->hedges;
        ++tally.hedges;
        send(operation);
    }
}

Run::Private::Pending *Run::Private::pending(std::uint64_t operation)
{
    if (operation < firstOperation) {
        return nullptr;
    }
    Pending &found = operations[operation - firstOperation];
    return found.ended ? nullptr : &found;
}

bool Run::Private::isAwaited(std::uint64_t operation, std::uint32_t attempt) const
{
    if (operation < firstOperation) {
        return false;
    }
    const Pending &found = operations[operation - firstOperation];
    const std::uint32_t back = found.attempt - attempt;
    return back < 32 && (found.awaited >> back & 1U) != 0;
}

/// The time-outs of whatever was awaited are void now.
void Run::Private::stopAwaiting(Pending &client)
{
    live -= static_cast<std::uint64_t>(std::popcount(client.awaited));
    client.awaited = 0;
}

void Run::Private::onAnswer(std::uint64_t operation, std::uint32_t attempt, Answer answer)
{
    if (!isAwaited(operation, attempt)) {
        ++tally.replies_late; // the connection is gone, so nobody reads it
        tell(RunEvent::Kind::AnsweredLate, operation, attempt);
        return;
    }
    Pending &client = *pending(operation);
    client.awaited &= ~(1U << (client.attempt - attempt));
    --live; // the attempt's time-out is void now
    RetryGate *gate = gateOf(client.client);
    if (answer.meaning == Meaning::RetryLater) {
        tell(RunEvent::Kind::Failed, operation, attempt);
        if (gate) {
            gate->onFailure(now(), answer.failure, attempt);
        }
        failed(operation, answer.failure, answer.retryAfter);
        return;
    }
    if (gate) {
        gate->onSuccess(now(), attempt, client.lastFailure);
    }
    const bool isSuccess = answer.meaning == Meaning::Success;
    tell(isSuccess ? RunEvent::Kind::Succeeded : RunEvent::Kind::Failed, operation, attempt);
    if (isSuccess) {
        lastSuccess = now();
        latencies.record(now() - client.startedAt);
    }
    end(operation, isSuccess ? ClientEnd::Ok : ClientEnd::Error);
}

void Run::Private::onTimeOut(std::uint64_t operation, std::uint32_t attempt)
{
    ++tally.timeouts;
    Pending &client = *pending(operation);
    client.awaited &= ~(1U << (client.attempt - attempt));
    tell(RunEvent::Kind::TimedOut, operation, attempt);
    if (RetryGate *gate = gateOf(client.client)) {
        gate->onFailure(now(), Failure::TimedOut, attempt);
    }
    failed(operation, Failure::TimedOut, false);
}

void Run::Private::failed(std::uint64_t operation, Failure why, bool retryAfter)
{
    Pending &client = *pending(operation);
    client.lastFailure = why;
    if (client.hedges > 0) {
        --client.hedges;
        ++tally.hedges;
        send(operation); // a failure sends the next copy at once (gRPC proposal A6)
    } else if (client.awaited == 0) {
        retryOrGiveUp(operation, why, retryAfter);
    }
}

void Run::Private::retryOrGiveUp(std::uint64_t operation, Failure why, bool retryAfter)
{
    Pending &client = *pending(operation);
    const RetryPolicy &policy = scenario.clients.retry;
    if (client.attempt >= policy.maxAttempts || (why == Failure::Conflict && !policy.retriesConflict)) {
        end(operation, ClientEnd::GaveUp);
        return;
    }
    if (RetryGate *gate = gateOf(client.client); gate && !gate->mayRetry(now(), why)) {
        refuseAtHome(operation);
        return;
    }
    const Duration wait = retryDelay(policy, client.retry, client.attempt - 1, why,
        retryAfter ? scenario.server.retryAfter : std::nullopt, bits(Stream::Backoff, operation, client.attempt));
    push(Kind::Retry, wait, {.subject = operation, .attempt = client.attempt + 1});
}

/// The client lost its memory of what it sent, and perhaps its key.
void Run::Private::onClientRestart(std::uint64_t operation, bool keyLost)
{
    Pending &client = *pending(operation);
    if (keyLost) {
        ++client.generation;
    }
    ++tally.retries;
    send(operation);
}

void Run::Private::end(std::uint64_t operation, ClientEnd how)
{
    if (how == ClientEnd::GaveUp) {
        tell(RunEvent::Kind::GaveUp, operation, 0);
    }
    ledger.end(operation, how);
    Pending &ended = *pending(operation);
    stopAwaiting(ended);
    ended.ended = true;
    const std::uint32_t client = ended.client;
    while (!operations.empty() && operations.front().ended) {
        operations.pop_front();
        ++firstOperation;
    }
    if (scenario.clients.think && ledger.opened() < scenario.clients.operations) {
        scheduleNextOf(client, operation + scenario.clients.count);
    }
}

} // namespace idem::sim
