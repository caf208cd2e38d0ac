// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

#include <QtGlobal>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace idem::sim {

/// Something that will happen in virtual time: 32 plain bytes, so that a queue of millions allocates nothing per event.
/// Only `at` means anything to the queue; the rest belongs to who pushed it.
struct Event
{
    Instant at {};
    std::uint64_t order = 0; ///< set by the queue: rank among events of one moment
    std::uint64_t subject = 0; ///< of what: an operation, a request, a timer
    std::uint32_t attempt = 0;
    std::uint16_t detail = 0;
    std::uint8_t kind = 0;
};
static_assert(sizeof(Event) == 32);

/// Which of two events at the same microsecond comes first.
enum class Tie : std::uint8_t {
    Ordinary,
    TimeOut, ///< after every ordinary event of its moment, also one pushed later: an answer in time beats its time-out
};

/// The pending events, in the order (time, tie class, sequence of pushes): a stable order, so that a run is
/// reproducible. A 4-ary heap: half as deep as a binary one, and the four children share two cache lines.
/// Thread-safety: one thread at a time.
class EventQueue
{
public:
    [[nodiscard]] bool isEmpty() const { return m_heap.empty(); }
    [[nodiscard]] std::size_t size() const { return m_heap.size(); }

    void push(Event event, Tie tie = Tie::Ordinary)
    {
        event.order = (tie == Tie::TimeOut ? lateClass : 0) | m_nextSequence++;
        m_heap.push_back(event);
        siftUp(m_heap.size() - 1, event);
    }

    /// The next event. Precondition: not empty.
    [[nodiscard]] const Event &top() const
    {
        Q_ASSERT(!isEmpty());
        return m_heap.front();
    }

    /// Removes the next event. Precondition: not empty.
    Event pop()
    {
        Q_ASSERT(!isEmpty());
        const Event first = m_heap.front();
        const Event last = m_heap.back();
        m_heap.pop_back();
        if (!m_heap.empty()) {
            siftDown(last);
        }
        return first;
    }

private:
    static constexpr std::uint64_t lateClass = 1ULL << 63;
    static constexpr std::size_t arity = 4;

    static bool isBefore(const Event &left, const Event &right)
    {
        return left.at != right.at ? left.at < right.at : left.order < right.order;
    }

    void siftUp(std::size_t hole, const Event &event)
    {
        while (hole > 0) {
            const std::size_t parent = (hole - 1) / arity;
            if (!isBefore(event, m_heap[parent])) {
                break;
            }
            m_heap[hole] = m_heap[parent];
            hole = parent;
        }
        m_heap[hole] = event;
    }

    void siftDown(const Event &event)
    {
        std::size_t hole = 0;
        while (true) {
            const std::size_t first = hole * arity + 1;
            if (first >= m_heap.size()) {
                break;
            }
            std::size_t least = first;
            const std::size_t end = std::min(first + arity, m_heap.size());
            for (std::size_t child = first + 1; child < end; ++child) {
                if (isBefore(m_heap[child], m_heap[least])) {
                    least = child;
                }
            }
            if (!isBefore(m_heap[least], event)) {
                break;
            }
            m_heap[hole] = m_heap[least];
            hole = least;
        }
        m_heap[hole] = event;
    }

    std::vector<Event> m_heap;
    std::uint64_t m_nextSequence = 0;
};

} // namespace idem::sim
