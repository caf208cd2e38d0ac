// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/store/memory/list_page.h"

#include <QDataStream>
#include <QIODevice>

#include <algorithm>

namespace idem::memory {

namespace {

constexpr quint8 cursorVersion = 1;
constexpr auto cursorEncoding = QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals;

} // namespace

ListPosition ListOrder::positionOf(Fence fence, std::optional<Instant> leaseEnd, std::optional<Instant> expiresAt) const
{
    if (m_sort == SortKey::Fence) {
        return {false, Instant(), fence};
    }
    const auto moment = m_sort == SortKey::LeaseEnd ? leaseEnd : expiresAt;
    return {!moment, moment.value_or(Instant()), fence};
}

bool ListOrder::isBefore(const ListPosition &left, const ListPosition &right) const
{
    if (left.hasNoMoment != right.hasNoMoment) {
        return right.hasNoMoment;
    }
    const ListPosition &low = m_descending ? right : left;
    const ListPosition &high = m_descending ? left : right;
    return low.moment != high.moment ? low.moment < high.moment : low.fence < high.fence;
}

QByteArray ListOrder::toCursor(const ListPosition &position) const
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << cursorVersion << quint8(m_sort) << m_descending << position.hasNoMoment
           << qint64(position.moment.time_since_epoch().count()) << quint64(toNumber(position.fence));
    return bytes.toBase64(cursorEncoding);
}

std::optional<ListPosition> ListOrder::fromCursor(const QByteArray &cursor) const
{
    const auto decoded =
        QByteArray::fromBase64Encoding(cursor, cursorEncoding | QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded) {
        return std::nullopt;
    }
    QDataStream stream(decoded.decoded);
    quint8 version = 0;
    quint8 sort = 0;
    bool isDescending = false;
    bool hasNoMoment = false;
    qint64 moment = 0;
    quint64 fence = 0;
    stream >> version >> sort >> isDescending >> hasNoMoment >> moment >> fence;
    const ListPosition position {hasNoMoment, Instant(Duration(moment)), Fence(fence)};
    // Written again it must be the same text: refuses another order, a stray byte, an odd bool.
    if (stream.status() != QDataStream::Ok || version != cursorVersion || toCursor(position) != cursor) {
        return std::nullopt;
    }
    return position;
}

PageCollector::PageCollector(ListOrder order, std::size_t limit, std::optional<ListPosition> after)
    : m_order(order)
    , m_limit(limit)
    , m_after(after)
{
    m_heap.reserve(limit + 1);
}

bool PageCollector::wants(const ListPosition &position)
{
    ++m_total;
    if (m_after && !m_order.isBefore(*m_after, position)) {
        return false;
    }
    return m_heap.size() <= m_limit || m_order.isBefore(position, m_heap.front().position);
}

void PageCollector::keep(const ListPosition &position, RecordView view)
{
    if (m_heap.size() > m_limit) {
        std::pop_heap(m_heap.begin(), m_heap.end(), byOrder());
        m_heap.pop_back();
    }
    m_heap.push_back({position, std::move(view)});
    std::push_heap(m_heap.begin(), m_heap.end(), byOrder());
}

Page PageCollector::take(Instant observedAt)
{
    std::sort_heap(m_heap.begin(), m_heap.end(), byOrder());
    Page page;
    page.total = m_total;
    page.observedAt = observedAt;
    const bool hasMore = m_heap.size() > m_limit;
    if (hasMore) {
        m_heap.pop_back();
        page.nextCursor = m_order.toCursor(m_heap.back().position);
    }
    page.records.reserve(m_heap.size());
    for (Kept &kept : m_heap) {
        page.records.push_back(std::move(kept.view));
    }
    return page;
}

} // namespace idem::memory
