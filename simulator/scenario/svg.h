// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>
#include <QString>

#include <cstdint>
#include <vector>

class QXmlStreamWriter;

namespace idem::sim {

/// `text` without what XML 1.0 (section 2.2) has no place for, even escaped: a replacement character stands there.
[[nodiscard]] QString xmlText(const QString &text);

/// Writes one drawing into a page, element by element; colours and fonts are the page's, by class names. Lengths are in
/// pixels. Text is in a monospaced font of 11 pixels, so that its width is known beforehand.
class Svg
{
public:
    enum class Anchor : std::uint8_t { Start, Middle, End };

    /// `title` is what a screen reader says.
    Svg(QXmlStreamWriter &xml, double width, double height, const QString &title);
    ~Svg();
    Svg(const Svg &) = delete;
    Svg &operator=(const Svg &) = delete;

    void line(QPointF from, QPointF to, const QString &style);
    /// A line with a head at its end.
    void arrow(QPointF from, QPointF to, const QString &style);
    /// A small cross, where something was lost.
    void cross(QPointF at, const QString &style);
    void polyline(const std::vector<QPointF> &points, const QString &style);
    void rectangle(QPointF corner, double width, double height, const QString &style);
    void text(QPointF at, const QString &text, Anchor anchor, const QString &style);

    static constexpr double letter = 6.7; ///< the width of a character
    [[nodiscard]] static double widthOf(const QString &text) { return static_cast<double>(text.size()) * letter; }

private:
    QXmlStreamWriter &m_xml;
};

} // namespace idem::sim
