// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory_store.h"
#include "tests/core/store/model/reference_store.h"
#include "tests/support/manual_time.h"

namespace idem::test {

// All orders in which up to four actors can take their steps on one key, each replayed on the store and on the
// reference store. The store decides in one critical section, so that an order of whole steps is all that threads can
// make of them. After each step both gave the same answer, and of the store alone these hold: there is one live owner
// at most; an owner's verb succeeds only under the last fence, and not after an operator's verb; a result that was
// stored is the one that is replayed, to the record's end; a life of the record has one result at most.

enum class Act : std::uint8_t {
    Begin,
    SideEffect,
    Complete,
    Fail,
    Release,
    Look, ///< an operator's: the fence of the next steps
    AbandonAsRelease,
    AbandonAsFailed,
    AbandonAsUnknown,
    SettleExecuted,
    SettleNotExecuted,
    Sweep,
    PassLease,
    PassExpiry,
};

/// The steps of one actor. One that ends without a finish has crashed.
using Script = std::vector<Act>;

/// A policy of short times, which sweeps only when told to.
[[nodiscard]] Policy policyOf(
    LapsePolicy lapse, LatePolicy late = LatePolicy::Accept, ExpiryOrigin from = ExpiryOrigin::Completion);

/// Replays orders of one cast under one policy, each on a key of its own, on the store and on the reference store.
class Stage
{
public:
    Stage(Policy policy, std::vector<Script> scripts);

    /// Replays every order; returns how many. Ends at the first failure.
    [[nodiscard]] std::uint64_t replayAll();

private:
    struct Actor
    {
        std::optional<Ownership> owner {};
        Fence looked = Fence::None;
    };

    void replay();
    void step(std::size_t number, Act act);
    void begin(std::size_t number);
    void own(std::size_t number, Act act);
    void operate(const Actor &actor, Act act);
    static void expect(bool holds, const char *broken);
    [[nodiscard]] std::string orderText() const;
    [[nodiscard]] Moment moment() const { return {m_clock.now(), m_clock.wallNow()}; }

    struct Holder
    {
        Fence fence;
        Instant leaseEnd;
    };

    std::vector<Script> m_scripts;
    std::vector<std::size_t> m_order; ///< whose step is next, sorted: the first of all orders
    ManualClock m_clock;
    ManualScheduler m_scheduler {m_clock};
    std::unique_ptr<MemoryStore> m_store;
    ReferenceStore m_model;
    std::uint64_t m_replays = 0;
    // Of the running replay:
    Identity m_identity {};
    std::vector<Actor> m_actors {};
    std::optional<Holder> m_holder {}; ///< the last owner, until something ended its ownership
    Fence m_lastFence = Fence::None;
    AnswerPtr m_result {}; ///< of this life of the record
};

/// Says how many orders a test visited, on its output and as a property of the test, and expects that these were all:
/// the sum over the casts of (all steps)! / (product of each actor's steps!).
void reportVisited(std::uint64_t orders, std::uint64_t all);

} // namespace idem::test
