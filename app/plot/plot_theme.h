// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/plot/plot_style.h"

class QCustomPlot;

namespace idem::app {

/// What all plots have in common: margins that align their axes, few and plain numbers.
void prepare(QCustomPlot &plot, const QString &valueLabel);
/// Puts a theme's colours on every part.
void paint(QCustomPlot &plot, const PlotColors &colors);

} // namespace idem::app
