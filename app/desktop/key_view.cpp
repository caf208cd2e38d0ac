// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/key_view.h"

#include "app/desktop/cell_delegates.h"

#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>

#include <array>

namespace idem::app {

namespace {

constexpr std::array<int, KeyTableModel::ColumnCount> widths = {100, 76, 56, 76, 112, 64, 72, 64, 74, 58, 64};
constexpr int keyRowHeight = 24;
constexpr std::chrono::milliseconds countdownInterval {250};

} // namespace

KeyView::KeyView(KeyTableModel &model, const QList<int> &columns, QWidget *parent)
    : QTableView(parent)
    , m_keys(model)
{
    setModel(&model);
    setItemDelegateForColumn(KeyTableModel::StateColumn, new StateDelegate(KeyTableModel::VisualRole, this));
    setItemDelegateForColumn(KeyTableModel::LeftColumn, new TimeLeftDelegate(this));
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setFrameShape(QFrame::NoFrame);
    prepareHeader(columns);

    connect(&model, &KeyTableModel::updateStarted, this, &KeyView::rememberPlace);
    connect(&model, &KeyTableModel::updateFinished, this, &KeyView::restorePlace);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &KeyView::recordSelected);
    connect(this, &QWidget::customContextMenuRequested, this,
        [this](const QPoint &position) { Q_EMIT menuRequested(viewport()->mapToGlobal(position)); });
    m_countdown.setInterval(countdownInterval);
    connect(&m_countdown, &QTimer::timeout, viewport(), qOverload<>(&QWidget::update));
    m_countdown.start();
}

void KeyView::prepareHeader(const QList<int> &columns)
{
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(keyRowHeight);
    verticalHeader()->setDefaultSectionSize(keyRowHeight);
    QHeaderView *header = horizontalHeader();
    header->setSectionsMovable(true);
    header->setHighlightSections(false);
    header->setStretchLastSection(true);
    header->setMinimumSectionSize(36);
    header->setTextElideMode(Qt::ElideRight);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    for (int column = 0; column < KeyTableModel::ColumnCount; ++column) {
        header->resizeSection(column, widths[static_cast<std::size_t>(column)]);
        setColumnHidden(column, !columns.isEmpty() && !columns.contains(column));
    }
    // Sorting starts as the model does; the header's arrow says so.
    header->setSortIndicator(columns.isEmpty() ? KeyTableModel::FenceColumn : KeyTableModel::LeftColumn,
        columns.isEmpty() ? Qt::DescendingOrder : Qt::AscendingOrder);
    setSortingEnabled(true);
    connect(header, &QWidget::customContextMenuRequested, this, &KeyView::showColumnMenu);
}

void KeyView::showColumnMenu(const QPoint &position)
{
    QMenu menu(this);
    for (int column = 0; column < KeyTableModel::ColumnCount; ++column) {
        QAction *action = menu.addAction(m_keys.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        action->setEnabled(column != KeyTableModel::KeyColumn); // without it a row says nothing
        connect(action, &QAction::toggled, this, [this, column](bool shown) { setColumnHidden(column, !shown); });
    }
    menu.exec(horizontalHeader()->mapToGlobal(position));
}

std::optional<RecordView> KeyView::selectedRecord() const
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    return rows.isEmpty() ? std::nullopt : std::optional(m_keys.recordAt(rows.first().row()));
}

void KeyView::rememberPlace()
{
    setAutoScroll(false); // nor does it go after a current row that moves
    m_anchors.clear();
    if (verticalScrollBar()->value() == 0) {
        return;
    }
    for (int row = rowAt(1); row >= 0 && row < m_keys.rowCount(); ++row) {
        const int position = rowViewportPosition(row);
        if (position > viewport()->height()) {
            break;
        }
        m_anchors.emplace_back(m_keys.index(row, 0), position);
    }
}

void KeyView::restorePlace()
{
    for (const auto &[index, position] : m_anchors) {
        if (index.isValid()) {
            QScrollBar *bar = verticalScrollBar();
            executeDelayedItemsLayout();
            bar->setValue(bar->value() + rowViewportPosition(index.row()) - position);
            break;
        }
    }
    m_anchors.clear();
    setAutoScroll(true);
}

void KeyView::rowsAboutToBeRemoved(const QModelIndex &parent, int first, int last)
{
    // Qt would select a neighbour, and a neighbour is another key.
    if (currentIndex().row() >= first && currentIndex().row() <= last) {
        selectionModel()->clear();
    }
    QTableView::rowsAboutToBeRemoved(parent, first, last);
}

} // namespace idem::app
