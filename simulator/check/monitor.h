// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/policy.h"

#include <QString>

#include <map>
#include <vector>

namespace idem::sim {

/// What must hold on every history of a correct store. The numbers are those of reports and lessons.
enum class Invariant : std::uint8_t {
    OneEffect = 1, ///< a key has at most one effect until its owner is displaced, the key freed or its life over
    SameAnswer, ///< all answers replayed within a life of a key are the same
    ReplayAfterComplete, ///< nothing is replayed before a complete or after its expiry
    ConflictWhileHeld, ///< a conflict means that another attempt holds the key now; two never hold it at once
    Conservation, ///< every attempt and every arrival is accounted for
    StaleHasCause, ///< whoever lost its key before is refused as its owner, and nobody else
    NothingLeft, ///< at the end no attempt waits, and no lease is over but unseen
};

/// "I1" ... "I7".
[[nodiscard]] QString toString(Invariant invariant);

struct Violation
{
    Invariant invariant {};
    Duration at {}; ///< virtual time
    QString what {}; ///< one sentence
};

/// Follows each key through a run, from what the server sees of the store alone, and tells where an invariant breaks:
/// a second opinion on the store that shares no code with it. Constant time for each call, so linear in the history.
/// `number` names a key in all calls. Precondition: `now` does not go back. Thread-safety: one thread at a time.
class Monitor
{
public:
    /// Keys below `denseKeys` stand in an array, others in a table.
    Monitor(const Policy &policy, std::uint64_t denseKeys);

    /// A begin made `execution` the owner until `leaseEnd`.
    void granted(std::uint64_t number, std::uint64_t execution, Instant now, std::optional<Instant> leaseEnd);
    void conflicted(std::uint64_t number, Instant now);
    void replayed(std::uint64_t number, std::uint64_t execution, Instant now);
    /// A handler of the key runs, with or without a grant; ended() follows, whatever became of it.
    void started(std::uint64_t number);
    void ended(std::uint64_t number);
    [[nodiscard]] bool isRunning(std::uint64_t number) const;
    /// The world saw `execution`'s effect; `guarded`: the store once made it the owner.
    void effect(std::uint64_t number, std::uint64_t execution, Instant now, bool guarded);
    /// The store took `execution`'s result; `overwrote`: over another one, as the store says itself. Execution 0 is the
    /// operator, who needs no ownership.
    void completed(std::uint64_t number, std::uint64_t execution, Instant now, bool overwrote);
    /// The store refused `execution`'s verb because it owns the key no more.
    void refused(std::uint64_t number, std::uint64_t execution, Instant now);
    /// `execution` gave its key back, and the store took it.
    void released(std::uint64_t number, std::uint64_t execution, Instant now);
    /// `execution` is gone; its key, if it still has one, is not.
    void orphaned(std::uint64_t number, std::uint64_t execution, Instant now);
    /// An operator took the key from its owner. That of a finished key frees nothing: a second effect is still one.
    void abandoned(std::uint64_t number, Instant now);
    /// An operator removed the key's record or found out that nothing had happened, or the store forgot it.
    void freed(std::uint64_t number, Instant now);
    void freedAll(Instant now);
    /// Nobody may have the key until an operator settles it.
    void suspended(std::uint64_t number, Instant now);

    void violate(Invariant invariant, Instant now, const QString &what);
    [[nodiscard]] std::uint64_t violations() const { return m_violations; }
    /// The first `shown` of them.
    [[nodiscard]] const std::vector<Violation> &firstViolations() const { return m_first; }
    static constexpr std::size_t shown = 20;

    /// How long orphaned keys have been held until `now`, all added up. Keys whose lease ended count until then.
    [[nodiscard]] Duration stuckTime(Instant now) const;

private:
    enum class Standing : std::uint8_t { Free, Held, Done };
    struct Key
    {
        Instant leaseEnd = Instant::max(); ///< of Held
        Instant expiresAt = Instant::max(); ///< of Done; of Held what it will be where lives count from begin
        Instant orphanedAt = Instant::max();
        std::uint64_t execution = 0; ///< that holds it, or whose result it has
        std::uint32_t effects = 0; ///< since an owner was last displaced or the key freed
        std::uint16_t running = 0;
        Standing standing = Standing::Free;
    };

    [[nodiscard]] Key &at(std::uint64_t number);
    [[nodiscard]] const Key *find(std::uint64_t number) const;
    [[nodiscard]] static bool isOwner(const Key &key, std::uint64_t execution);
    void settleOrphan(Key &key, Instant now);
    void free(Key &key, Instant now);
    [[nodiscard]] static Instant stuckUntil(const Key &key, Instant now);

    Duration m_ttl;
    ExpiryOrigin m_ttlFrom;
    std::uint64_t m_denseKeys;
    std::vector<Key> m_keys;
    std::map<std::uint64_t, Key> m_others;
    std::uint64_t m_violations = 0;
    std::vector<Violation> m_first;
    Duration m_stuck {};
};

} // namespace idem::sim
