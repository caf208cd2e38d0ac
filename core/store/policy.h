// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/clock.h"

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

/// Which answers are final, that is, stored and replayed; any other one releases the key (or leaves its outcome unknown
/// once a side effect was announced).
enum class FinalPreset : std::uint8_t {
    Default, ///< 2xx, 3xx and deterministic 4xx (not 401, 403, 408, 409, 425, 429)
    SuccessOnly, ///< 2xx
    StripeV1, ///< everything once execution began, 500 too (Stripe API v1, "Idempotent requests")
};

/// True when a completion with `status` is stored and replayed under `preset`.
[[nodiscard]] bool isFinal(FinalPreset preset, int status);

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

    static Semantics idemscope() { return {}; }
    /// One mutex over a hash map, no ownership: complete overwrites, abandon removes.
    static Semantics seedRust();
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

    qsizetype minKeyBytes = 1;
    qsizetype maxKeyBytes = 255;
    /// A larger response leaves a record without it (`bodyOmitted`).
    qsizetype maxBodyBytes = qsizetype {1024} * 1024;
    /// New keys are refused beyond this many records.
    qint64 maxRecords = 10'000'000;

    Duration sweepInterval = 1s;

    /// What is wrong with these settings, a sentence each that names the setting; empty when they hold.
    /// Bounds: lease 1 us...365 d, ttl 0...365 d, all counts positive.
    [[nodiscard]] QStringList problems() const;
};

constexpr Duration maxPolicyDuration = std::chrono::days(365);

} // namespace idem
