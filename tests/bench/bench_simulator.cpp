// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How many events a second the simulator handles, on one thread.
#include "simulator/validate/aws_model.h"
#include "tests/bench/bench_support.h"

#include <cstdio>

using namespace idem;

namespace {

/// AWS's backoff model, 10...190 clients, full jitter and none in turn, over and over until `events` were handled.
void benchAws(std::uint64_t events)
{
    using enum sim::RetryAlgorithm;
    constexpr std::uint32_t step = 10;
    constexpr std::uint32_t most = 190;
    sim::AwsModel::Options options {
        .policy = {.base = std::chrono::milliseconds(5), .cap = std::chrono::milliseconds(2000), .firstExponent = 1}};
    sim::AwsModel model;
    std::uint64_t handled = 0;
    std::uint64_t calls = 0;
    const double wall = bench::timed(1, [&](std::size_t) {
        for (options.seed = 1; handled < events; ++options.seed) {
            for (options.clients = step; options.clients <= most && handled < events; options.clients += step) {
                options.policy.algorithm = options.seed % 2 == 0 ? None : FullJitter;
                const auto outcome = model.run(options);
                handled += outcome.events;
                calls += outcome.calls;
            }
        }
    });
    bench::consume(calls);
    bench::report("simulator", {.workload = "aws", .threads = 1, .metric = "events_per_s"},
        static_cast<double>(handled) / wall);
}

} // namespace

int main(int argc, char **argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 2 && arguments[0] == "aws") {
        if (const auto events = bench::parseCount(arguments[1])) {
            benchAws(*events);
            return 0;
        }
    }
    std::fputs("Usage: bench_simulator aws EVENTS\n", stderr);
    return 2;
}
