// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/store/model/reference_store.h"

#include <ostream>
#include <vector>

namespace idem::test {

enum class Verb : std::uint8_t {
    Begin,
    BeginMany, ///< `batch`
    BadBegin, ///< with a key or a text that the limits refuse
    Complete,
    Fail,
    Renew,
    Release,
    SideEffectStarted,
    MarkUnknown,
    Abandon,
    Settle,
    Purge,
    Find,
    List,
    Counters,
    Forecast,
    Sweep,
    Advance,
    WallJump,
    Close,
};

/// Who calls an owner's verb.
enum class Who : std::uint8_t {
    Current, ///< the last owner of the record
    Displaced, ///< an owner before it
    Foreign, ///< with the right fence and the token of another key's owner
    MadeUp, ///< with the right fence and no token
    WrongFence, ///< with the right token and an older fence
};

/// Which fence an operator looked at.
enum class Looked : std::uint8_t { Right, Older, None };

/// How far the clock moves on. Resolved against the history so far, so that boundaries are hit exactly.
enum class Span : std::uint8_t {
    Ticks, ///< `amount` microseconds
    ToBoundary, ///< to the end of a lease or an expiry, the `amount`-th next
    BeforeBoundary, ///< the same less one microsecond
};

/// One step of a history. It means something after any other steps, so that a history stays one when rapidcheck takes
/// steps out. Members that its verb does not use keep their defaults.
struct Command
{
    Verb verb = Verb::Begin;
    int tenant = 0; ///< 0...1
    int key = 0; ///< 0...2
    int fingerprint = 0; ///< 0 is none; 0...2
    int attemptId = 0; ///< 0 is none; 0...2
    int lease = 0; ///< 0 is the policy's; index of leases
    Who who = Who::Current;
    int answer = 0; ///< index of answers; for settle also -1: not executed
    int reason = 0; ///< 0: none at all, which operators may not
    Looked looked = Looked::Right;
    AbandonAs as = AbandonAs::Release;
    bool overrideLive = false;
    Listing listing {};
    Span span = Span::Ticks;
    int amount = 0;
    std::vector<Command> batch {};

    [[nodiscard]] Identity identity() const;
    [[nodiscard]] QByteArray fingerprintBytes() const;
    [[nodiscard]] QByteArray attemptIdBytes() const;
    [[nodiscard]] std::optional<Duration> ownLease() const;
    [[nodiscard]] Response response() const;
    [[nodiscard]] QString reasonText() const;
    /// What a bad begin changes in its request.
    void spoil(BeginRequest &request) const;
};

constexpr int tenantCount = 2;
constexpr int keyCount = 3;
constexpr int leaseCount = 5;
constexpr int answerCount = 9;
constexpr int reasonCount = 3;
constexpr int badBeginCount = 9;

/// The store that a history runs on.
struct Setup
{
    Policy policy {};
    int shards = 1;
};

/// What rapidcheck draws, shrinks and shows: a script that a person can read.
struct History
{
    Setup setup {};
    std::vector<Command> commands {};
};

std::ostream &operator<<(std::ostream &out, const Command &command);
std::ostream &operator<<(std::ostream &out, const Setup &setup);
std::ostream &operator<<(std::ostream &out, const History &history);

} // namespace idem::test
