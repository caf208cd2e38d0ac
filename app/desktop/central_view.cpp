// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/central_view.h"

#include "app/desktop/key_view.h"
#include "app/plot/live_plots.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>

namespace idem::app {

CentralView::CentralView(LiveStore &live, QWidget *parent)
    : QWidget(parent)
    , m_live(live)
    , m_tabs(new QTabBar(this))
    , m_numbers(new QLabel(this))
    , m_splitter(new QSplitter(Qt::Vertical, this))
    , m_noStore(new QLabel(this))
    , m_keys(new KeyView(live.keys(), {}, this))
    , m_plots(new LivePlots(this))
{
    m_keys->setAccessibleName(tr("Keys"));
    m_tabs->addTab(tr("&Overview"));
    m_tabs->addTab(tr("&Keys only"));
    m_tabs->addTab(tr("&Plots only"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setAccessibleName(tr("What the middle of the window shows"));
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_keys);
    m_splitter->addWidget(m_plots);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setHandleWidth(6);
    m_keys->setMinimumHeight(100);
    m_plots->setMinimumHeight(220);

    auto *top = new QHBoxLayout;
    top->setContentsMargins(6, 2, 10, 0);
    top->addWidget(m_tabs);
    top->addStretch();
    top->addWidget(m_numbers);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(m_splitter, 1);
    m_noStore->setText(
        tr("This scenario runs without a store: every attempt that arrives is executed, and no key is kept "
           "anywhere.\n\nWhat came of it is counted in the Simulator dock."));
    m_noStore->setWordWrap(true);
    m_noStore->setAlignment(Qt::AlignCenter);
    m_noStore->setMargin(40);
    layout->addWidget(m_noStore, 1);

    connect(m_tabs, &QTabBar::currentChanged, this, &CentralView::arrange);
    connect(&live, &LiveStore::refreshed, this, &CentralView::showNumbers);
    connect(&live, &LiveStore::storeChanged, this, &CentralView::showWhetherStore);
    showNumbers();
    showWhetherStore();
}

void CentralView::show(Page page)
{
    m_tabs->setCurrentIndex(static_cast<int>(page));
}

CentralView::Page CentralView::page() const
{
    return static_cast<Page>(m_tabs->currentIndex());
}

void CentralView::arrange(int page)
{
    m_keys->setVisible(page != static_cast<int>(Page::Plots));
    m_plots->setVisible(page != static_cast<int>(Page::Keys));
}

void CentralView::showWhetherStore()
{
    const bool any = m_live.store() != nullptr;
    m_splitter->setVisible(any);
    m_numbers->setVisible(any);
    m_noStore->setVisible(!any);
}

void CentralView::showNumbers()
{
    const QLocale locale;
    QString text;
    if (m_live.isPaused()) {
        text =
            tr("Views paused · %1 new events · Space goes on").arg(locale.toString(qulonglong(m_live.pendingEvents())));
    } else {
        const QString shown = locale.toString(m_live.keys().rowCount());
        text = m_live.keys().isFull() ? tr("The newest %1 keys").arg(shown) : tr("%1 keys").arg(shown);
    }
    m_numbers->setText(text);
}

} // namespace idem::app
