// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory_store.h"
#include "tests/core/store/model/describe.h"
#include "tests/core/store/model/verbs.h"
#include "tests/support/manual_time.h"

#include <functional>

namespace idem::test {

/// A store in memory and the reference store side by side: takes each step on both and compares all that can be seen.
class Differential
{
public:
    explicit Differential(const Setup &setup);

    /// Takes one step on both. Returns the difference, empty without one.
    std::string run(const Command &command);
    /// Compares the whole: counters, all records in every order, each answer.
    std::string compareAll();

private:
    using Text = std::function<std::string()>;

    std::string dispatch(const Command &command);
    std::string runBegin(const Command &command);
    std::string runBatch(const Command &command);
    std::string compareBegun(const Request &request, const Begun &begun);
    std::string compareCounters();
    std::string runRead(const Command &command);
    std::string compareRecord(const Identity &identity);
    std::string compareHistory(const Identity &identity);
    std::string compareList(const Listing &listing);
    std::string both(const Text &actual, const Text &expected);
    std::string advance(Duration span);
    std::string takeEvents();
    std::string takeEventsOfBegin();
    std::string takeEvent(StoreEvent event, std::ptrdiff_t start);
    std::string compareEvents(bool inAnyOrder);

    [[nodiscard]] const Policy &policy() const { return m_model.policy(); }
    [[nodiscard]] Moment moment() const { return {m_clock.now(), m_clock.wallNow()}; }

    ManualClock m_clock;
    ManualScheduler m_scheduler {m_clock};
    std::unique_ptr<MemoryStore> m_store;
    ReferenceStore m_model;
    std::shared_ptr<EventStream> m_stream;
    std::vector<StoreEvent> m_events; ///< of the running step, but for lapses
    std::uint64_t m_sequence = 0;
    Instant m_nextSweep;
    bool m_closed = false;
    Cast m_cast;
    Fence m_lastFence = Fence::None;
    std::map<Identity, RecordId> m_ids;
    std::uint64_t m_recordBytes; ///< the fixed part of each record
};

[[nodiscard]] std::unique_ptr<MemoryStore> makeStore(
    const Setup &setup, ManualClock &clock, ManualScheduler &scheduler);

/// What differs, with both texts; empty when they are equal.
[[nodiscard]] std::string difference(const std::string &what, const std::string &actual, const std::string &expected);

/// Runs a whole history; the first difference with its step, empty without one.
[[nodiscard]] std::string firstDifference(const History &history);

} // namespace idem::test
