// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/memory/call_gate.h"
#include "core/store/memory/event_hub.h"
#include "core/store/memory/keyed_hash.h"
#include "core/store/memory/section.h"
#include "core/store/memory/sip_hash.h"
#include "core/store/memory_store.h"

#include <span>

namespace idem::memory {

/// An answer on its way into a record.
struct Answer
{
    State state = State::Completed; ///< or Failed
    ResponseView response {};
    QByteArray omittedDigest {}; ///< of the whole answer, when it is too large to keep; else empty
    qint64 roomTaken = 0; ///< bytes of the cap that are its own already
    bool mayEvict = false; ///< others may go for it
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

    /// Without waiting.
    Outcome begin(const BeginRequest &request);
    void beginAsync(const BeginRequest &request, BeginCallback callback);
    std::vector<Outcome> beginMany(std::span<const BeginRequest> requests);
    [[nodiscard]] Outcome toOutcome(Verdict &&verdict, const IdentityView &identity);

    Result<Completion> complete(const OwnershipView &owner, const ResponseView &response);
    Result<Completion> fail(const OwnershipView &owner, const QString &reason);
    Result<std::optional<Instant>> renew(const OwnershipView &owner);
    Result<void> release(const OwnershipView &owner);
    Result<void> sideEffectStarted(const OwnershipView &owner);
    Result<void> markUnknown(const OwnershipView &owner);

    Result<RecordView> abandon(const IdentityView &identity, const AbandonRequest &request);
    Result<RecordView> settle(const IdentityView &identity, const SettleRequest &request);
    Result<void> purge(const IdentityView &identity, Fence expectedFence, const QString &reason);

    std::optional<RecordView> find(const IdentityView &identity);
    std::optional<RecordView> find(const RecordId &id);
    Result<std::vector<StoreEvent>> history(const IdentityView &identity);
    ResponsePtr response(const IdentityView &identity);
    Result<Page> list(const Query &query);
    Counters counters();
    std::vector<std::uint64_t> expiryForecast(Duration step, std::size_t buckets);
    std::shared_ptr<EventStream> subscribe(std::size_t capacity) { return m_events.subscribe(capacity); }

    std::uint64_t sweepNow();
    void squeeze();
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
        std::chrono::nanoseconds hold {}; ///< how long the lock was held, in real time
    };

    // engine.cpp: identity, records and their states
    [[nodiscard]] std::size_t hashOf(const IdentityView &identity) const { return m_hash(identity); }
    [[nodiscard]] Guarded<Shard> &shardOf(std::size_t hash);
    [[nodiscard]] std::span<Guarded<Shard>> shards() { return {m_shards.get(), m_shardCount}; }
    [[nodiscard]] RecordId idOf(const IdentityView &identity) const;
    /// Follows from the fence under a secret of the store: as good as random to anybody else, and needs no memory.
    [[nodiscard]] OwnerToken tokenOf(Fence fence) const;
    /// The record, unless it is expired.
    [[nodiscard]] Record *findLive(Section &section, const IdentityView &identity, std::size_t hash) const;
    /// The lease of an attempt. Precondition: it has one.
    [[nodiscard]] Duration leaseOf(const Record &record) const
    {
        return record.extras && record.extras->lease ? *record.extras->lease : *m_policy.lease;
    }
    /// Takes the record out of its state's count and deadline; then change it and enterState().
    void leaveState(Shard &shard, Record &record);
    void enterState(Shard &shard, Record &record, State state);
    /// Counts a lapsed lease, once, and says so; or an old record without a lease. Precondition: due at `now`.
    void noteWatch(Shard &shard, Record &record, Instant now);
    /// Gives the record its answer, in a block of its own: returns the record's new address.
    [[nodiscard]] Record &finish(Section &section, std::size_t hash, Record &record, const Answer &answer);
    void endUnfinished(Section &section, Record &record, State state);
    /// Forgets all but identity and fence: what begins next is another operation.
    void startNewLife(Section &section, Record &record);
    /// Before the record is given a new life or removed.
    void noteExpired(Section &section, Record &record);
    [[nodiscard]] Fence nextFence() { return Fence(m_lastFence.fetch_add(1, std::memory_order_relaxed) + 1); }
    /// True when somebody may read events; without it none need be built.
    [[nodiscard]] bool tellsEvents() const { return m_events.isActive() || m_policy.historyEvents > 0; }
    void emitEvent(Record &record, EventKind kind, Instant now, EventDetail detail);
    void emitEvent(Record &record, EventKind kind, Instant now)
    {
        if (tellsEvents()) {
            emitEvent(record, kind, now, {});
        }
    }

    // engine_room.cpp: records in and out, within the caps
    /// Null at capacity. The record has no state yet: enterState() follows.
    Record *insertRecord(Section &section, const Attempt &attempt);
    /// Puts `fresh`, with the life of `old`, in its place; `roomTaken` bytes of the cap are its own already.
    /// Precondition: `old` has left its state.
    Record &replaceRecord(Section &section, std::size_t hash, Record &old, RecordPtr fresh, qint64 roomTaken = 0);
    void removeRecord(Section &section, Record &record);
    /// False, and nothing is taken, when a cap would be passed.
    [[nodiscard]] bool takeRoom(Section &section, qint64 records, qint64 bytes);
    void giveRoom(Section &section, qint64 records, qint64 bytes);
    /// Takes bytes of the cap, which are not counted before they are used; false when there are not so many.
    [[nodiscard]] bool takeBytes(qint64 bytes);
    /// Removes the finished or abandoned record that expires first; false when there is none. Takes locks.
    bool evictOldest();
    /// Files what a replay prolonged since it was filed, until the first deadline is a real one.
    void refileProlonged(Shard &shard);

    // engine_begin.cpp
    /// What is wrong with the request, if anything.
    [[nodiscard]] std::optional<Verdict> checkLimits(const BeginRequest &request) const;
    [[nodiscard]] Attempt attemptOf(const BeginRequest &request) const
    {
        return {request, m_hash({request.tenant, request.caller, request.key})};
    }
    Verdict refuse(const BeginRequest &request, Verdict verdict);
    void emitRejected(const IdentityView &identity, Instant now);
    [[nodiscard]] Verdict beginAtOnce(const Attempt &attempt);
    /// Verdict::waits: `callback` was taken, and is told later.
    [[nodiscard]] Verdict beginChecked(const Attempt &attempt, Duration wait, BeginCallback &callback);
    Verdict beginLocked(const Attempt &attempt, Duration wait, BeginCallback &callback, bool mayEvict);
    /// The rules of begin, in their order. Changes the record only for Fresh; `record` is null when there is none, and
    /// follows it where its block is another one. InProgress may still wait.
    Verdict decide(Section &section, Record *&record, const Attempt &attempt);
    Verdict decideInProgress(Section &section, Record *&record, const Attempt &attempt);
    /// A new attempt on a record that is there.
    Verdict regrant(Section &section, Record *&record, const Attempt &attempt, bool takesOver);
    Verdict startAttempt(Section &section, Record &record, const Attempt &attempt, bool takesOver);
    /// Counts an outcome that will be told, and says so.
    void countOutcome(Section &section, Record *record, const IdentityView &identity, Verdict &verdict);

    // engine_wait.cpp
    /// False, and nothing is taken, when enough wait already.
    bool enqueue(Section &section, Record &record, const Attempt &attempt, Duration wait, BeginCallback &callback);
    /// Tells every waiter whose outcome is known by now, oldest first.
    /// Returns the record's address from then on.
    Record &settleWaiters(Section &section, Record &record);
    void tellWaiter(Section &section, Record &record, Waiter &waiter, Verdict verdict);
    void armLeaseTimer(Section &section, Record &record);
    void dropWaits(Section &section, Record &record);
    void onWaitOver(const Identity &identity, std::size_t hash, std::uint64_t waiterId);
    void onLeaseEnd(const Identity &identity, std::size_t hash, std::uint64_t serial);
    /// `call` behind the gate.
    std::function<void()> gated(std::function<void()> call);

    // engine_owner.cpp
    [[nodiscard]] Answer makeAnswer(State state, const ResponseView &response) const;
    /// The answer with its room taken; nothing when the cap leaves none for it.
    [[nodiscard]] std::optional<Answer> withRoom(Section &section, const Answer &answer);
    /// The same, or without its lines and body.
    [[nodiscard]] Answer fitted(Section &section, const Answer &answer);
    Result<Completion> store(const OwnershipView &owner, Answer answer, bool isFinal);
    /// Nothing, and nothing changed, when somebody must be evicted for it first.
    std::optional<Result<Completion>> storeLocked(
        Section &section, const OwnershipView &owner, std::size_t hash, const Answer &answer, bool isFinal);
    Completion storeHeld(Section &section, std::size_t hash, Record &record, const Answer &answer, bool isFinal);
    void countStored(Section &section, Record &record, const Answer &answer);
    /// The record that `owner` owns or owned last. Errors: StaleOwner, NotFound, Closed.
    Result<Record *> findOwned(
        Section &section, const OwnershipView &owner, std::size_t hash, const ResponseView *evidence = nullptr);
    /// The same, in progress. Errors: WrongState too.
    Result<Record *> findHeld(Section &section, const OwnershipView &owner, std::size_t hash);
    Result<void> leave(const OwnershipView &owner, bool toUnknown);
    /// The owner goes without a result: Abandoned, or OutcomeUnknown after a side effect.
    State leaveLocked(Section &section, Record &record, bool toUnknown);

    // engine_operator.cpp
    [[nodiscard]] bool hasLiveOwner(const Record &record, Instant now) const;
    /// The record that an operator looked at. Errors: FenceMismatch, NotFound, Closed.
    Result<Record *> findReviewed(
        Section &section, const IdentityView &identity, std::size_t hash, Fence expectedFence);
    Result<RecordView> abandonFenced(const IdentityView &identity, const AbandonRequest &request);
    Result<RecordView> settleWith(
        const IdentityView &identity, const SettleRequest &request, const std::optional<Answer> &answer);

    // engine_unfenced.cpp: the seeds' rules
    Result<Completion> storeUnfenced(
        Section &section, const OwnershipView &owner, std::size_t hash, const Answer &answer, bool isFinal);
    Result<RecordView> abandonAnyState(const IdentityView &identity, const QString &reason);
    /// Under abandonAnyState. A waiter gets the key as a new one.
    void removeWithoutTrace(Section &section, Record &record, EventKind kind, const QString &reason);

    // engine_read.cpp, engine_sweep.cpp
    void buildIdIndex();
    SweepStep sweepPart(Guarded<Shard> &guarded, Instant horizon);
    void prefetchExpiries(const Shard &shard) const;
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
    const KeyedHash m_hash;
    const SipKey m_tokenSecret;
    const KeyCheck m_keyCheck;
    const Duration m_ttl; ///< the policy's, as its semantics reads it
    const std::function<void(std::chrono::nanoseconds)> m_onSweepHold;
    const std::size_t m_shardCount;
    const int m_shardShift;
    std::unique_ptr<Guarded<Shard>[]> m_shards;
    EventHub m_events;
    std::shared_ptr<CallGate> m_gate = std::make_shared<CallGate>();
    // Written by every Fresh, so on a cache line away from what every call reads.
    alignas(128) std::atomic<std::uint64_t> m_lastFence {0};
    std::atomic<qint64> m_records {0};
    std::atomic<qint64> m_bytes {0}; ///< of all blocks, where the policy caps them
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
[[nodiscard]] std::optional<StoreError> checkStatus(const ResponseView &response);
/// A refusal that shows the record.
[[nodiscard]] StoreError refusal(StoreErrorCode code, QString message, const Record &record, Instant now);
/// The sentences for no record and for a closed store.
[[nodiscard]] StoreError notFound();
[[nodiscard]] StoreError storeClosed();
/// "This record is completed: use purge." and its kind.
[[nodiscard]] StoreError wrongState(const Record &record, Instant now);

} // namespace idem::memory
