// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/batch.h"

#include "tests/bench/ours.h"
#include "tests/bench/workloads.h"

#include <cstdlib>

namespace idem::bench {

namespace {

constexpr std::size_t batchSize = 16;
constexpr std::uint64_t turns = 8;

/// Seconds that `work` took; adds its result to `sum`.
template <typename Work> double timedSum(std::uint64_t &sum, const Work &work)
{
    const double start = seconds();
    sum += work();
    return seconds() - start;
}

void measureBatch(const std::string &impl, std::uint32_t count)
{
    Ours subject;
    runAll(subject, Keys(sequence(0, count)));
    const std::size_t draws = Amounts(count).attempts / turns / batchSize * batchSize;
    double singleSeconds = 0;
    double manySeconds = 0;
    std::uint64_t singleSum = 0;
    std::uint64_t manySum = 0;
    for (std::uint64_t turn = 0; turn < turns; ++turn) {
        const Keys keys(uniform(0, count, draws, 3'000 + turn * 77'000'000));
        const auto single = [&] {
            std::uint64_t sum = 0;
            for (std::size_t i = 0; i < keys.size(); ++i)
                sum += subject.attempt(keys[i]);
            return sum;
        };
        const auto many = [&] {
            std::uint64_t sum = 0;
            for (std::size_t i = 0; i < keys.size(); i += batchSize)
                sum += subject.attemptMany<batchSize>(keys, i);
            return sum;
        };
        // Whoever goes second finds some of the keys in the cache: in turns.
        if (turn % 2 == 0)
            singleSeconds += timedSum(singleSum, single);
        manySeconds += timedSum(manySum, many);
        if (turn % 2 != 0)
            singleSeconds += timedSum(singleSum, single);
    }
    if (singleSum != manySum)
        std::abort(); // the same questions, other answers
    const auto operations = static_cast<double>(draws * turns);
    report(impl, {"batch", 1, "single_Mops"}, operations / singleSeconds / 1e6);
    report(impl, {"batch", 1, "many_Mops"}, operations / manySeconds / 1e6);
    report(impl, {"batch", 1, "ratio"}, singleSeconds / manySeconds);
}

} // namespace

bool runBatch(const std::string &impl, const std::vector<std::string> &arguments)
{
    const auto count = arguments.size() == 2 && arguments.front() == "batch" ? parseCount(arguments[1]) : std::nullopt;
    if (!count)
        return false;
    measureBatch(impl, *count);
    return true;
}

} // namespace idem::bench
