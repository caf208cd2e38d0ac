// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/plot/plot_style.h"

#include <QList>
#include <QTimer>
#include <QWidget>

class QGridLayout;
class QPushButton;

namespace idem::app {

class ExpiryPane;
class TimePane;

/// Outcomes a second and keys by state over one time axis, and the coming expiry over its own. Follows the newest time
/// until the user drags or zooms; Home, or the button that then appears, goes back. Left, Right, + and - move by
/// keyboard. Draws at most ten times a second.
class LivePlots final : public QWidget
{
    Q_OBJECT

public:
    explicit LivePlots(QWidget *parent = nullptr);

    void setOutcomes(const QList<PlotLine> &lines);
    void setStates(const QList<PlotLine> &lines);
    void setExpiryColor(const QColor &color);
    void setColors(const PlotColors &colors);

    /// `rates` for each outcome and `keys` for each state; times ascend.
    void append(double seconds, const QList<double> &rates, const QList<double> &keys);
    void setForecast(double stepSeconds, const QList<double> &counts);
    void clear();

    /// Follows the newest time again.
    void followNow();
    [[nodiscard]] bool isFollowing() const { return m_following; }
    /// Draws before it returns, for a picture.
    void drawNow();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void arrange();
    void placeButton();
    void choose(double lower, double upper);
    void showRange(double lower, double upper);
    void scheduleDraw();

    TimePane *m_outcomes;
    TimePane *m_states;
    ExpiryPane *m_expiry;
    QPushButton *m_back;
    QGridLayout *m_layout;
    QTimer m_draw;
    double m_newest = 0;
    double m_lower = 0;
    double m_upper = 0;
    bool m_following = true;
    bool m_sideBySide = false;
};

} // namespace idem::app
