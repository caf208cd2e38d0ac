// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store.h"

#include <QAbstractTableModel>

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace idem::app {

struct IdentityHash
{
    std::size_t operator()(const Identity &identity) const;
};

/// The records of a store as a table. Rows keep their order and identity over updates, so that selections, anchors and
/// screen readers stay where they are; an update costs a handful of signals, however much happened. Ages and remaining
/// times are computed when they are read, from the store's clock: a view repaints its visible rows and no signal is
/// sent. Thread-safety: the GUI thread. The store must outlive its use: setStore(nullptr) before it goes.
class KeyTableModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        StateColumn,
        KeyColumn,
        TenantColumn,
        AgeColumn,
        LeftColumn,
        AttemptColumn,
        FenceColumn,
        ReplaysColumn,
        ConflictsColumn,
        StatusColumn,
        OwnerColumn,
        ColumnCount,
    };
    enum Role {
        VisualRole = Qt::UserRole + 1, ///< a Visual, as int
        FractionRole, ///< of the lease or time to live that is left, 0...1; invalid where nothing runs
        SortRole, ///< the raw value behind a text
    };

    struct Options
    {
        bool stuckOnly = false; ///< lists what is stuck at each relist() and follows no events
        std::size_t maxRows = 100'000; ///< the newest ones
    };

    explicit KeyTableModel(QObject *parent = nullptr);
    explicit KeyTableModel(Options options, QObject *parent = nullptr);
    ~KeyTableModel() override;

    /// Shows another store from now on, or none (null).
    void setStore(Store *store);
    /// Takes in what happened since the last call. To be called at most ten times a second.
    void refresh();
    /// Compares all rows with the store's list.
    void relist();

    /// While paused, rows, values and times stand still; events are counted and taken in at the end.
    void setPaused(bool paused);
    [[nodiscard]] std::uint64_t pendingEvents() const { return m_pending; }

    /// Precondition: a valid row. The pointer holds until the next update.
    [[nodiscard]] const RecordView &recordAt(int row) const;
    /// -1 when the record is not shown.
    [[nodiscard]] int rowOf(const Identity &identity) const;
    /// True when the store may hold more than the rows shown.
    [[nodiscard]] bool isFull() const { return m_rows.size() >= m_options.maxRows; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

Q_SIGNALS:
    /// Around each update, so that a view can keep its place.
    void updateStarted();
    void updateFinished();

private:
    struct Entry
    {
        RecordView record {};
        int row = 0;
    };
    using Found = std::vector<RecordView>;
    using Lost = std::vector<Identity>;

    void takeEvents();
    void apply(Found found, const Lost &lost);
    void insertEntries(std::vector<Entry *> entries);
    void removeEntries(std::vector<Entry *> entries);
    void trim();
    void resort();
    void relayout(std::vector<Entry *> order);
    void renumber();
    [[nodiscard]] bool precedes(const Entry *left, const Entry *right) const;
    [[nodiscard]] Instant now() const;
    [[nodiscard]] QString text(const RecordView &record, int column) const;
    [[nodiscard]] QVariant sortValue(const RecordView &record, int column) const;

    Options m_options;
    Store *m_store = nullptr;
    std::shared_ptr<EventStream> m_stream;
    std::unordered_map<Identity, std::unique_ptr<Entry>, IdentityHash> m_entries;
    std::vector<Entry *> m_rows; ///< in the order shown
    std::unordered_set<Identity, IdentityHash> m_changed;
    std::uint64_t m_pending = 0;
    std::optional<Instant> m_pausedAt;
    bool m_mustList = false;
    int m_sortColumn = FenceColumn;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

} // namespace idem::app
