// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store.h"

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace idem::test {

/// An answer as the reference keeps it: plain, apart from the store's own form.
using AnswerPtr = std::shared_ptr<const Response>;

/// The same answer; null for null.
[[nodiscard]] AnswerPtr toAnswer(const ResponsePtr &stored);

/// The longest tenant, caller, fingerprint, attempt id or owner (BeginRequest).
constexpr qsizetype maxTextBytes = 255;

/// Which records a list shows, in words of its own, so that the store's filter has a witness.
struct Listing
{
    std::vector<State> states {}; ///< empty: all
    QByteArray tenant {}; ///< empty: all
    QByteArray keyPrefix {};
    bool stuckOnly = false;
    SortKey sort = SortKey::Fence;
    bool descending = false;
    std::size_t limit = 500; ///< of a page

    [[nodiscard]] Query toQuery() const;
};

/// Both clocks at the moment of a call.
struct Moment
{
    Instant now {};
    WallTime wall {};
};

/// The proof of a new ownership, which only the store under test can choose.
struct Issued
{
    Fence fence = Fence::None;
    OwnerToken token {};

    friend bool operator==(const Issued &, const Issued &) = default;
};

/// An outcome of begin without its guard. A member that the kind does not carry keeps its default.
struct Begun
{
    OutcomeKind kind = OutcomeKind::Rejected;
    Issued issued {}; ///< the token of a fresh one only
    std::uint32_t attempt = 0;
    bool tookOver = false;
    std::optional<Instant> leaseEnd {};
    Instant startedAt {};
    State state = State::InProgress; ///< of Mismatch and Unknown
    AnswerPtr response {};
    bool failed = false;
    bool late = false;
    WallTime storedAt {};
    Instant expiresAt {};
    int originalStatus = 0;
    RejectReason reason = RejectReason::Unavailable;
};

/// The store's contract as one plain program: the rules of the headers in core/store, in their words, over a std::map.
/// No shards, no threads, no timers, no waiting; time is an argument, and a copy is a whole second store. An
/// independent witness for the engines, so that it is written from the contract and never from an engine.
///
/// A failure's answer is kept as status 409 with the reason for a body (none for an operator's): the problem document's
/// wording is no rule of the store.
class ReferenceStore
{
public:
    explicit ReferenceStore(Policy policy);

    [[nodiscard]] const Policy &policy() const { return m_policy; }

    /// `issued` is used when the outcome is a new ownership.
    Begun begin(const BeginRequest &request, Moment at, Issued issued);

    Result<Completion> complete(const Ownership &owner, const Response &response, Moment at);
    Result<Completion> fail(const Ownership &owner, const QString &reason, Moment at);
    Result<std::optional<Instant>> renew(const Ownership &owner, Moment at);
    Result<void> release(const Ownership &owner, Moment at);
    Result<void> sideEffectStarted(const Ownership &owner, Moment at);
    Result<void> markUnknown(const Ownership &owner, Moment at);

    Result<RecordView> abandon(const Identity &identity, const AbandonRequest &request, Moment at);
    Result<RecordView> settle(const Identity &identity, const SettleRequest &request, Moment at);
    Result<void> purge(const Identity &identity, Fence expectedFence, const QString &reason, Moment at);

    std::uint64_t sweep(Moment at);
    void close() { m_closed = true; }

    /// Views have no id: it hangs on the store's secret.
    [[nodiscard]] std::optional<RecordView> find(const Identity &identity, Instant now) const;
    [[nodiscard]] AnswerPtr response(const Identity &identity, Instant now) const;
    [[nodiscard]] Result<std::vector<StoreEvent>> history(const Identity &identity, Instant now) const;
    /// All records that match, in order, whatever the limit of a page.
    [[nodiscard]] std::vector<RecordView> list(const Listing &listing, Instant now) const;
    /// `bytes` is without the fixed part of each record, which is the store's own affair.
    [[nodiscard]] Counters counters(Instant now) const;
    /// True when a record keeps a failure's answer, whose wording, and so its bytes, are the store's own affair.
    [[nodiscard]] bool keepsFailure() const;
    [[nodiscard]] std::vector<std::uint64_t> expiryForecast(Duration step, std::size_t buckets, Instant now) const;

    /// The proof of the last ownership of a record that is there, current or not.
    [[nodiscard]] std::optional<Ownership> lastOwner(const Identity &identity) const;
    /// The moments after `now` at which a lease ends or a record expires.
    [[nodiscard]] std::set<Instant> boundaries(Instant now) const;

    /// Says that the store under test announced the lapse of a lease. False when there is none to announce: each is
    /// told once, when it was noticed.
    [[nodiscard]] bool tellLapse(const Identity &identity, Fence fence, Instant now);
    /// Says that the store under test told the end of a record. Of records that expire at one moment any may be evicted
    /// first: there, and only there, the reference follows.
    void tellGone(const Identity &identity) { m_gone.push_back(identity); }
    void forgetGone() { m_gone.clear(); }
    /// A lapse that was not told although it had to be (a sweep passed, or the record went on); empty without.
    [[nodiscard]] const std::string &fault() const { return m_fault; }

    /// The events since the last call, but for lapses.
    std::vector<StoreEvent> takeEvents();

private:
    struct Rec
    {
        State state = State::InProgress; ///< as stored: never LeaseExpired
        Issued proof {};
        bool held = true; ///< `proof` still proves something: no operator came between
        std::uint32_t attempt = 1;
        bool tookOver = false;
        QByteArray attemptId {};
        QByteArray owner {};
        QByteArray fingerprint {};
        std::optional<Duration> lease {};
        Instant createdAt {};
        Instant startedAt {};
        std::optional<Instant> renewedAt {};
        std::optional<Instant> leaseEnd {};
        std::optional<Instant> expiresAt {};
        WallTime createdWall {};
        WallTime changedWall {};
        bool late = false;
        bool bodyOmitted = false;
        bool sideEffect = false;
        bool lapseTold = false;
        AnswerPtr result {}; ///< also of a tombstone, to know a repeat
        std::uint32_t replays = 0;
        std::uint32_t conflicts = 0;
        std::uint32_t mismatches = 0;
        std::deque<StoreEvent> history {}; ///< of this life
    };
    /// What of an event its record does not say.
    struct Told
    {
        EventKind kind = EventKind::Begun;
        std::optional<OutcomeKind> outcome {};
        QString reason {};
        ResponsePtr response {};
    };
    using Records = std::map<Identity, Rec>;

    [[nodiscard]] std::optional<RejectReason> wrongText(const BeginRequest &request) const;
    [[nodiscard]] std::optional<RejectReason> refusal(const Identity &identity, Moment at);
    [[nodiscard]] bool makeRoom(Moment at);
    [[nodiscard]] bool evictOldest(Moment at);
    Begun decide(const BeginRequest &request, const Identity &identity, Moment at, Issued issued);
    Begun startAttempt(const BeginRequest &request, const Identity &identity, Moment at, Issued issued);
    [[nodiscard]] Begun replay(Rec &record, Moment at) const;
    static Begun sameFresh(const Rec &record);

    Rec *lookUp(const Identity &identity, Instant now);
    void dropExpired(const Identity &identity, Moment at);
    [[nodiscard]] tl::expected<Rec *, StoreError> ownedBy(
        const Ownership &owner, Moment at, const AnswerPtr &evidence = {});
    [[nodiscard]] tl::expected<Rec *, StoreError> ownedInProgress(const Ownership &owner, Moment at);
    [[nodiscard]] tl::expected<Rec *, StoreError> lookedAt(
        const Identity &identity, Fence expected, const QString &reason, Moment at);
    Result<Completion> end(const Ownership &owner, const AnswerPtr &result, State as, Moment at);
    Result<Completion> overwrite(const Identity &identity, const AnswerPtr &result, State as, Moment at);
    Completion giveBack(const Identity &identity, Rec &record, bool toUnknown, Moment at);
    [[nodiscard]] bool isKept(const Response &result, State as) const;
    [[nodiscard]] bool forgetsSideEffects() const;
    [[nodiscard]] Duration ttl() const;
    Result<void> releaseUnfenced(const Identity &identity, Moment at);
    RecordView removeUnfenced(EventKind kind, const Identity &identity, const QString &reason, Moment at);
    void tellStored(const Identity &identity, Rec &record, Moment at);
    void change(Rec &record, State to, Moment at);
    void keep(Rec &record, const AnswerPtr &result) const;

    [[nodiscard]] static AnswerPtr served(const Rec &record) { return record.bodyOmitted ? nullptr : record.result; }
    [[nodiscard]] bool isAboveCap(const Response &response) const
    {
        return response.body && response.body->size() > m_policy.maxBodyBytes;
    }
    [[nodiscard]] State stateOf(const Rec &record, Instant now) const;
    [[nodiscard]] bool isStuck(const Rec &record, Instant now) const;
    [[nodiscard]] RecordView viewOf(const Identity &identity, const Rec &record, Instant now) const;
    StoreError errorFor(StoreErrorCode code, const Rec *record, Instant now) const;
    [[nodiscard]] StoreEvent shownBy(const Identity &identity, const Rec *record, Instant now) const;
    void tell(Told told, const Identity &identity, Rec *record, Moment at);
    void tell(EventKind kind, const Identity &identity, Rec *record, Moment at)
    {
        tell(Told {kind}, identity, record, at);
    }
    void remember(Rec &record, StoreEvent event) const;

    Policy m_policy;
    Records m_records;
    Counters m_counters; ///< but for what counters() counts itself
    std::vector<StoreEvent> m_events;
    std::vector<Identity> m_gone;
    std::string m_fault;
    bool m_closed = false;
};

} // namespace idem::test
