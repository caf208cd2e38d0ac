// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store.h"

#include <QAbstractTableModel>

#include <deque>

namespace idem::app {

/// The last events of a store, newest first. Thread-safety: the GUI thread.
class EventTableModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { TimeColumn, EventColumn, KeyColumn, AttemptColumn, FenceColumn, ReasonColumn, ColumnCount };
    enum Role {
        VisualRole = Qt::UserRole + 1, ///< a Visual, as int
    };
    static constexpr std::size_t maxEvents = 5'000;

    using QAbstractTableModel::QAbstractTableModel;

    /// Follows another store from now on, or none (null). `origin`: what the times count from.
    void setStore(Store *store, Instant origin);
    /// Takes in what happened since the last call. To be called at most ten times a second.
    void refresh();
    /// While paused nothing moves; events are kept and shown at the end.
    void setPaused(bool paused);

    /// Precondition: a valid row.
    [[nodiscard]] const StoreEvent &eventAt(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(const StoreEvent &event, int column) const;

    std::shared_ptr<EventStream> m_stream;
    Instant m_origin {};
    std::deque<StoreEvent> m_events; ///< newest first
    std::deque<StoreEvent> m_waiting; ///< oldest first, not shown yet
    bool m_paused = false;
};

} // namespace idem::app
