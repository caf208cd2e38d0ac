// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator/validate/gate.h"

#include "simulator/engine/random.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <mutex>
#include <thread>

namespace idem::sim {

GateResult judged(GateResult row, double sigma)
{
    const double difference = row.measured - row.expected;
    row.ok = std::abs(difference) <= row.tolerance; // false for NaN
    if (sigma > 0) {
        row.z = difference / sigma;
    }
    return row;
}

const Gate *findGate(QStringView name)
{
    const auto all = gates();
    const auto found = std::find_if(all.begin(), all.end(), [name](const Gate &gate) { return gate.name == name; });
    return found == all.end() ? nullptr : &*found;
}

std::vector<GateResult> runCells(
    const GateOptions &options, std::size_t count, const std::function<std::vector<GateResult>(std::size_t)> &cell)
{
    std::vector<std::vector<GateResult>> rows(count);
    std::atomic<std::size_t> next = 0;
    std::mutex progressMutex;
    std::size_t done = 0; // under the mutex
    const auto work = [&] {
        while (!options.cancelled || !options.cancelled()) {
            const std::size_t index = next.fetch_add(1);
            if (index >= count) {
                return;
            }
            rows[index] = cell(index);
            const std::scoped_lock lock(progressMutex);
            ++done;
            if (options.progress) {
                options.progress(static_cast<double>(done) / static_cast<double>(count));
            }
        }
    };
    {
        std::vector<std::jthread> others;
        for (unsigned i = 1; i < std::min<std::size_t>(options.workers, count); ++i) {
            others.emplace_back(work);
        }
        work();
    }
    std::vector<GateResult> all;
    for (auto &some : rows) {
        std::move(some.begin(), some.end(), std::back_inserter(all));
    }
    return all;
}

std::uint64_t partSeed(const GateOptions &options, std::uint32_t gate, std::uint64_t part)
{
    return KeyedRandom(options.seed).bits(gate, part);
}

} // namespace idem::sim
