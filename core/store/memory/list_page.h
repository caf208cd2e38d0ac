// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/query.h"

#include <optional>

namespace idem::memory {

/// Where a record stands in a list's order; fences break ties, so that no two records stand in one place.
struct ListPosition
{
    bool hasNoMoment = false; ///< no lease end or expiry: behind all others in both directions
    Instant moment {};
    Fence fence = Fence::None;
};

/// The order of one list, and its cursors. A cursor names the last record's position, not a count, so that inserts and
/// removals elsewhere move nothing.
class ListOrder
{
public:
    ListOrder(SortKey sort, bool descending)
        : m_sort(sort)
        , m_descending(descending)
    {
    }

    [[nodiscard]] ListPosition positionOf(
        Fence fence, std::optional<Instant> leaseEnd, std::optional<Instant> expiresAt) const;
    [[nodiscard]] bool isBefore(const ListPosition &left, const ListPosition &right) const;

    [[nodiscard]] QByteArray toCursor(const ListPosition &position) const;
    /// Nothing for anything but a cursor of this order.
    [[nodiscard]] std::optional<ListPosition> fromCursor(const QByteArray &cursor) const;

private:
    SortKey m_sort;
    bool m_descending;
};

/// Keeps the first `limit` + 1 records behind the cursor, of any number, without sorting them all.
class PageCollector
{
public:
    PageCollector(ListOrder order, std::size_t limit, std::optional<ListPosition> after);

    /// Counts a record that matches; true when its view is worth making and keep() is to follow.
    [[nodiscard]] bool wants(const ListPosition &position);
    void keep(const ListPosition &position, RecordView view);
    /// In order; call once.
    [[nodiscard]] Page take(Instant observedAt);

private:
    struct Kept
    {
        ListPosition position;
        RecordView view;
    };

    [[nodiscard]] auto byOrder() const
    {
        return [this](const Kept &left, const Kept &right) { return m_order.isBefore(left.position, right.position); };
    }

    const ListOrder m_order;
    const std::size_t m_limit;
    const std::optional<ListPosition> m_after;
    std::uint64_t m_total = 0;
    std::vector<Kept> m_heap; ///< the last one on top
};

} // namespace idem::memory
