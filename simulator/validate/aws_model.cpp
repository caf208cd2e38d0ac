// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/validate/aws_model.h"

#include "simulator/engine/random.h"
#include "simulator/validate/inverse_normal.h"

namespace idem::sim {

namespace {

/// The messages of a client's loop, named by where they arrive; also the streams of their delays.
enum Hop : std::uint8_t { ReadAtServer, VersionAtClient, WriteAtServer, VerdictAtClient, hops };
constexpr std::uint32_t backoffStream = hops;

/// |N(10 ms, 2 ms)|
Duration networkDelay(std::uint64_t bits)
{
    constexpr double mean = 10'000;
    constexpr double sd = 2'000;
    constexpr double half = 0.5;
    return Duration(static_cast<Duration::rep>(std::abs(mean + sd * fastNormal(bits)) + half));
}

} // namespace

AwsModel::Outcome AwsModel::run(const Options &options)
{
    const KeyedRandom random(options.seed);
    Outcome outcome;
    Instant now {};
    m_clients.assign(options.clients, Client {});

    const auto send = [&](Hop hop, std::uint64_t client, std::uint32_t loop, Duration wait) {
        const Duration delay = networkDelay(random.bits(hop, client, loop));
        m_queue.push({.at = now + wait + delay, .subject = client, .attempt = loop, .kind = hop});
    };
    for (std::uint32_t client = 0; client < options.clients; ++client) {
        send(ReadAtServer, client, 0, {});
    }
    while (!m_queue.isEmpty()) {
        const Event event = m_queue.pop();
        const std::uint32_t loop = event.attempt;
        Client &client = m_clients[event.subject];
        outcome.monotone = outcome.monotone && event.at >= now;
        ++outcome.events;
        now = event.at;
        switch (static_cast<Hop>(event.kind)) {
        case ReadAtServer:
            client.version = outcome.version;
            send(VersionAtClient, event.subject, loop, {});
            break;
        case VersionAtClient:
            send(WriteAtServer, event.subject, loop, {});
            break;
        case WriteAtServer:
            ++outcome.calls;
            client.done = client.version == outcome.version;
            ++(client.done ? outcome.version : outcome.failures);
            send(VerdictAtClient, event.subject, loop, {});
            break;
        case VerdictAtClient:
            if (!client.done) {
                const std::uint64_t bits = random.bits(backoffStream, event.subject, loop);
                const Duration wait = retryDelay(options.policy, client.retry, loop, Failure::Conflict, {}, bits);
                send(ReadAtServer, event.subject, loop + 1, wait);
            }
            break;
        case hops:
            Q_UNREACHABLE();
        }
    }
    outcome.time = now.time_since_epoch();
    return outcome;
}

} // namespace idem::sim
