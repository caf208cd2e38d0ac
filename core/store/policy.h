// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"
#include "core/store/key_policy.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>

namespace idem {

using namespace std::chrono_literals;

/// What `begin` does with an in-progress record whose lease is over.
enum class LapsePolicy : std::uint8_t {
    Takeover, ///< a new attempt owns it, unless its owner had announced a side effect
    Hold, ///< `Unknown`: an operator decides
    TakeoverAlways, ///< a new attempt owns it in any case (the lessons on leases)
};

/// Whether a completion after the lease's end, which nobody took over, counts.
enum class LatePolicy : std::uint8_t {
    Accept, ///< stored and flagged `late`
    Strict, ///< refused
};

/// From when a finished record's time to live counts.
enum class ExpiryOrigin : std::uint8_t {
    Completion,
    Begin, ///< from the begin of the attempt that finished
    Sliding, ///< from the last replay
};

/// What a store at its cap does with a new key.
enum class AtCapacity : std::uint8_t {
    Refuse, ///< Rejected (AtCapacity)
    EvictOldest, ///< drops the finished or abandoned record that expires first: its operation may then run again
};

/// Which answers are final, that is, stored and replayed; any other one releases the key (or leaves its outcome unknown
/// once a side effect was announced).
enum class FinalPreset : std::uint8_t {
    Default, ///< 2xx, 3xx and deterministic 4xx (not 401, 403, 408, 409, 425, 429)
    SuccessOnly, ///< 2xx
    StripeV1, ///< everything once execution began, 500 too (Stripe API v1, "Idempotent requests")
    /// Any answer, whatever its status; a failure deletes, even after a side effect (AWS Lambda Powertools:
    /// the record is deleted when the handler raises)
    Powertools,
    SeedRust, ///< any answer; the seed knows no failure, so fail() is one
    SeedGo, ///< any answer; an error is not kept, even after a side effect (the seed's default)
    SeedGoCacheErrors, ///< any answer and any error (the seed's WithCacheErrors)
};

/// True when a completion with `status` is stored and replayed under `preset`.
[[nodiscard]] bool isFinal(FinalPreset preset, int status);
/// True when fail() is stored and replayed under `preset`; else it gives the key back.
[[nodiscard]] bool keepsFailures(FinalPreset preset);
/// True when an owner that leaves after a side effect gives the key back, as if nothing had happened.
[[nodiscard]] bool forgetsFailures(FinalPreset preset);
/// The preset's name in files and interfaces, for example `success-only`.
[[nodiscard]] QString toString(FinalPreset preset);
/// Nothing for any other text.
std::optional<FinalPreset> finalPresetFromString(QStringView text);
/// All of them, in the order of the enumeration.
[[nodiscard]] QStringList finalPresetNames();

/// Which rules of ownership hold. `idemscope()` is the product; the others exist for lessons and reproduce known faults
/// on purpose.
struct Semantics
{
    QString name = QStringLiteral("idemscope");
    /// Owner token and fence are compared before anything changes. Without it the last writer wins.
    bool fenced = true;
    /// Abandon removes a record in any state, without a trace.
    bool abandonAnyState = false;
    /// A payload's fingerprint is compared.
    bool fingerprinted = true;
    /// Without `fenced`: the first result stands, and a second one is refused.
    bool firstResultStands = false;
    /// What a time to live of 0 means.
    Duration zeroTtlMeans = Duration::zero();
    /// A sweep removes what expired. Without it the record of a key that is used once stays for ever, though unseen.
    bool freesExpired = true;
    // Faults of execute(), the Go seed's.

    /// When an operation throws, whoever waits for it gets a success without a result.
    bool emptyResultAfterThrow = false;
    /// While another attempt owns the key an operation runs at once beside it, and the last result stays.
    bool runsWhileInProgress = false;
    /// While the store is closed or cannot be reached operations run unprotected.
    bool runsUnprotected = false;

    static Semantics idemscope() { return {}; }
    /// One mutex over a hash map, no ownership: complete overwrites, abandon removes, nothing else does.
    static Semantics seedRust();
    /// The Go seed in memory: no ownership, anybody may release; a late result is served, and the owner's own refused;
    /// waiters get an empty success after a panic; a time to live of 0 is 10 minutes.
    static Semantics seedGo();
    /// The Go seed over a shared store: nobody waits, and the function runs as often as it is called at once, or when
    /// the store is down.
    static Semantics seedGoStore();
    /// Nothing for an unknown name.
    static std::optional<Semantics> fromName(QStringView name);
    static QStringList names();
};

/// The settings of a store. All durations are bounded: see problems().
struct Policy
{
    /// How long an attempt owns its key. None: no lease at all, which a crash leaves stuck; only by explicit choice.
    std::optional<Duration> lease = 60s;
    /// How long a finished record is replayed. 0: never replayed.
    Duration ttl = 24h;
    ExpiryOrigin ttlFrom = ExpiryOrigin::Completion;
    LapsePolicy lapse = LapsePolicy::Takeover;
    LatePolicy late = LatePolicy::Accept;
    FinalPreset finalAnswers = FinalPreset::Default;
    Semantics semantics {};

    /// An in-progress record without a lease reads as stuck from this age on.
    Duration stuckAfter = 60s;
    /// The longest wait that a begin may ask for.
    Duration maxWait = 30s;
    /// How many begins may wait for one key; one more is answered at once.
    int maxWaitersPerKey = 64;

    KeyPolicy key {};
    /// A response with a larger body, or with more than 64 KiB of header lines, leaves a record without it
    /// (`bodyOmitted`). At most 1 GiB.
    qsizetype maxBodyBytes = qsizetype {1024} * 1024;
    /// What happens to new keys beyond this many records, and beyond this many bytes of keys and responses; a response
    /// for which there is no room leaves a record without it. No byte cap: none.
    qint64 maxRecords = 10'000'000;
    std::optional<qint64> maxBytes {};
    AtCapacity atCapacity = AtCapacity::Refuse;
    /// How many of a record's last events the store keeps with it, for history(); they go with the record. 0...1,000.
    int historyEvents = 0;

    Duration sweepInterval = 1s;

    /// What is wrong with these settings, a sentence each that names the setting; empty when they hold.
    /// Bounds: lease and other spans 1 us...365 d, ttl and maxWait 0...365 d, all counts positive.
    [[nodiscard]] QStringList problems() const;
};

constexpr Duration maxPolicyDuration = std::chrono::days(365);

} // namespace idem
