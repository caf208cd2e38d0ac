// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/progress_bar.h"

#include "app/ctl/command.h"

#include <algorithm>
#include <cmath>
#include <unistd.h>

namespace idem::ctl {

namespace {

/// From the time that `fraction` took; empty while it says too little.
QString timeLeft(double fraction, std::chrono::duration<double> spent)
{
    if (fraction < 0.01 || spent < std::chrono::seconds(1))
        return {};
    const auto seconds = static_cast<qint64>(std::lround(spent.count() * (1 - fraction) / fraction));
    return QStringLiteral(", %1:%2 left").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

} // namespace

ProgressBar::ProgressBar()
    : m_start(std::chrono::steady_clock::now())
    , m_drawn(m_start)
    , m_onTerminal(isatty(STDERR_FILENO) == 1)
{
}

ProgressBar::~ProgressBar()
{
    if (m_visible)
        writeError(QStringLiteral("\r\033[K"));
}

void ProgressBar::draw(double fraction, const QString &note)
{
    using namespace std::chrono_literals;
    const auto now = std::chrono::steady_clock::now();
    if (!m_onTerminal || now - m_drawn < 100ms)
        return;
    m_drawn = now;
    m_visible = true;
    constexpr int width = 30;
    const int full = std::clamp(static_cast<int>(fraction * width), 0, width);
    writeError(QStringLiteral("\r\033[K[%1%2] %3 %%4%5")
                   .arg(QString(full, u'#'), QString(width - full, u'.'))
                   .arg(static_cast<int>(fraction * 100), 3)
                   .arg(note.isEmpty() ? QString() : QStringLiteral("  ") + note, timeLeft(fraction, now - m_start)));
}

} // namespace idem::ctl
