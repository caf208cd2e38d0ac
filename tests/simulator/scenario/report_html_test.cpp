// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/load.h"
#include "simulator/scenario/report_html.h"

#include <QXmlStreamReader>

#include <gtest/gtest.h>

namespace idem::sim {
namespace {

using namespace Qt::StringLiterals;

struct Made
{
    QByteArray html;
    std::size_t events = 0;
    Counts counts;
};

Made make(const QString &name, const QStringList &overrides = {})
{
    const auto scenario = loadBuiltIn(name, overrides);
    EXPECT_TRUE(scenario.has_value());
    std::vector<RunEvent> events;
    sim::Run run(*scenario, Seed {1}, {.observer = [&](const RunEvent &event) { events.push_back(event); }});
    run.toEnd();
    return {
        .html = toHtml(makeReport(run, 0.5, u"1.2.3"_s), run, events), .events = events.size(), .counts = run.counts()};
}

/// Four operations of the impatient client: 5 attempts each, 3 conflicts, 1 replay.
Made small(const QStringList &more = {})
{
    return make(u"preset-05-impatient-client"_s,
        QStringList {u"clients.operations=4"_s, u"clients.count=2"_s, u"expected=[]"_s} + more);
}

/// The drawings of a page, as a reader of XML finds them.
QStringList drawings(const QByteArray &html)
{
    QStringList found;
    for (qsizetype at = html.indexOf("<svg"); at >= 0; at = html.indexOf("<svg", at + 1)) {
        const qsizetype end = html.indexOf("</svg>", at) + 6;
        found.append(QString::fromUtf8(html.mid(at, end - at)));
    }
    return found;
}

/// The texts of all elements called `tag`, and whether all of `xml` could be read.
QStringList textsOf(const QString &xml, const QString &tag, bool &wellFormed)
{
    QStringList texts;
    QXmlStreamReader reader(xml);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == tag) {
            texts.append(reader.readElementText(QXmlStreamReader::IncludeChildElements));
        }
    }
    wellFormed = !reader.hasError();
    return texts;
}

TEST(ReportHtml, EveryPageIsWellFormedAndStandsAlone)
{
    for (const QString &name : {u"preset-01-baseline"_s, u"preset-08b-force-abandon-live-owner-no-fence"_s}) {
        const Made made = make(name);
        bool wellFormed = false;
        const QStringList titles = textsOf(QString::fromUtf8(made.html), u"h1"_s, wellFormed);
        EXPECT_TRUE(wellFormed) << name.toStdString();
        EXPECT_EQ(titles.size(), 1);
        EXPECT_TRUE(made.html.startsWith("<!DOCTYPE html>"));
        EXPECT_FALSE(made.html.contains("<script"));
        EXPECT_FALSE(made.html.contains("href"));
        EXPECT_FALSE(made.html.contains("url("));
        EXPECT_EQ(made.html.count("http"), made.html.count("http://www.w3.org/2000/svg"));
        EXPECT_TRUE(made.html.contains("prefers-color-scheme: dark"));
        // HTML knows these as void or foreign only, so nothing else may close itself.
        QByteArray rest = made.html;
        for (const char *tag : {"meta", "line", "polyline", "polygon", "rect"}) {
            for (qsizetype at = rest.indexOf("<" + QByteArray(tag) + ' '); at >= 0;
                 at = rest.indexOf("<" + QByteArray(tag) + ' ')) {
                rest.remove(at, rest.indexOf('>', at) - at + 1);
            }
        }
        EXPECT_FALSE(rest.contains("/>"));
    }
}

TEST(ReportHtml, TextIsNeverMarkup)
{
    const QString title = u"<script>alert(\"x\")</script> & 'quotes' \u0001"_s;
    const Made made =
        small({u"title=\"<script>alert(\\\"x\\\")</script> & 'quotes' \\u0001\""_s, u"description=</p><img src=x>"_s,
            u"operator=[{\"action\":\"purge\",\"at_ms\":9,\"keys\":\"all\","
            "\"reason\":\"<b>\"}]"_s});
    bool wellFormed = false;
    const QStringList titles = textsOf(QString::fromUtf8(made.html), u"h1"_s, wellFormed);
    ASSERT_TRUE(wellFormed);
    ASSERT_EQ(titles.size(), 1);
    EXPECT_EQ(titles[0], QString(title).replace(QChar(1), QChar::ReplacementCharacter));
    EXPECT_FALSE(made.html.contains("<script"));
    EXPECT_FALSE(made.html.contains("<img"));
    EXPECT_FALSE(made.html.contains("<b>"));
    EXPECT_TRUE(made.html.contains("&lt;b&gt;"));
}

TEST(ReportHtml, VerdictsAndNumbersAreTold)
{
    const QString page = QString::fromUtf8(make(u"preset-05-impatient-client"_s).html);
    bool wellFormed = false;
    const QStringList rows = textsOf(page, u"tr"_s, wellFormed);
    EXPECT_TRUE(wellFormed);
    // Five attempts for each of 1000 operations, as the preset says; exact, and met.
    EXPECT_EQ(rows.filter(u"attempts5000exact50000.00ok"_s).size(), 1);
    EXPECT_TRUE(rows.contains(u"clients.retry.max_attempts20"_s)) << rows.join(u'\n').toStdString();
    EXPECT_TRUE(page.contains(u"All expectations hold."_s));
    const QString missed = QString::fromUtf8(make(u"preset-05-impatient-client"_s, {u"clients.operations=999"_s}).html);
    EXPECT_TRUE(missed.contains(u"FAIL"_s));
    EXPECT_TRUE(missed.contains(u"Not all expectations hold."_s));
}

TEST(ReportHtml, BrokenInvariantsAndWhatWasNeverReachedAreTold)
{
    const Made made = make(u"preset-02-lost-answer-no-keys"_s,
        {u"clients.operations=200"_s, u"expected=[]"_s, u"reaches=[\"settles\"]"_s,
            u"lesson={\"predict\":\"How many?\",\"count\":\"double_charges\",\"happens\":\"Some.\","
            u"\"why\":\"None.\"}"_s});
    ASSERT_GT(made.counts.invariant_violations, 0U);
    EXPECT_TRUE(made.html.contains("Invariants broken"));
    EXPECT_TRUE(made.html.contains("<li>I1 at "));
    EXPECT_TRUE(made.html.contains("claims to reach settles"));
    EXPECT_TRUE(made.html.contains("How many?"));
    EXPECT_TRUE(made.html.contains(
        "double_charges = " + QByteArray::number(static_cast<qulonglong>(made.counts.double_charges)) + "<"));
}

TEST(ReportHtml, TheSequenceHasALabelForEachEvent)
{
    const Made made = small();
    ASSERT_LE(made.events, maxDiagramEvents);
    const QStringList found = drawings(made.html);
    ASSERT_EQ(found.size(), 3); // rates, latencies, sequence
    bool wellFormed = false;
    const QStringList labels = textsOf(found[2], u"text"_s, wellFormed);
    EXPECT_TRUE(wellFormed);
    // Two clients, an instance and the store; a time and a label for each event.
    EXPECT_EQ(std::size_t(labels.size()), 4 + 2 * made.events);
    for (const QString &lane : {u"client 0"_s, u"client 1"_s, u"instance 0"_s, u"store"_s}) {
        EXPECT_EQ(labels.count(lane), 1);
    }
    EXPECT_EQ(labels.filter(u" conflict"_s).size(), 12);
    EXPECT_EQ(labels.filter(u" replay"_s).size(), 4);
    EXPECT_EQ(labels.filter(u" succeeded"_s).size(), 4);
}

TEST(ReportHtml, ALargeRunHasNoSequence)
{
    const Made made = make(u"preset-01-baseline"_s);
    ASSERT_GT(made.events, maxDiagramEvents);
    EXPECT_EQ(drawings(made.html).size(), 2);
    EXPECT_TRUE(made.html.contains("more than 200 things happened"));
}

TEST(ReportHtml, NoLabelIsCutOff)
{
    for (const Made &made : {small(), make(u"preset-08b-force-abandon-live-owner-no-fence"_s),
             small({u"clients.operations=1"_s, u"server.service.ms=0"_s, u"network.request.ms=0"_s,
                 u"network.response.ms=0"_s})}) {
        for (const QString &drawing : drawings(made.html)) {
            QXmlStreamReader reader(drawing);
            double width = 0;
            double height = 0;
            while (!reader.atEnd()) {
                if (reader.readNext() != QXmlStreamReader::StartElement) {
                    continue;
                }
                const QXmlStreamAttributes attributes = reader.attributes();
                if (reader.name() == "svg"_L1) {
                    width = attributes.value("width"_L1).toDouble();
                    height = attributes.value("height"_L1).toDouble();
                } else if (reader.name() == "text"_L1) {
                    const double x = attributes.value("x"_L1).toDouble();
                    const double y = attributes.value("y"_L1).toDouble();
                    const auto anchor = attributes.value("text-anchor"_L1).toString();
                    const QString text = reader.readElementText();
                    // 11 pixels of a monospaced font: 0.602 em wide in DejaVu Sans Mono, the widest of the usual ones.
                    const double length = static_cast<double>(text.size()) * 11 * 0.602;
                    const double start = anchor == "end"_L1 ? x - length : anchor == "middle"_L1 ? x - length / 2 : x;
                    EXPECT_GE(start, 0) << text.toStdString();
                    EXPECT_LE(start + length, width) << text.toStdString();
                    EXPECT_GE(y, 8) << text.toStdString();
                    EXPECT_LE(y, height - 3) << text.toStdString();
                }
            }
            EXPECT_FALSE(reader.hasError());
        }
    }
}

} // namespace
} // namespace idem::sim
