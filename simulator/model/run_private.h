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
#include "simulator/model/faults.h"
#include "simulator/model/names.h"
#include "simulator/model/requests.h"
#include "simulator/model/run.h"
#include "simulator/model/streams.h"

#include <deque>
#include <memory>
#include <vector>

namespace idem::sim {

class RestartableStore;

/// The state of a run. Events flow in a circle: clients.cpp sends, network.cpp carries, server.cpp queues, guard.cpp
/// asks the store, handler.cpp executes and answers, clients.cpp hears of it or not; operator.cpp looks in from the
/// side; run.cpp turns the wheel.
struct Run::Private
{
    /// The kinds of events in the queue; `subject` and `detail` hold what is said here.
    enum class Kind : std::uint8_t {
        Timer = VirtualScheduler::timerKind, ///< of the store; subject: its id
        Operation, ///< a client wants an operation; subject: its number, in a closed loop the client
        Retry, ///< the wait before one is over; subject: the operation
        HeldBack, ///< an attempt that a rate limiter kept back; subject: the operation
        Hedge, ///< the next copy of a request; subject: the operation
        Reach, ///< a request reaches the server; subject: the operation, detail: a Parcel
        Act, ///< the begin that follows a look; subject: the request's name
        HandlerEnd, ///< subject: the request's name
        AnswerEnd, ///< of an answer that took time; subject: the request's name
        Answer, ///< reaches the client; subject: the operation, detail: an Answer
        TimeOut, ///< of the client; subject: the operation
        ClientRestart, ///< subject: the operation
        Operator, ///< subject: the index of the action
        FaultStarts, ///< one that happens at a moment; subject: its index
    };
    /// What an answer means to a client.
    enum class Meaning : std::uint16_t {
        Success, ///< 2xx
        RetryLater, ///< 409 and 5xx: another attempt may get it
        Final, ///< any other error: the same for ever
    };
    struct Answer
    {
        Meaning meaning = Meaning::Success;
        Failure failure = Failure::Transient; ///< of RetryLater
        bool retryAfter = false; ///< carries the server's header
        [[nodiscard]] std::uint16_t packed() const
        {
            return static_cast<std::uint16_t>(static_cast<unsigned>(meaning) | static_cast<unsigned>(failure) << 2U
                | static_cast<unsigned>(retryAfter) << 8U);
        }
        static Answer unpacked(std::uint16_t bits)
        {
            return {static_cast<Meaning>(bits & 3U), static_cast<Failure>(bits >> 2U & 63U), (bits >> 8U & 1U) != 0};
        }
    };
    /// What a request carries beside its operation and attempt.
    struct Parcel
    {
        std::uint8_t generation = 0; ///< of the client's key
        std::uint8_t instance = 0; ///< where it goes
        bool duplicate = false; ///< made by the network: nobody hears its answer
        [[nodiscard]] std::uint16_t packed() const
        {
            return static_cast<std::uint16_t>(generation | (instance & 63U) << 8U | (duplicate ? 1U << 14U : 0U));
        }
        static Parcel unpacked(std::uint16_t bits)
        {
            return {
                static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8U & 63U), (bits >> 14U & 1U) != 0};
        }
    };
    /// The client's side of an operation that has not ended.
    struct Pending
    {
        Instant startedAt {};
        RetryState retry {};
        std::uint32_t attempt = 0; ///< sent so far
        std::uint32_t awaited = 0; ///< bit i: the answer to attempt `attempt - i` is waited for
        std::uint32_t client = 0;
        std::uint8_t generation = 0; ///< of its key
        std::uint8_t hedges = 0; ///< copies still to send
        Failure lastFailure = Failure::Transient;
        bool ended = false;
    };
    /// While one lives, outcomes for those who wait in the store are put by, and delivered when it goes: a verb wakes
    /// them before it returns, and the monitor must hear of the verb first.
    class Verb
    {
    public:
        explicit Verb(Private &run)
            : m_run(run)
        {
            Q_ASSERT(!m_run.insideVerb);
            m_run.insideVerb = true;
        }
        ~Verb()
        {
            m_run.insideVerb = false;
            m_run.deliverOutcomes();
        }
        Verb(const Verb &) = delete;
        Verb &operator=(const Verb &) = delete;

    private:
        Private &m_run;
    };
    struct Instance
    {
        std::deque<std::uint32_t> line; ///< slots that wait for a worker
        std::vector<std::uint32_t> idleWorkers;
        std::unique_ptr<Store> replica; ///< of a split store
    };

    Private(Scenario scenario, Seed seed, RunOptions options);
    ~Private();
    Private(const Private &) = delete;
    Private &operator=(const Private &) = delete;

    // run.cpp
    [[nodiscard]] std::unique_ptr<Store> makeStore();
    [[nodiscard]] std::unique_ptr<Store> openStore();
    [[nodiscard]] Instant now() const { return clock.now(); }
    [[nodiscard]] bool isFinished() const { return live == 0 && scheduler.pendingCalls() == 0; }
    [[nodiscard]] bool isVoid(const Event &event) const;
    void dropVoid();
    void handleNext();
    void dispatch(const Event &event);
    void push(Kind kind, Duration delay, Event event, Tie tie = Tie::Ordinary);
    void pushAt(Kind kind, Instant at, Event event, Tie tie = Tie::Ordinary);
    [[nodiscard]] std::uint64_t bits(Stream stream, std::uint64_t operation, std::uint32_t attempt = 0) const
    {
        return random.bits(static_cast<std::uint32_t>(stream), operation, attempt);
    }
    /// A delay that belongs to `fault`.
    [[nodiscard]] Duration delayOf(const Fault &fault, std::uint64_t operation, std::uint32_t attempt) const;
    void tell(RunEvent::Kind kind, std::uint64_t operation, std::uint32_t attempt, std::uint32_t instance = 0);
    [[nodiscard]] Counts counts() const;
    void judgeEnd();

    // clients.cpp
    void startArrivals();
    void scheduleOperation(std::uint64_t operation);
    void scheduleNextOf(std::uint32_t client, std::uint64_t after);
    void onOperation(std::uint64_t subject);
    void onHedge(std::uint64_t operation);
    void onRetry(std::uint64_t operation);
    void sendWhenLet(std::uint64_t operation);
    void refuseAtHome(std::uint64_t operation);
    void onAnswer(std::uint64_t operation, std::uint32_t attempt, Answer answer);
    void onTimeOut(std::uint64_t operation, std::uint32_t attempt);
    void onClientRestart(std::uint64_t operation, bool keyLost);
    void failed(std::uint64_t operation, Failure why, bool retryAfter);
    void retryOrGiveUp(std::uint64_t operation, Failure why, bool retryAfter);
    void end(std::uint64_t operation, ClientEnd how);
    void stopAwaiting(Pending &client);
    /// Null once the operation has ended.
    [[nodiscard]] Pending *pending(std::uint64_t operation);
    [[nodiscard]] bool isAwaited(std::uint64_t operation, std::uint32_t attempt) const;
    [[nodiscard]] RetryGate *gateOf(std::uint32_t client);

    // network.cpp
    void send(std::uint64_t operation);
    void carryBack(const Request &request, Answer answer);
    [[nodiscard]] std::uint8_t route(std::uint64_t operation, std::uint32_t attempt, std::uint32_t client);

    // server.cpp
    void onReach(std::uint64_t operation, std::uint32_t attempt, std::uint16_t detail);
    void admit(std::uint32_t slot);
    void serveQueues();
    void serveQueue(Instance &instance);
    void refuse(std::uint32_t slot);
    void leave(std::uint32_t slot);
    void giveWorkerBack(Request &request);
    void noteQueue();
    void answerAfterCost(std::uint32_t slot, Answer answer);
    void onAnswerEnd(std::uint32_t slot);
    void onFaultStarts(const Fault &fault);
    void restartServer(const Fault &fault);
    void restartStore(const Fault &fault);
    [[nodiscard]] bool hasWorkers() const { return scenario.server.workers > 0; }
    [[nodiscard]] Chance chanceOf(const Request &request) const;

    // guard.cpp
    void ask(std::uint32_t slot);
    void begin(std::uint32_t slot);
    void onOutcome(std::uint64_t name, Outcome &&outcome);
    void forget(Outcome &outcome);
    void deliverOutcomes();
    void onFresh(std::uint32_t slot, Fresh &&fresh);
    void onReplay(std::uint32_t slot, const Replay &replay);
    void executeUnguarded(std::uint32_t slot, bool takesOver);
    void startOrQueue(std::uint32_t slot, bool mayStart);
    [[nodiscard]] bool isStoreOut(const Request &request);
    [[nodiscard]] Store *storeOf(const Request &request);
    [[nodiscard]] KeyName keyOf(const Request &request) const;
    [[nodiscard]] std::uint64_t keyNumberOf(const Request &request) const;
    [[nodiscard]] std::uint64_t numberOf(const Identity &identity) const;
    [[nodiscard]] Name tenantOf(std::uint32_t client) const;
    [[nodiscard]] RequestIdentity identify(const Request &request) const;

    // handler.cpp
    void startHandler(std::uint32_t slot);
    void onHandlerEnd(std::uint32_t slot);
    void endWithError(std::uint32_t slot, int status);
    void endWithThrow(std::uint32_t slot);
    void crash(std::uint32_t slot);
    void giveKeyBack(Request &request);
    void orphanKey(Request &request);
    void complete(Request &request, int status);

    // operator.cpp
    void onOperator(const OperatorAction &action);
    void actOn(Store &target, const OperatorAction &action);

    const Scenario scenario;
    const Seed seed;
    const RunOptions options;
    const KeyedRandom random;
    VirtualClock clock;
    SkewedClock storeClock;
    EventQueue queue;
    VirtualScheduler scheduler;
    std::unique_ptr<Store> store; ///< null: none
    RestartableStore *restartable = nullptr; ///< within `store`, where a fault restarts it
    FaultPlan faults;
    Ledger ledger;
    Monitor monitor;
    Counts tally; ///< what the ledger, the store and the monitor do not count
    Series series;
    Histogram latencies;
    Trace trace;
    std::uint64_t events = 0;
    std::uint64_t live = 0; ///< pending events that keep the run alive
    std::uint64_t grants = 0; ///< executions that were let, numbered from 1
    std::uint64_t neverStarted = 0; ///< of those, what a full queue or a restart of the server prevented
    std::uint64_t requestsAtServer = 0;
    bool handling = false; ///< inside handleNext()
    bool closing = false;
    bool insideVerb = false;
    std::vector<std::pair<std::uint64_t, Outcome>> putBy; ///< see Verb
    bool judged = false;
    const bool watching; ///< keys are followed

    std::deque<Pending> operations; ///< from `firstOperation` on; those before have ended
    std::uint64_t firstOperation = 0;
    Duration lastArrival {};
    std::vector<std::unique_ptr<RetryGate>> gates;
    std::uint64_t routed = 0;

    RequestPool requests;
    std::vector<Instance> instances;
    std::uint64_t queued = 0; ///< in all lines
    std::uint64_t taken = 0; ///< requests that a worker took
    std::uint64_t waitedFor = 0; ///< of those, how many had to wait
    double waitSum = 0; ///< microseconds
    double queueArea = 0; ///< requests times microseconds
    Instant queueSince {};
    Instant lastSuccess {};
};

} // namespace idem::sim
