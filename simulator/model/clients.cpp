// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run_private.h"

namespace idem::sim {

/// Operations arrive open loop: each names the next, whatever became of it.
void Run::Private::scheduleOperation(std::uint64_t operation)
{
    const Clients &clients = scenario.clients;
    if (operation >= clients.operations) {
        return;
    }
    Duration gap = operation == 0 ? Duration::zero() : clients.arrival.interval;
    if (clients.arrival.kind == Arrival::Kind::Poisson) {
        gap =
            exponential(random.bits(static_cast<std::uint32_t>(Stream::Arrival), operation), clients.arrival.interval);
    }
    const Instant at = saturatingAdd(now(), gap);
    if (at == Instant::max() || (scenario.duration && at.time_since_epoch() >= *scenario.duration)) {
        return;
    }
    push(Kind::Operation, gap, {.subject = operation});
}

void Run::Private::onOperation(std::uint64_t operation)
{
    ledger.open(operation);
    operations.emplace_back();
    send(operation);
    scheduleOperation(operation + 1);
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
    return found.waiting && found.attempt == attempt;
}

void Run::Private::send(std::uint64_t operation)
{
    Pending *client = pending(operation);
    Q_ASSERT(client && !client->waiting);
    client->waiting = true;
    const std::uint32_t attempt = ++client->attempt;
    ++tally.attempts;
    if (faults.strikes(Fault::Kind::RequestLost, now(), random, operation, attempt)) {
        ++tally.requests_lost;
    } else {
        const std::uint64_t bits = random.bits(static_cast<std::uint32_t>(Stream::Request), operation, attempt);
        push(Kind::Reach, draw(scenario.network.request, bits), {.subject = operation, .attempt = attempt});
    }
    push(Kind::TimeOut, scenario.clients.timeout, {.subject = operation, .attempt = attempt}, Tie::TimeOut);
}

void Run::Private::onAnswer(std::uint64_t operation, std::uint32_t attempt, Answer answer)
{
    if (!isAwaited(operation, attempt)) {
        ++tally.replies_late; // the connection is gone, so nobody reads it
        return;
    }
    pending(operation)->waiting = false;
    --live; // the attempt's time-out is void now
    switch (answer) {
    case Answer::Success:
        end(operation, ClientEnd::Ok);
        break;
    case Answer::RetryLater:
        retryOrGiveUp(operation);
        break;
    case Answer::Final:
        end(operation, ClientEnd::Error);
        break;
    }
}

void Run::Private::onTimeOut(std::uint64_t operation)
{
    ++tally.timeouts;
    pending(operation)->waiting = false;
    retryOrGiveUp(operation);
}

void Run::Private::retryOrGiveUp(std::uint64_t operation)
{
    const std::uint32_t sent = pending(operation)->attempt;
    const RetryPolicy &retry = scenario.clients.retry;
    if (sent >= retry.maxAttempts) {
        end(operation, ClientEnd::GaveUp);
        return;
    }
    const std::uint64_t bits = random.bits(static_cast<std::uint32_t>(Stream::Backoff), operation, sent);
    push(Kind::Send, retryDelay(retry, sent - 1, bits), {.subject = operation, .attempt = sent + 1});
}

void Run::Private::end(std::uint64_t operation, ClientEnd how)
{
    ledger.end(operation, how);
    pending(operation)->ended = true;
    while (!operations.empty() && operations.front().ended) {
        operations.pop_front();
        ++firstOperation;
    }
}

} // namespace idem::sim
