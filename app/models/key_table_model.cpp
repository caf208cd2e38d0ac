// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/key_table_model.h"

#include <QHashFunctions>

#include <algorithm>

namespace idem::app {

std::size_t IdentityHash::operator()(const Identity &identity) const
{
    return qHashMulti(0, identity.key, identity.tenant, identity.caller);
}

KeyTableModel::KeyTableModel(QObject *parent)
    : KeyTableModel(Options {}, parent)
{
}

KeyTableModel::KeyTableModel(Options options, QObject *parent)
    : QAbstractTableModel(parent)
    , m_options(options)
{
    if (options.stuckOnly) {
        m_sortColumn = LeftColumn;
        m_sortOrder = Qt::AscendingOrder;
    }
}

KeyTableModel::~KeyTableModel() = default;

void KeyTableModel::setStore(Store *store)
{
    beginResetModel();
    m_store = store;
    m_rows.clear();
    m_entries.clear();
    m_changed.clear();
    m_stream.reset();
    m_pending = 0;
    m_mustList = false;
    if (m_pausedAt && store != nullptr) {
        m_pausedAt = store->clock().now();
    }
    if (store != nullptr && !m_options.stuckOnly) {
        m_stream = store->subscribe(); // before the list, so that nothing falls between
    }
    endResetModel();
    relist();
}

void KeyTableModel::setPaused(bool paused)
{
    if (paused == m_pausedAt.has_value()) {
        return;
    }
    if (paused) {
        m_pausedAt = m_store != nullptr ? m_store->clock().now() : Instant {};
        return;
    }
    m_pausedAt.reset();
    refresh();
}

void KeyTableModel::takeEvents()
{
    const EventStream::Batch batch = m_stream->take();
    m_pending += batch.events.size() + batch.missed;
    if (batch.missed > 0) {
        m_mustList = true;
    }
    if (m_mustList) {
        m_changed.clear();
        return;
    }
    for (const StoreEvent &event : batch.events) {
        m_changed.insert(event.identity);
    }
    if (m_changed.size() > m_options.maxRows) {
        m_mustList = true; // cheaper than to look each of them up
        m_changed.clear();
    }
}

void KeyTableModel::refresh()
{
    if (!m_stream) {
        return;
    }
    takeEvents();
    if (m_pausedAt) {
        return;
    }
    m_pending = 0;
    if (m_mustList) {
        m_mustList = false;
        relist();
        return;
    }
    if (m_changed.empty()) {
        return;
    }
    Found found;
    Lost lost;
    for (const Identity &identity : m_changed) {
        if (auto record = m_store->find(identity)) {
            found.push_back(*std::move(record));
        } else {
            lost.push_back(identity);
        }
    }
    m_changed.clear();
    apply(std::move(found), lost);
}

void KeyTableModel::relist()
{
    if (m_store == nullptr || (m_pausedAt && !m_rows.empty())) {
        return;
    }
    Query query {.filter = m_options.stuckOnly ? Filter::stuck() : Filter {},
        .descending = true,
        .limit = std::min<std::size_t>(m_options.maxRows, 1'000)};
    Found found;
    std::unordered_set<Identity, IdentityHash> listed;
    do {
        Result<Page> page = m_store->list(query);
        if (!page) {
            return; // the store is closing: what is shown stays
        }
        for (RecordView &record : page->records) {
            listed.insert(record.identity);
            found.push_back(std::move(record));
        }
        query.cursor = page->nextCursor;
    } while (!query.cursor.isEmpty() && found.size() < m_options.maxRows);
    Lost lost;
    for (const Entry *entry : m_rows) {
        if (!listed.contains(entry->record.identity)) {
            lost.push_back(entry->record.identity);
        }
    }
    apply(std::move(found), lost);
}

void KeyTableModel::apply(Found found, const Lost &lost)
{
    Q_EMIT updateStarted();
    std::vector<Entry *> doomed;
    std::vector<Entry *> added;
    std::vector<Entry *> changed;
    for (const Identity &identity : lost) {
        if (const auto it = m_entries.find(identity); it != m_entries.end()) {
            doomed.push_back(it->second.get());
        }
    }
    for (RecordView &record : found) {
        std::unique_ptr<Entry> &entry = m_entries[record.identity];
        const bool isNew = entry == nullptr;
        if (isNew) {
            entry = std::make_unique<Entry>();
        }
        entry->record = std::move(record);
        (isNew ? added : changed).push_back(entry.get());
    }
    removeEntries(std::move(doomed));
    insertEntries(std::move(added));
    resort();
    if (!changed.empty()) {
        const auto byRow = [](const Entry *left, const Entry *right) { return left->row < right->row; };
        const auto [first, last] = std::minmax_element(changed.begin(), changed.end(), byRow);
        Q_EMIT dataChanged(index((*first)->row, 0), index((*last)->row, ColumnCount - 1));
    }
    trim();
    Q_EMIT updateFinished();
}

void KeyTableModel::insertEntries(std::vector<Entry *> entries)
{
    if (entries.empty()) {
        return;
    }
    const auto less = [this](const Entry *left, const Entry *right) { return precedes(left, right); };
    std::sort(entries.begin(), entries.end(), less);
    const bool front = !m_rows.empty() && precedes(entries.back(), m_rows.front());
    const int at = front ? 0 : static_cast<int>(m_rows.size());
    beginInsertRows({}, at, at + static_cast<int>(entries.size()) - 1);
    m_rows.insert(m_rows.begin() + at, entries.begin(), entries.end());
    renumber();
    endInsertRows(); // resort() puts those at the end into their places
}

void KeyTableModel::removeEntries(std::vector<Entry *> entries)
{
    if (entries.empty()) {
        return;
    }
    std::sort(entries.begin(), entries.end(), [](const Entry *a, const Entry *b) { return a->row < b->row; });
    const auto count = static_cast<int>(entries.size());
    if (entries.back()->row - entries.front()->row != count - 1) {
        // Scattered rows: brought to the end in one move, they go in one removal.
        std::vector<Entry *> order;
        order.reserve(m_rows.size());
        auto next = entries.begin();
        for (Entry *entry : m_rows) {
            if (next != entries.end() && entry == *next) {
                ++next;
            } else {
                order.push_back(entry);
            }
        }
        order.insert(order.end(), entries.begin(), entries.end());
        relayout(std::move(order));
    }
    const int first = entries.front()->row;
    beginRemoveRows({}, first, first + count - 1);
    m_rows.erase(m_rows.begin() + first, m_rows.begin() + first + count);
    for (const Entry *entry : entries) {
        const Identity identity = entry->record.identity;
        m_entries.erase(identity);
    }
    renumber();
    endRemoveRows();
}

void KeyTableModel::trim()
{
    if (m_rows.size() <= m_options.maxRows) {
        return;
    }
    std::vector<Entry *> oldest = m_rows;
    const auto surplus = static_cast<std::ptrdiff_t>(m_rows.size() - m_options.maxRows);
    std::nth_element(oldest.begin(), oldest.begin() + surplus, oldest.end(),
        [](const Entry *left, const Entry *right) { return left->record.fence < right->record.fence; });
    oldest.resize(static_cast<std::size_t>(surplus));
    removeEntries(std::move(oldest));
}

void KeyTableModel::resort()
{
    const auto less = [this](const Entry *left, const Entry *right) { return precedes(left, right); };
    if (std::is_sorted(m_rows.begin(), m_rows.end(), less)) {
        return;
    }
    std::vector<Entry *> order = m_rows;
    std::stable_sort(order.begin(), order.end(), less);
    relayout(std::move(order));
}

void KeyTableModel::relayout(std::vector<Entry *> order)
{
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::pair<const Entry *, int>> cells;
    cells.reserve(static_cast<std::size_t>(before.size()));
    for (const QModelIndex &cell : before) {
        cells.emplace_back(m_rows[static_cast<std::size_t>(cell.row())], cell.column());
    }
    m_rows = std::move(order);
    renumber();
    QModelIndexList after;
    after.reserve(before.size());
    for (const auto &[entry, column] : cells) {
        after.push_back(index(entry->row, column));
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void KeyTableModel::renumber()
{
    int row = 0;
    for (Entry *entry : m_rows) {
        entry->row = row++;
    }
}

const RecordView &KeyTableModel::recordAt(int row) const
{
    Q_ASSERT(row >= 0 && row < rowCount());
    return m_rows[static_cast<std::size_t>(row)]->record;
}

int KeyTableModel::rowOf(const Identity &identity) const
{
    const auto it = m_entries.find(identity);
    return it == m_entries.end() ? -1 : it->second->row;
}

Instant KeyTableModel::now() const
{
    Q_ASSERT(m_store != nullptr);
    return m_pausedAt ? *m_pausedAt : m_store->clock().now();
}

int KeyTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int KeyTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

void KeyTableModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= ColumnCount) {
        return;
    }
    m_sortColumn = column;
    m_sortOrder = order;
    resort();
}

} // namespace idem::app
