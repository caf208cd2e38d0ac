// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Queues whose behaviour is known in closed form, and the size of the store's table, which is one of them.
#include "core/store/memory_store.h"
#include "simulator/engine/event_queue.h"
#include "simulator/engine/random.h"
#include "simulator/engine/virtual_clock.h"
#include "simulator/engine/virtual_scheduler.h"
#include "simulator/validate/closed_forms.h"
#include "simulator/validate/gates.h"
#include "simulator/validate/queue_model.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

constexpr std::uint32_t gateNumber = 2; // of partSeed()
constexpr std::uint64_t fullCustomers = 10'000'000;
constexpr std::uint64_t reducedCustomers = 1'000'000;
constexpr double sigmas = 4; // in every tolerance
constexpr double longShare = 0.01; // of customers who stay longer than the exponential law says

/// Such that the mean gaps of every load below are whole microseconds.
constexpr Duration meanService = 9s;

/// A queue, and what of it is compared.
struct Case
{
    enum Kind : std::uint8_t { OneServer, OneServerConstant, ManyServers, Bounded };
    Kind kind;
    double load; ///< arrival rate / rate of one server
    std::uint32_t servers = 1;
    std::uint32_t room = 0; ///< of Bounded
};
constexpr std::array cases {
    Case {Case::OneServer, 0.5},
    Case {Case::OneServer, 0.8},
    Case {Case::OneServer, 0.9},
    Case {Case::OneServerConstant, 0.8},
    Case {Case::ManyServers, 1.6, 2},
    Case {Case::ManyServers, 9, 10},
    Case {Case::ManyServers, 45, 50},
    Case {Case::Bounded, 0.8, 1, 10},
    Case {Case::Bounded, 1.2, 1, 10},
    Case {Case::Bounded, 2, 1, 5},
};

QString nameOf(const Case &queue)
{
    switch (queue.kind) {
    case Case::OneServer:
        return u"M/M/1, load %1"_s.arg(queue.load);
    case Case::OneServerConstant:
        return u"M/D/1, load %1"_s.arg(queue.load);
    case Case::ManyServers:
        return u"M/M/%1, load %2"_s.arg(queue.servers).arg(queue.load);
    case Case::Bounded:
        return u"M/M/1/%1, load %2"_s.arg(queue.room).arg(queue.load);
    }
    Q_UNREACHABLE();
}

/// Something that a number of customers tells.
using Statistic = double (*)(const QueueModel::Tally &);
double meanWait(const QueueModel::Tally &tally)
{
    return tally.waits / tally.served / static_cast<double>(meanService.count());
}
double shareThatWaits(const QueueModel::Tally &tally)
{
    return tally.waited / tally.served;
}
double shareThatStaysLong(const QueueModel::Tally &tally)
{
    return tally.stayedLong / tally.served;
}
double shareTurnedAway(const QueueModel::Tally &tally)
{
    return tally.turnedAway / tally.arrived;
}

/// The standard error of a statistic of the whole run.
double errorOf(Statistic statistic, const std::vector<QueueModel::Tally> &batches)
{
    const auto count = static_cast<double>(batches.size());
    double sum = 0;
    double squares = 0;
    for (const auto &batch : batches) {
        sum += statistic(batch);
        squares += statistic(batch) * statistic(batch);
    }
    return std::sqrt((squares - sum * sum / count) / (count - 1) / count);
}

/// The rows of one queue.
class Rows
{
public:
    Rows(QString queue, const QueueModel &model)
        : m_queue(std::move(queue))
        , m_outcome(model.run())
        , m_wider(std::sqrt(static_cast<double>(fullCustomers) / static_cast<double>(model.customers)))
    {
    }

    [[nodiscard]] const QueueModel::Outcome &outcome() const { return m_outcome; }

    /// `share`: the tolerance at the full number of customers, of the expected value. A queue with a long memory needs
    /// more: four standard errors, as its batches show them.
    void add(const QString &what, Statistic statistic, double expected, double share, const QString &source)
    {
        const double sigma = errorOf(statistic, m_outcome.batches);
        add({.name = what,
                .expected = expected,
                .measured = statistic(m_outcome.all),
                .tolerance = std::max(share * m_wider * expected, sigmas * sigma),
                .source = source},
            sigma);
    }

    void add(GateResult row, double sigma)
    {
        row.gate = u"queues"_s;
        row.name = u"%1: %2"_s.arg(m_queue, row.name);
        m_rows.push_back(judged(row, sigma));
    }

    [[nodiscard]] std::vector<GateResult> take() { return std::move(m_rows); }

private:
    QString m_queue;
    QueueModel::Outcome m_outcome;
    double m_wider;
    std::vector<GateResult> m_rows;
};

/// The integral of the number present, which the events tell, against rate and sojourns, which the customers tell. The
/// two differ by the error of the number of arrivals in the time.
void addLittle(Rows &rows, const Case &queue, double customers)
{
    constexpr double share = 0.005;
    const auto &[all, batches, presence, time] = rows.outcome();
    const double entering = queue.load / static_cast<double>(meanService.count()) * all.served / customers;
    const double expected = entering * all.sojourns / all.served;
    const double sigma = expected / std::sqrt(customers);
    rows.add({.name = u"mean number present against Little's law"_s,
                 .expected = expected,
                 .measured = presence / static_cast<double>(time.count()),
                 .tolerance = share * std::sqrt(static_cast<double>(fullCustomers) / customers) * expected,
                 .source = u"L = lambda W"_s},
        sigma);
}

QueueModel modelOf(const GateOptions &options, std::size_t index)
{
    const Case &queue = cases[index];
    const auto service = static_cast<double>(meanService.count());
    QueueModel model {.servers = queue.servers,
        .arrivalInterval = Duration(std::llround(service / queue.load)),
        .service = {queue.kind == Case::OneServerConstant ? Distribution::Kind::Constant
                                                          : Distribution::Kind::Exponential,
            meanService},
        .customers = options.reduced ? reducedCustomers : fullCustomers,
        .seed = partSeed(options, gateNumber, index)};
    if (queue.kind == Case::Bounded) {
        model.room = queue.room;
    }
    if (queue.kind == Case::OneServer) {
        model.longSojourn = Duration(std::llround(-std::log(longShare) / (1 - queue.load) * service));
    }
    return model;
}

std::vector<GateResult> runQueue(const GateOptions &options, std::size_t index)
{
    const Case &queue = cases[index];
    const QueueModel model = modelOf(options, index);
    const auto customers = static_cast<double>(model.customers);
    const double free = queue.servers - queue.load; // servers
    const QString wait = u"mean wait, service times"_s;
    Rows rows(nameOf(queue), model);
    switch (queue.kind) {
    case Case::OneServer: {
        const double sigma = meanWaitDeviation(queue.load, customers);
        rows.add({.name = wait,
                     .expected = queue.load / free,
                     .measured = meanWait(rows.outcome().all),
                     .tolerance = sigmas * sigma,
                     .source = u"rho / (1 - rho)"_s},
            sigma);
        rows.add(u"share that stays longer than ln 100 / (1 - rho)"_s, shareThatStaysLong, longShare, 0.03,
            u"exponential sojourn"_s);
        break;
    }
    case Case::OneServerConstant:
        rows.add(wait, meanWait, queue.load / (2 * free), 0.01, u"Pollaczek and Khinchine: rho / (2 (1 - rho))"_s);
        break;
    case Case::ManyServers: {
        const double waits = erlangC(queue.servers, queue.load);
        rows.add(u"share that waits"_s, shareThatWaits, waits, 0.01, u"Erlang C"_s);
        rows.add(wait, meanWait, waits / free, 0.02, u"C / (c mu - lambda)"_s);
        break;
    }
    case Case::Bounded:
        rows.add(u"share turned away"_s, shareTurnedAway, blockingProbability(queue.load, queue.room), 0.01,
            u"(1 - rho) rho^K / (1 - rho^(K + 1))"_s);
        break;
    }
    addLittle(rows, queue, customers);
    return rows.take();
}

/// Records of the production store on the virtual clock, one each time that a Poisson process of 1000/s says, finished
/// at once, and kept for a minute: the table is an M/G/infinity queue, and its size a Poisson number of mean 60,000.
/// The mean of `samples` sizes, each more than a TTL after the one before, so that they are independent.
double meanTableSize(std::uint64_t seed, int samples, const std::function<bool()> &cancelled)
{
    constexpr Duration ttl = 60s;
    constexpr Duration interval = 1ms;
    constexpr std::uint8_t arrival = VirtualScheduler::timerKind + 1;
    const KeyedRandom random(seed);
    VirtualClock clock;
    EventQueue queue;
    VirtualScheduler scheduler(queue, clock);
    Policy policy;
    policy.ttl = ttl;
    MemoryStore store({.policy = policy, .clock = &clock, .scheduler = &scheduler, .shards = 1});

    double sum = 0;
    Instant nextSample = Instant(ttl + 1s);
    queue.push({.at = Instant(), .kind = arrival});
    for (int taken = 0; taken < samples;) {
        const Event event = queue.pop();
        if (event.at >= nextSample) {
            clock.advanceTo(nextSample);
            (void)store.sweepNow();
            sum += static_cast<double>(store.counters().records);
            nextSample += ttl + 1s;
            ++taken;
            if (cancelled && cancelled()) {
                return std::nan("");
            }
        }
        clock.advanceTo(event.at);
        if (event.kind != arrival) {
            if (scheduler.isPending(event.subject)) {
                scheduler.fire(event.subject);
            }
            continue;
        }
        const QByteArray key = QByteArray::number(static_cast<qulonglong>(event.subject));
        Outcome outcome = store.begin({.tenant = "gate", .key = key});
        if (auto *fresh = std::get_if<Fresh>(&outcome)) {
            (void)fresh->claim.complete({.status = 200, .headers = {}, .body = {}});
        }
        const std::uint64_t next = event.subject + 1;
        queue.push({.at = event.at + exponential(random.bits(0, next), interval), .subject = next, .kind = arrival});
    }
    return sum / samples;
}

std::vector<GateResult> runTable(const GateOptions &options)
{
    constexpr double meanSize = 60'000;
    const int samples = options.reduced ? 10 : 60;
    const double measured = meanTableSize(partSeed(options, gateNumber, cases.size()), samples, options.cancelled);
    if (std::isnan(measured)) {
        return {};
    }
    const double sigma = std::sqrt(meanSize / samples);
    return {judged(
        {.gate = u"queues"_s,
            .name = u"M/G/infinity: finished records in the store's table, 1000/s for 60 s, mean of %1"_s.arg(samples),
            .expected = meanSize,
            .measured = measured,
            .tolerance = sigmas * sigma,
            .source = u"Poisson of mean lambda TTL"_s},
        sigma)};
}

} // namespace

std::vector<GateResult> runQueuesGate(const GateOptions &options)
{
    return runCells(options, cases.size() + 1,
        [&](std::size_t index) { return index < cases.size() ? runQueue(options, index) : runTable(options); });
}

} // namespace idem::sim
