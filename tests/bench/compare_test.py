#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Idemscope authors
# SPDX-License-Identifier: Apache-2.0
"""What compare.py makes of programs that print set figures."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

COMPARE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare.py")
WORKLOADS = ("fresh+complete", "conflict", "replay_uniform", "replay_zipf", "abandon")
# Just good enough at two threads, more than that at one.
GOOD_RATIOS = {"fresh+complete": 3, "conflict": 2, "replay_uniform": 3, "replay_zipf": 3, "abandon": 2.5}
GOOD_LIMITS = {
    "mem": [("mem1000", "bytes_per_entry", 420)],
    "lat": [("lat_fill", "max", 7e6), ("lat_fill", "p50", 500)],
    "batch": [("batch", "ratio", 2.5)],
    "sweep": [("sweep_none", "pause_ms", 0), ("sweep_1pct", "pause_ms", 10), ("sweep_all", "pause_ms", 10),
              ("sweep_all", "hold_p999_ms", 1), ("sweep_all", "ns_per_expired", 700)],
}

# A program that prints the next answer of each mode; the last one again when they are used up.
PROGRAM = """#!{python}
import json, os, sys, time
folder = os.path.dirname(os.path.abspath(sys.argv[0]))
answers = json.load(open(os.path.join(folder, "answers.json")))
arguments = sys.argv[1:]
impl = "ours"
if os.path.basename(sys.argv[0]) == "bench_rivals":
    if not arguments:
        print("\\n".join(name for name in answers if name != "ours"))
        sys.exit()
    impl = arguments.pop(0)
mode = arguments[0]
threads = int(arguments[1]) if mode == "store" else 1
used = os.path.join(folder, "used-" + "-".join([impl, mode, str(threads)]))
number = int(open(used).read()) if os.path.exists(used) else 0
open(used, "w").write(str(number + 1))
given = answers[impl].get(mode, [[]])
for workload, metric, value in given[min(number, len(given) - 1)]:
    if workload == "sleep":
        time.sleep(value)
        continue
    if workload == "fail":
        sys.exit(value)
    print(json.dumps(dict(impl=impl, workload=workload, threads=threads, metric=metric, value=value)), flush=True)
"""


def throughput(**values):
    return [(workload, "Mops", values.get(workload.replace("+", "_"), 1)) for workload in WORKLOADS]


def good_answers():
    ours = {"store": [[(workload, "Mops", ratio) for workload, ratio in GOOD_RATIOS.items()]]}
    ours.update({mode: [lines] for mode, lines in GOOD_LIMITS.items()})
    return {"ours": ours, "seed": {"store": [throughput()], "mem": [[("mem1000", "bytes_per_entry", 400)]]}}


def count_lines(path):
    if not os.path.exists(path):
        return 0
    with open(path, encoding="utf-8") as file:
        return sum(1 for _ in file)


class CompareTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name in ("bench_store", "bench_rivals"):
            path = os.path.join(self.folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(PROGRAM.format(python=sys.executable))
            os.chmod(path, 0o755)

    def start(self, answers, *arguments):
        with open(os.path.join(self.folder, "answers.json"), "w", encoding="utf-8") as file:
            json.dump(answers, file)
        # A background job of a script starts with interrupts ignored, which would go down to compare.py.
        return subprocess.Popen([sys.executable, COMPARE, self.folder, *arguments], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, start_new_session=True,
                                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def compare(self, answers, *arguments):
        with self.start(answers, *arguments) as process:
            out, error = process.communicate(timeout=120)
        return process.returncode, out, error

    def missed(self, answers):
        """The missed targets; checks that --check tells the same."""
        code, out, error = self.compare(answers, "--rounds", "1", "--check")
        self.assertEqual(error, "")
        lines = [line.split("MISSED")[1].strip() for line in out.splitlines() if "MISSED" in line]
        self.assertEqual(code, 1 if lines else 0)
        return lines

    def test_meets_targets_at_their_bounds(self):
        self.assertEqual(self.missed(good_answers()), [])

    def test_misses_a_ratio(self):
        answers = good_answers()
        answers["ours"]["store"] = [[(w, "Mops", 0.79 if w == "conflict" else v) for w, v in GOOD_RATIOS.items()]]
        missed = self.missed(answers)
        self.assertTrue(missed)
        self.assertTrue(all(line.startswith("conflict, ") for line in missed), missed)
        self.assertIn("conflict, 1 thread: 0.79 of the seed, at least 0.8", missed)

    def test_must_not_lose_to_another_rival_but_in_conflicts(self):
        answers = good_answers()
        answers["fast"] = {"store": [throughput(abandon=5, conflict=50)]}
        missed = self.missed(answers)
        self.assertIn("abandon, 1 thread: 0.50 of the best rival (fast), at least 1", missed)
        self.assertTrue(all(line.startswith("abandon, ") for line in missed), missed)

    def test_misses_each_limit(self):
        for mode, lines in GOOD_LIMITS.items():
            for i, (workload, metric, value) in enumerate(lines):
                if metric == "p50":
                    continue
                answers = good_answers()
                worse = list(lines)
                worse[i] = (workload, metric, value * 0.99 if mode == "batch" else value * 1.1 + 11)
                answers["ours"][mode] = [worse]
                with self.subTest(workload=workload, metric=metric):
                    self.assertEqual(len(self.missed(answers)), 1)

    def test_takes_medians_of_rounds(self):
        answers = good_answers()
        answers["seed"]["store"] = [throughput(fresh_complete=v) for v in (9.0, 1.5, 0.01)]
        answers["ours"]["store"] = [throughput(fresh_complete=v) for v in (0.1, 6.0, 100.0)]
        code, out, _ = self.compare(answers, "--rounds", "3")
        self.assertEqual(code, 0)
        table = [line.split() for line in out.splitlines()]
        self.assertIn(["ours", "6.00", "(4.00)"], [row[:3] for row in table])
        self.assertIn(["seed", "1.50", "(1.00)"], [row[:3] for row in table])

    def test_writes_raw_lines(self):
        path = os.path.join(self.folder, "raw.json")
        code, _, _ = self.compare(good_answers(), "--rounds", "1", "--json", path)
        self.assertEqual(code, 0)
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        self.assertIn({"impl": "ours", "workload": "mem1000", "threads": 1, "metric": "bytes_per_entry", "value": 420},
                      lines)
        self.assertEqual(sum(line["workload"] == "abandon" and line["threads"] == 1 for line in lines), 2)

    def test_interrupted_prints_what_it_has(self):
        answers = good_answers()
        answers["seed"]["store"] = [throughput() + [("sleep", "", 600)]]
        path = os.path.join(self.folder, "raw.json")
        with self.start(answers, "--json", path) as process:
            while count_lines(path) < 2 * len(WORKLOADS):
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("fresh+complete, 1 thread: 3.00 of the seed", out)
        self.assertNotIn("MISSED", out)

    def test_a_failing_program_ends_it(self):
        answers = good_answers()
        answers["seed"]["mem"] = [[("fail", "", 3)]]
        code, out, error = self.compare(answers)
        self.assertEqual(code, 1)
        self.assertEqual(out, "")
        self.assertIn("seed mem 1000000: exit code 3", error)


if __name__ == "__main__":
    unittest.main()
