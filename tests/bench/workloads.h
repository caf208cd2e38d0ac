// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/bench/bench_support.h"

#include <algorithm>
#include <malloc.h>

/// The workloads, once for all stores. A Subject is one store behind these calls:
/// - void run(std::string_view key): begin, fresh, complete with body()
/// - std::uint64_t attempt(key): begin; a number that depends on the whole outcome (status, first and last byte)
/// - void hold(key): begin and leave in progress
/// - void abandon(key): free a held key
namespace idem::bench {

constexpr std::size_t attemptsInAll = 2'000'000;
constexpr std::uint32_t heldKeys = 10'000;
constexpr std::uint32_t abandonedKeys = 400'000;

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

/// Each thread has its own keys, made beforehand by `order(thread)`; reports million operations a second.
template <typename Order, typename Work>
void measure(const std::string &impl, const std::string &workload, int threads, const Order &order, const Work &work)
{
    std::vector<Keys> keys;
    std::size_t operations = 0;
    for (int i = 0; i < threads; ++i) {
        keys.emplace_back(order(static_cast<std::uint64_t>(i)));
        operations += keys.back().size();
    }
    const double wall = timed(threads, [&](int i) { work(keys[static_cast<std::size_t>(i)]); });
    report(impl, {workload, threads, "Mops"}, static_cast<double>(operations) / wall / 1e6);
}

template <typename Subject> void throughput(const std::string &impl, int threads, std::uint32_t count)
{
    const auto share = static_cast<std::uint32_t>(threads);
    const auto fillOrder = [&](std::uint64_t i) {
        return sequence(static_cast<std::uint32_t>(i) * (count / share), count / share);
    };
    {
        Subject cold;
        measure(impl, "fresh+complete_cold", threads, fillOrder, [&](const Keys &keys) { runAll(cold, keys); });
    }
    Subject subject;
    measure(impl, "fresh+complete", threads, fillOrder, [&](const Keys &keys) { runAll(subject, keys); });
    const auto attempts = [&](const Keys &keys) { attemptAll(subject, keys); };
    const std::size_t draws = attemptsInAll / share;
    measure(
        impl, "replay_uniform", threads,
        [&](std::uint64_t i) { return uniform(0, count, draws, 1'000 + i * 77'000'000); }, attempts);
    measure(
        impl, "replay_zipf", threads, [&](std::uint64_t i) { return zipf(count, draws, 5'000 + i * 99'000'000); },
        attempts);

    const Keys held(sequence(count, heldKeys));
    for (std::size_t i = 0; i < held.size(); ++i)
        subject.hold(held[i]);
    measure(
        impl, "conflict", threads,
        [&](std::uint64_t i) { return uniform(count, heldKeys, draws, 9'000 + i * 55'000'000); }, attempts);

    const auto abandonOrder = [&](std::uint64_t i) {
        const auto first = count + heldKeys + static_cast<std::uint32_t>(i) * (abandonedKeys / share);
        const auto indices = sequence(first, abandonedKeys / share);
        const Keys keys(indices);
        for (std::size_t k = 0; k < keys.size(); ++k)
            subject.hold(keys[k]);
        return shuffled(indices, 42);
    };
    measure(impl, "abandon", threads, abandonOrder, [&](const Keys &keys) {
        for (std::size_t i = 0; i < keys.size(); ++i)
            subject.abandon(keys[i]);
    });
}

template <typename Subject> void memory(const std::string &impl, std::uint32_t count)
{
    const Keys keys(sequence(0, count));
    malloc_trim(0);
    const auto before = residentBytes();
    Subject subject;
    runAll(subject, keys);
    const auto grown = static_cast<double>(residentBytes() - before);
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
    std::sort(nanoseconds.begin(), nanoseconds.end());
    const auto quantile = [&](double q) {
        return nanoseconds[std::min<std::size_t>(count - 1, static_cast<std::size_t>(q * count))];
    };
    for (const auto &[name, q] : {std::pair {"p50", .5}, {"p99", .99}, {"p99.9", .999}, {"p99.99", .9999}, {"max", 1.}})
        report(impl, {"lat_fill", 1, name}, quantile(q));
}

/// The command line of every benchmark: store THREADS KEYS | mem KEYS | lat KEYS. False: not understood.
template <typename Subject> bool runMode(const std::string &impl, const std::vector<std::string> &arguments)
{
    const auto number = [&](std::size_t i) { return static_cast<std::uint32_t>(std::stoul(arguments[i])); };
    const std::string mode = arguments.empty() ? std::string() : arguments[0];
    if (mode == "store" && arguments.size() == 3) {
        throughput<Subject>(impl, static_cast<int>(number(1)), number(2));
    } else if (mode == "mem" && arguments.size() == 2) {
        memory<Subject>(impl, number(1));
    } else if (mode == "lat" && arguments.size() == 2) {
        latency<Subject>(impl, number(1));
    } else {
        return false;
    }
    return true;
}

} // namespace idem::bench
