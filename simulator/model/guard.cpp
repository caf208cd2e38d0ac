// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run_private.h"

namespace idem::sim {

namespace {

constexpr std::uint64_t notDense = std::uint64_t {1} << 63;

/// What a stored body says about where it comes from (see handler.cpp); nothing for another body.
struct Origin
{
    std::uint64_t operation = UINT64_MAX;
    std::uint64_t execution = 0;

    explicit Origin(QByteArrayView body)
    {
        constexpr std::string_view first = "{\"operation\":";
        constexpr std::string_view second = ",\"execution\":";
        const std::string_view text(body.data(), static_cast<std::size_t>(body.size()));
        if (!text.starts_with(first)) {
            return;
        }
        const char *end = text.data() + text.size();
        const auto [middle, error] = std::from_chars(text.data() + first.size(), end, operation);
        const std::string_view rest(middle, static_cast<std::size_t>(end - middle));
        if (error == std::errc() && rest.starts_with(second)) {
            std::from_chars(middle + second.size(), end, execution);
        }
    }
};

// Numbers beside those of operations, which are dense.

std::uint64_t attemptNumber(std::uint64_t operation, std::uint64_t attempt)
{
    return notDense | mix64(mix64(operation) + attempt) >> 1U;
}

std::uint64_t restartNumber(std::uint64_t number, std::uint64_t generation)
{
    return notDense | mix64(mix64(number) ^ ~generation) >> 1U;
}

std::uint64_t randomNumber(std::uint64_t high, std::uint64_t low, QByteArrayView tenant)
{
    std::uint64_t number = mix64(high) + low;
    for (const char letter : tenant) {
        number = mix64(number + static_cast<unsigned char>(letter));
    }
    return notDense | number >> 1U;
}

/// Of a key that another tenant's operation may use too.
std::uint64_t sharedNumber(std::uint64_t operation, QByteArrayView tenant)
{
    return randomNumber(UINT64_MAX, operation, tenant);
}

} // namespace

KeyName Run::Private::keyOf(const Request &request) const
{
    const KeyStrategy &strategy = scenario.clients.key;
    std::uint64_t operation = request.operation;
    KeyName name;
    if (strategy.kind == KeyStrategy::Kind::Random) {
        const std::uint64_t low = bits(Stream::Key, operation);
        const std::uint64_t high = bits(Stream::Key, operation, 1);
        const auto cut = [](std::uint64_t word, std::uint32_t width) {
            return width >= 64 ? word : word & ((std::uint64_t {1} << width) - 1);
        };
        const std::uint64_t shownHigh = strategy.bits > 64 ? cut(high, strategy.bits - 64) : 0;
        const std::uint64_t shownLow = cut(low, strategy.bits);
        name.text.add("r-");
        name.text.add(shownHigh, 16);
        name.text.add("-");
        name.text.add(shownLow, 16);
        name.number = randomNumber(shownHigh, shownLow, tenantOf(chanceOf(request).client).view());
        return name;
    }
    if (strategy.kind == KeyStrategy::Kind::Reused && operation % strategy.every == strategy.every - 1) {
        operation -= strategy.every - 1;
    }
    name.text.add("op-");
    name.text.add(operation);
    name.number = strategy.kind == KeyStrategy::Kind::Reused
        ? sharedNumber(operation, tenantOf(chanceOf(request).client).view())
        : operation;
    if (strategy.kind == KeyStrategy::Kind::PerAttempt) {
        name.text.add("-attempt-");
        name.text.add(request.attempt);
        name.number = attemptNumber(operation, request.attempt);
    }
    if (const std::uint8_t generation = Parcel::unpacked(request.detail).generation) {
        name.text.add("-restart-");
        name.text.add(generation);
        name.number = restartNumber(name.number, generation);
    }
    return name;
}

/// keyOf()'s number, without the text where that is not needed.
std::uint64_t Run::Private::keyNumberOf(const Request &request) const
{
    const bool isPlain = scenario.clients.key.kind == KeyStrategy::Kind::PerOperation
        && Parcel::unpacked(request.detail).generation == 0;
    return isPlain ? request.operation : keyOf(request).number;
}

/// The number of a key that the store names.
std::uint64_t Run::Private::numberOf(const Identity &identity) const
{
    const QByteArrayView key(identity.key);
    const auto numberAfter = [&](QByteArrayView word, int base) -> std::optional<std::uint64_t> {
        const qsizetype at = key.indexOf(word);
        std::uint64_t number = 0;
        if (at < 0
            || std::from_chars(key.data() + at + word.size(), key.data() + key.size(), number, base).ec
                != std::errc()) {
            return std::nullopt;
        }
        return number;
    };
    if (key.startsWith("r-")) {
        const qsizetype middle = key.indexOf('-', 2);
        std::uint64_t low = 0;
        std::from_chars(key.data() + middle + 1, key.data() + key.size(), low, 16);
        return randomNumber(numberAfter("r-", 16).value_or(0), low, identity.tenant);
    }
    std::uint64_t number = numberAfter("op-", 10).value_or(0);
    if (scenario.clients.key.kind == KeyStrategy::Kind::Reused) {
        number = sharedNumber(number, identity.tenant);
    }
    if (const auto attempt = numberAfter("-attempt-", 10)) {
        number = attemptNumber(number, *attempt);
    }
    if (const auto generation = numberAfter("-restart-", 10)) {
        number = restartNumber(number, *generation);
    }
    return number;
}

Name Run::Private::tenantOf(std::uint32_t client) const
{
    const Clients &clients = scenario.clients;
    return clients.tenants > 1 && clients.tenantScope ? Name("tenant-", client % clients.tenants) : Name("demo");
}

/// Callers are part of it where every operation has keys of its own, so that lists show who asks.
RequestIdentity Run::Private::identify(const Request &request) const
{
    const std::uint32_t client = chanceOf(request).client;
    const bool isOwn = scenario.clients.key.kind <= KeyStrategy::Kind::PerAttempt;
    return {keyOf(request), tenantOf(client), isOwn ? Name("client-", client) : Name("api")};
}

Store *Run::Private::storeOf(const Request &request)
{
    Instance &instance = instances[request.instance];
    const bool isSplit = instance.replica && faults.strike(Fault::Kind::StoreSplit, now(), random, chanceOf(request));
    return isSplit ? instance.replica.get() : store.get();
}

bool Run::Private::isStoreOut(const Request &request)
{
    const Chance chance = chanceOf(request);
    return faults.strike(Fault::Kind::StoreOutage, now(), random, chance)
        || (faults.strike(Fault::Kind::StoreRestart, now(), random, chance) != nullptr);
}

/// The server's first question about a request.
void Run::Private::ask(std::uint32_t slot)
{
    Request &request = requests[slot];
    if (isStoreOut(request)) {
        if (scenario.store.failOpen || scenario.store.policy.semantics.runsUnprotected) {
            executeUnguarded(slot, false);
        } else {
            refuse(slot);
        }
        return;
    }
    if (const Fault *gap = faults.strike(Fault::Kind::NonAtomicBegin, now(), random, chanceOf(request))) {
        const auto found = storeOf(request)->find(identify(request).view());
        if (!found || found->state == State::Abandoned) {
            request.phase = Phase::Looking;
            push(Kind::Act, delayOf(*gap, request.operation, request.attempt), {.subject = requests.nameOf(slot)});
            return;
        }
    }
    begin(slot);
}

void Run::Private::begin(std::uint32_t slot)
{
    Request &request = requests[slot];
    const bool hasLooked = request.phase == Phase::Looking;
    request.takesOver = hasLooked;
    request.phase = Phase::Beginning;
    const RequestIdentity name = identify(request);
    const Name fingerprint("sim:", request.operation);
    const Name owner("w", hasWorkers() ? request.worker : grants + 1);
    storeClock.setOffset(faults.clockOffset(now(), request.instance));
    const BeginRequest question {.tenant = name.tenant.view(),
        .caller = name.caller.view(),
        .key = name.key.text.view(),
        .fingerprint = fingerprint.view(),
        .owner = owner.view(),
        .wait = hasLooked ? Duration::zero() : scenario.store.wait};
    const std::uint64_t requestName = requests.nameOf(slot);
    if (question.wait == Duration::zero()) {
        Outcome outcome = storeOf(request)->begin(question);
        storeClock.setOffset(Duration::zero());
        onOutcome(requestName, std::move(outcome));
        return;
    }
    storeOf(request)->beginAsync(
        question, [this, requestName](Outcome outcome) { onOutcome(requestName, std::move(outcome)); });
    storeClock.setOffset(Duration::zero());
    if (request.phase == Phase::Beginning) {
        request.phase = Phase::Waiting;
        ++tally.waits;
        tell(RunEvent::Kind::Waiting, request.operation, request.attempt, request.instance);
        giveWorkerBack(request);
    }
}

/// The server that waited is gone: what it is granted now, nobody works on.
void Run::Private::forget(Outcome &outcome)
{
    if (auto *fresh = std::get_if<Fresh>(&outcome)) {
        const std::optional<Instant> leaseEnd = fresh->claim.leaseEnd();
        const std::uint64_t key = numberOf(fresh->claim.detach().identity);
        if (watching) {
            monitor.granted(key, 0, now(), leaseEnd);
            monitor.orphaned(key, 0, now());
        }
    }
}

/// Inside begin(), or later for a request that waited: then in an event of this run, or in a verb called from outside.
void Run::Private::onOutcome(std::uint64_t name, Outcome &&outcome)
{
    if (closing) {
        if (auto *fresh = std::get_if<Fresh>(&outcome)) {
            fresh->claim.detach();
        }
        return;
    }
    if (insideVerb) {
        putBy.emplace_back(name, std::move(outcome));
        return;
    }
    if (!requests.isThere(name)) {
        forget(outcome);
        return;
    }
    trace.add(outcome.index());
    const std::uint32_t slot = RequestPool::slotOf(name);
    Request &request = requests[slot];
    const auto told = [&](RunEvent::Kind kind) { tell(kind, request.operation, request.attempt, request.instance); };
    Answer answer {.meaning = Meaning::RetryLater,
        .failure = Failure::Transient,
        .retryAfter = scenario.server.retryAfter.has_value()};
    switch (kindOf(outcome)) {
    case OutcomeKind::Fresh:
        onFresh(slot, std::move(std::get<Fresh>(outcome)));
        return;
    case OutcomeKind::InProgress:
        if (request.takesOver || scenario.store.policy.semantics.runsWhileInProgress) {
            executeUnguarded(slot, true);
            return;
        }
        ++tally.conflicts;
        told(RunEvent::Kind::Conflict);
        answer.failure = Failure::Conflict;
        if (watching) {
            monitor.conflicted(request.key, now());
            tally.false_conflicts += monitor.isRunning(request.key) ? 0 : 1;
        }
        break;
    case OutcomeKind::Replay:
        if (request.takesOver) {
            executeUnguarded(slot, true);
            return;
        }
        onReplay(slot, std::get<Replay>(outcome));
        return;
    case OutcomeKind::Mismatch:
        ++tally.mismatches;
        told(RunEvent::Kind::Mismatch);
        tally.false_mismatches += scenario.clients.key.kind <= KeyStrategy::Kind::PerAttempt ? 1 : 0;
        answer.meaning = Meaning::Final;
        break;
    case OutcomeKind::Unknown:
    case OutcomeKind::NotStored:
        ++tally.unknowns;
        told(RunEvent::Kind::Unknown);
        answer.failure = Failure::Conflict;
        break;
    case OutcomeKind::Rejected:
        ++tally.rejected;
        told(RunEvent::Kind::Rejected);
        break;
    }
    answerAfterCost(slot, answer);
}

void Run::Private::deliverOutcomes()
{
    // What is delivered may call a verb of its own, which puts by and delivers in its turn.
    std::vector<std::pair<std::uint64_t, Outcome>> outcomes;
    outcomes.swap(putBy);
    for (auto &[name, outcome] : outcomes) {
        onOutcome(name, std::move(outcome));
    }
}

void Run::Private::onReplay(std::uint32_t slot, const Replay &replay)
{
    const Request &request = requests[slot];
    ++tally.replays;
    tell(RunEvent::Kind::Replay, request.operation, request.attempt, request.instance);
    const Origin origin(replay.response->body().value_or(QByteArrayView()));
    const int status = replay.response->status();
    if (!replay.failed && origin.operation != request.operation) {
        ++tally.wrong_replays;
    }
    if (watching) {
        monitor.replayed(request.key, replay.failed ? 0 : origin.execution, now());
    }
    Answer answer {.meaning = Meaning::RetryLater};
    if (replay.failed || (status != 409 && status >= 300 && status < 500)) {
        answer.meaning = Meaning::Final;
    } else if (status < 300) {
        answer.meaning = Meaning::Success;
    }
    answerAfterCost(slot, answer);
}

void Run::Private::onFresh(std::uint32_t slot, Fresh &&fresh)
{
    ++tally.fresh;
    if (fresh.tookOver) {
        ++tally.takeovers;
    }
    Request &request = requests[slot];
    tell(RunEvent::Kind::Fresh, request.operation, request.attempt, request.instance);
    request.execution = ++grants;
    if (watching) {
        monitor.granted(request.key, request.execution, now(), fresh.claim.leaseEnd());
    }
    request.claim = std::move(fresh.claim);
    request.takesOver = false;
    startOrQueue(slot, request.phase == Phase::Beginning);
}

/// The server executes although no store has granted it.
void Run::Private::executeUnguarded(std::uint32_t slot, bool takesOver)
{
    Request &request = requests[slot];
    request.unguarded = true;
    request.takesOver = takesOver;
    request.execution = ++grants;
    ++tally.unguarded;
    startOrQueue(slot, true);
}

/// A request that may execute starts at once where it may and has a worker, or needs none; else it queues for one.
void Run::Private::startOrQueue(std::uint32_t slot, bool mayStart)
{
    Request &request = requests[slot];
    request.phase = Phase::Claimed;
    if (mayStart && (request.holdsWorker || !hasWorkers())) {
        startHandler(slot);
    } else {
        admit(slot);
    }
}

} // namespace idem::sim
