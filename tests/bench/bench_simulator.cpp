// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How many events a second the simulator handles, on one thread.
#include "simulator/model/history.h"
#include "simulator/scenario/load.h"
#include "simulator/validate/aws_model.h"
#include "tests/bench/bench_support.h"

#include <malloc.h>

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

void report(const char *workload, const char *metric, double value)
{
    bench::report("simulator", {.workload = workload, .threads = 1, .metric = metric}, value);
}

std::size_t allocated()
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/// Preset 3 with `operations`; client attempts a second of wall time.
void benchPreset(const char *workload, std::uint64_t operations, bool withStore, bool checked)
{
    auto scenario = sim::loadBuiltIn(QStringLiteral("preset-03-lost-answer-keys-on"),
        {QStringLiteral("clients.operations=%1").arg(operations),
            QStringLiteral("store.enabled=%1").arg(withStore ? QStringLiteral("true") : QStringLiteral("false"))});
    const std::size_t before = allocated();
    sim::Run run(*scenario, sim::Seed {1}, {.checkInvariants = checked});
    const double wall = bench::timed(1, [&](std::size_t) { run.toEnd(); });
    report(workload, "attempts_per_s", static_cast<double>(run.counts().attempts) / wall);
    if (withStore && !checked) {
        // What the run needs beside the records that the store keeps for their time to live.
        const auto ofStore = static_cast<double>(run.store()->counters().bytes);
        const double own = static_cast<double>(allocated() - before) - ofStore;
        report(workload, "bytes_per_operation", own / static_cast<double>(operations));
    }
}

/// One step back at the end of 10,000 events.
void benchRewind()
{
    const auto scenario = sim::loadBuiltIn(QStringLiteral("preset-03-lost-answer-keys-on"));
    sim::History history(*scenario, sim::Seed {1});
    history.seek(10'000);
    const double wall = bench::timed(1, [&](std::size_t) { history.stepBack(); });
    bench::consume(history.position());
    report("rewind_10k", "ms", wall * 1000);
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
    if (arguments.size() == 2 && arguments[0] == "preset3") {
        if (const auto operations = bench::parseCount(arguments[1])) {
            benchPreset("preset3", *operations, true, false);
            benchPreset("preset3_plain", *operations, false, false);
            benchPreset("preset3_checked", *operations, true, true);
            return 0;
        }
    }
    if (arguments.size() == 1 && arguments[0] == "rewind") {
        benchRewind();
        return 0;
    }
    std::fputs("Usage: bench_simulator aws EVENTS | preset3 OPERATIONS | rewind\n", stderr);
    return 2;
}
