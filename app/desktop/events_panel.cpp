// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/events_panel.h"

#include "app/desktop/cell_delegates.h"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

namespace idem::app {

namespace {

void setUp(QTableView &view)
{
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setSelectionMode(QAbstractItemView::SingleSelection);
    view.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.setAlternatingRowColors(true);
    view.setShowGrid(false);
    view.setWordWrap(false);
    view.setTabKeyNavigation(false);
    view.setFrameShape(QFrame::NoFrame);
    view.verticalHeader()->hide();
    view.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view.verticalHeader()->setMinimumSectionSize(22);
    view.verticalHeader()->setDefaultSectionSize(22);
    QHeaderView *header = view.horizontalHeader();
    header->setHighlightSections(false);
    header->setStretchLastSection(true);
    header->setMinimumSectionSize(36);
    header->setTextElideMode(Qt::ElideRight);
    int column = 0;
    for (const int width : {68, 126, 78, 66, 62, 120}) {
        header->resizeSection(column++, width);
    }
}

} // namespace

EventsPanel::EventsPanel(LiveStore &live, QWidget *parent)
    : QWidget(parent)
    , m_view(new QTableView(this))
{
    m_view->setModel(&live.events());
    m_view->setItemDelegateForColumn(
        EventTableModel::EventColumn, new StateDelegate(EventTableModel::VisualRole, this));
    m_view->setAccessibleName(tr("Events"));
    setUp(*m_view);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view);
}

} // namespace idem::app
