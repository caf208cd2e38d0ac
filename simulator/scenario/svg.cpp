// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/scenario/svg.h"

#include <QXmlStreamWriter>

#include <array>
#include <cmath>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

/// To a tenth of a pixel: files stay small.
QString pixels(double value)
{
    return QString::number(std::round(value * 10) / 10);
}

QString pointList(const std::vector<QPointF> &points)
{
    QStringList pairs;
    for (const QPointF &point : points) {
        pairs.append(pixels(point.x()) + u',' + pixels(point.y()));
    }
    return pairs.join(u' ');
}

} // namespace

QString xmlText(const QString &text)
{
    QString result = text;
    for (qsizetype i = 0; i < result.size(); ++i) {
        const char16_t c = result[i].unicode();
        const bool isControl = c < 0x20 && c != u'\n' && c != u'\t';
        const bool isPaired = (result[i].isHighSurrogate() && i + 1 < result.size() && result[i + 1].isLowSurrogate())
            || (result[i].isLowSurrogate() && i > 0 && result[i - 1].isHighSurrogate());
        if (isControl || c >= 0xFFFE || (result[i].isSurrogate() && !isPaired)) {
            result[i] = QChar::ReplacementCharacter;
        }
    }
    return result;
}

Svg::Svg(QXmlStreamWriter &xml, double width, double height, const QString &title)
    : m_xml(xml)
{
    xml.writeStartElement(u"svg"_s);
    xml.writeAttribute(u"xmlns"_s, u"http://www.w3.org/2000/svg"_s);
    xml.writeAttribute(u"width"_s, pixels(width));
    xml.writeAttribute(u"height"_s, pixels(height));
    xml.writeAttribute(u"viewBox"_s, u"0 0 %1 %2"_s.arg(pixels(width), pixels(height)));
    xml.writeAttribute(u"role"_s, u"img"_s);
    xml.writeTextElement(u"title"_s, xmlText(title));
}

Svg::~Svg()
{
    m_xml.writeEndElement();
}

void Svg::line(QPointF from, QPointF to, const QString &style)
{
    m_xml.writeEmptyElement(u"line"_s);
    m_xml.writeAttribute(u"class"_s, style);
    m_xml.writeAttribute(u"x1"_s, pixels(from.x()));
    m_xml.writeAttribute(u"y1"_s, pixels(from.y()));
    m_xml.writeAttribute(u"x2"_s, pixels(to.x()));
    m_xml.writeAttribute(u"y2"_s, pixels(to.y()));
}

void Svg::arrow(QPointF from, QPointF to, const QString &style)
{
    line(from, to, style);
    constexpr double length = 7;
    constexpr double halfWidth = 3;
    const QPointF way = to - from;
    const double distance = std::hypot(way.x(), way.y());
    if (distance < length) {
        return;
    }
    const QPointF along = way / distance;
    const QPointF across(-along.y(), along.x());
    const QPointF back = to - along * length;
    m_xml.writeEmptyElement(u"polygon"_s);
    m_xml.writeAttribute(u"class"_s, style + u" head"_s);
    m_xml.writeAttribute(u"points"_s, pointList({to, back + across * halfWidth, back - across * halfWidth}));
}

void Svg::cross(QPointF at, const QString &style)
{
    constexpr double arm = 4;
    line(at - QPointF(arm, arm), at + QPointF(arm, arm), style);
    line(at - QPointF(arm, -arm), at + QPointF(arm, -arm), style);
}

void Svg::polyline(const std::vector<QPointF> &points, const QString &style)
{
    m_xml.writeEmptyElement(u"polyline"_s);
    m_xml.writeAttribute(u"class"_s, style);
    m_xml.writeAttribute(u"points"_s, pointList(points));
}

void Svg::rectangle(QPointF corner, double width, double height, const QString &style)
{
    m_xml.writeEmptyElement(u"rect"_s);
    m_xml.writeAttribute(u"class"_s, style);
    m_xml.writeAttribute(u"x"_s, pixels(corner.x()));
    m_xml.writeAttribute(u"y"_s, pixels(corner.y()));
    m_xml.writeAttribute(u"width"_s, pixels(width));
    m_xml.writeAttribute(u"height"_s, pixels(height));
}

void Svg::text(QPointF at, const QString &text, Anchor anchor, const QString &style)
{
    static constexpr std::array<QLatin1StringView, 3> anchors {"start"_L1, "middle"_L1, "end"_L1};
    m_xml.writeStartElement(u"text"_s);
    m_xml.writeAttribute(u"class"_s, style);
    m_xml.writeAttribute(u"x"_s, pixels(at.x()));
    m_xml.writeAttribute(u"y"_s, pixels(at.y()));
    m_xml.writeAttribute(u"text-anchor"_s, anchors[static_cast<std::size_t>(anchor)]);
    m_xml.writeCharacters(xmlText(text));
    m_xml.writeEndElement();
}

} // namespace idem::sim
