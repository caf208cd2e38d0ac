// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the cells of a KeyTableModel show; key_table_model.cpp keeps its rows.
#include "app/models/duration_text.h"
#include "app/models/key_table_model.h"
#include "app/models/record_text.h"

#include <array>
#include <compare>

namespace idem::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int alignRight = static_cast<int>(Qt::AlignRight) | static_cast<int>(Qt::AlignVCenter);
constexpr int alignLeft = static_cast<int>(Qt::AlignLeft) | static_cast<int>(Qt::AlignVCenter);

bool isNumeric(int column)
{
    switch (column) {
    case KeyTableModel::AgeColumn:
    case KeyTableModel::AttemptColumn:
    case KeyTableModel::FenceColumn:
    case KeyTableModel::ReplaysColumn:
    case KeyTableModel::ConflictsColumn:
        return true;
    default:
        return false;
    }
}

struct Header
{
    const char *text;
    const char *toolTip;
};
constexpr std::array<Header, KeyTableModel::ColumnCount> headers = {{
    {QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "State"),
        QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "What the store says about this key now")},
    {QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Key"),
        QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "The client's idempotency key")},
    {QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Tenant"),
        QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Whose key it is")},
    {QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Age"),
        QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Time since this attempt began")},
    {QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Time left"),
        QT_TRANSLATE_NOOP(
            "idem::app::KeyTableModel", "Of the lease while in progress, of the time to live (TTL) once finished")},
    {QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Attempt"),
        QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "How many times this key has had an owner")},
    {QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Fence"),
        QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Grows with every owner; an older owner's result is refused")},
    {QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Replays"),
        QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Retries that got the stored answer")},
    {QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Conflicts"),
        QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Retries that came while it was in progress")},
    {QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Status"),
        QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "HTTP status of the stored answer")},
    {QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Owner"),
        QT_TRANSLATE_NOOP("idem::app::KeyTableModel", "Who runs, or ran, the operation")},
}};

} // namespace

QString KeyTableModel::text(const RecordView &record, int column) const
{
    switch (column) {
    case StateColumn:
        return wordOf(visualAt(record, now(), m_store->policy()));
    case KeyColumn:
        return bytesText(record.identity.key);
    case TenantColumn:
        return bytesText(record.identity.tenant);
    case AgeColumn:
        return durationText(now() - record.startedAt);
    case LeftColumn:
        return timeLeftText(timeLeftAt(record, now(), m_store->policy()));
    case AttemptColumn:
        return QString::number(record.attempt);
    case FenceColumn:
        return QString::number(toNumber(record.fence));
    case ReplaysColumn:
        return QString::number(record.replays);
    case ConflictsColumn:
        return QString::number(record.conflicts);
    case StatusColumn:
        return record.status == 0 ? QString() : QString::number(record.status);
    case OwnerColumn:
        return bytesText(record.owner);
    default:
        return {};
    }
}

QVariant KeyTableModel::sortValue(const RecordView &record, int column) const
{
    switch (column) {
    case StateColumn:
        return static_cast<int>(record.state);
    case KeyColumn:
        return record.identity.key;
    case TenantColumn:
        return record.identity.tenant;
    case AgeColumn:
        return qlonglong((now() - record.startedAt).count());
    case LeftColumn:
        return qlonglong(timeLeftAt(record, now(), m_store->policy()).left.count());
    case AttemptColumn:
        return record.attempt;
    case FenceColumn:
        return qulonglong(toNumber(record.fence));
    case ReplaysColumn:
        return record.replays;
    case ConflictsColumn:
        return record.conflicts;
    case StatusColumn:
        return record.status;
    case OwnerColumn:
        return record.owner;
    default:
        return {};
    }
}

bool KeyTableModel::precedes(const Entry *left, const Entry *right) const
{
    // Moments, not remaining times: an order that does not change while the clock runs.
    const auto end = [](const RecordView &record) {
        return record.leaseEnd ? *record.leaseEnd : record.expiresAt.value_or(Instant::max());
    };
    const auto compare = [&](const RecordView &a, const RecordView &b) -> std::strong_ordering {
        switch (m_sortColumn) {
        case StateColumn:
            return a.state <=> b.state;
        case KeyColumn:
            return QByteArrayView(a.identity.key).compare(b.identity.key) <=> 0;
        case TenantColumn:
            return QByteArrayView(a.identity.tenant).compare(b.identity.tenant) <=> 0;
        case AgeColumn:
            return b.startedAt.time_since_epoch().count() <=> a.startedAt.time_since_epoch().count();
        case LeftColumn:
            return end(a).time_since_epoch().count() <=> end(b).time_since_epoch().count();
        case AttemptColumn:
            return a.attempt <=> b.attempt;
        case ReplaysColumn:
            return a.replays <=> b.replays;
        case ConflictsColumn:
            return a.conflicts <=> b.conflicts;
        case StatusColumn:
            return a.status <=> b.status;
        case OwnerColumn:
            return QByteArrayView(a.owner).compare(b.owner) <=> 0;
        default:
            return a.fence <=> b.fence;
        }
    };
    const std::strong_ordering order = compare(left->record, right->record);
    if (std::is_neq(order)) {
        return m_sortOrder == Qt::AscendingOrder ? std::is_lt(order) : std::is_gt(order);
    }
    return left->record.fence > right->record.fence;
}

QVariant KeyTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid) || m_store == nullptr) {
        return {};
    }
    const RecordView &record = recordAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(record, index.column());
    case Qt::ToolTipRole:
        return recordToolTip(record, now(), m_store->policy());
    case Qt::AccessibleTextRole:
        if (index.column() == StateColumn || index.column() == KeyColumn) {
            return recordSentence(record, now(), m_store->policy());
        }
        return u"%1: %2"_s.arg(
            tr(headers[static_cast<std::size_t>(index.column())].text), text(record, index.column()));
    case Qt::TextAlignmentRole:
        return isNumeric(index.column()) ? alignRight : alignLeft;
    case VisualRole:
        return static_cast<int>(visualAt(record, now(), m_store->policy()));
    case FractionRole: {
        const TimeLeft left = timeLeftAt(record, now(), m_store->policy());
        const bool runs = left.kind == TimeLeft::Kind::Lease || left.kind == TimeLeft::Kind::ToLive;
        return runs ? QVariant(left.fraction) : QVariant();
    }
    case SortRole:
        return sortValue(record, index.column());
    default:
        return {};
    }
}

QVariant KeyTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    const Header &header = headers[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return tr(header.text);
    case Qt::ToolTipRole:
        return tr(header.toolTip);
    case Qt::TextAlignmentRole:
        return isNumeric(section) ? alignRight : alignLeft;
    default:
        return {};
    }
}

} // namespace idem::app
