// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/event_table_model.h"

#include "app/models/duration_text.h"
#include "app/models/record_text.h"

namespace idem::app {

using namespace Qt::StringLiterals;

void EventTableModel::setStore(Store *store, Instant origin)
{
    beginResetModel();
    m_events.clear();
    m_waiting.clear();
    m_origin = origin;
    m_stream = store != nullptr ? store->subscribe() : nullptr;
    endResetModel();
}

void EventTableModel::setPaused(bool paused)
{
    m_paused = paused;
    refresh();
}

void EventTableModel::refresh()
{
    if (!m_stream) {
        return;
    }
    for (StoreEvent &event : m_stream->take().events) {
        m_waiting.push_back(std::move(event));
        if (m_waiting.size() > maxEvents) {
            m_waiting.pop_front();
        }
    }
    if (m_paused || m_waiting.empty()) {
        return;
    }
    // Room first, so that the table never exceeds its bound.
    const std::size_t kept = std::min(m_events.size(), maxEvents - m_waiting.size());
    if (kept < m_events.size()) {
        beginRemoveRows({}, static_cast<int>(kept), static_cast<int>(m_events.size()) - 1);
        m_events.resize(kept);
        endRemoveRows();
    }
    beginInsertRows({}, 0, static_cast<int>(m_waiting.size()) - 1);
    for (StoreEvent &event : m_waiting) {
        m_events.push_front(std::move(event));
    }
    m_waiting.clear();
    endInsertRows();
}

const StoreEvent &EventTableModel::eventAt(int row) const
{
    Q_ASSERT(row >= 0 && row < rowCount());
    return m_events[static_cast<std::size_t>(row)];
}

int EventTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_events.size());
}

int EventTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString EventTableModel::text(const StoreEvent &event, int column) const
{
    switch (column) {
    case TimeColumn:
        return clockText(event.at - m_origin);
    case EventColumn:
        return eventText(event);
    case KeyColumn:
        return bytesText(event.identity.key);
    case AttemptColumn:
        return QString::number(event.attempt);
    case FenceColumn:
        return QString::number(toNumber(event.fence));
    case ReasonColumn:
        return event.reason;
    default:
        return {};
    }
}

QVariant EventTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const StoreEvent &event = eventAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(event, index.column());
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
        const QString owner = event.owner.isEmpty() ? QString() : tr(", owner %1").arg(bytesText(event.owner));
        const QString reason = event.reason.isEmpty() ? QString() : u": "_s + event.reason;
        return tr("%1 %2, %3, attempt %4, fence %5%6%7")
            .arg(text(event, TimeColumn), text(event, KeyColumn), text(event, EventColumn), text(event, AttemptColumn),
                text(event, FenceColumn), owner, reason);
    }
    case Qt::TextAlignmentRole: {
        const bool number = index.column() == AttemptColumn || index.column() == FenceColumn;
        return static_cast<int>(number ? Qt::AlignRight : Qt::AlignLeft) | static_cast<int>(Qt::AlignVCenter);
    }
    case VisualRole:
        return static_cast<int>(visualOf(event));
    default:
        return {};
    }
}

QVariant EventTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        const bool number = section == AttemptColumn || section == FenceColumn;
        return static_cast<int>(number ? Qt::AlignRight : Qt::AlignLeft) | static_cast<int>(Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case TimeColumn:
        return tr("Time");
    case EventColumn:
        return tr("Event");
    case KeyColumn:
        return tr("Key");
    case AttemptColumn:
        return tr("Attempt");
    case FenceColumn:
        return tr("Fence");
    case ReasonColumn:
        return tr("Reason");
    default:
        return {};
    }
}

} // namespace idem::app
