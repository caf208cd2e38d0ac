// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/key_table_model.h"

#include <QTableView>
#include <QTimer>

namespace idem::app {

/// A table of keys that keeps its place while rows come and go: at the top it stays at the top, elsewhere the row at
/// the top of the view stays there. Repaints its visible rows for the countdowns.
class KeyView final : public QTableView
{
    Q_OBJECT

public:
    /// The columns to show at first, the others hidden; all when empty.
    explicit KeyView(KeyTableModel &model, const QList<int> &columns = {}, QWidget *parent = nullptr);

    /// The selected record, if any: a copy.
    [[nodiscard]] std::optional<RecordView> selectedRecord() const;

Q_SIGNALS:
    void recordSelected();
    void menuRequested(const QPoint &globalPosition);

protected:
    void rowsAboutToBeRemoved(const QModelIndex &parent, int first, int last) override;

private:
    void prepareHeader(const QList<int> &columns);
    void showColumnMenu(const QPoint &position);
    void rememberPlace();
    void restorePlace();

    KeyTableModel &m_keys;
    QTimer m_countdown;
    /// The visible rows and where they were: the first that is still there is put back to its place.
    std::vector<std::pair<QPersistentModelIndex, int>> m_anchors;
};

} // namespace idem::app
