// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/palette.h"

#include <QIcon>

class QPainter;

namespace idem::app {

/// Paints the sign of a state into a square.
void paintShape(QPainter &painter, const QRectF &square, Shape shape, const QColor &color);
/// The sign of a state as a picture of its own, for a label.
[[nodiscard]] QPixmap shapePixmap(Shape shape, const QColor &color, int side, qreal ratio);

/// The pictures of actions.
enum class Glyph : std::uint8_t { Run, Pause, Step, Restart, Freeze, Abandon, Open };

/// Drawn in the palette's button text colours, normal and disabled.
[[nodiscard]] QIcon glyphIcon(Glyph glyph, const QPalette &palette);

} // namespace idem::app
