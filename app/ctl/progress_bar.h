// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <chrono>

namespace idem::ctl {

/// Draws on standard error, on a terminal only, a few times a second; wipes itself out at the end.
/// Thread-safety: one thread at a time.
class ProgressBar
{
public:
    ProgressBar();
    ~ProgressBar();
    ProgressBar(const ProgressBar &) = delete;
    ProgressBar &operator=(const ProgressBar &) = delete;

    /// `fraction`: 0...1; `note` stands behind it, and then the time left as far as it can be told.
    void draw(double fraction, const QString &note = {});

private:
    std::chrono::steady_clock::time_point m_start;
    std::chrono::steady_clock::time_point m_drawn;
    bool m_onTerminal;
    bool m_visible = false;
};

} // namespace idem::ctl
