// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/bench/bench_support.h"

#include <chrono>

/// Stores that a user would write or pick instead. Each has the seed's three verbs and its meaning, nothing more: no
/// owner, no fence, no lease, no sweep.
/// - begin(key): an Outcome; in progress from then on, when it is fresh
/// - complete(key, status, body): the final answer
/// - abandon(key): forgets the key
namespace idem::bench::rivals {

using SteadyClock = std::chrono::steady_clock;
constexpr auto ttl = std::chrono::hours(1);

enum class Kind : std::uint8_t { Fresh, InProgress, Replay };

/// What begin() answers; `status` and `body` with Replay only.
template <typename Body> struct Outcome
{
    Kind kind = Kind::Fresh;
    int status = 0;
    Body body {};
};

/// In progress until it has an answer.
template <typename Body> struct Entry
{
    bool isDone = false;
    int status = 0;
    SteadyClock::time_point storedAt {};
    Body body {};

    [[nodiscard]] bool isLive() const { return !isDone || SteadyClock::now() - storedAt < ttl; }
    [[nodiscard]] Outcome<Body> outcome() const
    {
        return isDone ? Outcome<Body> {Kind::Replay, status, body} : Outcome<Body> {Kind::InProgress};
    }
    void finish(int finalStatus, Body answer)
    {
        isDone = true;
        status = finalStatus;
        storedAt = SteadyClock::now();
        body = std::move(answer);
    }
};

/// A rival as a Subject of the workloads.
template <typename Store> class AsSubject
{
public:
    void run(std::string_view key)
    {
        if (m_store.begin(key).kind == Kind::Fresh)
            m_store.complete(key, 201, body());
    }
    std::uint64_t attempt(std::string_view key)
    {
        const auto outcome = m_store.begin(key);
        if (outcome.kind != Kind::Replay)
            return static_cast<std::uint64_t>(outcome.kind);
        return static_cast<std::uint64_t>(outcome.status) + static_cast<std::uint8_t>(outcome.body.front())
            + static_cast<std::uint8_t>(outcome.body.back());
    }
    struct Held
    {
    };
    Held hold(std::string_view key)
    {
        (void)m_store.begin(key);
        return {};
    }
    void abandon(std::string_view key, Held) { m_store.abandon(key); }

private:
    Store m_store;
};

} // namespace idem::bench::rivals
