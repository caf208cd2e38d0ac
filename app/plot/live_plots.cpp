// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/live_plots.h"

#include "app/plot/expiry_pane.h"
#include "app/plot/time_pane.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QPushButton>

#include <algorithm>

namespace idem::app {

namespace {
constexpr double followedSeconds = 120;
constexpr double leastSeconds = 20; // shown at the start
constexpr double closestSeconds = 2; // zoomed in
constexpr int heightForThree = 430; // below it the third plot stands beside the others
} // namespace

LivePlots::LivePlots(QWidget *parent)
    : QWidget(parent)
    , m_outcomes(new TimePane(TimePane::Style::Lines, tr("Outcomes (1/s)"), this))
    , m_states(new TimePane(TimePane::Style::Stack, tr("Keys"), this))
    , m_expiry(new ExpiryPane(this))
    , m_back(new QPushButton(tr("Follow again (Home)"), this))
    , m_layout(new QGridLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(2);
    m_layout->addWidget(m_outcomes, 0, 0);
    m_layout->addWidget(m_states, 1, 0);
    m_layout->addWidget(m_expiry, 2, 0);
    m_outcomes->setTimeLabel({});
    m_states->setTimeLabel(tr("Virtual time (min:s)"));
    m_back->hide();
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Live plots"));
    showRange(0, leastSeconds);

    m_draw.setSingleShot(true);
    m_draw.setInterval(100);
    connect(&m_draw, &QTimer::timeout, this, [this] {
        m_outcomes->replot();
        m_states->replot();
        m_expiry->replot();
    });
    connect(m_outcomes, &TimePane::rangeChosen, this, &LivePlots::choose);
    connect(m_states, &TimePane::rangeChosen, this, &LivePlots::choose);
    connect(m_back, &QPushButton::clicked, this, &LivePlots::followNow);
}

void LivePlots::setOutcomes(const QList<PlotLine> &lines)
{
    m_outcomes->setLines(lines);
}

void LivePlots::setStates(const QList<PlotLine> &lines)
{
    m_states->setLines(lines);
}

void LivePlots::setExpiryColor(const QColor &color)
{
    m_expiry->setBarColor(color);
}

void LivePlots::setColors(const PlotColors &colors)
{
    m_outcomes->setColors(colors);
    m_states->setColors(colors);
    m_expiry->setColors(colors);
}

void LivePlots::append(double seconds, const QList<double> &rates, const QList<double> &keys)
{
    m_newest = seconds;
    m_outcomes->append(seconds, rates);
    m_states->append(seconds, keys);
    if (m_following) {
        showRange(std::max(seconds - followedSeconds, 0.0), std::max(seconds, leastSeconds));
    }
    scheduleDraw();
}

void LivePlots::setForecast(double stepSeconds, const QList<double> &counts)
{
    m_expiry->setForecast(stepSeconds, counts);
    scheduleDraw();
}

void LivePlots::clear()
{
    m_outcomes->clear();
    m_states->clear();
    m_expiry->clear();
    m_newest = 0;
    followNow();
}

void LivePlots::followNow()
{
    m_following = true;
    m_back->hide();
    showRange(std::max(m_newest - followedSeconds, 0.0), std::max(m_newest, leastSeconds));
    scheduleDraw();
}

void LivePlots::drawNow()
{
    m_outcomes->replot(true);
    m_states->replot(true);
    m_expiry->replot(true);
}

void LivePlots::choose(double lower, double upper)
{
    if (upper - lower < closestSeconds) {
        const double middle = (lower + upper) / 2;
        lower = middle - closestSeconds / 2;
        upper = middle + closestSeconds / 2;
    }
    if (lower < 0) {
        upper -= lower;
        lower = 0;
    }
    m_following = false;
    placeButton();
    m_back->show();
    m_back->raise();
    showRange(lower, upper);
    scheduleDraw();
}

void LivePlots::showRange(double lower, double upper)
{
    m_lower = lower;
    m_upper = upper;
    m_outcomes->showRange(lower, upper);
    m_states->showRange(lower, upper);
}

void LivePlots::scheduleDraw()
{
    if (!m_draw.isActive()) {
        m_draw.start();
    }
}

void LivePlots::arrange()
{
    const bool sideBySide = height() < heightForThree;
    if (sideBySide != m_sideBySide) {
        m_sideBySide = sideBySide;
        m_layout->removeWidget(m_expiry);
        if (sideBySide) {
            m_layout->addWidget(m_expiry, 0, 1, 2, 1);
        } else {
            m_layout->addWidget(m_expiry, 2, 0);
        }
        m_layout->setColumnStretch(0, sideBySide ? 5 : 0);
        m_layout->setColumnStretch(1, sideBySide ? 3 : 0);
    }
    placeButton();
}

void LivePlots::placeButton()
{
    m_layout->activate(); // where the plots will be, not where they were
    m_back->adjustSize();
    m_back->move(m_outcomes->geometry().right() - m_back->width() - 18, m_outcomes->geometry().top() + 24);
}

void LivePlots::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void LivePlots::keyPressEvent(QKeyEvent *event)
{
    const double span = m_upper - m_lower;
    switch (event->key()) {
    case Qt::Key_Home:
        followNow();
        break;
    case Qt::Key_Left:
        choose(m_lower - span / 10, m_upper - span / 10);
        break;
    case Qt::Key_Right:
        choose(m_lower + span / 10, m_upper + span / 10);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        choose(m_lower + span / 10, m_upper - span / 10);
        break;
    case Qt::Key_Minus:
        choose(m_lower - span / 8, m_upper + span / 8);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace idem::app
