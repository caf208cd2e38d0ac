// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run_private.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace idem::sim {

namespace {

/// A short text on the stack: names are made for every attempt, and none of them needs the heap.
class Name
{
public:
    explicit Name(std::string_view prefix) { add(prefix); }
    Name(std::string_view prefix, std::uint64_t number)
        : Name(prefix)
    {
        add(number);
    }
    void add(std::string_view text)
    {
        // Never cut: the bound only tells the compiler what the array's size tells the reader.
        const auto room = static_cast<std::size_t>(m_text.data() + m_text.size() - m_end);
        m_end = std::copy_n(text.data(), std::min(text.size(), room), m_end);
    }
    void add(std::uint64_t number) { m_end = std::to_chars(m_end, m_text.data() + m_text.size(), number).ptr; }
    [[nodiscard]] QByteArrayView view() const { return {m_text.data(), m_end}; }

private:
    std::array<char, 96> m_text; // the longest is the body: two numbers of 20 digits and 27 characters
    char *m_end = m_text.data();
};

/// 201, with a body that tells which run of the handler it comes from.
Response makeResponse(const Request &request)
{
    static const Headers headers {{QByteArrayLiteral("Content-Type"), QByteArrayLiteral("application/json")}};
    Name body("{\"operation\":", request.operation);
    body.add(",\"execution\":");
    body.add(request.execution);
    body.add("}");
    return {.status = 201, .headers = headers, .body = body.view().toByteArray()};
}

} // namespace

void Run::Private::onReach(std::uint64_t operation, std::uint32_t attempt)
{
    ++tally.arrivals;
    line.push_back(requests.acquire(operation, attempt)); // handleNext() serves it in the same moment
}

/// First come, first served, as long as there is a worker.
void Run::Private::serveQueue()
{
    while (!line.empty() && (!hasWorkers() || !idleWorkers.empty())) {
        const std::uint32_t slot = line.front();
        line.pop_front();
        Request &request = requests[slot];
        if (hasWorkers()) {
            request.worker = idleWorkers.back();
            idleWorkers.pop_back();
        }
        if (store && request.phase == Phase::Queued) {
            begin(slot);
        } else {
            startHandler(slot);
        }
    }
}

void Run::Private::begin(std::uint32_t slot)
{
    Request &request = requests[slot];
    request.phase = Phase::Beginning;
    const Name caller("client-", request.operation % scenario.clients.count);
    Name key("op-", request.operation);
    if (scenario.clients.keyPerAttempt) {
        key.add("-attempt-");
        key.add(request.attempt);
    }
    const Name fingerprint("sim:", request.operation);
    const Name owner("w", hasWorkers() ? request.worker : tally.executions + 1);
    store->beginAsync({.tenant = "demo",
                          .caller = caller.view(),
                          .key = key.view(),
                          .fingerprint = fingerprint.view(),
                          .owner = owner.view(),
                          .wait = scenario.store.wait},
        [this, slot](Outcome outcome) { onOutcome(slot, std::move(outcome)); });
    if (request.phase == Phase::Beginning) {
        request.phase = Phase::Waiting;
        ++tally.waits;
        if (hasWorkers()) {
            idleWorkers.push_back(request.worker);
        }
    }
}

/// Inside begin(), or later for a request that waited: then in an event of this run, or in a verb called from outside.
void Run::Private::onOutcome(std::uint32_t slot, Outcome outcome)
{
    if (closing) {
        return;
    }
    trace.add(outcome.index());
    Answer meaning = Answer::RetryLater;
    switch (kindOf(outcome)) {
    case OutcomeKind::Fresh:
        onFresh(slot, std::get<Fresh>(std::move(outcome)));
        return;
    case OutcomeKind::InProgress:
        ++tally.conflicts;
        break;
    case OutcomeKind::Replay: {
        ++tally.replays;
        const Replay &replay = std::get<Replay>(outcome);
        const int status = replay.response->status();
        if (replay.failed || (status != 409 && status >= 300 && status < 500)) {
            meaning = Answer::Final;
        } else if (status < 300) {
            meaning = Answer::Success;
        }
        break;
    }
    case OutcomeKind::Mismatch:
        ++tally.mismatches;
        meaning = Answer::Final;
        break;
    case OutcomeKind::Unknown:
    case OutcomeKind::NotStored:
        ++tally.unknowns;
        break;
    case OutcomeKind::Rejected:
        ++tally.rejected;
        break;
    }
    const Request &request = requests[slot];
    answer(request.operation, request.attempt, meaning);
    leave(slot);
}

void Run::Private::onFresh(std::uint32_t slot, Fresh fresh)
{
    ++tally.fresh;
    if (fresh.tookOver) {
        ++tally.takeovers;
    }
    Request &request = requests[slot];
    request.claim = std::move(fresh.claim);
    if (request.phase == Phase::Beginning) {
        startHandler(slot);
        return;
    }
    request.phase = Phase::Claimed;
    line.push_back(slot);
    if (!handling) {
        serveQueue();
    }
}

void Run::Private::startHandler(std::uint32_t slot)
{
    Request &request = requests[slot];
    request.phase = Phase::Running;
    request.execution = ++tally.executions;
    if (faults.strikes(Fault::Kind::CrashAfterBegin, now(), random, request.operation, request.attempt)) {
        crash(slot);
        return;
    }
    const std::uint64_t bits =
        random.bits(static_cast<std::uint32_t>(Stream::Service), request.operation, request.attempt);
    push(Kind::HandlerEnd, draw(scenario.server.service, bits), {.subject = slot, .attempt = request.attempt});
}

/// Handlers do not announce their effect to the store: sideEffectStarted() is never called, so that a lapsed or
/// abandoned key is free for the next attempt. That is what the lessons on leases and on abandoning are about.
void Run::Private::onHandlerEnd(std::uint32_t slot)
{
    Request &request = requests[slot];
    ledger.effect(request.operation);
    if (faults.strikes(Fault::Kind::CrashAfterEffect, now(), random, request.operation, request.attempt)) {
        crash(slot);
        return;
    }
    if (store) {
        complete(request);
    }
    answer(request.operation, request.attempt, Answer::Success); // also of a displaced owner: it does not know better
    leave(slot);
}

/// The handler is gone with its claim: no release, no completion, no answer.
void Run::Private::crash(std::uint32_t slot)
{
    ++tally.crashes;
    Claim &claim = requests[slot].claim;
    if (claim.isActive()) {
        claim.detach();
    }
    leave(slot);
}

void Run::Private::complete(Request &request)
{
    Claim claim = std::move(request.claim);
    const Result<Completion> done = claim.complete(makeResponse(request));
    if (done) {
        tally.overwritten_responses += done->overwrote ? 1 : 0;
        tally.late_completes += done->late ? 1 : 0;
    } else if (done.error().code != StoreErrorCode::Closed) {
        ++tally.stale_completes;
    }
    trace.add(done ? 1 : 0);
}

/// The request leaves the server; its worker, if it holds one, is free.
void Run::Private::leave(std::uint32_t slot)
{
    const Request &request = requests[slot];
    if (hasWorkers() && (request.phase == Phase::Beginning || request.phase == Phase::Running)) {
        idleWorkers.push_back(request.worker);
    }
    requests.release(slot);
}

void Run::Private::answer(std::uint64_t operation, std::uint32_t attempt, Answer answer)
{
    if (faults.strikes(Fault::Kind::ResponseLost, now(), random, operation, attempt)) {
        ++tally.responses_lost;
        return;
    }
    const std::uint64_t bits = random.bits(static_cast<std::uint32_t>(Stream::Response), operation, attempt);
    push(Kind::Answer, draw(scenario.network.response, bits),
        {.subject = operation, .attempt = attempt, .detail = static_cast<std::uint16_t>(answer)});
}

} // namespace idem::sim
