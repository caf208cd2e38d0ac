// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/stuck_panel.h"

#include "app/desktop/key_view.h"
#include "app/models/abandon_preview.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace idem::app {

StuckPanel::StuckPanel(LiveStore &live, QWidget *parent)
    : QWidget(parent)
    , m_live(live)
    , m_view(new KeyView(
          live.stuck(), {KeyTableModel::StateColumn, KeyTableModel::KeyColumn, KeyTableModel::LeftColumn}, this))
    , m_empty(new QLabel(this))
    , m_abandon(new QPushButton(tr("Abandon key…"), this))
{
    m_view->setAccessibleName(tr("Stuck keys"));
    m_view->horizontalHeader()->resizeSection(KeyTableModel::StateColumn, 88); // the dock is narrow
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(16);
    m_empty->setText(
        tr("No key is stuck. One is when its owner's lease is over, when nobody knows its outcome, or when "
           "it is in progress for long without a lease."));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 6);
    layout->setSpacing(6);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_empty, 1);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(8, 0, 8, 0);
    row->addStretch();
    row->addWidget(m_abandon);
    layout->addLayout(row);

    connect(m_abandon, &QPushButton::clicked, this, [this] {
        if (const auto record = m_view->selectedRecord()) {
            Q_EMIT abandonRequested(*record);
        }
    });
    connect(m_view, &KeyView::recordSelected, this, &StuckPanel::update);
    connect(&live, &LiveStore::refreshed, this, &StuckPanel::update);
    update();
}

void StuckPanel::update()
{
    const bool any = m_live.stuck().rowCount() > 0;
    m_view->setVisible(any);
    m_empty->setVisible(!any);
    const auto record = m_view->selectedRecord();
    const QString refusal = record ? abandonRefusal(record->state) : tr("Select a key first.");
    m_abandon->setEnabled(refusal.isEmpty());
    m_abandon->setToolTip(refusal);
}

} // namespace idem::app
