// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/query.h"

#include <memory>
#include <vector>

namespace idem::memory {

struct WaitList;

/// One key's life, allocated as one block with the bytes of its identity behind it. Guarded by its shard's lock.
struct Record
{
    struct Deleter
    {
        void operator()(Record *record) const;
    };
    using Ptr = std::unique_ptr<Record, Deleter>;

    /// A record of `identity`, whose bytes are copied, and of their `hash`.
    static Ptr make(const IdentityView &identity, std::size_t hash);

    Record(const Record &) = delete;
    Record &operator=(const Record &) = delete;

    /// Points into the block.
    const IdentityView identity;
    const std::size_t hash;

    State state = State::Abandoned; ///< never LeaseExpired, which is derived
    bool watchNoted = false; ///< in progress, and its watch moment has been counted
    bool late = false;
    bool bodyOmitted = false;
    bool sideEffect = false;
    bool tookOver = false;
    bool operatorEnded = false; ///< the last ownership was ended by an operator: its verbs are stale
    std::uint16_t status = 0; ///< of the response, kept or omitted
    std::uint32_t attempt = 0;
    std::uint32_t replays = 0;
    std::uint32_t conflicts = 0;
    std::uint32_t mismatches = 0;
    std::uint32_t heapSlot = 0; ///< DeadlineHeap's own
    Fence fence = Fence::None;
    OwnerToken token {};
    std::optional<Duration> lease {}; ///< of this attempt
    std::optional<Instant> leaseEnd {}; ///< in progress only
    std::optional<Instant> expiresAt {}; ///< finished or abandoned only
    std::optional<Instant> renewedAt {};
    Instant createdAt {};
    Instant startedAt {};
    WallTime createdWall {};
    WallTime changedWall {};
    QByteArray fingerprint {};
    QByteArray attemptId {};
    QByteArray owner {};
    ResponsePtr response {}; ///< finished, and not omitted
    QByteArray omittedDigest {}; ///< of a response that was too large: tells whether a repeat is the same
    std::unique_ptr<RecordId> id {}; ///< once the shard is indexed by id
    std::unique_ptr<WaitList> waits {}; ///< only while a begin waits

    [[nodiscard]] bool isFinished() const { return state == State::Completed || state == State::Failed; }
    /// `now >= expiresAt`: counts as absent.
    [[nodiscard]] bool isExpired(Instant now) const { return expiresAt && now >= *expiresAt; }
    /// In progress with `now >= leaseEnd`.
    [[nodiscard]] bool isLapsed(Instant now) const
    {
        return state == State::InProgress && leaseEnd && now >= *leaseEnd;
    }
    /// With LeaseExpired derived at `now`.
    [[nodiscard]] State stateAt(Instant now) const { return isLapsed(now) ? State::LeaseExpired : state; }
    /// When an in-progress record becomes noteworthy: at its lease's end or, without one, `stuckAfter` its start.
    [[nodiscard]] Instant watchAt(Duration stuckAfter) const
    {
        return leaseEnd ? *leaseEnd : saturatingAdd(startedAt, stuckAfter);
    }
    [[nodiscard]] bool isStuck(Instant now, Duration stuckAfter) const
    {
        return state == State::OutcomeUnknown || (state == State::InProgress && now >= watchAt(stuckAfter));
    }
    /// A copy of everything but the id, which takes a digest better made outside the lock.
    [[nodiscard]] RecordView view(Instant now, Duration stuckAfter) const;

private:
    Record(const IdentityView &identity_, std::size_t hash_);
    ~Record();
};

using RecordPtr = Record::Ptr;

} // namespace idem::memory
