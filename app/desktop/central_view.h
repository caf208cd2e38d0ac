// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/live_store.h"

#include <QWidget>

class QLabel;
class QSplitter;
class QTabBar;

namespace idem::app {

class KeyView;
class LivePlots;

/// The middle of the window: keys over plots, or one of them alone.
class CentralView final : public QWidget
{
    Q_OBJECT

public:
    enum class Page : std::uint8_t { Overview, Keys, Plots };

    explicit CentralView(LiveStore &live, QWidget *parent = nullptr);

    void show(Page page);
    [[nodiscard]] Page page() const;
    [[nodiscard]] KeyView &keys() { return *m_keys; }
    [[nodiscard]] LivePlots &plots() { return *m_plots; }

private:
    void arrange(int page);
    void showNumbers();
    void showWhetherStore();

    LiveStore &m_live;
    QTabBar *m_tabs;
    QLabel *m_numbers;
    QSplitter *m_splitter;
    QLabel *m_noStore;
    KeyView *m_keys;
    LivePlots *m_plots;
};

} // namespace idem::app
