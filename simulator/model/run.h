// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store.h"
#include "simulator/check/counts.h"
#include "simulator/check/histogram.h"
#include "simulator/check/monitor.h"
#include "simulator/model/scenario.h"

#include <functional>
#include <memory>

namespace idem::sim {

/// Something that happened in a run, for who watches it: a timeline, a sequence diagram, a recording.
struct RunEvent
{
    enum class Kind : std::uint8_t {
        Started, ///< a client wants an operation
        Sent,
        RequestLost,
        Duplicated, ///< the network made a second delivery
        Arrived,
        Overloaded, ///< answered 503 by the server
        Fresh,
        Conflict,
        Replay,
        Mismatch,
        Unknown,
        Rejected,
        Waiting, ///< for another attempt's answer
        Executing,
        Effect,
        Completed, ///< the store took the result
        Stale, ///< the store refused the result
        HandlerCrashed,
        Answered, ///< an answer is on its way
        ResponseLost,
        Succeeded, ///< the client got its success
        AnsweredLate, ///< an answer reached a client that had stopped waiting
        Failed, ///< an answer that asks for another attempt, or a final error
        TimedOut,
        Refused, ///< by the client's own budget, throttle or breaker
        GaveUp,
        ClientCrashed,
        Operator, ///< freed, settled or removed the key
        StoreRestarted,
        ServerRestarted,
    };
    Kind kind = Kind::Started;
    Duration at {}; ///< virtual time
    std::uint64_t event = 0; ///< the number of the engine's event it is part of, from 1
    std::uint64_t operation = 0;
    std::uint32_t attempt = 0;
    std::uint32_t client = 0;
    std::uint32_t instance = 0;
};
/// Stable name in recordings, for example `response_lost`.
[[nodiscard]] QLatin1StringView toString(RunEvent::Kind kind);

/// What a run is made with beside its scenario.
struct RunOptions
{
    /// Follow every key and judge the invariants: about 50 bytes a key.
    bool checkInvariants = true;
    /// Told of everything that happens, on the run's thread.
    std::function<void(const RunEvent &)> observer {};
    /// Puts something between the server and the store; null: nothing. The store's clock is the run's.
    std::function<std::unique_ptr<Store>(std::unique_ptr<Store>)> wrapStore {};
};

/// One run of a scenario in virtual time, against the production store on the virtual clock.
/// Deterministic: scenario, seed and the calls made from outside decide everything.
/// Thread-safety: one thread at a time; the store may be read from others.
class Run
{
public:
    Run(Scenario scenario, Seed seed, RunOptions options = {});
    explicit Run(const Scenario &scenario); ///< with the scenario's own seed
    ~Run();
    Run(const Run &) = delete;
    Run &operator=(const Run &) = delete;

    /// Handles the next event; false when there is none left.
    bool step();
    /// Handles every event up to and including virtual time `until` (since the start), at most `limit` of them; returns
    /// how many. Afterwards, unless the limit ended it, elapsed() == until.
    std::uint64_t runUntil(Duration until, std::uint64_t limit = UINT64_MAX);
    /// Handles at most `limit` events, as fast as possible; returns how many.
    std::uint64_t run(std::uint64_t limit);
    void toEnd();

    /// An operator's action by hand, now; its `at` and `every` are not looked at.
    void apply(const OperatorAction &action);

    /// True when every operation has settled and nothing but the store's own sweeps is left.
    [[nodiscard]] bool isFinished() const;
    /// 0...1: settled operations of those that the scenario asks for (or of its duration).
    [[nodiscard]] double progress() const;

    [[nodiscard]] Duration elapsed() const; ///< virtual time since the start
    [[nodiscard]] std::uint64_t events() const; ///< handled so far
    /// A hash over every handled event: equal for equal runs.
    [[nodiscard]] std::uint64_t traceHash() const;
    /// As of now; `stuck_keys` is counted afresh.
    [[nodiscard]] Counts counts() const;
    [[nodiscard]] Measures measures() const;
    [[nodiscard]] const Series &series() const;
    /// Latency of successful operations so far.
    [[nodiscard]] const Histogram &latencies() const;
    /// The first broken invariants; `invariant_violations` counts them all.
    [[nodiscard]] std::vector<Violation> violations() const;
    /// The names in the scenario's `reaches` whose count is still 0.
    [[nodiscard]] std::vector<QString> unreached() const;

    [[nodiscard]] const Scenario &scenario() const;
    [[nodiscard]] Seed seed() const;
    /// Null when the scenario runs without a store.
    [[nodiscard]] Store *store();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace idem::sim
