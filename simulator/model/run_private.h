// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory_store.h"
#include "simulator/check/ledger.h"
#include "simulator/engine/event_queue.h"
#include "simulator/engine/random.h"
#include "simulator/engine/trace.h"
#include "simulator/engine/virtual_clock.h"
#include "simulator/engine/virtual_scheduler.h"
#include "simulator/model/draw.h"
#include "simulator/model/faults.h"
#include "simulator/model/requests.h"
#include "simulator/model/run.h"

#include <deque>
#include <memory>
#include <vector>

namespace idem::sim {

/// The state of a run. Events flow in a circle: clients.cpp sends, server.cpp answers, clients.cpp hears of it or not;
/// operator.cpp looks in from the side; run.cpp turns the wheel.
struct Run::Private
{
    /// The kinds of events in the queue; `subject` and `detail` hold what is said here.
    enum class Kind : std::uint8_t {
        Timer = VirtualScheduler::timerKind, ///< of the store; subject: its id
        Operation, ///< a client wants an operation; subject: the operation
        Send, ///< of a retry; subject: the operation
        Reach, ///< a request reaches the server; subject: the operation
        HandlerEnd, ///< subject: the request's slot
        Answer, ///< reaches the client; subject: the operation, detail: an Answer
        TimeOut, ///< of the client; subject: the operation
        Operator, ///< subject: the index of the action
    };
    /// What an answer means to a client.
    enum class Answer : std::uint16_t {
        Success, ///< 2xx
        RetryLater, ///< 409 and 5xx: another attempt may get it
        Final, ///< any other error: the same for ever
    };
    /// The client's side of an operation that has not ended.
    struct Pending
    {
        std::uint32_t attempt = 0; ///< sent so far
        bool waiting = false; ///< for the answer to `attempt`
        bool ended = false;
    };

    Private(Scenario scenario, Seed seed);
    ~Private();
    Private(const Private &) = delete;
    Private &operator=(const Private &) = delete;

    // run.cpp
    [[nodiscard]] Instant now() const { return clock.now(); }
    [[nodiscard]] bool isFinished() const { return live == 0 && scheduler.pendingCalls() == 0; }
    [[nodiscard]] bool isVoid(const Event &event) const;
    void dropVoid();
    void handleNext();
    void dispatch(const Event &event);
    void push(Kind kind, Duration delay, Event event, Tie tie = Tie::Ordinary);

    // clients.cpp
    void scheduleOperation(std::uint64_t operation);
    void onOperation(std::uint64_t operation);
    void send(std::uint64_t operation);
    void onAnswer(std::uint64_t operation, std::uint32_t attempt, Answer answer);
    void onTimeOut(std::uint64_t operation);
    void retryOrGiveUp(std::uint64_t operation);
    void end(std::uint64_t operation, ClientEnd how);
    /// Null once the operation has ended.
    [[nodiscard]] Pending *pending(std::uint64_t operation);
    [[nodiscard]] bool isAwaited(std::uint64_t operation, std::uint32_t attempt) const;

    // server.cpp
    void onReach(std::uint64_t operation, std::uint32_t attempt);
    void serveQueue();
    void begin(std::uint32_t slot);
    void onOutcome(std::uint32_t slot, Outcome outcome);
    void onFresh(std::uint32_t slot, Fresh fresh);
    void startHandler(std::uint32_t slot);
    void onHandlerEnd(std::uint32_t slot);
    void crash(std::uint32_t slot);
    void complete(Request &request);
    void leave(std::uint32_t slot);
    void answer(std::uint64_t operation, std::uint32_t attempt, Answer answer);
    [[nodiscard]] bool hasWorkers() const { return scenario.server.workers > 0; }

    // operator.cpp
    void onOperator(const OperatorAction &action);

    const Scenario scenario;
    const Seed seed;
    const KeyedRandom random;
    VirtualClock clock;
    EventQueue queue;
    VirtualScheduler scheduler;
    std::unique_ptr<MemoryStore> store; ///< null: none
    FaultPlan faults;
    Ledger ledger;
    Counts tally; ///< what the ledger and the store do not count
    Trace trace;
    std::uint64_t events = 0;
    std::uint64_t live = 0; ///< pending events that keep the run alive
    bool handling = false; ///< inside handleNext()
    bool closing = false;

    std::deque<Pending> operations; ///< from `firstOperation` on; those before have ended
    std::uint64_t firstOperation = 0;

    RequestPool requests;
    std::deque<std::uint32_t> line; ///< slots that wait for a worker
    std::vector<std::uint32_t> idleWorkers;
};

} // namespace idem::sim
