// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/palette.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace idem::app {

namespace {

struct Style
{
    Visual visual;
    Shape shape;
    QRgb lightText;
    QRgb darkText;
    QRgb lightMark;
    QRgb darkMark;
    const char *word;
};

// The one table. Marks are Okabe-Ito's; texts are the same hues, moved away from the background.
constexpr std::array<Style, VisualCount> styles = {{
    {Visual::Fresh, Shape::Disc, 0xff155f86, 0xff7cc8f5, 0xff56b4e9, 0xff56b4e9,
        QT_TRANSLATE_NOOP("idem::app::Visual", "Fresh")},
    {Visual::InProgress, Shape::HalfDisc, 0xff7d5200, 0xfff0b030, 0xffe69f00, 0xffe69f00,
        QT_TRANSLATE_NOOP("idem::app::Visual", "In progress")},
    {Visual::Completed, Shape::Check, 0xff00684a, 0xff3cc79a, 0xff009e73, 0xff12b184,
        QT_TRANSLATE_NOOP("idem::app::Visual", "Completed")},
    {Visual::Replay, Shape::Loop, 0xff005a9c, 0xff8cb4ff, 0xff0072b2, 0xff4f86e0,
        QT_TRANSLATE_NOOP("idem::app::Visual", "Replay")},
    {Visual::Conflict, Shape::Cross, 0xffa04000, 0xffff9459, 0xffd55e00, 0xffe8701a,
        QT_TRANSLATE_NOOP("idem::app::Visual", "Conflict")},
    {Visual::Mismatch, Shape::NotEqual, 0xff8e3f70, 0xffe6a3ca, 0xffcc79a7, 0xffcc79a7,
        QT_TRANSLATE_NOOP("idem::app::Visual", "Mismatch")},
    {Visual::Stuck, Shape::Warning, 0xff983900, 0xffffa06b, 0xffd55e00, 0xffe8701a,
        QT_TRANSLATE_NOOP("idem::app::Visual", "Stuck")},
    {Visual::Expired, Shape::Hourglass, 0xff57606a, 0xffa9b1bb, 0xff7b858f, 0xff8b949e,
        QT_TRANSLATE_NOOP("idem::app::Visual", "Expired")},
    {Visual::Abandoned, Shape::Flag, 0xff4b5560, 0xffc3cad2, 0xff57606a, 0xffa9b1bb,
        QT_TRANSLATE_NOOP("idem::app::Visual", "Abandoned")},
    {Visual::Failed, Shape::Square, 0xff7a2e00, 0xfff5aa86, 0xff8a3500, 0xffd98a62,
        QT_TRANSLATE_NOOP("idem::app::Visual", "Failed")},
    {Visual::Unknown, Shape::Question, 0xff655600, 0xffebdd5a, 0xffd8c800, 0xfff0e442,
        QT_TRANSLATE_NOOP("idem::app::Visual", "Unknown")},
}};

const Style &styleOf(Visual visual)
{
    const Style &style = styles[static_cast<std::size_t>(visual)];
    Q_ASSERT(style.visual == visual);
    return style;
}

struct Basics
{
    QRgb window, base, alternate, text, muted, button, highlight, highlightedText, link, border, tip;
};
constexpr Basics lightBasics = {0xfff3f5f7, 0xffffffff, 0xfff6f8fa, 0xff1b1f24, 0xff57606a, 0xfffbfcfd, 0xffd3e6f8,
    0xff10243a, 0xff0b5cad, 0xffd3d9df, 0xffffffff};
constexpr Basics darkBasics = {0xff22262b, 0xff1a1d21, 0xff1f2328, 0xffe6e9ed, 0xffa3acb6, 0xff2b3037, 0xff27405c,
    0xffffffff, 0xff7cc8f5, 0xff3b424b, 0xff2b3037};

void setDisabled(QPalette &palette, const QColor &text)
{
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText, QPalette::HighlightedText}) {
        palette.setColor(QPalette::Disabled, role, text);
    }
}

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

QColor textColor(Visual visual, Theme theme)
{
    const Style &style = styleOf(visual);
    return QColor::fromRgb(theme == Theme::Light ? style.lightText : style.darkText);
}

QColor markColor(Visual visual, Theme theme)
{
    const Style &style = styleOf(visual);
    return QColor::fromRgb(theme == Theme::Light ? style.lightMark : style.darkMark);
}

Shape shapeOf(Visual visual)
{
    return styleOf(visual).shape;
}

QString wordOf(Visual visual)
{
    return QCoreApplication::translate("idem::app::Visual", styleOf(visual).word);
}

QPalette makePalette(Theme theme)
{
    const Basics &basics = theme == Theme::Light ? lightBasics : darkBasics;
    const auto color = [](QRgb rgb) { return QColor::fromRgb(rgb); };
    QPalette palette(color(basics.button), color(basics.window));
    palette.setColor(QPalette::WindowText, color(basics.text));
    palette.setColor(QPalette::Base, color(basics.base));
    palette.setColor(QPalette::AlternateBase, color(basics.alternate));
    palette.setColor(QPalette::Text, color(basics.text));
    palette.setColor(QPalette::BrightText, color(basics.text));
    palette.setColor(QPalette::ButtonText, color(basics.text));
    palette.setColor(QPalette::Highlight, color(basics.highlight));
    palette.setColor(QPalette::HighlightedText, color(basics.highlightedText));
    palette.setColor(QPalette::Link, color(basics.link));
    palette.setColor(QPalette::LinkVisited, color(basics.link));
    palette.setColor(QPalette::ToolTipBase, color(basics.tip));
    palette.setColor(QPalette::ToolTipText, color(basics.text));
    palette.setColor(QPalette::PlaceholderText, color(basics.muted));
    setDisabled(palette, color(theme == Theme::Light ? 0xff8a939c : 0xff79828c));
    return palette;
}

const ThemeColors &themeColors(Theme theme)
{
    static const ThemeColors light {.stuckBand = QColor(0xfc, 0xe4, 0xd6),
        .environmentBand = QColor(0xd5, 0xef, 0xe2),
        .environmentText = QColor(0x0b, 0x51, 0x36),
        .muted = QColor::fromRgb(lightBasics.muted),
        .border = QColor::fromRgb(lightBasics.border),
        .warningBand = QColor(0xff, 0xf1, 0xd6),
        .warningText = QColor(0x66, 0x43, 0x00)};
    static const ThemeColors dark {.stuckBand = QColor(0x4a, 0x25, 0x12),
        .environmentBand = QColor(0x12, 0x3d, 0x2b),
        .environmentText = QColor(0x9b, 0xe7, 0xc6),
        .muted = QColor::fromRgb(darkBasics.muted),
        .border = QColor::fromRgb(darkBasics.border),
        .warningBand = QColor(0x45, 0x35, 0x12),
        .warningText = QColor(0xfb, 0xd9, 0x8c)};
    return theme == Theme::Light ? light : dark;
}

Theme themeOf(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightnessF() < 0.5F ? Theme::Dark : Theme::Light;
}

double contrastRatio(const QColor &one, const QColor &other)
{
    const auto [darker, lighter] = std::minmax({luminance(one), luminance(other)});
    return (lighter + 0.05) / (darker + 0.05);
}

} // namespace idem::app
