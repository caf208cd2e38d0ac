// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/event.h"
#include "core/store/query.h"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace idem::memory {

struct WaitList;

/// What few records have, so that the others need not pay for it.
struct RecordExtras
{
    RecordExtras();
    ~RecordExtras();

    std::optional<Duration> lease {}; ///< of this attempt, where it is not the policy's
    std::optional<Instant> renewedAt {}; ///< of this attempt
    std::optional<Instant> createdAt {}; ///< where it is not startedAt
    std::optional<RecordId> id {}; ///< once the shard is indexed by id
    QByteArray omittedDigest {}; ///< of a response that was too large: tells whether a repeat is the same
    std::unique_ptr<WaitList> waits {}; ///< only while a begin waits
    std::vector<StoreEvent> history {}; ///< the last ones, without identity, where the policy keeps them
};

/// The texts of one attempt, beside its identity.
struct AttemptTexts
{
    QByteArrayView fingerprint {};
    QByteArrayView attemptId {};
    QByteArrayView owner {};
};

/// One key's life in one block of memory, laid out for the cache: what a look-up reads, then the identity, the
/// attempt's texts and the answer, back to back. Identity, texts and answer never change: a new attempt and a finished
/// one are each a new block with the same life (copyLife). So a replay hands the block itself out as its response; who
/// holds it looks at what is constant only. All else is guarded by the shard's lock.
class Record final : public StoredResponse
{
public:
    struct Deleter
    {
        void operator()(Record *record) const
        {
            record->extras.reset();
            // Nobody can take a reference any more, so that who has the only one need not count down.
            if (record->ref.loadAcquire() == 1 || !record->ref.deref()) {
                delete static_cast<StoredResponse *>(record);
            }
        }
    };
    using Ptr = std::unique_ptr<Record, Deleter>;

    /// The longest of each of its texts, in bytes.
    static constexpr qsizetype maxTextBytes = 255;

    /// A block with copies of everything. Precondition: no text is longer than maxTextBytes.
    static Ptr make(const IdentityView &identity, const AttemptTexts &texts, const ResponseView *response = nullptr);

    std::uint32_t queueSlot = 0; ///< DeadlineQueue's own
    Fence fence = Fence::None;
    Instant deadline {}; ///< the lease's end while in progress, else the expiry; see hasDeadline
    Instant startedAt {};
    WallTime changedWall {};
    WallTime createdWall {};
    std::uint32_t attempt = 0;
    std::uint32_t replays = 0;
    std::uint32_t conflicts = 0;
    std::uint32_t mismatches = 0;
    State state = State::Abandoned; ///< never LeaseExpired, which is derived
    bool hasDeadline : 1 = false;
    bool watchNoted : 1 = false; ///< in progress, and its watch moment has been counted
    bool late : 1 = false;
    bool bodyOmitted : 1 = false;
    bool sideEffect : 1 = false;
    bool tookOver : 1 = false;
    bool operatorEnded : 1 = false; ///< the last ownership was ended by an operator: its verbs are stale

private:
    enum Text : std::uint8_t { Tenant, Caller, Key, Fingerprint, AttemptId, Owner, TextCount };
    std::array<std::uint8_t, TextCount> m_textBytes {};

public:
    std::unique_ptr<RecordExtras> extras {};

    /// Everything but the block's own constants and its place in a queue. Takes the extras away from `other`.
    void copyLife(Record &other);

    [[nodiscard]] IdentityView identity() const
    {
        const char *at = textBegin();
        const QByteArrayView tenant = text(at, Tenant);
        const QByteArrayView caller = text(at, Caller);
        return {tenant, caller, text(at, Key)};
    }
    /// True when this is the identity.
    [[nodiscard]] bool is(const IdentityView &other) const
    {
        const char *at = textBegin();
        const auto isNext = [&at](QByteArrayView bytes) {
            const char *const begin = std::exchange(at, at + bytes.size());
            return bytes.isEmpty() || std::memcmp(begin, bytes.data(), std::size_t(bytes.size())) == 0;
        };
        return m_textBytes[Key] == other.key.size() && m_textBytes[Tenant] == other.tenant.size()
            && m_textBytes[Caller] == other.caller.size() && isNext(other.tenant) && isNext(other.caller)
            && isNext(other.key);
    }
    [[nodiscard]] AttemptTexts texts() const
    {
        const char *at = textBegin() + m_textBytes[Tenant] + m_textBytes[Caller] + m_textBytes[Key];
        const QByteArrayView fingerprint = text(at, Fingerprint);
        const QByteArrayView attemptId = text(at, AttemptId);
        return {fingerprint, attemptId, text(at, Owner)};
    }
    /// Memory of this block, in bytes.
    [[nodiscard]] std::size_t blockBytes() const;
    [[nodiscard]] RecordExtras &needExtras();
    [[nodiscard]] WaitList *waits() const { return extras ? extras->waits.get() : nullptr; }
    [[nodiscard]] std::uint32_t waitingCount() const;
    /// 0 without an answer.
    [[nodiscard]] int answerStatus() const { return isFinished() ? status() : 0; }
    [[nodiscard]] Instant createdAt() const { return extras && extras->createdAt ? *extras->createdAt : startedAt; }

    [[nodiscard]] bool isFinished() const { return state == State::Completed || state == State::Failed; }
    /// A finished record's answer, unless it was too large to keep.
    [[nodiscard]] ResponsePtr response() const
    {
        return isFinished() && !bodyOmitted ? ResponsePtr(this) : ResponsePtr();
    }
    [[nodiscard]] std::optional<Instant> leaseEnd() const
    {
        return state == State::InProgress && hasDeadline ? std::optional(deadline) : std::nullopt;
    }
    [[nodiscard]] std::optional<Instant> expiresAt() const
    {
        return state != State::InProgress && hasDeadline ? std::optional(deadline) : std::nullopt;
    }
    /// `now >= expiresAt`: counts as absent.
    [[nodiscard]] bool isExpired(Instant now) const
    {
        return hasDeadline && now >= deadline && state != State::InProgress;
    }
    /// In progress with `now >= leaseEnd`.
    [[nodiscard]] bool isLapsed(Instant now) const
    {
        return state == State::InProgress && hasDeadline && now >= deadline;
    }
    /// With LeaseExpired derived at `now`.
    [[nodiscard]] State stateAt(Instant now) const { return isLapsed(now) ? State::LeaseExpired : state; }
    /// When an in-progress record becomes noteworthy: at its lease's end or, without one, `stuckAfter` its start.
    [[nodiscard]] Instant watchAt(Duration stuckAfter) const
    {
        return hasDeadline ? deadline : saturatingAdd(startedAt, stuckAfter);
    }
    [[nodiscard]] bool isStuck(Instant now, Duration stuckAfter) const
    {
        return state == State::OutcomeUnknown || (state == State::InProgress && now >= watchAt(stuckAfter));
    }
    /// A copy of everything but the id, which takes a digest better made outside the lock.
    [[nodiscard]] RecordView view(Instant now, Duration stuckAfter) const;
    /// What a filter looks at, without a copy; its id is null until the shard is indexed by id.
    [[nodiscard]] FilterSubject subject(Instant now, Duration stuckAfter) const;

private:
    Record(const IdentityView &identity, const AttemptTexts &texts, const ResponseView *response);
    ~Record() = default;

    [[nodiscard]] const char *textBegin() const { return reinterpret_cast<const char *>(this + 1); }
    [[nodiscard]] char *textBegin() { return reinterpret_cast<char *>(this + 1); }
    [[nodiscard]] QByteArrayView text(const char *&at, Text which) const
    {
        const QByteArrayView bytes(at, m_textBytes[which]);
        at += bytes.size();
        return bytes;
    }
};

using RecordPtr = Record::Ptr;

} // namespace idem::memory
