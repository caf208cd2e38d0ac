// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/model/run_private.h"

#include <algorithm>

namespace idem::sim {

namespace {

double milliseconds(Duration span)
{
    return std::chrono::duration<double, std::milli>(span).count();
}

/// The most attempts within one step of the series, for each second, from `from` on.
double peakRate(const Series &series, Duration from)
{
    std::uint64_t most = 0;
    const Series::Point *last = nullptr;
    for (const Series::Point &point : series.points()) {
        if (last && last->at >= from && point.at == last->at + series.step()) {
            most = std::max(most, point.counts.attempts - last->counts.attempts);
        }
        last = &point;
    }
    return static_cast<double>(most) / std::chrono::duration<double>(series.step()).count();
}

} // namespace

Counts Run::Private::counts() const
{
    Counts counts = tally;
    ledger.report(counts);
    counts.invariant_violations = monitor.violations();
    if (store) {
        const Counters counters = store->counters();
        counts.stuck_keys = counters.stuck;
        counts.abandons = counters.abandoned; // also what an operator did by hand
        counts.evictions = counters.evicted;
    }
    return counts;
}

/// The laws that hold when nothing is on its way any more.
void Run::Private::judgeEnd()
{
    judged = true;
    if (!watching) {
        return;
    }
    const Counts c = counts();
    const auto demand = [&](bool holds, Invariant invariant, const char *what) {
        if (!holds) {
            monitor.violate(invariant, now(), QString::fromLatin1(what));
        }
    };
    demand(c.attempts + c.duplicates == c.arrivals + c.requests_lost, Invariant::Conservation,
        "not every attempt arrived or was lost");
    demand(c.operations == c.client_ok + c.client_failed + c.client_unknown, Invariant::Conservation,
        "not every operation ended");
    demand(!store || c.executions + neverStarted == c.fresh + c.unguarded, Invariant::Conservation,
        "not every execution was granted or unguarded");
    demand(c.effects <= c.executions, Invariant::Conservation, "more effects than executions");
    demand(requestsAtServer == 0, Invariant::NothingLeft, "a request never left the server");
    demand(!store || store->counters().waiting == 0, Invariant::NothingLeft, "an attempt waits in the store for ever");
}

Measures Run::measures() const
{
    Measures measures;
    const double elapsed = std::max<double>(static_cast<double>(this->elapsed().count()), 1);
    measures.stuck_ms = milliseconds(d->monitor.stuckTime(d->now()));
    measures.last_success_ms = milliseconds(d->lastSuccess.time_since_epoch());
    measures.peak_attempts_per_s = peakRate(d->series, d->faults.lastWindowEnd());
    if (d->taken > 0) {
        measures.mean_wait_ms = d->waitSum / static_cast<double>(d->taken) / 1000;
        measures.waited_share = static_cast<double>(d->waitedFor) / static_cast<double>(d->taken);
    }
    const double openArea = static_cast<double>(d->queued) * static_cast<double>((d->now() - d->queueSince).count());
    measures.mean_queue = (d->queueArea + openArea) / elapsed;
    const Histogram &raw = d->latencies;
    if (raw.count() == 0) {
        return measures;
    }
    measures.latency_mean_ms = milliseconds(raw.mean());
    measures.latency_p50_ms = milliseconds(raw.percentile(50));
    measures.latency_p90_ms = milliseconds(raw.percentile(90));
    measures.latency_p99_ms = milliseconds(raw.percentile(99));
    measures.latency_p999_ms = milliseconds(raw.percentile(99.9));
    measures.latency_max_ms = milliseconds(raw.max());
    // An open loop measures from the moment that was meant, so nothing was omitted. A closed one would have sent again
    // after its pause and an undisturbed answer.
    const auto &think = d->scenario.clients.think;
    const Histogram corrected = think ? raw.corrected(mean(*think) + raw.min()) : raw;
    measures.corrected_p50_ms = milliseconds(corrected.percentile(50));
    measures.corrected_p90_ms = milliseconds(corrected.percentile(90));
    measures.corrected_p99_ms = milliseconds(corrected.percentile(99));
    measures.corrected_p999_ms = milliseconds(corrected.percentile(99.9));
    return measures;
}

} // namespace idem::sim
