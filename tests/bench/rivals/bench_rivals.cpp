// SPDX-FileCopyrightText: 2026 The Idemscope authors
// SPDX-License-Identifier: Apache-2.0
// The same workloads as bench_store's, on stores that a user would write or pick instead.

#include "tests/bench/rivals/locked_maps.h"
#include "tests/bench/rivals/qt_map.h"
#include "tests/bench/rivals/seed.h"
#include "tests/bench/rivals/std_map.h"
#include "tests/bench/workloads.h"
#ifdef IDEM_BENCH_ABSL
#include "tests/bench/rivals/absl_map.h"
#endif
#ifdef IDEM_BENCH_TBB
#include "tests/bench/rivals/tbb_store.h"
#endif

#include <QMutex>

#include <cstdio>
#include <map>

using namespace idem::bench;
using namespace idem::bench::rivals;

namespace {

using Run = bool (*)(const std::string &, const std::vector<std::string> &);

template <typename Store> constexpr Run runOn = runMode<AsSubject<Store>>;

const std::map<std::string, Run> &byName()
{
    static const std::map<std::string, Run> all {
        {"seed", runOn<Seed>},
        {"std_map", runOn<LockedMaps<StdMap, std::mutex>>},
        {"qt_hash", runOn<LockedMaps<QtMap, QMutex>>},
#ifdef IDEM_BENCH_ABSL
        {"absl_64", runOn<LockedMaps<AbslMap, std::mutex, 64>>},
#endif
#ifdef IDEM_BENCH_TBB
        {"tbb", runOn<TbbStore>},
#endif
    };
    return all;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc == 1) {
        for (const auto &[name, run] : byName())
            std::puts(name.c_str());
        return 0;
    }
    const auto rival = byName().find(argv[1]);
    if (rival != byName().end() && rival->second(rival->first, {argv + 2, argv + argc}))
        return 0;
    std::fputs("Usage: bench_rivals (prints the names) | bench_rivals NAME MODE, where MODE is store THREADS KEYS,"
               " mem KEYS or lat KEYS\n",
        stderr);
    return 2;
}
