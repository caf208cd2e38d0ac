// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/arrival.h"
#include "simulator/client/retry_gate.h"
#include "simulator/engine/event_queue.h"
#include "simulator/engine/random.h"
#include "simulator/validate/gates.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace idem::sim {

namespace {

using namespace std::chrono_literals;
using namespace Qt::Literals::StringLiterals;

/// Mean and standard deviation of one run, over five runs of a reference program.
struct Published
{
    double success; ///< percent of the calls
    double successSd;
    double load; ///< attempts for each call
    double loadSd;
};

constexpr std::size_t strategies = 4;
constexpr double percent = 100;

/// The strategies, in the order of the table's columns.
struct Strategy
{
    QLatin1StringView title;
    QLatin1StringView gate;
    std::uint32_t maxAttempts;
};

constexpr std::uint32_t unlimited = UINT32_MAX;

constexpr std::array<Strategy, strategies> columns {Strategy {"no retries"_L1, "none"_L1, 1},
    Strategy {"three retries"_L1, "none"_L1, 4}, Strategy {"token bucket"_L1, "brooker-bucket"_L1, unlimited},
    Strategy {"breaker"_L1, "brooker-breaker"_L1, 4}};

struct Row
{
    double failureRate;
    std::array<Published, strategies> columns;
};

/// Figures of retry_sim (github.com/mbrooker/simulator_example), re-run with five seeds.
constexpr std::array<Row, 9> table {
    Row {0.0, {{{100, 0, 1, 0}, {100, 0, 1, 0}, {100, 0, 1, 0}, {100, 0, 1, 0}}}},
    Row {0.01,
        {{{99.022, 0.137, 1, 0}, {100, 0, 1.0109, 0.0013}, {100, 0, 1.0109, 0.0013}, {99.871, 0.037, 1.0092, 0.0011}}}},
    Row {0.05,
        {{{95.153, 0.155, 1, 0}, {99.998, 0.004, 1.0546, 0.0016}, {99.984, 0.011, 1.0535, 0.0013},
            {98.562, 0.254, 1.0381, 0.0031}}}},
    Row {0.1,
        {{{90.154, 0.258, 1, 0}, {99.982, 0.004, 1.1127, 0.0056}, {99.212, 0.125, 1.1016, 0.0011},
            {92.631, 0.372, 1.0317, 0.0022}}}},
    Row {0.2,
        {{{80.091, 0.419, 1, 0}, {99.812, 0.043, 1.2516, 0.0047}, {90.935, 0.175, 1.1339, 0.0011},
            {80.206, 0.370, 1.0036, 0.0014}}}},
    Row {0.3,
        {{{69.991, 0.311, 1, 0}, {99.073, 0.070, 1.4223, 0.0051}, {79.755, 0.337, 1.1386, 0.0007},
            {70.187, 0.320, 1.0006, 0.0004}}}},
    Row {0.5,
        {{{49.844, 0.418, 1, 0}, {93.702, 0.242, 1.8682, 0.0119}, {57.231, 0.718, 1.1418, 0.0004},
            {49.693, 0.544, 1, 0}}}},
    Row {0.75,
        {{{25.416, 0.250, 1, 0}, {68.475, 0.501, 2.7334, 0.0043}, {28.485, 0.290, 1.1428, 0.0005},
            {25.416, 0.250, 1, 0}}}},
    Row {0.9,
        {{{10.346, 0.221, 1, 0}, {34.426, 0.368, 3.4362, 0.0098}, {11.527, 0.154, 1.1432, 0.0006},
            {10.346, 0.221, 1, 0}}}},
};

/// What one run counts.
struct Tally
{
    double calls = 0;
    double attempts = 0;
    double successes = 0;
};

/// 100 clients, each with a gate of its own and open loop at 10 calls a second for 10 s, no backoff, no time-out; a
/// server that fails each attempt with one probability; a leg of the network is exponential with mean 10 ms.
class RetrySweepRun
{
public:
    RetrySweepRun(const Strategy &strategy, double failureRate, std::uint64_t seed)
        : m_failureRate(failureRate)
        , m_random(seed)
        , m_policy {.algorithm = RetryAlgorithm::None, .maxAttempts = strategy.maxAttempts}
    {
        for (std::uint64_t client = 0; client < clientCount; ++client) {
            m_clients.push_back({RetryGate::make(findRetryGate(strategy.gate)->options), 0});
            push(Kind::Load, leg(Stream::FirstLoad, client, 0), {.subject = client});
        }
    }

    Tally run()
    {
        while (!m_queue.isEmpty()) {
            const Event event = m_queue.pop();
            m_now = event.at;
            dispatch(event);
            m_isDraining = m_now > Instant(10s);
        }
        return m_tally;
    }

private:
    enum class Kind : std::uint8_t { Load, Reach, Answer };
    enum class Stream : std::uint32_t { FirstLoad, Gap, Request, Response, Fate };
    static constexpr std::uint64_t clientCount = 100;

    struct Client
    {
        std::unique_ptr<RetryGate> gate;
        std::uint64_t calls;
    };
    struct Call
    {
        std::uint64_t client;
        RetryState state;
    };

    [[nodiscard]] Duration leg(Stream stream, std::uint64_t subject, std::uint32_t attempt) const
    {
        return exponential(m_random.bits(static_cast<std::uint32_t>(stream), subject, attempt), 10ms);
    }
    void push(Kind kind, Duration delay, Event event)
    {
        event.at = m_now + delay;
        event.kind = static_cast<std::uint8_t>(kind);
        m_queue.push(event);
    }
    void send(std::uint64_t call, std::uint32_t attempt, Duration wait)
    {
        m_tally.attempts += 1;
        push(Kind::Reach, wait + leg(Stream::Request, call, attempt), {.subject = call, .attempt = attempt});
    }
    void dispatch(const Event &event)
    {
        switch (static_cast<Kind>(event.kind)) {
        case Kind::Load:
            onLoad(event.subject);
            break;
        case Kind::Reach:
            push(Kind::Answer, leg(Stream::Response, event.subject, event.attempt),
                {.subject = event.subject, .attempt = event.attempt});
            break;
        case Kind::Answer:
            onAnswer(event.subject, event.attempt);
            break;
        }
    }
    void onLoad(std::uint64_t clientIndex)
    {
        if (m_isDraining) {
            return;
        }
        Client &client = m_clients[clientIndex];
        const Arrival arrival {.kind = Arrival::Kind::Poisson, .interval = 100ms};
        const std::uint64_t bits = m_random.bits(
            static_cast<std::uint32_t>(Stream::Gap), clientIndex, static_cast<std::uint32_t>(client.calls));
        push(Kind::Load, nextArrival(arrival, ++client.calls, {}, bits), {.subject = clientIndex});
        if (client.gate->mayStart(m_now, 0)) {
            m_calls.push_back({clientIndex, {}});
            m_tally.calls += 1;
            send(m_calls.size() - 1, 1, {});
        }
    }
    void onAnswer(std::uint64_t index, std::uint32_t attempt)
    {
        Call &call = m_calls[index];
        RetryGate &gate = *m_clients[call.client].gate;
        if (toUnit(m_random.bits(static_cast<std::uint32_t>(Stream::Fate), index, attempt)) >= m_failureRate) {
            m_tally.successes += 1;
            gate.onSuccess(m_now, attempt, Failure::Transient);
            return;
        }
        gate.onFailure(m_now, Failure::Transient, attempt);
        if (attempt < m_policy.maxAttempts && gate.mayRetry(m_now, Failure::Transient)) {
            send(index, attempt + 1, retryDelay(m_policy, call.state, attempt - 1, Failure::Transient, {}, 0));
        }
    }

    double m_failureRate;
    KeyedRandom m_random;
    RetryPolicy m_policy;
    EventQueue m_queue;
    Instant m_now {};
    bool m_isDraining = false;
    std::vector<Client> m_clients;
    std::vector<Call> m_calls;
    Tally m_tally;
};

/// Mean and standard deviation of a figure over runs.
class RunStatistics
{
public:
    void add(double value)
    {
        ++m_count;
        const double delta = value - m_mean;
        m_mean += delta / m_count;
        m_squares += delta * (value - m_mean);
    }
    [[nodiscard]] double mean() const { return m_mean; }
    [[nodiscard]] double sd() const { return std::sqrt(m_squares / (m_count - 1)); }

private:
    double m_count = 0;
    double m_mean = 0;
    double m_squares = 0; ///< of the deviations; Welford, 1962
};

struct Measured
{
    RunStatistics success {}; ///< percent
    RunStatistics load {};
    double calls = 0; ///< of all runs
    int runs = 0;
};

Measured measure(const Strategy &strategy, double failureRate, const GateOptions &options, std::uint64_t firstPart)
{
    constexpr std::uint32_t gateNumber = 22;
    const int runs = options.reduced ? 10 : 100;
    Measured measured {.runs = runs};
    for (int run = 0; run < runs; ++run) {
        const std::uint64_t part = firstPart + static_cast<std::uint64_t>(run);
        const Tally tally = RetrySweepRun(strategy, failureRate, partSeed(options, gateNumber, part)).run();
        measured.success.add(percent * tally.successes / tally.calls);
        measured.load.add(tally.attempts / tally.calls);
        measured.calls += tally.calls;
    }
    return measured;
}

constexpr double sigmas = 4.5;

/// Against the mean of the five published runs, which has an error of its own: 4.5 sd sqrt(1/R + 1/5), and half of the
/// last digit that was printed. A spread that is known from five runs is often too small (at f = .1 three retries have
/// .004 there, while the binomial law has .010), so sd is the largest of that, of ours, and of what a law asks for.
GateResult publishedRow(const QString &what, double expected, std::initializer_list<double> spreads,
    const RunStatistics &measured, int runs, double halfDigit)
{
    constexpr double publishedRuns = 5;
    const double sd = std::max(std::max(spreads), measured.sd());
    const double sigma = sd * std::sqrt(1.0 / runs + 1 / publishedRuns);
    return judged({.gate = u"retry-sweep"_s,
                      .name = what,
                      .expected = expected,
                      .measured = measured.mean(),
                      .tolerance = sigmas * sigma + halfDigit,
                      .source = u"retry_sim, github.com/mbrooker/simulator_example, 5 runs"_s},
        sigma);
}

/// With N attempts at most: success 1 - f^N, load (1 - f^N) / (1 - f).
std::vector<GateResult> closedForm(const QString &prefix, double f, std::uint32_t attempts, const Measured &measured)
{
    const double failed = std::pow(f, attempts);
    const double load = (1 - failed) / (1 - f);
    // E[attempts^2] = sum over k of (2 k + 1) f^k, k < N.
    double squares = 0;
    for (std::uint32_t k = 0; k < attempts; ++k) {
        squares += (2 * k + 1) * std::pow(f, k);
    }
    const double successSigma = percent * std::sqrt(failed * (1 - failed) / measured.calls);
    const double loadSigma = std::sqrt(std::max(0.0, squares - load * load) / measured.calls);
    const auto row = [&](const QString &what, double expected, double value, double sigma) {
        return judged({.gate = u"retry-sweep"_s,
                          .name = prefix + what,
                          .expected = expected,
                          .measured = value,
                          .tolerance = sigmas * sigma + 1e-9,
                          .source = u"closed form"_s},
            sigma);
    };
    return {row(u"success, %"_s, percent * (1 - failed), measured.success.mean(), successSigma),
        row(u"load"_s, load, measured.load.mean(), loadSigma)};
}

} // namespace

std::vector<GateResult> runRetrySweepGate(const GateOptions &options)
{
    return runCells(options, table.size() * strategies, [&](std::size_t cell) {
        const Row &row = table.at(cell / strategies);
        const std::size_t column = cell % strategies;
        const Strategy &strategy = columns.at(column);
        const Published &published = row.columns.at(column);
        constexpr std::uint64_t partsOfCell = 1000;
        const Measured measured = measure(strategy, row.failureRate, options, cell * partsOfCell);
        const QString prefix = u"f = %1, %2: "_s.arg(QString::number(row.failureRate), strategy.title);
        const double calls = measured.calls / measured.runs;
        const double binomial = std::sqrt(published.success * (percent - published.success) / calls);
        std::vector<GateResult> rows {publishedRow(prefix + u"success, %"_s, published.success,
                                          {published.successSd, binomial}, measured.success, measured.runs, 0.0005),
            publishedRow(
                prefix + u"load"_s, published.load, {published.loadSd}, measured.load, measured.runs, 0.00005)};
        if (strategy.gate == "none"_L1 && row.failureRate > 0) {
            const std::vector<GateResult> exact = closedForm(prefix, row.failureRate, strategy.maxAttempts, measured);
            rows.insert(rows.end(), exact.begin(), exact.end());
        }
        return rows;
    });
}

} // namespace idem::sim
