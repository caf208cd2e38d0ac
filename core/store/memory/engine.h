// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory/call_gate.h"
#include "core/store/memory/event_hub.h"
#include "core/store/memory/section.h"
#include "core/store/memory_store.h"

#include <span>

namespace idem::memory {

/// An answer on its way into a record, made ready before the lock is taken.
struct Answer
{
    State state = State::Completed; ///< or Failed
    ResponsePtr response {}; ///< null when it is larger than the cap
    std::uint16_t status = 0;
    QByteArray omittedDigest {}; ///< of the whole answer, when it is larger than the cap
};

/// The in-memory engine behind MemoryStore; its public functions are the contract's (store.h).
///
/// Records live in shards, chosen by the high bits of a keyed hash of their identity; each shard has one lock (Shard).
/// Lock order: one shard, then one of: the event hub, the scheduler's own. No two shards are ever locked at once.
/// Scheduler::cancel(), which may wait for a running call, and all callbacks come after the lock (Section).
///
/// counters() is a consistent cut, made without stopping the store: it gives the snapshot a number, and whoever next
/// enters a shard, itself at the latest, first puts the shard's counts aside under that number. A change that saw an
/// older number is in; what it could have learnt of saw an older number too, and is in (F. Mattern, "Efficient
/// algorithms for distributed snapshots", 1993).
///
/// With one shard and an injected clock and scheduler, every order (of events too) is a function of the calls.
class Engine
{
    friend class Section;

public:
    Engine(Store &store, MemoryStoreOptions options);
    ~Engine();
    Engine(const Engine &) = delete;
    Engine &operator=(const Engine &) = delete;

    void beginAsync(const BeginRequest &request, BeginCallback callback);

    Result<Completion> complete(const Ownership &owner, Response response);
    Result<Completion> fail(const Ownership &owner, const QString &reason);
    Result<std::optional<Instant>> renew(const Ownership &owner);
    Result<void> release(const Ownership &owner);
    Result<void> sideEffectStarted(const Ownership &owner);
    Result<void> markUnknown(const Ownership &owner);

    Result<RecordView> abandon(const IdentityView &identity, const AbandonRequest &request);
    Result<RecordView> settle(const IdentityView &identity, const SettleRequest &request);
    Result<void> purge(const IdentityView &identity, Fence expectedFence, const QString &reason);

    std::optional<RecordView> find(const IdentityView &identity);
    std::optional<RecordView> find(const RecordId &id);
    ResponsePtr response(const IdentityView &identity);
    Result<Page> list(const Query &query);
    Counters counters();
    std::vector<std::uint64_t> expiryForecast(Duration step, std::size_t buckets);
    std::shared_ptr<EventStream> subscribe(std::size_t capacity) { return m_events.subscribe(capacity); }

    std::uint64_t sweepNow();
    void close();

    [[nodiscard]] Store &store() const { return m_store; }
    [[nodiscard]] const Policy &policy() const { return m_policy; }
    [[nodiscard]] const Clock &clock() const { return m_clock; }
    [[nodiscard]] Scheduler &scheduler() const { return m_scheduler; }

private:
    struct EventDetail
    {
        std::optional<OutcomeKind> outcome {};
        QString reason {};
        ResponsePtr response {};
    };
    struct SweepStep
    {
        std::uint64_t removed = 0;
        bool isDone = false;
    };

    // engine.cpp: identity, records and their states
    [[nodiscard]] std::size_t hashOf(const IdentityView &identity) const;
    [[nodiscard]] Shard &shardOf(std::size_t hash);
    [[nodiscard]] std::span<Shard> shards() { return {m_shards.get(), m_shardCount}; }
    [[nodiscard]] RecordId idOf(const IdentityView &identity) const;
    /// The record, unless it is expired.
    [[nodiscard]] Record *findLive(Section &section, const IdentityView &identity, std::size_t hash) const;
    /// Null at capacity.
    Record *insertRecord(Section &section, const IdentityView &identity, std::size_t hash);
    void removeRecord(Section &section, Record &record);
    /// Forgets everything but identity and fence: what begins next is another operation.
    void startNewLife(Section &section, Record &record);
    /// Takes the record out of its state's count and deadline; then change it and enterState().
    void leaveState(Shard &shard, Record &record);
    void enterState(Shard &shard, Record &record, State state);
    /// Counts a lapsed lease, once, and says so; or an old record without a lease. Precondition: due at `now`.
    void noteWatch(Shard &shard, Record &record, Instant now);
    void finish(Section &section, Record &record, const Answer &answer);
    void endUnfinished(Section &section, Record &record, State state);
    /// Before the record is given a new life or removed.
    void noteExpired(Section &section, Record &record);
    [[nodiscard]] Fence nextFence() { return Fence(m_lastFence.fetch_add(1, std::memory_order_relaxed) + 1); }
    void emitEvent(const Record &record, EventKind kind, Instant now, EventDetail detail);
    void emitEvent(const Record &record, EventKind kind, Instant now) { emitEvent(record, kind, now, {}); }

    // engine_begin.cpp
    [[nodiscard]] std::optional<RejectReason> checkKey(QByteArrayView key) const;
    void rejectUnseen(const BeginRequest &request, Verdict &verdict);
    void emitRejected(const IdentityView &identity, Instant now);
    /// The rules of begin, in their order. Changes the record only for Fresh; `record` is null when there is none, and
    /// set when one is made. InProgress may still wait.
    Verdict decide(Section &section, Record *&record, const Attempt &attempt);
    Verdict decideInProgress(Section &section, Record &record, const Attempt &attempt);
    Verdict grant(Section &section, Record &record, const Attempt &attempt, bool takesOver);
    /// Counts an outcome that will be told, and says so.
    void countOutcome(Section &section, Record *record, const IdentityView &identity, Verdict &verdict);
    std::optional<Verdict> beginLocked(
        Section &section, const Attempt &attempt, Duration wait, BeginCallback &callback);

    // engine_wait.cpp
    /// False, and nothing is taken, when enough wait already.
    bool enqueue(Section &section, Record &record, const Attempt &attempt, Duration wait, BeginCallback &callback);
    /// Tells every waiter whose outcome is known by now, oldest first.
    void settleWaiters(Section &section, Record &record);
    void tellWaiter(Section &section, Record &record, Waiter &waiter, Verdict verdict);
    void armLeaseTimer(Section &section, Record &record);
    void dropWaits(Section &section, Record &record);
    void onWaitOver(const Identity &identity, std::size_t hash, std::uint64_t waiterId);
    void onLeaseEnd(const Identity &identity, std::size_t hash, std::uint64_t serial);
    /// `call` behind the gate.
    std::function<void()> gated(std::function<void()> call);

    // engine_owner.cpp
    [[nodiscard]] Answer makeAnswer(State state, Response response) const;
    Result<Completion> store(const Ownership &owner, const Answer &answer, bool isFinal);
    Completion storeHeld(Section &section, Record &record, const Answer &answer, bool isFinal);
    Result<Completion> storeUnfenced(Section &section, const Ownership &owner, std::size_t hash, const Answer &answer);
    void countStored(Section &section, Record &record, const Answer &answer);
    /// The record that `owner` owns or owned last. Errors: StaleOwner, NotFound, Closed.
    Result<Record *> findOwned(Section &section, const Ownership &owner, std::size_t hash, ResponsePtr evidence = {});
    /// The same, in progress. Errors: WrongState too.
    Result<Record *> findHeld(Section &section, const Ownership &owner, std::size_t hash);
    Result<void> leave(const Ownership &owner, bool toUnknown);
    /// The owner goes without a result: Abandoned, or OutcomeUnknown after a side effect.
    State leaveLocked(Section &section, Record &record, bool toUnknown);
    /// Under abandonAnyState. A waiter gets the key as a new one.
    void removeWithoutTrace(Section &section, Record &record, EventKind kind, const QString &reason);

    // engine_operator.cpp
    /// The record that an operator looked at. Errors: FenceMismatch, NotFound, Closed.
    Result<Record *> findReviewed(
        Section &section, const IdentityView &identity, std::size_t hash, Fence expectedFence);
    Result<RecordView> abandonFenced(const IdentityView &identity, const AbandonRequest &request);
    Result<RecordView> abandonAnyState(const IdentityView &identity, const QString &reason);
    Result<RecordView> settleWith(
        const IdentityView &identity, const SettleRequest &request, const std::optional<Answer> &answer);

    // engine_read.cpp, engine_sweep.cpp
    void buildIdIndex();
    SweepStep sweepPart(Shard &shard, Instant horizon);
    /// Removes the top of the expiries, or files it again where it expires later; true when it removed.
    bool sweepExpired(Section &section, Instant horizon);
    /// Puts the shard's counts aside for a snapshot that it is not part of yet. Called on every entry.
    void joinSnapshot(Shard &shard);
    /// Brings the counts of lapsed leases up to `now`; false when `limit` was reached first.
    bool noteDueWatches(Shard &shard, Instant now, std::size_t limit);

    Store &m_store;
    const Policy m_policy;
    const Clock &m_clock;
    std::unique_ptr<ThreadScheduler> m_ownScheduler;
    Scheduler &m_scheduler;
    const QByteArray m_idSecret;
    const std::size_t m_hashSecret;
    const std::size_t m_shardCount;
    const int m_shardShift;
    std::unique_ptr<Shard[]> m_shards;
    EventHub m_events;
    std::shared_ptr<CallGate> m_gate = std::make_shared<CallGate>();
    // Written by every Fresh, so on a cache line away from what every call reads.
    alignas(128) std::atomic<std::uint64_t> m_lastFence {0};
    std::atomic<qint64> m_records {0};
    alignas(128) std::atomic<bool> m_isClosed {false};
    std::atomic<bool> m_hasIdIndex {false};
    std::mutex m_idIndexMutex; ///< taken before any shard's
    std::mutex m_snapshotMutex; ///< one counters() at a time; taken before any shard's
    std::atomic<std::uint64_t> m_snapshotNumber {0};
    std::atomic<Instant> m_snapshotMoment {}; ///< of that snapshot; set before its number
    std::atomic<TimerId> m_sweepTimer {0};
};

/// What a failed operation replays: 409 with a problem document (RFC 9457), code `operation-failed`.
[[nodiscard]] Response failureResponse(const QString &detail);
/// Invalid, unless the status is 100...599.
[[nodiscard]] std::optional<StoreError> checkStatus(const Response &response);
/// A refusal that shows the record.
[[nodiscard]] StoreError refusal(StoreErrorCode code, QString message, const Record &record, Instant now);
/// The sentences for no record and for a closed store.
[[nodiscard]] StoreError notFound();
[[nodiscard]] StoreError storeClosed();
/// "This record is completed: use purge." and its kind.
[[nodiscard]] StoreError wrongState(const Record &record, Instant now);

} // namespace idem::memory
