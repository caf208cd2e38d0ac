// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/glyphs.h"

#include <QPainter>
#include <QPainterPath>

namespace idem::app {

namespace {

// All shapes are drawn in a square of 16 units.

void stroke(QPainter &painter, const QPainterPath &path, const QColor &color, qreal width)
{
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

void fill(QPainter &painter, const QPainterPath &path, const QColor &color)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPath(path);
}

QPainterPath polyline(std::initializer_list<QPointF> points, bool closed = false)
{
    QPainterPath path;
    for (const QPointF &point : points) {
        if (path.elementCount() == 0) {
            path.moveTo(point);
        } else {
            path.lineTo(point);
        }
    }
    if (closed) {
        path.closeSubpath();
    }
    return path;
}

QPainterPath circle(qreal radius)
{
    QPainterPath path;
    path.addEllipse(QPointF(8, 8), radius, radius);
    return path;
}

void paintLoop(QPainter &painter, const QColor &color)
{
    QPainterPath arc;
    arc.arcMoveTo(QRectF(3, 3, 10, 10), 60);
    arc.arcTo(QRectF(3, 3, 10, 10), 60, 290);
    stroke(painter, arc, color, 2);
    fill(painter, polyline({{8.6, 0.6}, {13.4, 4.2}, {8.6, 7}}, true), color);
}

void paintQuestion(QPainter &painter, const QColor &color)
{
    QPainterPath hook;
    hook.moveTo(5, 5.5);
    hook.cubicTo(5, 1.2, 11.4, 1.4, 11, 5.4);
    hook.cubicTo(10.8, 7.4, 8, 7.6, 8, 10);
    stroke(painter, hook, color, 2);
    QPainterPath dot;
    dot.addEllipse(QPointF(8, 13.4), 1.3, 1.3);
    fill(painter, dot, color);
}

void paintWarning(QPainter &painter, const QColor &color)
{
    QPainterPath triangle = polyline({{8, 1.5}, {15, 14}, {1, 14}}, true);
    triangle.addRect(QRectF(7.2, 5.5, 1.6, 4.5));
    triangle.addRect(QRectF(7.2, 11.2, 1.6, 1.6));
    fill(painter, triangle, color); // odd-even: the mark is cut out
}

void paintFlag(QPainter &painter, const QColor &color)
{
    stroke(painter, polyline({{4, 2}, {4, 14.5}}), color, 1.8);
    fill(painter, polyline({{4, 2}, {13.5, 2}, {11, 5.5}, {13.5, 9}, {4, 9}}, true), color);
}

void paintUnits(QPainter &painter, Shape shape, const QColor &color)
{
    switch (shape) {
    case Shape::Disc:
        fill(painter, circle(6), color);
        break;
    case Shape::HalfDisc: {
        stroke(painter, circle(5.5), color, 1.6);
        QPainterPath half;
        half.moveTo(8, 2.5);
        half.arcTo(QRectF(2.5, 2.5, 11, 11), 90, 180);
        half.closeSubpath();
        fill(painter, half, color);
        break;
    }
    case Shape::Check:
        stroke(painter, polyline({{2.5, 8.5}, {6.3, 12.3}, {13.5, 4}}), color, 2.6);
        break;
    case Shape::Loop:
        paintLoop(painter, color);
        break;
    case Shape::Cross:
        stroke(painter, polyline({{3.5, 3.5}, {12.5, 12.5}}), color, 2.6);
        stroke(painter, polyline({{12.5, 3.5}, {3.5, 12.5}}), color, 2.6);
        break;
    case Shape::NotEqual:
        stroke(painter, polyline({{2.5, 6}, {13.5, 6}}), color, 2);
        stroke(painter, polyline({{2.5, 10.5}, {13.5, 10.5}}), color, 2);
        stroke(painter, polyline({{10.5, 2.5}, {5.5, 14}}), color, 1.6);
        break;
    case Shape::Warning:
        paintWarning(painter, color);
        break;
    case Shape::Hourglass:
        fill(painter, polyline({{3, 2}, {13, 2}, {3, 14}, {13, 14}}, true), color);
        break;
    case Shape::Flag:
        paintFlag(painter, color);
        break;
    case Shape::Square:
        fill(painter, polyline({{3, 3}, {13, 3}, {13, 13}, {3, 13}}, true), color);
        break;
    case Shape::Question:
        paintQuestion(painter, color);
        break;
    }
}

void paintRestart(QPainter &painter, const QColor &color)
{
    QPainterPath arc;
    arc.arcMoveTo(QRectF(3, 3, 10.5, 10.5), 120);
    arc.arcTo(QRectF(3, 3, 10.5, 10.5), 120, 290);
    stroke(painter, arc, color, 2);
    fill(painter, polyline({{7.6, 0.4}, {2.4, 4}, {7.6, 7.4}}, true), color);
}

void paintUnits(QPainter &painter, Glyph glyph, const QColor &color)
{
    switch (glyph) {
    case Glyph::Run:
        fill(painter, polyline({{4, 2}, {14, 8}, {4, 14}}, true), color);
        break;
    case Glyph::Pause:
        fill(painter, polyline({{3.5, 2.5}, {6.8, 2.5}, {6.8, 13.5}, {3.5, 13.5}}, true), color);
        fill(painter, polyline({{9.2, 2.5}, {12.5, 2.5}, {12.5, 13.5}, {9.2, 13.5}}, true), color);
        break;
    case Glyph::Step:
        fill(painter, polyline({{2.5, 2.5}, {10.5, 8}, {2.5, 13.5}}, true), color);
        fill(painter, polyline({{11, 2.5}, {13.5, 2.5}, {13.5, 13.5}, {11, 13.5}}, true), color);
        break;
    case Glyph::Restart:
        paintRestart(painter, color);
        break;
    case Glyph::Freeze:
        stroke(painter, polyline({{2, 4}, {14, 4}}), color, 1.8);
        stroke(painter, polyline({{2, 8}, {7, 8}}), color, 1.8);
        stroke(painter, polyline({{2, 12}, {7, 12}}), color, 1.8);
        stroke(painter, polyline({{10, 8}, {10, 13}}), color, 2);
        stroke(painter, polyline({{13.4, 8}, {13.4, 13}}), color, 2);
        break;
    case Glyph::Abandon:
        paintFlag(painter, color);
        break;
    case Glyph::Open:
        stroke(painter, polyline({{2, 13}, {2, 3.5}, {6, 3.5}, {7.5, 5.5}, {14, 5.5}, {14, 13}}, true), color, 1.7);
        break;
    }
}

template <typename Kind> void paintInto(QPainter &painter, const QRectF &square, Kind kind, const QColor &color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(square.topLeft());
    painter.scale(square.width() / 16, square.height() / 16);
    paintUnits(painter, kind, color);
    painter.restore();
}

template <typename Kind> QPixmap pixmapOf(Kind kind, const QColor &color, int side, qreal ratio)
{
    QPixmap pixmap(QSizeF(side * ratio, side * ratio).toSize());
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintInto(painter, QRectF(0, 0, side, side), kind, color);
    return pixmap;
}

} // namespace

void paintShape(QPainter &painter, const QRectF &square, Shape shape, const QColor &color)
{
    paintInto(painter, square, shape, color);
}

QPixmap shapePixmap(Shape shape, const QColor &color, int side, qreal ratio)
{
    return pixmapOf(shape, color, side, ratio);
}

QIcon glyphIcon(Glyph glyph, const QPalette &palette)
{
    QIcon icon;
    for (const qreal ratio : {1.0, 2.0}) {
        icon.addPixmap(pixmapOf(glyph, palette.color(QPalette::Active, QPalette::ButtonText), 16, ratio));
        icon.addPixmap(
            pixmapOf(glyph, palette.color(QPalette::Disabled, QPalette::ButtonText), 16, ratio), QIcon::Disabled);
    }
    return icon;
}

} // namespace idem::app
