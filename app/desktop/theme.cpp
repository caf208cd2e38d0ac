// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/theme.h"

#include <QApplication>
#include <QProxyStyle>

namespace idem::app {

using namespace Qt::StringLiterals;

namespace {

/// Fusion with room round the text of cells and headers.
class RoomyFusion final : public QProxyStyle
{
public:
    RoomyFusion()
        : QProxyStyle(u"Fusion"_s)
    {
    }

    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override
    {
        const bool cell = metric == PM_HeaderMargin || metric == PM_FocusFrameHMargin;
        return cell ? 6 : QProxyStyle::pixelMetric(metric, option, widget);
    }
};

} // namespace

QString toString(ThemeChoice choice)
{
    switch (choice) {
    case ThemeChoice::System:
        return u"system"_s;
    case ThemeChoice::Light:
        return u"light"_s;
    case ThemeChoice::Dark:
        return u"dark"_s;
    }
    Q_UNREACHABLE();
}

std::optional<ThemeChoice> themeChoiceFromString(QStringView text)
{
    for (const auto choice : {ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark}) {
        if (text == toString(choice)) {
            return choice;
        }
    }
    return {};
}

void applyTheme(ThemeChoice choice)
{
    static const Theme systemTheme = themeOf(QApplication::palette());
    const Theme theme =
        choice == ThemeChoice::System ? systemTheme : (choice == ThemeChoice::Dark ? Theme::Dark : Theme::Light);
    [[maybe_unused]] static const bool styled = [] {
        QApplication::setStyle(new RoomyFusion); // the application owns it
        return true;
    }();
    QApplication::setPalette(makePalette(theme));
}

Theme currentTheme()
{
    return themeOf(QApplication::palette());
}

} // namespace idem::app
