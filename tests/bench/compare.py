#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Idemscope authors
# SPDX-License-Identifier: Apache-2.0
"""Runs bench_store and bench_rivals in turn; prints medians, ratios to the seed's design, and the targets.

compare.sh, which builds both first, says how to call it; the first argument is the folder of the two programs.
"""
import argparse
import collections
import json
import os
import statistics
import subprocess
import sys

OURS = "ours"
SEED = "seed"
# Least ratio to the seed in the same run, by number of threads.
RATIOS = {
    "fresh+complete": {1: 2.0, 2: 3.0},
    "conflict": {1: 0.8, 2: 2.0},
    "replay_uniform": {1: 1.8, 2: 3.0},
    "replay_zipf": {1: 1.8, 2: 3.0},
    "abandon": {1: 1.5, 2: 2.5},
}
# Here one lock over a small map may win: a conflict touches little else.
MAY_LOSE_TO_A_RIVAL = {"conflict"}
# Highest value: workload, threads, metric, limit, what it is.
LIMITS = [
    ("mem", 1, "bytes_per_entry", 420, "bytes an entry"),
    ("lat_fill", 1, "max", 7e6, "longest begin and complete while filling, ns"),
    ("sweep_none", 1, "pause_ms", 10, "longest hold of a lock by a sweep, nothing expired, ms"),
    ("sweep_1pct", 1, "pause_ms", 10, "longest hold of a lock by a sweep, 1 % expired, ms"),
    ("sweep_all", 1, "pause_ms", 10, "longest hold of a lock by a sweep, all expired, ms"),
    ("sweep_all", 1, "hold_p999_ms", 1, "hold of a lock by a sweep, all expired, p99.9, ms"),
    ("sweep_all", 1, "ns_per_expired", 700, "sweep's time for one expired record, ns"),
]
# Least value, likewise.
FLOORS = [
    ("batch", 1, "ratio", 2.5, "replays a second by beginMany, 16 at once, to those by begin in the same run"),
]
# Columns beside the throughput of one thread: head, workload, metric, unit.
MEASURED_ONCE = [
    ("bytes an entry", "mem", "bytes_per_entry", 1),
    ("fill max, ms", "lat_fill", "max", 1e6),
]
# Printed beside the targets.
INFORMATION = [
    ("sweep_all", 2, "begin_p999_ms", "begin by another thread during a sweep, all expired, p99.9, ms"),
    ("sweep_all", 2, "begin_max_ms", "begin by another thread during a sweep, all expired, longest, ms"),
]
# The allocator keeps what it has: returning memory to the system and faulting it in again would measure the kernel.
ALLOCATOR = {"MALLOC_TRIM_THRESHOLD_": "100000000000", "MALLOC_MMAP_MAX_": "0", "MALLOC_TOP_PAD_": "67108864"}


class Figures:
    """All values measured so far, by (impl, workload, threads, metric)."""

    def __init__(self, json_file=None):
        self.values = collections.defaultdict(list)
        self.json_file = json_file

    def add(self, line):
        figure = json.loads(line)
        workload = "mem" if figure["metric"] == "bytes_per_entry" else figure["workload"]
        self.values[figure["impl"], workload, figure["threads"], figure["metric"]].append(figure["value"])
        if self.json_file:
            self.json_file.write(line if line.endswith("\n") else line + "\n")
            self.json_file.flush()

    def median(self, *name):
        """None where nothing was measured."""
        return statistics.median(self.values[name]) if name in self.values else None

    def impls(self):
        return list(dict.fromkeys(name[0] for name in self.values))

    def spread(self):
        """How much a throughput differed between rounds, as a part of its median, in the middle of all; None for one
        round."""
        parts = [(max(v) - min(v)) / statistics.median(v)
                 for name, v in self.values.items() if name[3] == "Mops" and len(v) > 1]
        return statistics.median(parts) if parts else None


def run(command, figures):
    """Adds each line as it comes, so that an interrupted program's figures count too."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **ALLOCATOR}) as process:
        try:
            for line in process.stdout:
                figures.add(line)
        except KeyboardInterrupt:
            process.kill()
            raise
    if process.returncode:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}")


def measure(folder, rounds, keys, thread_counts, figures):
    store, rivals = os.path.join(folder, "bench_store"), os.path.join(folder, "bench_rivals")
    names = subprocess.run([rivals], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    names.sort(key=lambda name: name != SEED)
    commands = [[store]] + [[rivals, name] for name in names]
    modes = [["store", str(threads)] for threads in thread_counts] + [["mem"], ["lat"]]
    for number in range(rounds):
        shift = number % len(commands)
        for mode in modes:
            for command in commands[shift:] + commands[:shift]:
                progress(f"round {number + 1} of {rounds}: {' '.join([*(command[1:] or [OURS]), *mode])}")
                run([*command, *mode, str(keys)], figures)
        for mode in ("sweep", "batch"):
            progress(f"round {number + 1} of {rounds}: {mode}")
            run([store, mode, str(keys)], figures)
    progress("")


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def print_tables(figures, thread_counts):
    for threads in thread_counts:
        print(f"\nMillion operations a second, {threads} thread{'s' if threads > 1 else ''}"
              " (in brackets: ratio to the seed)")
        extra = MEASURED_ONCE if threads == 1 else []
        print(f"{'':12}" + "".join(f"{head:>15}" for head in [*RATIOS, *(head for head, *_ in extra)]))
        for impl in sorted(figures.impls(), key=lambda name: [OURS, SEED].index(name) if name in (OURS, SEED) else 2):
            cells = [cell(figures, impl, workload, threads) for workload in RATIOS]
            for _, workload, metric, unit in extra:
                value = figures.median(impl, workload, 1, metric)
                cells.append("–" if value is None else f"{value / unit:.4g}")
            print(f"{impl:12}" + "".join(f"{text:>15}" for text in cells))


def cell(figures, impl, workload, threads):
    value = figures.median(impl, workload, threads, "Mops")
    seed = figures.median(SEED, workload, threads, "Mops")
    if value is None:
        return "–"
    return f"{value:.2f}" + (f" ({value / seed:.2f})" if seed else "")


def check_targets(figures, thread_counts):
    """(met, sentence) for each target that can be judged by what was measured."""
    for workload, least in RATIOS.items():
        for threads in thread_counts:
            value = figures.median(OURS, workload, threads, "Mops")
            seed = figures.median(SEED, workload, threads, "Mops")
            if value is None or seed is None or threads not in least:
                continue
            name = f"{workload}, {threads} thread{'s' if threads > 1 else ''}"
            yield value >= least[threads] * seed, (f"{name}: {value / seed:.2f} of the seed,"
                                                   f" at least {least[threads]}")
            if workload not in MAY_LOSE_TO_A_RIVAL:
                rivals = [(figures.median(impl, workload, threads, "Mops"), impl) for impl in figures.impls()]
                best, impl = max(rival for rival in rivals if rival[0] is not None and rival[1] != OURS)
                yield value >= best, f"{name}: {value / best:.2f} of the best rival ({impl}), at least 1"
    for workload, threads, metric, limit, meaning in LIMITS:
        value = figures.median(OURS, workload, threads, metric)
        if value is not None:
            yield value <= limit, f"{meaning}: {value:.4g}, at most {limit:.4g}"
    for workload, threads, metric, limit, meaning in FLOORS:
        value = figures.median(OURS, workload, threads, metric)
        if value is not None:
            yield value >= limit, f"{meaning}: {value:.4g}, at least {limit:.4g}"


def print_report(figures, thread_counts):
    """True when no target is missed."""
    print_tables(figures, thread_counts)
    print("\nTargets")
    verdicts = list(check_targets(figures, thread_counts))
    for met, sentence in verdicts:
        print(f"  {'met   ' if met else 'MISSED'}  {sentence}")
    for workload, threads, metric, meaning in INFORMATION:
        value = figures.median(OURS, workload, threads, metric)
        if value is not None:
            print(f"          {meaning}: {value:.4g}")
    missed = sum(not met for met, _ in verdicts)
    print(f"\n{len(verdicts) - missed} of {len(verdicts)} targets met.", end="")
    spread = figures.spread()
    print("" if spread is None else f" The same figure differed by {spread:.0%} between rounds (median of all).")
    return missed == 0


def count(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="holds bench_store and bench_rivals")
    parser.add_argument("--rounds", type=count, default=3)
    parser.add_argument("--keys", type=count, default=1_000_000)
    parser.add_argument("--json", type=argparse.FileType("w", encoding="utf-8"), metavar="FILE")
    parser.add_argument("--check", action="store_true", help="exit code 1 when a target is missed")
    arguments = parser.parse_args()

    thread_counts = [threads for threads in (1, 2) if threads <= len(os.sched_getaffinity(0))]
    figures = Figures(arguments.json)
    interrupted = False
    try:
        measure(arguments.folder, arguments.rounds, arguments.keys, thread_counts, figures)
    except KeyboardInterrupt:
        interrupted = True
        progress("")
        print("Interrupted: what was measured so far.")
    all_met = print_report(figures, thread_counts)
    if interrupted:
        sys.exit(130)
    sys.exit(arguments.check and not all_met)


if __name__ == "__main__":
    main()
