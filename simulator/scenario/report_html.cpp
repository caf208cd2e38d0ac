// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/report_html.h"

#include "core/http/json.h"
#include "simulator/scenario/document.h"
#include "simulator/scenario/named_json.h"
#include "simulator/scenario/outcome.h"
#include "simulator/scenario/report_style.h"
#include "simulator/scenario/svg.h"
#include "simulator/scenario/svg_plot.h"
#include "simulator/scenario/table.h"

#include <QXmlStreamWriter>

#include <algorithm>
#include <initializer_list>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

/// A member of a scenario, for the table of parameters.
struct Parameter
{
    QString path {};
    QString value {};
};

bool isPlain(const json::Value &value)
{
    const auto *array = value.as<json::Array>();
    return !value.as<json::Object>()
        && (!array || std::none_of(array->begin(), array->end(), [](const json::Value &item) {
               return item.as<json::Object>() || item.as<json::Array>();
           }));
}

void collect(const json::Value &value, const QString &path, std::vector<Parameter> &out)
{
    if (isPlain(value)) {
        out.push_back({.path = path, .value = QString::fromUtf8(toJson(value))});
        return;
    }
    const QString start = path.isEmpty() ? QString() : path + u'.';
    if (const auto *object = value.as<json::Object>()) {
        for (const json::Member &member : *object) {
            // What the page has elsewhere.
            static const QStringList shown {u"idemscope_scenario"_s, u"name"_s, u"title"_s, u"description"_s,
                u"expected"_s, u"lesson"_s, u"seed"_s, u"$schema"_s};
            if (!path.isEmpty() || !shown.contains(member.name)) {
                collect(member.value, start + member.name, out);
            }
        }
    } else if (const auto *array = value.as<json::Array>()) {
        for (std::size_t i = 0; i < array->size(); ++i) {
            collect((*array)[i], start + QString::number(i), out);
        }
    }
}

class Page
{
public:
    Page(const Report &report, const Run &run, const std::vector<RunEvent> &events)
        : m_report(report)
        , m_run(run)
        , m_events(events)
        , m_xml(&m_html)
    {
    }

    QByteArray write()
    {
        m_xml.writeDTD(u"<!DOCTYPE html>"_s);
        m_xml.writeStartElement(u"html"_s);
        m_xml.writeAttribute(u"lang"_s, u"en"_s);
        writeHead();
        m_xml.writeStartElement(u"body"_s);
        writeSummary();
        writeLesson();
        writeVerdicts();
        writeFindings();
        writePlots();
        writeNumbers(u"Counts"_s, m_report.counts);
        writeNumbers(u"Measures"_s, m_report.measures);
        writeSequence();
        writeParameters();
        m_xml.writeEndElement();
        m_xml.writeEndElement();
        return m_html + '\n';
    }

private:
    void writeHead()
    {
        m_xml.writeStartElement(u"head"_s);
        m_xml.writeEmptyElement(u"meta"_s);
        m_xml.writeAttribute(u"charset"_s, u"utf-8"_s);
        m_xml.writeEmptyElement(u"meta"_s);
        m_xml.writeAttribute(u"name"_s, u"viewport"_s);
        m_xml.writeAttribute(u"content"_s, u"width=device-width, initial-scale=1"_s);
        element(u"title"_s, m_report.title);
        element(u"style"_s, reportStyle);
        m_xml.writeEndElement();
    }

    void writeSummary()
    {
        element(u"h1"_s, m_report.title);
        element(u"p"_s,
            u"%1, seed %2, trace %3, version %4. %5 s of virtual time, %6 events."_s.arg(m_report.scenario)
                .arg(static_cast<std::uint64_t>(m_report.seed))
                .arg(traceText(m_report.traceHash), m_report.version)
                .arg(m_report.virtualSeconds, 0, 'f', 6)
                .arg(m_report.events),
            u"mono"_s);
        if (const QString &text = m_run.scenario().description; !text.isEmpty()) {
            element(u"p"_s, text);
        }
        if (!m_report.complete) {
            element(u"p"_s, u"Stopped before its end: every number is as of then."_s, u"fail"_s);
        }
    }

    void writeLesson()
    {
        const Lesson &lesson = m_report.lesson;
        if (lesson.predict.isEmpty()) {
            return;
        }
        heading(u"Lesson"_s);
        element(u"p"_s, lesson.predict);
        m_xml.writeStartElement(u"details"_s);
        element(u"summary"_s, u"What happens, and why"_s);
        if (m_report.answer) {
            element(u"p"_s, u"%1 = %2"_s.arg(lesson.predictCount, numberText(*m_report.answer)), u"mono"_s);
        }
        element(u"p"_s, lesson.happens);
        element(u"p"_s, lesson.why);
        m_xml.writeEndElement();
    }

    void writeVerdicts()
    {
        if (m_report.verdicts.empty()) {
            return;
        }
        const bool hold = std::all_of(
            m_report.verdicts.begin(), m_report.verdicts.end(), [](const Verdict &verdict) { return verdict.ok; });
        heading(u"Expectations"_s);
        element(
            u"p"_s, hold ? u"All expectations hold."_s : u"Not all expectations hold."_s, hold ? u"ok"_s : u"fail"_s);
        m_xml.writeStartElement(u"table"_s);
        row(u"th"_s, {u"count"_s, u"expected"_s, u"tolerance"_s, u"measured"_s, u"z"_s, u"verdict"_s, u"source"_s});
        for (const Verdict &verdict : m_report.verdicts) {
            const Expected &expected = verdict.expected;
            QString name = expected.name;
            if (expected.from && expected.until) {
                name += u" a second, from %1 s to %2 s"_s.arg(std::chrono::duration<double>(*expected.from).count())
                            .arg(std::chrono::duration<double>(*expected.until).count());
            }
            row(u"td"_s,
                {name, numberText(expected.value),
                    expected.tolerance > 0 ? u"± "_s + numberText(expected.tolerance) : u"exact"_s,
                    numberText(verdict.measured), verdict.z ? QString::number(*verdict.z, 'f', 2) : u"–"_s,
                    verdict.ok ? u"ok"_s : u"FAIL"_s, expected.source});
        }
        m_xml.writeEndElement();
    }

    void writeFindings()
    {
        if (m_report.counts.invariant_violations > 0) {
            heading(u"Invariants broken"_s);
            element(u"p"_s, u"%1 times; the first:"_s.arg(m_report.counts.invariant_violations), u"fail"_s);
            m_xml.writeStartElement(u"ul"_s);
            for (const Violation &violation : m_report.violations) {
                element(u"li"_s,
                    u"%1 at %2 s: %3"_s.arg(toString(violation.invariant))
                        .arg(std::chrono::duration<double>(violation.at).count(), 0, 'f', 6)
                        .arg(violation.what));
            }
            m_xml.writeEndElement();
        }
        if (!m_report.unreached.empty()) {
            heading(u"Never reached"_s);
            const QStringList names(m_report.unreached.begin(), m_report.unreached.end());
            element(u"p"_s, u"The scenario claims to reach %1, and this run did not."_s.arg(names.join(u", "_s)),
                u"fail"_s);
        }
    }

    void writePlots()
    {
        heading(u"Over time"_s);
        scrolled([this] { plotRates(m_xml, m_run); });
        if (m_run.latencies().count() > 0) {
            heading(u"Latencies"_s);
            scrolled([this] { plotLatencies(m_xml, m_run.latencies()); });
        }
    }

    template <typename Named> void writeNumbers(const QString &title, const Named &named)
    {
        heading(title);
        start(u"div"_s, u"columns"_s);
        for (const auto &entry : Named::entries()) {
            const auto value = named.*entry.member;
            start(u"div"_s, value == decltype(value) {} ? u"zero"_s : QString());
            element(u"span"_s, nameOf(entry.name), u"mono"_s);
            element(u"span"_s, numberText(static_cast<double>(value)));
            m_xml.writeEndElement();
        }
        m_xml.writeEndElement();
    }

    void writeSequence()
    {
        if (m_events.empty()) {
            return;
        }
        heading(u"Sequence"_s);
        if (m_events.size() > maxDiagramEvents) {
            element(u"p"_s, u"Left out: more than %1 things happened."_s.arg(maxDiagramEvents));
        } else {
            scrolled([this] { drawSequence(m_xml, m_events); });
        }
    }

    void writeParameters()
    {
        const auto root = json::parse(m_run.scenario().source);
        if (!root) {
            return; // made in code
        }
        std::vector<Parameter> parameters;
        collect(*root, {}, parameters);
        heading(u"Parameters"_s);
        m_xml.writeStartElement(u"table"_s);
        for (const Parameter &parameter : parameters) {
            m_xml.writeStartElement(u"tr"_s);
            element(u"td"_s, parameter.path, u"mono"_s);
            element(u"td"_s, parameter.value, u"mono"_s);
            m_xml.writeEndElement();
        }
        m_xml.writeEndElement();
    }

    /// Cells from the second to the fifth are numbers.
    void row(const QString &tag, std::initializer_list<QString> cells)
    {
        m_xml.writeStartElement(u"tr"_s);
        int column = 0;
        for (const QString &cell : cells) {
            const bool isNumber = column >= 1 && column <= 4;
            ++column;
            element(tag, cell,
                isNumber                ? u"number"_s
                    : cell == "ok"_L1   ? u"ok"_s
                    : cell == "FAIL"_L1 ? u"fail"_s
                                        : QString());
        }
        m_xml.writeEndElement();
    }
    void heading(const QString &text) { element(u"h2"_s, text); }
    template <typename Draw> void scrolled(const Draw &draw)
    {
        start(u"div"_s, u"scroll"_s);
        draw();
        m_xml.writeEndElement();
    }
    void start(const QString &tag, const QString &style)
    {
        m_xml.writeStartElement(tag);
        if (!style.isEmpty()) {
            m_xml.writeAttribute(u"class"_s, style);
        }
    }
    void element(const QString &tag, const QString &text, const QString &style = {})
    {
        start(tag, style);
        m_xml.writeCharacters(xmlText(text)); // also when empty: HTML knows no <p/>
        m_xml.writeEndElement();
    }

    const Report &m_report;
    const Run &m_run;
    const std::vector<RunEvent> &m_events;
    QByteArray m_html;
    QXmlStreamWriter m_xml;
};

} // namespace

QByteArray toHtml(const Report &report, const Run &run, const std::vector<RunEvent> &events)
{
    return Page(report, run, events).write();
}

} // namespace idem::sim
