// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/batch.h"
#include "tests/bench/ours.h"
#include "tests/bench/sweep.h"
#include "tests/bench/workloads.h"

#include <cstdio>

using namespace idem;

int main(int argc, char **argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (bench::runMode<bench::Ours>("ours", arguments) || bench::runSweep("ours", arguments)
        || bench::runBatch("ours", arguments))
        return 0;
    std::fputs("Usage: bench_store store THREADS KEYS | mem KEYS | lat KEYS | sweep KEYS | batch KEYS\n", stderr);
    return 2;
}
