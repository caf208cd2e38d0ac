// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Retries and random keys, by simulation, against elementary probability.
#include "simulator/engine/event_queue.h"
#include "simulator/engine/random.h"
#include "simulator/validate/closed_forms.h"
#include "simulator/validate/gates.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace idem::sim {

using namespace Qt::StringLiterals;

namespace {

constexpr std::uint32_t gateNumber = 3; // of partSeed()
constexpr double sigmas = 4; // in every tolerance
constexpr std::uint32_t maxAttempts = 4;

GateResult row(const QString &name, double expected, double measured, double sigma, const QString &source)
{
    return judged({.gate = u"probability"_s,
                      .name = name,
                      .expected = expected,
                      .measured = measured,
                      .tolerance = sigmas * sigma,
                      .source = source},
        sigma);
}

/// How much of the full work is done.
std::uint64_t samplesOf(const GateOptions &options, std::uint64_t full, std::uint64_t reduced)
{
    return options.reduced ? reduced : full;
}

/// Operations whose attempts fail with a given probability each: a truncated geometric number of attempts.
std::vector<GateResult> attemptRows(const GateOptions &options, double failure, std::uint64_t part)
{
    const KeyedRandom random(partSeed(options, gateNumber, part));
    const std::uint64_t operations = samplesOf(options, 10'000'000, 1'000'000);
    std::uint64_t attempts = 0;
    std::uint64_t failed = 0;
    for (std::uint64_t operation = 0; operation < operations; ++operation) {
        std::uint32_t attempt = 0;
        bool isOk = false;
        while (!isOk && attempt < maxAttempts) {
            isOk = toUnit(random.bits(0, operation, ++attempt)) >= failure;
        }
        attempts += attempt;
        failed += isOk ? 0 : 1;
    }
    const auto count = static_cast<double>(operations);
    const double allFail = std::pow(failure, maxAttempts);
    const QString which = u"at most 4 attempts that fail with probability %1: "_s.arg(failure);
    return {row(which + u"attempts"_s, meanAttempts(failure, maxAttempts), static_cast<double>(attempts) / count,
                attemptsDeviation(failure, maxAttempts) / std::sqrt(count), u"(1 - q^n) / (1 - q)"_s),
        row(which + u"share of operations that fail"_s, allFail, static_cast<double>(failed) / count,
            std::sqrt(allFail * (1 - allFail) / count), u"q^n"_s)};
}

/// A service behind services, each of which tries the next one four times.
class Layers
{
public:
    Layers(std::uint64_t seed, double failure)
        : m_random(seed)
        , m_failure(failure)
    {
    }

    /// How many calls reach the last service for one call of the first.
    std::uint32_t callsOf(std::uint64_t operation, int layers)
    {
        m_operation = operation;
        m_calls = 0;
        (void)succeeds(layers);
        return m_calls;
    }

private:
    bool succeeds(int layers)
    {
        if (layers == 0) {
            return toUnit(m_random.bits(0, m_operation, m_calls++)) >= m_failure;
        }
        for (std::uint32_t attempt = 0; attempt < maxAttempts; ++attempt) {
            if (succeeds(layers - 1)) {
                return true;
            }
        }
        return false;
    }

    KeyedRandom m_random;
    double m_failure;
    std::uint64_t m_operation = 0;
    std::uint32_t m_calls = 0;
};

std::vector<GateResult> layerRows(const GateOptions &options, std::uint64_t part)
{
    constexpr int layers = 3;
    constexpr double half = 0.5;
    const std::uint64_t seed = partSeed(options, gateNumber, part);
    std::vector<GateResult> rows {row(u"three layers of 3 retries, all fail: calls of the last service"_s, 64,
        Layers(seed, 1).callsOf(0, layers), 0, u"(r + 1)^L = 4^3"_s)};

    const std::uint64_t operations = samplesOf(options, 4'000'000, 400'000);
    Layers service(seed, half);
    double sum = 0;
    double squares = 0;
    for (std::uint64_t operation = 0; operation < operations; ++operation) {
        const double calls = service.callsOf(operation, layers);
        sum += calls;
        squares += calls * calls;
    }
    const auto count = static_cast<double>(operations);
    const double mean = sum / count;
    const double sigma = std::sqrt((squares / count - mean * mean) / count);
    double expected = 1;
    double failure = half;
    for (int layer = 0; layer < layers; ++layer) {
        expected *= meanAttempts(failure, maxAttempts);
        failure = std::pow(failure, maxAttempts);
    }
    rows.push_back(row(u"three layers of 3 retries, half fail: calls of the last service"_s, expected, mean, sigma,
        u"product of (1 - q^4) / (1 - q), q to the fourth from layer to layer"_s));
    return rows;
}

/// Operations one after another on the event queue. Each sends a copy at once and one more after each time-out without
/// a result, four in all, whose service times are exponential and run in parallel; the first result ends it.
std::uint64_t impatientAttempts(std::uint64_t seed, std::uint64_t operations, Duration service, Duration timeout)
{
    enum Kind : std::uint8_t { Send, Result };
    const KeyedRandom random(seed);
    EventQueue queue;
    std::uint64_t sent = 0;
    std::uint64_t current = 0;
    queue.push({.kind = Send});
    while (current < operations) {
        const Event event = queue.pop();
        if (event.subject != current) {
            continue; // of an operation that has its result
        }
        if (event.kind == Result) {
            queue.push({.at = event.at, .subject = ++current, .kind = Send});
            continue;
        }
        ++sent;
        const Duration delay = exponential(random.bits(0, current, event.attempt), service);
        queue.push({.at = event.at + delay, .subject = current, .attempt = event.attempt, .kind = Result});
        if (event.attempt + 1 < maxAttempts) {
            queue.push({.at = event.at + timeout, .subject = current, .attempt = event.attempt + 1, .kind = Send});
        }
    }
    return sent;
}

std::vector<GateResult> impatientRows(const GateOptions &options, std::uint64_t part)
{
    constexpr auto service = std::chrono::milliseconds(50);
    constexpr auto timeout = std::chrono::milliseconds(30);
    const std::uint64_t operations = samplesOf(options, 4'000'000, 400'000);
    const std::uint64_t sent = impatientAttempts(partSeed(options, gateNumber, part), operations, service, timeout);

    double mean = 0;
    double square = 0;
    for (std::uint32_t k = 0; k < maxAttempts; ++k) {
        // After k time-outs the copies have had 1, 2 ... k of them without a result.
        const double more = std::exp(-0.5 * k * (k + 1) * timeout.count() / service.count());
        mean += more;
        square += (2.0 * k + 1) * more;
    }
    const auto count = static_cast<double>(operations);
    return {row(u"impatient client, 50 ms of service, time-out 30 ms, parallel copies: attempts"_s, mean,
        static_cast<double>(sent) / count, std::sqrt((square - mean * mean) / count),
        u"1 + sum of exp(-k (k + 1) T / 2 m), k = 1...3 (1.74143)"_s)};
}

/// Sets of random keys.
struct Birthday
{
    std::uint64_t keys;
    int bits; ///< 1...32
    std::uint64_t sets; ///< in the full gate
    std::uint64_t reducedSets;
};
constexpr std::array birthdays {Birthday {10'000, 32, 6'000, 1'000}, Birthday {77'163, 32, 400, 80},
    Birthday {10'000, 24, 2'000, 400}, Birthday {1'000, 16, 20'000, 4'000}};

struct Collisions
{
    double pairs = 0; ///< equal pairs, in all sets
    double sets = 0; ///< with at least one
    double lost = 0; ///< keys that an earlier one had taken
};

Collisions collide(std::uint64_t seed, const Birthday &birthday, std::uint64_t sets)
{
    constexpr int width = 64;
    const KeyedRandom random(seed);
    std::vector<std::uint32_t> keys(birthday.keys);
    Collisions all;
    for (std::uint64_t set = 0; set < sets; ++set) {
        for (std::uint32_t i = 0; i < keys.size(); ++i) {
            keys[i] = static_cast<std::uint32_t>(random.bits(0, set, i) >> (width - birthday.bits));
        }
        std::sort(keys.begin(), keys.end());
        std::uint64_t lost = 0;
        std::uint64_t earlier = 0; // equal keys before this one
        for (std::size_t i = 1; i < keys.size(); ++i) {
            earlier = keys[i] == keys[i - 1] ? earlier + 1 : 0;
            all.pairs += static_cast<double>(earlier);
            lost += earlier > 0 ? 1 : 0;
        }
        all.sets += lost > 0 ? 1 : 0;
        all.lost += static_cast<double>(lost);
    }
    return all;
}

std::vector<GateResult> birthdayRows(const GateOptions &options, const Birthday &birthday, std::uint64_t part)
{
    const std::uint64_t sets = samplesOf(options, birthday.sets, birthday.reducedSets);
    const Collisions found = collide(partSeed(options, gateNumber, part), birthday, sets);
    const auto count = static_cast<double>(sets);
    const auto keys = static_cast<double>(birthday.keys);
    const QString which = u"%1 keys of %2 bits: "_s.arg(birthday.keys).arg(birthday.bits);
    const double pairs = collidingPairs(keys, birthday.bits);
    const double any = collisionProbability(birthday.keys, birthday.bits);
    std::vector<GateResult> rows {// Pairs are independent two by two, so the variance is nearly the mean.
        row(which + u"equal pairs"_s, pairs, found.pairs / count, std::sqrt(pairs / count), u"n (n - 1) / 2^(B + 1)"_s),
        row(which + u"share of sets with equal keys"_s, any, found.sets / count, std::sqrt(any * (1 - any) / count),
            u"1 - product of (1 - i / 2^B)"_s)};
    if (std::ldexp(1, birthday.bits) < 1e6) { // where keys are lost by the dozen
        rows.push_back(row(which + u"keys lost"_s, keysLost(keys, birthday.bits), found.lost / count,
            keysLostDeviation(keys, birthday.bits) / std::sqrt(count), u"n - m (1 - (1 - 1/m)^n) (7.583)"_s));
    }
    return rows;
}

} // namespace

std::vector<GateResult> runProbabilityGate(const GateOptions &options)
{
    constexpr std::array failures {0.2, 0.5};
    constexpr std::size_t others = 2;
    return runCells(options, failures.size() + others + birthdays.size(), [&](std::size_t index) {
        if (index < failures.size()) {
            return attemptRows(options, failures[index], index);
        }
        switch (index - failures.size()) {
        case 0:
            return layerRows(options, index);
        case 1:
            return impatientRows(options, index);
        default:
            return birthdayRows(options, birthdays[index - failures.size() - others], index);
        }
    });
}

} // namespace idem::sim
