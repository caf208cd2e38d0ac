// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>

namespace idem::app {

/// A line or area of a plot.
struct PlotLine
{
    QString name {};
    QColor color {};
};

/// A plot's own colours, from the theme.
struct PlotColors
{
    QColor background {};
    QColor text {};
    QColor grid {};
};

} // namespace idem::app
