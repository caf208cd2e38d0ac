// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include <cstdint>

namespace idem::app {

/// What a key or an event looks like: the whole program's vocabulary of colours, shapes and words.
enum class Visual : std::uint8_t {
    Fresh,
    InProgress,
    Completed,
    Replay,
    Conflict,
    Mismatch,
    Stuck,
    Expired,
    Abandoned,
    Failed,
    Unknown,
};
constexpr int VisualCount = 11;

/// The sign beside a word, so that no state is told by colour alone.
enum class Shape : std::uint8_t {
    Disc,
    HalfDisc,
    Check,
    Loop,
    Cross,
    NotEqual,
    Warning,
    Hourglass,
    Flag,
    Square,
    Question,
};

enum class Theme : std::uint8_t { Light, Dark };

/// The colours of a theme that a QPalette has no place for.
struct ThemeColors
{
    QColor stuckBand; ///< behind a stuck state
    QColor environmentBand; ///< of a local demonstration
    QColor environmentText; ///< on it
    QColor muted; ///< secondary text
    QColor border; ///< lines between parts, and a plot's grid
    QColor warningBand;
    QColor warningText; ///< on it
};

/// The colour of text: a contrast of at least 4.5:1 (WCAG 2.1, success criterion 1.4.3) on the theme's base, alternate
/// base and selection, and for Stuck on its band.
[[nodiscard]] QColor textColor(Visual visual, Theme theme);
/// The colour of signs, bars and lines. Source: M. Okabe and K. Ito, "Color Universal Design" (2008); in the dark theme
/// the two deepest are lightened.
[[nodiscard]] QColor markColor(Visual visual, Theme theme);
[[nodiscard]] Shape shapeOf(Visual visual);
/// The state's word in the user's language.
[[nodiscard]] QString wordOf(Visual visual);

[[nodiscard]] QPalette makePalette(Theme theme);
[[nodiscard]] const ThemeColors &themeColors(Theme theme);
/// The theme that a palette belongs to, by the lightness of its window.
[[nodiscard]] Theme themeOf(const QPalette &palette);

/// The contrast ratio of two opaque colours, 1...21 (WCAG 2.1, "contrast ratio").
[[nodiscard]] double contrastRatio(const QColor &one, const QColor &other);

} // namespace idem::app
