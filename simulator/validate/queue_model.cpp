// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/validate/queue_model.h"

#include "simulator/engine/event_queue.h"
#include "simulator/engine/random.h"

#include <deque>
#include <utility>

namespace idem::sim {

namespace {

enum Kind : std::uint8_t { Arrival, Departure };
enum Stream : std::uint32_t { Arrivals, Services };

/// One run under way. An event of a departure carries when its customer arrived, in us, as its subject.
class Line
{
public:
    explicit Line(const QueueModel &model)
        : m_model(model)
        , m_random(model.seed)
    {
    }

    QueueModel::Outcome run()
    {
        scheduleArrival();
        while (!m_queue.isEmpty()) {
            const Event event = m_queue.pop();
            m_outcome.presence += static_cast<double>(m_present) * static_cast<double>((event.at - m_now).count());
            m_now = event.at;
            if (event.kind == Arrival) {
                arrive();
            } else {
                depart(Instant(Duration(event.subject)));
            }
        }
        m_outcome.batches.push_back(m_batch);
        for (const QueueModel::Tally &batch : m_outcome.batches) {
            add(batch);
        }
        m_outcome.time = m_now.time_since_epoch();
        return std::move(m_outcome);
    }

private:
    void scheduleArrival()
    {
        if (m_arrived < m_model.customers) {
            const Duration gap = exponential(m_random.bits(Arrivals, m_arrived), m_model.arrivalInterval);
            m_queue.push({.at = m_now + gap, .subject = m_arrived, .kind = Arrival});
        }
    }

    void add(const QueueModel::Tally &batch)
    {
        QueueModel::Tally &all = m_outcome.all;
        all.arrived += batch.arrived;
        all.served += batch.served;
        all.waited += batch.waited;
        all.turnedAway += batch.turnedAway;
        all.stayedLong += batch.stayedLong;
        all.waits += batch.waits;
        all.sojourns += batch.sojourns;
    }

    void arrive()
    {
        if (m_arrived > 0 && m_arrived % (m_model.customers / QueueModel::batchCount) == 0) {
            m_outcome.batches.push_back(std::exchange(m_batch, {}));
        }
        ++m_arrived;
        ++m_batch.arrived;
        scheduleArrival();
        if (m_present == m_model.room) {
            ++m_batch.turnedAway;
            return;
        }
        ++m_present;
        if (m_present > m_model.servers) {
            ++m_batch.waited;
            m_line.push_back(m_now);
        } else {
            serve(m_now);
        }
    }

    void serve(Instant arrival)
    {
        m_batch.waits += static_cast<double>((m_now - arrival).count());
        const Duration service = draw(m_model.service, m_random.bits(Services, m_started++));
        m_queue.push({.at = m_now + service,
            .subject = static_cast<std::uint64_t>(arrival.time_since_epoch().count()),
            .kind = Departure});
    }

    void depart(Instant arrival)
    {
        --m_present;
        ++m_batch.served;
        const Duration sojourn = m_now - arrival;
        m_batch.sojourns += static_cast<double>(sojourn.count());
        m_batch.stayedLong += sojourn > m_model.longSojourn ? 1 : 0;
        if (!m_line.empty()) {
            const Instant next = m_line.front();
            m_line.pop_front();
            serve(next);
        }
    }

    const QueueModel &m_model;
    const KeyedRandom m_random;
    EventQueue m_queue;
    std::deque<Instant> m_line; ///< when those who wait arrived
    Instant m_now {};
    std::uint64_t m_arrived = 0;
    std::uint64_t m_started = 0;
    std::uint64_t m_present = 0;
    QueueModel::Tally m_batch;
    QueueModel::Outcome m_outcome;
};

} // namespace

QueueModel::Outcome QueueModel::run() const
{
    return Line(*this).run();
}

} // namespace idem::sim
