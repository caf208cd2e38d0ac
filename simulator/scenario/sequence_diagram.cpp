// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/sequence_diagram.h"

#include "simulator/scenario/svg.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

using Kind = RunEvent::Kind;

enum class Place : std::uint8_t { Client, Instance, Store };

Place placeOf(Kind kind)
{
    switch (kind) {
    case Kind::Started:
    case Kind::Sent:
    case Kind::RequestLost:
    case Kind::Succeeded:
    case Kind::AnsweredLate:
    case Kind::Failed:
    case Kind::TimedOut:
    case Kind::Refused:
    case Kind::GaveUp:
    case Kind::ClientCrashed:
        return Place::Client;
    case Kind::Operator:
    case Kind::StoreRestarted:
        return Place::Store;
    default:
        return Place::Instance;
    }
}

/// What the store said to an instance.
bool isStoreAnswer(Kind kind)
{
    return kind == Kind::Fresh || kind == Kind::Conflict || kind == Kind::Replay || kind == Kind::Mismatch
        || kind == Kind::Unknown || kind == Kind::Rejected || kind == Kind::Waiting;
}

QString styleOf(Kind kind)
{
    switch (kind) {
    case Kind::Fresh:
    case Kind::Replay:
    case Kind::Effect:
    case Kind::Completed:
    case Kind::Succeeded:
        return u"good"_s;
    case Kind::RequestLost:
    case Kind::Overloaded:
    case Kind::Conflict:
    case Kind::Mismatch:
    case Kind::Unknown:
    case Kind::Rejected:
    case Kind::Stale:
    case Kind::HandlerCrashed:
    case Kind::ResponseLost:
    case Kind::AnsweredLate:
    case Kind::Failed:
    case Kind::TimedOut:
    case Kind::Refused:
    case Kind::GaveUp:
    case Kind::ClientCrashed:
    case Kind::StoreRestarted:
    case Kind::ServerRestarted:
        return u"bad"_s;
    default:
        return u"plain"_s;
    }
}

/// What happened, and to which operation and attempt.
QString labelOf(const RunEvent &event)
{
    QString what = QString(toString(event.kind)).replace(u'_', u' ');
    if (event.kind == Kind::StoreRestarted || event.kind == Kind::ServerRestarted) {
        return what;
    }
    const QString attempt = event.attempt > 0 ? u" #%1"_s.arg(event.attempt) : QString();
    return u"op %1%2 %3"_s.arg(event.operation).arg(attempt, what);
}

class Diagram
{
public:
    Diagram(QXmlStreamWriter &xml, const std::vector<RunEvent> &events)
        : m_events(events)
    {
        std::set<std::uint32_t> clients;
        std::set<std::uint32_t> instances;
        qsizetype longest = 0;
        for (const RunEvent &event : events) {
            if (placeOf(event.kind) != Place::Store) {
                (placeOf(event.kind) == Place::Client ? clients : instances)
                    .insert(placeOf(event.kind) == Place::Client ? event.client : event.instance);
            }
            longest = std::max(longest, labelOf(event).size());
        }
        m_gap = static_cast<double>(longest) * Svg::letter + 24;
        double x = timeWidth + m_gap;
        for (const std::uint32_t client : clients) {
            m_clients[client] = std::exchange(x, x + m_gap);
        }
        for (const std::uint32_t instance : instances) {
            m_instances[instance] = std::exchange(x, x + m_gap);
        }
        m_store = x;
        m_height = head + rowHeight * static_cast<double>(events.size()) + rowHeight;
        draw(xml);
    }

private:
    static constexpr double timeWidth = 100;
    static constexpr double head = 44;
    static constexpr double rowHeight = 20;
    using Attempt = std::pair<std::uint64_t, std::uint32_t>;

    void draw(QXmlStreamWriter &xml)
    {
        Svg svg(xml, m_store + m_gap, m_height, u"What happened between clients, server and store"_s);
        for (const auto &[client, x] : m_clients) {
            drawLane(svg, x, u"client %1"_s.arg(client));
        }
        for (const auto &[instance, x] : m_instances) {
            drawLane(svg, x, u"instance %1"_s.arg(instance));
        }
        drawLane(svg, m_store, u"store"_s);
        for (std::size_t row = 0; row < m_events.size(); ++row) {
            const double seconds = std::chrono::duration<double>(m_events[row].at).count();
            svg.text({timeWidth - 10, yOf(row)}, u"%1 s"_s.arg(seconds, 0, 'f', 6), Svg::Anchor::End, u"label"_s);
            drawEvent(svg, row);
        }
        // Last, so that no line crosses a label.
        for (std::size_t row = 0; row < m_events.size(); ++row) {
            const RunEvent &event = m_events[row];
            const bool onTheLeft = placeOf(event.kind) == Place::Client;
            svg.text(QPointF(xOf(event), yOf(row)) + QPointF(onTheLeft ? -8 : 8, -3), labelOf(event),
                onTheLeft ? Svg::Anchor::End : Svg::Anchor::Start, u"label over "_s + styleOf(event.kind));
        }
    }

    void drawLane(Svg &svg, double x, const QString &name) const
    {
        const double boxWidth = Svg::widthOf(name) + 20;
        svg.line({x, 28}, {x, m_height}, u"lane"_s);
        svg.rectangle({x - boxWidth / 2, 6}, boxWidth, 22, u"box"_s);
        svg.text({x, 21}, name, Svg::Anchor::Middle, u"label"_s);
    }

    void drawEvent(Svg &svg, std::size_t row)
    {
        const RunEvent &event = m_events[row];
        const QString style = styleOf(event.kind);
        const Attempt attempt {event.operation, event.attempt};
        const double y = yOf(row);
        const QPointF here(xOf(event), y);
        if (event.kind == Kind::Sent) {
            m_sent[attempt] = here;
        } else if (event.kind == Kind::Arrived) {
            drawMessage(svg, m_sent, attempt, here, u"plain"_s);
        } else if (event.kind == Kind::Answered) {
            m_answered[attempt] = here;
        } else if (event.kind == Kind::Succeeded || event.kind == Kind::Failed || event.kind == Kind::AnsweredLate) {
            drawMessage(svg, m_answered, attempt, here, style);
        } else if (event.kind == Kind::RequestLost || event.kind == Kind::ResponseLost) {
            const double side = event.kind == Kind::RequestLost ? 1 : -1;
            const QPointF lost = here + QPointF(side * m_gap / 3, rowHeight / 2);
            svg.line(here, lost, style);
            svg.cross(lost, style);
        } else if (isStoreAnswer(event.kind)) {
            svg.arrow({m_store, y}, here, style);
        } else if (event.kind == Kind::Completed || event.kind == Kind::Stale) {
            svg.arrow(here, {m_store, y}, style);
        } else {
            svg.rectangle(here - QPointF(3, 3), 6, 6, style + u" head"_s);
        }
    }

    /// From where the attempt's message set out, as far as that is known.
    static void drawMessage(
        Svg &svg, const std::map<Attempt, QPointF> &starts, Attempt attempt, QPointF here, const QString &style)
    {
        if (const auto start = starts.find(attempt); start != starts.end()) {
            svg.arrow(start->second, here, style);
        }
    }

    [[nodiscard]] static double yOf(std::size_t row) { return head + rowHeight * (static_cast<double>(row) + 0.5); }
    [[nodiscard]] double xOf(const RunEvent &event) const
    {
        switch (placeOf(event.kind)) {
        case Place::Client:
            return m_clients.at(event.client);
        case Place::Instance:
            return m_instances.at(event.instance);
        case Place::Store:
            break;
        }
        return m_store;
    }

    const std::vector<RunEvent> &m_events;
    std::map<std::uint32_t, double> m_clients;
    std::map<std::uint32_t, double> m_instances;
    double m_store = 0;
    double m_gap = 0; ///< between lanes: room for the longest label
    double m_height = 0;
    std::map<Attempt, QPointF> m_sent;
    std::map<Attempt, QPointF> m_answered;
};

} // namespace

void drawSequence(QXmlStreamWriter &xml, const std::vector<RunEvent> &events)
{
    Q_ASSERT(events.size() <= maxDiagramEvents);
    if (!events.empty()) {
        const Diagram diagram(xml, events);
    }
}

} // namespace idem::sim
