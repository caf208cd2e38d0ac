// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/policy.h"
#include "simulator/check/expected.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace idem::sim {

/// Names a run: the same scenario and seed give the same trace on the same platform.
enum class Seed : std::uint64_t {};
/// The largest that a scenario or a report may name: JSON's readers keep whole numbers up to 2^53 - 1 (RFC 8259,
/// section 6).
constexpr std::uint64_t maxSeed = (std::uint64_t {1} << 53) - 1;

/// A random or constant duration, quantised to microseconds.
struct Distribution
{
    enum class Kind : std::uint8_t { Constant, Uniform, Exponential };
    Kind kind = Kind::Constant;
    Duration first {}; ///< the constant, the lower bound, or the mean
    Duration second {}; ///< the upper bound of Uniform (exclusive)
};

/// When operations arrive, whatever became of the earlier ones (open loop).
struct Arrival
{
    enum class Kind : std::uint8_t {
        Constant, ///< one each `interval`; 0: all at once
        Poisson, ///< exponential gaps of mean `interval`
    };
    Kind kind = Kind::Constant;
    Duration interval {};
};

struct RetryPolicy
{
    enum class Kind : std::uint8_t {
        None,
        Fixed, ///< base
        Exponential, ///< min(cap, base * 2^n), n = retry index from 0
        FullJitter, ///< U(0, min(cap, base * 2^n)); AWS, "Exponential Backoff And Jitter" (2015)
    };
    Kind kind = Kind::Fixed;
    Duration base = std::chrono::milliseconds(100);
    Duration cap = std::chrono::seconds(20);
    std::uint32_t maxAttempts = 4; ///< including the first; >= 1
};

struct Clients
{
    std::uint32_t count = 1; ///< operations go to them in turn
    std::uint64_t operations = 1; ///< in all; fewer when `duration` ends first
    Arrival arrival {};
    Duration timeout = std::chrono::seconds(1);
    RetryPolicy retry {};
    bool keyPerAttempt = false; ///< the anti-pattern: a new key for each attempt
};

struct Network
{
    Distribution request {Distribution::Kind::Constant, std::chrono::milliseconds(5), {}};
    Distribution response {Distribution::Kind::Constant, std::chrono::milliseconds(5), {}};
};

struct Server
{
    std::uint32_t workers = 0; ///< handlers at a time, first come first served; 0: unlimited
    Distribution service {Distribution::Kind::Constant, std::chrono::milliseconds(10), {}};
};

/// The store under test, with its own policy.
struct StoreSetup
{
    bool enabled = true; ///< false: every arrival executes
    Policy policy {};
    Duration wait {}; ///< how long an arrival waits for another attempt's answer (single flight)
};

/// Something that goes wrong. It strikes an event of its kind when all of `window`, `firstAttempts` and one of
/// `probability` and `every` say so.
struct Fault
{
    enum class Kind : std::uint8_t {
        RequestLost,
        ResponseLost,
        CrashAfterBegin, ///< of the handler, before its effect: the claim is never given back
        CrashAfterEffect, ///< of the handler, after its effect and before complete
    };
    Kind kind = Kind::RequestLost;
    double probability = 1; ///< 0...1
    /// Instead of a probability: the first chance in each period of this length, from the end of the first on.
    std::optional<Duration> every {};
    std::uint32_t firstAttempts = 0; ///< only the first k attempts of an operation; 0: all
    Duration from {}; ///< virtual time, inclusive
    std::optional<Duration> until {}; ///< exclusive
};

/// What the operator does, at one moment, with all keys of a kind.
struct OperatorAction
{
    enum class Select : std::uint8_t { InProgress, Stuck, Completed, All };
    Duration at {};
    Select select = Select::Stuck;
    QString reason = QStringLiteral("operator's schedule");
};

/// A scenario: everything that a run depends on, beside the seed.
struct Scenario
{
    QString name {};
    QString title {};
    QString description {};
    Seed seed {1};
    std::optional<Duration> duration {}; ///< no operation arrives from here on
    Clients clients {};
    Network network {};
    Server server {};
    StoreSetup store {};
    std::vector<Fault> faults {};
    std::vector<OperatorAction> operatorActions {};
    std::vector<Expected> expected {};
};

} // namespace idem::sim
