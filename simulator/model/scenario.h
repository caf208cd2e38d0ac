// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/filter.h"
#include "core/store/store.h"
#include "simulator/check/expected.h"
#include "simulator/client/arrival.h"
#include "simulator/client/retry_gate.h"
#include "simulator/client/retry_policy.h"
#include "simulator/engine/distribution.h"

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace idem::sim {

/// Names a run: the same scenario and seed give the same trace on the same platform.
enum class Seed : std::uint64_t {};
/// The largest that a scenario or a report may name: JSON's readers keep whole numbers up to 2^53 - 1 (RFC 8259,
/// section 6).
constexpr std::uint64_t maxSeed = (std::uint64_t {1} << 53) - 1;

/// A question to ask before a run, and its answer after it.
struct Lesson
{
    QString predict {}; ///< what to predict
    QString predictCount {}; ///< the count or measure whose value is the answer
    QString happens {}; ///< what happens
    QString why {};
};

/// How clients name what they want.
struct KeyStrategy
{
    enum class Kind : std::uint8_t {
        PerOperation, ///< one key for an operation over all its attempts
        PerAttempt, ///< the anti-pattern: a new key for each attempt
        Random, ///< one key for an operation, drawn from 2^bits: two operations may draw the same
        Reused, ///< every `every`-th operation takes the key of the one `every - 1` before it, with another payload
    };
    Kind kind = Kind::PerOperation;
    std::uint32_t bits = 128; ///< of Random, 1...128
    std::uint64_t every = 10; ///< of Reused, >= 2
};

/// Copies of a request that the client sends without waiting for a failure; the first success ends them all
/// (gRPC proposal A6, "hedging policy"; a delay of 0 and two requests are a double click).
struct Hedging
{
    Duration delay = std::chrono::milliseconds(500);
    std::uint32_t requests = 1; ///< in all, 1: no hedging
};

struct Clients
{
    std::uint32_t count = 1; ///< operations go to them in turn
    std::uint64_t operations = 1; ///< in all; fewer when `duration` ends first
    Arrival arrival {}; ///< of an open loop: whatever became of the earlier operations
    /// A closed loop instead: each client starts its next operation this long after its last one ended.
    std::optional<Distribution> think {};
    Duration timeout = std::chrono::seconds(1);
    RetryPolicy retry {};
    RetryGateOptions budget {}; ///< a budget, throttle or breaker
    bool sharedBudget = false; ///< one for all clients instead of one for each
    Hedging hedging {};
    KeyStrategy key {};
    std::uint32_t tenants = 1; ///< clients belong to them in turn
    bool tenantScope = true; ///< false: all tenants share one space of keys (a server's fault)
};

struct Network
{
    Distribution request {Distribution::Kind::Constant, std::chrono::milliseconds(5), {}};
    Distribution response {Distribution::Kind::Constant, std::chrono::milliseconds(5), {}};
};

/// One or several instances of the service, all with the same settings and one store.
struct Server
{
    enum class Order : std::uint8_t { Fifo, Lifo };
    enum class Routing : std::uint8_t { RoundRobin, Random, ByClient };
    /// Where the store is asked.
    enum class Guard : std::uint8_t {
        Worker, ///< by the worker that takes the request from the queue
        Admission, ///< on arrival, before the queue: a refused or replayed request never queues
    };
    std::uint32_t instances = 1;
    Routing routing = Routing::RoundRobin;
    std::uint32_t workers = 0; ///< handlers at a time in an instance; 0: unlimited
    Order order = Order::Fifo;
    std::optional<std::uint32_t> queueCap {}; ///< waiting requests beyond those served; more are answered 503
    Distribution service {Distribution::Kind::Constant, std::chrono::milliseconds(10), {}};
    /// What an answer without an execution (replay, conflict, refusal) costs its worker, in service times.
    double kappa = 0;
    Guard guard = Guard::Worker;
    std::optional<Duration> retryAfter {}; ///< the header of 409 and 503 answers; none: no header
};

/// The store under test, with its own policy.
struct StoreSetup
{
    bool enabled = true; ///< false: every arrival executes
    Policy policy {};
    Duration wait {}; ///< how long an arrival waits for another attempt's answer (single flight)
    bool failOpen = false; ///< while the store is out of reach: execute unguarded instead of answering 503
};

/// Something that goes wrong. It strikes an event of its kind when all that is set below says so.
struct Fault
{
    enum class Kind : std::uint8_t {
        RequestLost,
        ResponseLost,
        RequestDelay, ///< `delay` more on the way
        ResponseDelay,
        Duplicate, ///< the network delivers the request a second time, `delay` after the first
        CrashAfterBegin, ///< of the handler, before its effect: the claim is never given back
        CrashAfterEffect, ///< of the handler, after its effect and before complete
        CrashAfterComplete, ///< of the handler, after complete and before its answer
        HandlerError, ///< the handler ends with `status` and no effect
        HandlerThrows, ///< the handler throws before its effect: it releases its key and answers 500
        SlowHandler, ///< `factor` times its service time
        Stall, ///< while it lasts no handler goes on: those that run end later by what is left of it
        ServerDown, ///< answers 503 at once, whatever asks
        ServerRestart, ///< at `from`: every request at the server is gone, claims too; refuses until `until`
        StoreOutage, ///< the store cannot be reached
        StoreRestart, ///< at `from`: waiters are gone, and with `isVolatile` every record; out of reach until `until`
        StoreSplit, ///< the instance asks a replica of the store that has seen nothing of the rest
        Partition, ///< nothing passes between clients and server
        ClockSkew, ///< the instance judges leases and lives by a clock that is `offset` ahead
        NonAtomicBegin, ///< the server looks first and begins `delay` later, whatever happened between
        ClientCrash, ///< of the client after it sent: it starts again `delay` later, with `keyLost` under a new key
    };
    Kind kind = Kind::RequestLost;

    // When.
    double probability = 1; ///< 0...1
    /// Instead of a probability: the first chance in each period of this length, from the end of the first on.
    std::optional<Duration> every {};
    std::uint64_t everyOperation = 0; ///< only operations 0, n, 2n ...; 0: all
    std::uint32_t firstAttempts = 0; ///< only the first k attempts of an operation; 0: all
    std::uint64_t firstChances = 0; ///< only the first k times that it would strike; 0: for ever
    Duration from {}; ///< virtual time, inclusive
    std::optional<Duration> until {}; ///< exclusive

    // Where.
    std::optional<std::uint32_t> instance {};
    std::optional<std::uint32_t> client {};

    // What.
    Distribution delay {}; ///< RequestDelay, ResponseDelay, Duplicate, NonAtomicBegin, ClientCrash
    double factor = 10; ///< SlowHandler
    int status = 500; ///< HandlerError
    Duration offset {}; ///< ClockSkew, >= 0: an instance behind the others is one that the others are ahead of
    bool isVolatile = false; ///< StoreRestart
    bool keyLost = true; ///< ClientCrash
};
constexpr std::size_t FaultKindCount = static_cast<std::size_t>(Fault::Kind::ClientCrash) + 1;

/// What the operator does with all keys that a filter finds, at one moment or again and again.
struct OperatorAction
{
    enum class Verb : std::uint8_t { Abandon, Settle, Purge };
    Verb verb = Verb::Abandon;
    AbandonAs abandonAs = AbandonAs::Release;
    bool settleExecuted = false; ///< of Settle: with a result; else as not executed
    Duration at {};
    std::optional<Duration> every {}; ///< again after each such period, as long as operations are open
    Filter select = Filter::stuck();
    QString reason = QStringLiteral("operator's schedule");
    bool overrideLive = true;
};

/// A scenario: everything that a run depends on, beside the seed.
struct Scenario
{
    QString name {};
    QString title {};
    QString description {};
    QByteArray source {}; ///< the JSON that it was read from, overrides applied; empty for one made in code
    Seed seed {1};
    std::optional<Duration> duration {}; ///< no operation arrives from here on
    /// From here on no fault strikes, and every operation must settle; none: there is no such phase.
    std::optional<Duration> heal {};
    Clients clients {};
    Network network {};
    Server server {};
    StoreSetup store {};
    std::vector<Fault> faults {};
    std::vector<OperatorAction> operatorActions {};
    /// Branches of the store that a run must reach, or the lesson it claims was never there: names of counts.
    std::vector<QString> reaches {};
    std::vector<Expected> expected {};
    /// For people: what to predict before the run, what happens, and why; empty where the scenario is no lesson.
    Lesson lesson {};
};

} // namespace idem::sim
