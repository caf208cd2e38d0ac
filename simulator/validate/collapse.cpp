// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/retry_policy.h"
#include "simulator/engine/event_queue.h"
#include "simulator/engine/random.h"
#include "simulator/validate/gates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace idem::sim {

namespace {

using namespace std::chrono_literals;
using namespace Qt::Literals::StringLiterals;

constexpr std::size_t seconds = 80;

/// What happened in one second.
struct Second
{
    double starts = 0;
    double successes = 0;
    double retries = 0;
    double concurrency = 0; ///< at the server, at the end of the second
};
using History = std::array<Second, seconds>;

enum class Load : std::uint8_t {
    Spike, ///< 40 calls a second, 80 from 20 s to 25 s
    Ramp, ///< 40 calls a second at 0, 80 at 25 s, none from 75 s on, in straight lines
};

double rateAt(Load load, double second)
{
    constexpr double baseRate = 40;
    constexpr double peakRate = 80;
    if (load == Load::Spike) {
        return second < 20 || second > 25 ? baseRate : peakRate;
    }
    constexpr double slope = 1.6;
    return peakRate - slope * std::abs(second - 25);
}

/// A server that takes 1 s and 10 ms more for each request in it; clients that give up an attempt after 3 s and make
/// three; the network takes an exponential time of mean 100 ms each way; arrivals are Poisson. The next gap is drawn at
/// the rate of the moment, and a retry counts when it is decided, both as the original has them.
class CollapseRun
{
public:
    CollapseRun(Load load, const RetryPolicy &policy, std::uint64_t seed)
        : m_load(load)
        , m_policy(policy)
        , m_random(seed)
    {
        push(Kind::Arrival, 10ms, {});
        push(Kind::Tick, 1s, {});
    }

    History run()
    {
        while (!m_queue.isEmpty()) {
            const Event event = m_queue.pop();
            m_now = event.at;
            if (m_now > Instant(std::chrono::seconds(seconds))) {
                break;
            }
            dispatch(event);
        }
        return m_history;
    }

private:
    enum class Kind : std::uint8_t { Arrival, Start, End, Answer, TimeOut, Tick };
    enum class Stream : std::uint32_t { Gap, Request, Response, Backoff };

    struct Call
    {
        std::uint32_t attempt = 1;
        bool isOver = false;
        RetryState state {};
    };

    [[nodiscard]] std::uint64_t bits(Stream stream, std::uint64_t call, std::uint32_t attempt = 0) const
    {
        return m_random.bits(static_cast<std::uint32_t>(stream), call, attempt);
    }
    [[nodiscard]] Duration leg(Stream stream, const Event &event) const
    {
        return exponential(bits(stream, event.subject, event.attempt), 100ms);
    }
    void push(Kind kind, Duration delay, Event event)
    {
        event.at = m_now + delay;
        event.kind = static_cast<std::uint8_t>(kind);
        m_queue.push(event);
    }
    void send(std::uint64_t call, std::uint32_t attempt, Duration wait)
    {
        const Event event {.subject = call, .attempt = attempt};
        push(Kind::TimeOut, wait + 3s, event);
        push(Kind::Start, wait + leg(Stream::Request, event), event);
    }
    [[nodiscard]] bool isAwaited(const Event &event) const
    {
        return !m_calls[event.subject].isOver && m_calls[event.subject].attempt == event.attempt;
    }
    void dispatch(const Event &event)
    {
        switch (static_cast<Kind>(event.kind)) {
        case Kind::Arrival:
            onArrival();
            break;
        case Kind::Start:
            ++m_concurrency;
            push(Kind::End, 1s + m_concurrency * 10ms, event);
            break;
        case Kind::End:
            --m_concurrency;
            push(Kind::Answer, leg(Stream::Response, event), event);
            break;
        case Kind::Answer:
            if (isAwaited(event)) {
                m_calls[event.subject].isOver = true;
                now().successes += 1;
            }
            break;
        case Kind::TimeOut:
            onTimeOut(event);
            break;
        case Kind::Tick:
            now().concurrency = static_cast<double>(m_concurrency);
            if (++m_second < seconds) {
                push(Kind::Tick, 1s, {});
            }
            break;
        }
    }
    void onArrival()
    {
        const std::uint64_t call = m_calls.size();
        m_calls.emplace_back();
        now().starts += 1;
        send(call, 1, {});
        constexpr double microsPerSecond = 1e6;
        const double rate = rateAt(m_load, static_cast<double>(m_now.time_since_epoch().count()) / microsPerSecond);
        if (rate > 0) {
            const Duration meanGap(std::llround(microsPerSecond / rate));
            push(Kind::Arrival, exponential(bits(Stream::Gap, call), meanGap), {});
        }
    }
    void onTimeOut(const Event &event)
    {
        if (!isAwaited(event)) {
            return;
        }
        Call &call = m_calls[event.subject];
        if (call.attempt >= m_policy.maxAttempts) {
            call.isOver = true;
            return;
        }
        now().retries += 1;
        const Duration wait = retryDelay(m_policy, call.state, call.attempt - 1, Failure::TimedOut, {},
            bits(Stream::Backoff, event.subject, event.attempt));
        send(event.subject, ++call.attempt, wait);
    }
    Second &now() { return m_history.at(std::min(m_second, seconds - 1)); }

    Load m_load;
    RetryPolicy m_policy;
    KeyedRandom m_random;
    EventQueue m_queue;
    Instant m_now {};
    std::size_t m_second = 0;
    std::int64_t m_concurrency = 0;
    std::vector<Call> m_calls;
    History m_history {};
};

constexpr RetryPolicy atOnce {.algorithm = RetryAlgorithm::None, .maxAttempts = 3};
/// U(0, 20 s * 2^k)
constexpr RetryPolicy backoff {
    .algorithm = RetryAlgorithm::FullJitter, .base = 20s, .cap = Duration::max(), .maxAttempts = 3};

/// What a run says after the spike or the peak.
struct Verdict
{
    double successes = 0; ///< a second
    double retries = 0; ///< a second
    double concurrency = 0; ///< at the end
};

/// A second in the mean, from `from` s on to 75 s.
double rate(const History &history, double Second::*what, std::size_t from)
{
    constexpr std::size_t to = 75;
    double sum = 0;
    for (std::size_t i = from; i < to; ++i) {
        sum += history.at(i).*what;
    }
    return sum / static_cast<double>(to - from);
}

std::vector<Verdict> verdicts(
    Load load, const RetryPolicy &policy, std::size_t from, const GateOptions &options, std::uint64_t firstPart)
{
    constexpr std::uint32_t gateNumber = 23;
    const std::uint64_t runs = options.reduced ? 30 : 200;
    std::vector<Verdict> all;
    for (std::uint64_t run = 0; run < runs; ++run) {
        const History history = CollapseRun(load, policy, partSeed(options, gateNumber, firstPart + run)).run();
        all.push_back({rate(history, &Second::successes, from), rate(history, &Second::retries, from),
            history.back().concurrency});
    }
    return all;
}

/// Mean and spread of one run, over `runs` runs of the original program.
struct Published
{
    double mean;
    double sd;
    double runs;
};

constexpr double originalRuns = 400;

GateResult row(const QString &name, const Published &published, double measured, double runs)
{
    constexpr double sigmas = 4.5;
    const double sigma = published.sd * std::sqrt(1 / runs + 1 / published.runs);
    return judged({.gate = u"collapse"_s,
                      .name = name,
                      .expected = published.mean,
                      .measured = measured,
                      .tolerance = sigmas * sigma,
                      .source = u"simple_collapse_sim, github.com/mbrooker/simulator_example, 400 runs"_s},
        sigma);
}

double meanOf(const std::vector<Verdict> &runs, double Verdict::*what)
{
    double sum = 0;
    for (const Verdict &run : runs) {
        sum += run.*what;
    }
    return sum / static_cast<double>(runs.size());
}

/// The original averages three runs and shows a collapse for good. Each run of it ends in one of two ways, though: 295
/// of 400 collapsed, and the others came back. What a collapsed run looks like is as it was shown: no success at all,
/// 80 to 89 retries a second, 1964 requests at the server.
std::vector<GateResult> spikeAtOnce(const GateOptions &options)
{
    constexpr std::size_t settled = 40;
    const std::vector<Verdict> all = verdicts(Load::Spike, atOnce, settled, options, 0);
    std::vector<Verdict> collapsed;
    std::ranges::copy_if(all, std::back_inserter(collapsed), [](const Verdict &run) { return run.successes <= 1; });
    const auto runs = static_cast<double>(all.size());
    const auto down = static_cast<double>(collapsed.size());
    constexpr double share = 295 / originalRuns;
    std::vector<GateResult> rows {row(u"spike, no backoff: share of the runs that collapse"_s,
        {share, std::sqrt(share * (1 - share)), originalRuns}, down / runs, runs)};
    if (!collapsed.empty()) {
        rows.push_back(row(u"spike, no backoff, collapsed: retries a second, 40-75 s"_s, {80.12, 2.19, 295},
            meanOf(collapsed, &Verdict::retries), down));
        rows.push_back(row(u"spike, no backoff, collapsed: requests at the server, 80 s"_s, {1867.3, 152.1, 295},
            meanOf(collapsed, &Verdict::concurrency), down));
    }
    return rows;
}

/// None of 400 runs of the original failed to recover; that one in 400 does would not be seen there.
std::vector<GateResult> spikeBackoff(const GateOptions &options)
{
    constexpr std::size_t settled = 30;
    const std::vector<Verdict> all = verdicts(Load::Spike, backoff, settled, options, 1000);
    std::vector<Verdict> recovered;
    constexpr double healthy = 30; // a second; the least of 400 runs was 39
    std::ranges::copy_if(
        all, std::back_inserter(recovered), [](const Verdict &run) { return run.successes > healthy; });
    const auto runs = static_cast<double>(all.size());
    const auto up = static_cast<double>(recovered.size());
    const double spread = std::sqrt((1 - 1 / originalRuns) / originalRuns);
    std::vector<GateResult> rows {row(
        u"spike, backoff with jitter: share of the runs that recover"_s, {1, spread, originalRuns}, up / runs, runs)};
    if (!recovered.empty()) {
        rows.push_back(row(u"spike, backoff with jitter, recovered: successes a second, 30-75 s"_s,
            {43.86, 1.98, originalRuns}, meanOf(recovered, &Verdict::successes), up));
        rows.push_back(row(u"spike, backoff with jitter, recovered: retries a second, 30-75 s"_s,
            {0.175, 0.651, originalRuns}, meanOf(recovered, &Verdict::retries), up));
    }
    return rows;
}

/// A long overload is not cured by backoff: both collapse.
GateResult rampRow(const QString &what, const RetryPolicy &policy, const GateOptions &options, std::uint64_t firstPart)
{
    constexpr std::size_t settled = 40;
    const std::vector<Verdict> all = verdicts(Load::Ramp, policy, settled, options, firstPart);
    const auto collapsed =
        static_cast<double>(std::ranges::count_if(all, [](const Verdict &run) { return run.successes <= 1; }));
    const auto runs = static_cast<double>(all.size());
    return row(u"ramp, %1: share of the runs that collapse"_s.arg(what), {1, 0, 60}, collapsed / runs, runs);
}

std::vector<GateResult> rampAtOnce(const GateOptions &options)
{
    return {rampRow(u"no backoff"_s, atOnce, options, 2000)};
}

std::vector<GateResult> rampBackoff(const GateOptions &options)
{
    return {rampRow(u"backoff with jitter"_s, backoff, options, 3000)};
}

} // namespace

std::vector<GateResult> runCollapseGate(const GateOptions &options)
{
    static constexpr std::array parts {spikeAtOnce, spikeBackoff, rampAtOnce, rampBackoff};
    return runCells(options, parts.size(), [&](std::size_t cell) { return parts.at(cell)(options); });
}

} // namespace idem::sim
