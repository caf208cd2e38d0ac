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

#include <array>
#include <cmath>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

constexpr std::uint32_t gateNumber = 2; // of partSeed()
constexpr double fullCustomers = 1e7;
constexpr double reducedCustomers = 1e6;
constexpr double sigmas = 4; // in every tolerance

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

/// The rows of one queue.
class Rows
{
public:
    Rows(QString queue, double customers)
        : m_queue(std::move(queue))
        , m_wider(std::sqrt(fullCustomers / customers))
    {
    }

    /// `share`: four relative standard deviations at the full number of customers.
    void addRelative(const QString &what, double expected, double measured, double share, const QString &source)
    {
        add(what, expected, measured, share * m_wider * expected / sigmas, source);
    }

    void add(const QString &what, double expected, double measured, double sigma, const QString &source)
    {
        m_rows.push_back(judged({.gate = u"queues"_s,
                                    .name = u"%1: %2"_s.arg(m_queue, what),
                                    .expected = expected,
                                    .measured = measured,
                                    .tolerance = sigmas * sigma,
                                    .source = source},
            sigma));
    }

    [[nodiscard]] std::vector<GateResult> take() { return std::move(m_rows); }

private:
    QString m_queue;
    double m_wider;
    std::vector<GateResult> m_rows;
};

std::vector<GateResult> runQueue(const GateOptions &options, std::size_t index)
{
    const Case &queue = cases[index];
    const double customers = options.reduced ? reducedCustomers : fullCustomers;
    const auto service = static_cast<double>(meanService.count());
    const double free = queue.servers - queue.load; // servers
    constexpr double oneInHundred = 0.01;
    QueueModel model {.servers = queue.servers,
        .arrivalInterval = Duration(std::llround(service / queue.load)),
        .service = {queue.kind == Case::OneServerConstant ? Distribution::Kind::Constant
                                                          : Distribution::Kind::Exponential,
            meanService},
        .customers = static_cast<std::uint64_t>(customers),
        .seed = partSeed(options, gateNumber, index)};
    if (queue.kind == Case::Bounded) {
        model.room = queue.room;
    } else {
        model.longSojourn = Duration(std::llround(-std::log(oneInHundred) / free * service));
    }
    const auto outcome = model.run();
    const auto served = static_cast<double>(outcome.served);

    Rows rows(nameOf(queue), customers);
    const QString wait = u"mean wait, service times"_s;
    switch (queue.kind) {
    case Case::OneServer:
        rows.add(wait, queue.load / free, outcome.meanWait() / service, meanWaitDeviation(queue.load, customers),
            u"rho / (1 - rho)"_s);
        rows.addRelative(u"share that stays longer than ln 100 / (1 - rho)"_s, oneInHundred,
            static_cast<double>(outcome.stayedLong) / served, 0.03, u"exponential sojourn"_s);
        break;
    case Case::OneServerConstant:
        rows.addRelative(wait, queue.load / (2 * free), outcome.meanWait() / service, 0.01,
            u"Pollaczek and Khinchine: rho / (2 (1 - rho))"_s);
        break;
    case Case::ManyServers: {
        const double waits = erlangC(queue.servers, queue.load);
        rows.addRelative(
            u"share that waits"_s, waits, static_cast<double>(outcome.waited) / served, 0.01, u"Erlang C"_s);
        rows.addRelative(wait, waits / free, outcome.meanWait() / service, 0.02, u"C / (c mu - lambda)"_s);
        break;
    }
    case Case::Bounded:
        rows.addRelative(u"share turned away"_s, blockingProbability(queue.load, queue.room),
            static_cast<double>(outcome.turnedAway) / customers, 0.01, u"(1 - rho) rho^K / (1 - rho^(K + 1))"_s);
        break;
    }
    const double rate = queue.load / service * served / customers; // of those who enter
    rows.addRelative(u"mean number present against Little's law"_s, rate * outcome.meanSojourn(), outcome.meanPresent(),
        0.005, u"L = lambda W"_s);
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
    Rows rows(u"M/G/infinity"_s, fullCustomers);
    rows.add(u"finished records in the store's table, 1000/s for 60 s, mean of %1"_s.arg(samples), meanSize, measured,
        sigma, u"Poisson of mean lambda TTL"_s);
    return rows.take();
}

} // namespace

std::vector<GateResult> runQueuesGate(const GateOptions &options)
{
    return runCells(options, cases.size() + 1,
        [&](std::size_t index) { return index < cases.size() ? runQueue(options, index) : runTable(options); });
}

} // namespace idem::sim
