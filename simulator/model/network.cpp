// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run_private.h"

namespace idem::sim {

std::uint8_t Run::Private::route(std::uint64_t operation, std::uint32_t attempt, std::uint32_t client)
{
    const std::uint64_t count = instances.size();
    if (count == 1) {
        return 0;
    }
    switch (scenario.server.routing) {
    case Server::Routing::RoundRobin:
        return static_cast<std::uint8_t>(routed++ % count);
    case Server::Routing::Random:
        return static_cast<std::uint8_t>(bits(Stream::Routing, operation, attempt) % count);
    case Server::Routing::ByClient:
        return static_cast<std::uint8_t>(client % count);
    }
    Q_UNREACHABLE();
}

/// One more attempt, and what the network makes of it.
void Run::Private::send(std::uint64_t operation)
{
    Pending &client = *pending(operation);
    client.awaited = client.awaited << 1U | 1U;
    const std::uint32_t attempt = ++client.attempt;
    ++tally.attempts;
    tell(RunEvent::Kind::Sent, operation, attempt);
    const Chance chance {.operation = operation,
        .attempt = attempt,
        .client = client.client,
        .instance = route(operation, attempt, client.client)};
    Parcel parcel {.generation = client.generation, .instance = static_cast<std::uint8_t>(chance.instance)};
    if (faults.strike(Fault::Kind::RequestLost, now(), random, chance)
        || faults.strike(Fault::Kind::Partition, now(), random, chance)) {
        ++tally.requests_lost;
        tell(RunEvent::Kind::RequestLost, operation, attempt, chance.instance);
    } else {
        Duration way = draw(scenario.network.request, bits(Stream::Request, operation, attempt));
        if (const Fault *slow = faults.strike(Fault::Kind::RequestDelay, now(), random, chance)) {
            way += delayOf(*slow, operation, attempt);
        }
        push(Kind::Reach, way, {.subject = operation, .attempt = attempt, .detail = parcel.packed()});
        if (const Fault *twice = faults.strike(Fault::Kind::Duplicate, now(), random, chance)) {
            parcel.duplicate = true;
            ++tally.duplicates;
            tell(RunEvent::Kind::Duplicated, operation, attempt, chance.instance);
            push(Kind::Reach, way + delayOf(*twice, operation, attempt),
                {.subject = operation, .attempt = attempt, .detail = parcel.packed()});
        }
    }
    push(Kind::TimeOut, scenario.clients.timeout, {.subject = operation, .attempt = attempt}, Tie::TimeOut);
    if (const Fault *crash = faults.strike(Fault::Kind::ClientCrash, now(), random, chance)) {
        ++tally.client_crashes;
        tell(RunEvent::Kind::ClientCrashed, operation, attempt);
        stopAwaiting(client);
        push(Kind::ClientRestart, delayOf(*crash, operation, attempt),
            {.subject = operation, .attempt = attempt, .detail = static_cast<std::uint16_t>(crash->keyLost ? 1 : 0)});
    }
}

/// An answer goes back. Nobody hears the one to a delivery that the network made up.
void Run::Private::carryBack(const Request &request, Answer answer)
{
    const Chance chance = chanceOf(request);
    if (Parcel::unpacked(request.detail).duplicate) {
        ++tally.replies_late;
        tell(RunEvent::Kind::AnsweredLate, request.operation, request.attempt, request.instance);
        return;
    }
    if (faults.strike(Fault::Kind::ResponseLost, now(), random, chance)
        || faults.strike(Fault::Kind::Partition, now(), random, chance)) {
        ++tally.responses_lost;
        tell(RunEvent::Kind::ResponseLost, request.operation, request.attempt, request.instance);
        return;
    }
    tell(RunEvent::Kind::Answered, request.operation, request.attempt, request.instance);
    Duration way = draw(scenario.network.response, bits(Stream::Response, request.operation, request.attempt));
    if (const Fault *slow = faults.strike(Fault::Kind::ResponseDelay, now(), random, chance)) {
        way += delayOf(*slow, request.operation, request.attempt);
    }
    push(Kind::Answer, way, {.subject = request.operation, .attempt = request.attempt, .detail = answer.packed()});
}

} // namespace idem::sim
