// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/bench/bench_support.h"

#include <algorithm>
#include <utility>

#include <malloc.h>

/// The workloads, once for all stores. A Subject is one store behind these calls:
/// - void run(std::string_view key): begin, fresh, complete with body()
/// - std::uint64_t attempt(key): begin; a number that depends on the whole outcome (status, first and last byte)
/// - Held hold(key): begin and leave in progress; what proves the ownership
/// - void abandon(key, const Held &): the owner gives a held key back
namespace idem::bench {

/// How much is done beside filling the store. Below 100,000 keys it shrinks with them, so that a trial is quick.
struct Amounts
{
    explicit Amounts(std::uint32_t keys)
        : attempts(std::min(2'000'000U, 20 * std::min(keys, 100'000U)))
        , heldKeys(std::min(10'000U, keys))
        , abandonedKeys(std::min(400'000U, 4 * std::min(keys, 100'000U)))
    {
    }
    std::size_t attempts; ///< of all threads together
    std::uint32_t heldKeys;
    std::uint32_t abandonedKeys;
};

template <typename Subject> void runAll(Subject &subject, const Keys &keys)
{
    for (std::size_t i = 0; i < keys.size(); ++i)
        subject.run(keys[i]);
}

template <typename Subject> void attemptAll(Subject &subject, const Keys &keys)
{
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < keys.size(); ++i)
        sum += subject.attempt(keys[i]);
    consume(sum);
}

/// Each thread has its own keys, made beforehand by `order(thread)`, and does `work(keys, thread)`; reports million
/// operations a second.
template <typename Order, typename Work>
void measure(const std::string &impl, const std::string &workload, int threads, const Order &order, const Work &work)
{
    std::vector<Keys> keys;
    std::size_t operations = 0;
    for (int i = 0; i < threads; ++i) {
        keys.emplace_back(order(static_cast<std::uint64_t>(i)));
        operations += keys.back().size();
    }
    const double wall = timed(threads, [&](std::size_t i) { work(keys[i], i); });
    report(impl, {workload, threads, "Mops"}, static_cast<double>(operations) / wall / 1e6);
}

/// Keys that are held in one order are given back in another.
template <typename Subject>
void abandonment(
    Subject &subject, const std::string &impl, int threads, std::uint32_t firstKey, std::uint32_t keysOfAll)
{
    const std::uint32_t share = keysOfAll / static_cast<std::uint32_t>(threads);
    std::vector<std::vector<typename Subject::Held>> held(static_cast<std::size_t>(threads));
    const auto order = [&](std::uint64_t thread) {
        const auto first = firstKey + static_cast<std::uint32_t>(thread) * share;
        const auto indices = sequence(first, share);
        const Keys keys(indices);
        std::vector<typename Subject::Held> inOrder;
        for (std::size_t i = 0; i < keys.size(); ++i)
            inOrder.push_back(subject.hold(keys[i]));
        auto mixed = shuffled(indices, 42);
        for (const std::uint32_t index : mixed)
            held[thread].push_back(inOrder[index - first]);
        return mixed;
    };
    measure(impl, "abandon", threads, order, [&](const Keys &keys, std::size_t thread) {
        for (std::size_t i = 0; i < keys.size(); ++i)
            subject.abandon(keys[i], held[thread][i]);
    });
}

template <typename Subject> void throughput(const std::string &impl, int threads, std::uint32_t count)
{
    const Amounts amounts(count);
    const auto share = static_cast<std::uint32_t>(threads);
    const auto fillOrder = [&](std::uint64_t i) {
        return sequence(static_cast<std::uint32_t>(i) * (count / share), count / share);
    };
    {
        Subject cold;
        measure(impl, "fresh+complete_cold", threads, fillOrder,
            [&](const Keys &keys, std::size_t) { runAll(cold, keys); });
    }
    Subject subject;
    measure(impl, "fresh+complete", threads, fillOrder, [&](const Keys &keys, std::size_t) { runAll(subject, keys); });
    const auto attempts = [&](const Keys &keys, std::size_t) { attemptAll(subject, keys); };
    const std::size_t draws = amounts.attempts / share;
    measure(
        impl, "replay_uniform", threads,
        [&](std::uint64_t i) { return uniform(0, count, draws, 1'000 + i * 77'000'000); }, attempts);
    measure(
        impl, "replay_zipf", threads, [&](std::uint64_t i) { return zipf(count, draws, 5'000 + i * 99'000'000); },
        attempts);

    const Keys held(sequence(count, amounts.heldKeys));
    for (std::size_t i = 0; i < held.size(); ++i)
        subject.hold(held[i]);
    measure(
        impl, "conflict", threads,
        [&](std::uint64_t i) { return uniform(count, amounts.heldKeys, draws, 9'000 + i * 55'000'000); }, attempts);
    abandonment(subject, impl, threads, count + amounts.heldKeys, amounts.abandonedKeys);
}

template <typename Subject> void memory(const std::string &impl, std::uint32_t count)
{
    const Keys keys(sequence(0, count));
    malloc_trim(0);
    const auto before = residentBytes();
    Subject subject;
    runAll(subject, keys);
    const auto grown = static_cast<double>(residentBytes()) - static_cast<double>(before);
    report(impl, {"mem" + std::to_string(count), 1, "bytes_per_entry"}, grown / count);
}

/// Latency of begin and complete together while the store fills; the first filling, of another store, warms the heap.
template <typename Subject> void latency(const std::string &impl, std::uint32_t count)
{
    const Keys keys(sequence(0, count));
    {
        Subject warm;
        runAll(warm, keys);
    }
    Subject subject;
    std::vector<double> nanoseconds(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double start = seconds();
        subject.run(keys[i]);
        nanoseconds[i] = (seconds() - start) * 1e9;
    }
    for (const auto &[name, q] : {std::pair {"p50", .5}, {"p99", .99}, {"p99.9", .999}, {"p99.99", .9999}, {"max", 1.}})
        report(impl, {"lat_fill", 1, name}, quantile(nanoseconds, q));
}

/// The command line of every benchmark: store THREADS KEYS | mem KEYS | lat KEYS. False: not understood.
template <typename Subject> bool runMode(const std::string &impl, const std::vector<std::string> &arguments)
{
    const std::string mode = arguments.empty() ? std::string() : arguments.front();
    const auto count = arguments.empty() ? std::nullopt : parseCount(arguments.back());
    if (!count)
        return false;
    if (mode == "store" && arguments.size() == 3) {
        const auto threads = parseCount(arguments[1]);
        if (!threads || *threads > std::min(*count, 256U))
            return false;
        throughput<Subject>(impl, static_cast<int>(*threads), *count);
    } else if (mode == "mem" && arguments.size() == 2) {
        memory<Subject>(impl, *count);
    } else if (mode == "lat" && arguments.size() == 2) {
        latency<Subject>(impl, *count);
    } else {
        return false;
    }
    return true;
}

} // namespace idem::bench
