#!/usr/bin/env python3
"""Runs a program of 10,000 launches, whose cost changes midway, with KPERF_OVERHEAD_BUDGET and without probes, in turns: each thousand of
them takes the budget longer, and the report tells of all launches from those that were recorded. Exit code 1 when not so.

  budget.py [BUDGET [PAIRS]]     2 (percent) and 9; beside what build.sh made
"""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

from checks import HERE, expect, failures

TRACE = pathlib.Path("budget.kperf").resolve()
MAX_OFF = 0.5  # percentage points, of each thousand
EVERY, NEVER = 50, 10000  # launches between two waits of the host


def run(command, **settings):
    environment = {**os.environ, "LD_LIBRARY_PATH": str(HERE), "KPERF_OUTPUT": str(TRACE), "CUDA_MODULE_LOADING": "EAGER", **settings}
    said = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True)
    if said.returncode != 0:
        sys.exit(f"{command}: {said.stdout}{said.stderr}")
    return said


def overheads(budget, pairs, every):
    """Percent of each thousand, by the medians of both programs; what kperf said last."""
    times = {"plain": [], "probed": []}
    for _ in range(pairs):
        for build, settings in (("plain", {}), ("probed", {"KPERF_OVERHEAD_BUDGET": f"{budget}%"})):
            said = run([HERE / f"budget.{build}", every], **settings)
            times[build].append([float(ms) for ms in re.findall(r"thousand \d+ (\S+) ms", said.stdout)])
    medians = {build: [statistics.median(window) for window in zip(*runs)] for build, runs in times.items()}
    return [100 * (probed / plain - 1) for plain, probed in zip(medians["plain"], medians["probed"])], said


def median_ms(settings):
    runs = [run([HERE / "budget.probed", EVERY], KPERF_QUIET="1", **settings).stdout for _ in range(3)]
    return statistics.median(float(ms) for said in runs for ms in re.findall(r"thousand \d+ (\S+) ms", said))


def check_report(said):
    expected = {kernel: int(count) for kernel, count in re.findall(r"expect (\S+) (\d+)", said.stdout)}
    text = run([HERE / "kperf", "report", TRACE, "--format=json"], KPERF_QUIET="1")
    table = json.loads(text.stdout)["tables"][0]
    for kernel, count in expected.items():
        row = next(row for row in table["rows"] if row.get("region") == f"{kernel} pass")
        expect(row["launches"] == 5001, f"{kernel}: {row['launches']} launches, of 5001")
        error = row.get("count-error_percent") or 3  # none where all launches between which N did not change were alike
        off = 100 * (row["count"] / count - 1)
        expect(abs(off) <= max(error, 3), f"{kernel}: count {off:+.2f} % off, ± {error:.2f} %")
    for note in table["notes"]:
        if "KPERF_OVERHEAD_BUDGET" in note:
            print("    ", note.split(":")[0])


def main():
    budget, pairs = float((sys.argv[1:] + ["2"])[0]), int((sys.argv[2:] + ["9"])[0])
    percent, said = overheads(budget, pairs, EVERY)
    for line in said.stderr.splitlines():
        print("    ", line)
    for window, each in enumerate(percent):
        expect(abs(each - budget) <= MAX_OFF, f"thousand {window}: {each:+.2f} %, of {budget:g} %")
    check_report(said)
    ahead, _ = overheads(budget, max(pairs // 3, 1), NEVER)
    print("     with a host that never waits:", " ".join(f"{each:+.2f}" for each in ahead), "%")
    always, never, timed = (median_ms(settings) for settings in ({"KPERF_SAMPLE_LAUNCHES": "1"}, {"KPERF_SAMPLE_LAUNCHES": "1000000"},
                                                                 {"KPERF_SAMPLE_LAUNCHES": "1000000", "KPERF_LAUNCH_TIMES": "1"}))
    print(f"     a thousand take {never:.1f} ms where none is recorded, {always:.1f} where all are; two events around a launch take "
          f"{timed - never:.2f} us (OverheadBudget::kTimingNs has 6)")
    TRACE.unlink(missing_ok=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
