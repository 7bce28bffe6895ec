#!/usr/bin/env python3
"""Measures whether builds by a profile keep their budget, in the kernels of foreign.py.

  steer.py FOLDER --sources SOURCES [--budget P] [--jobs N] [--rounds N] [--seconds S] [--set SET] [--only NAME…] [--out JSON]

Each kernel is built without probes and with all of them, runs with all of them for a profile, in turns with launches without them so that what
they cost is measured there, is built by that, and runs in turns without probes, with all of them and by the profile. A row has what each costs
the mean launch ("trace", "steered"); what the profile says that all of them cost, as measured with its 95 % interval ("told") and as the least
that the model alone says of a profile without times ("least"); what the plans by these two profiles predicted ("predicted", and "by model");
and how many of the regions with 5 % of the time or more are in the last trace. Needs nvcc, kperf-cc, kperf and a GPU. Exit code 1 where a
result differs.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys

import foreign

KEPT_PERCENT = 5  # of a kernel's time: what takes more is to be in the trace
EXCESS = 1  # percentage points
FEW = 32  # launches
MEASURED = 64  # launches of a profile, half of them with probes


def rows_of(kperf, view, trace, *options):
    said = subprocess.run([str(kperf), view, str(trace), "--format=json", *options], capture_output=True, text=True)
    return json.loads(said.stdout)["tables"][0]["rows"] if said.returncode == 0 else []


def run(program, kernel, trace, launches, **more):
    """Mean of the launches in ms, and the checksum. `more`: of the environment."""
    trace.unlink(missing_ok=True)
    environment = {**foreign.RECORDING, "KPERF_RECORDS": "64", **os.environ, "KPERF_OUTPUT": str(trace), "LAUNCHES": str(launches), **more}
    said = subprocess.run([str(program), *kernel.arguments], env=environment, capture_output=True, text=True, timeout=120)
    words = said.stdout.split()
    if said.returncode != 0 or len(words) != 3:
        sys.exit(f"{program}: exit code {said.returncode}: {(said.stdout + said.stderr).strip()[-300:]}")
    return float(words[1]), words[2]


class Steered:
    """One kernel and its programs."""

    def __init__(self, kernel, options):
        self.kernel, self.options = kernel, options
        self.variant = f"steered-{kernel.name.replace('/', '-')}"
        self.profile = options.build / "profiles" / f"{self.variant}.kperf"
        foreign.VARIANTS[self.variant] = [f"--profile={self.profile}", f"--overhead-budget={options.budget:g}%"]

    def program(self, variant):
        return self.options.build / "programs" / f"{self.kernel.stem}.{variant}"

    def plan(self):
        """The costliest kernel's group of the plan by the profile, and the choices."""
        rows = rows_of(self.options.kperf, "plan", self.profile, f"--overhead-budget={self.options.budget:g}%")
        known = [row for row in rows if row.get("kernel-predicted_percent") is not None]
        return max(known, key=lambda row: row["kernel-cost_percent"], default={}), sorted({row["choice"] for row in rows})

    def take_profile(self):
        ms, _ = run(self.program("trace"), self.kernel, self.profile, 8)
        self.model, _ = self.plan()
        launches = max(MEASURED, round(self.options.seconds * 1000 / ms))
        run(self.program("trace"), self.kernel, self.profile, launches, KPERF_LAUNCH_TIMES="1", KPERF_SAMPLE_LAUNCHES="2")
        self.told, self.choices = self.plan()

    def measure(self):
        """The runtime learns while the program runs, so that a run is of some length; with all probes every launch is alike."""
        trace = self.options.build / "steered.kperf"
        variants = {"plain": "plain", "trace": "trace", "steered": self.variant}
        ms, _ = run(self.program("plain"), self.kernel, trace, FEW)
        launches = max(FEW, round(self.options.seconds * 1000 / ms))
        counts = {"plain": launches, "trace": FEW, "steered": launches}
        times, sums = {name: [] for name in variants}, {launches: set(), FEW: set()}
        for index in range(self.options.rounds):
            for name in variants if index % 2 == 0 else reversed(variants):
                ms, checksum = run(self.program(variants[name]), self.kernel, trace, counts[name])
                times[name].append(ms)
                sums[counts[name]].add(checksum)
        for variant in "plain", self.variant:
            sums[FEW].add(run(self.program(variant), self.kernel, trace, FEW)[1])
        seen = {row["region"] for row in rows_of(self.options.kperf, "report", trace)}
        large = {row["region"] for row in rows_of(self.options.kperf, "report", self.profile)
                 if not row["region"].startswith("(") and (row.get("share_percent") or 0) >= KEPT_PERCENT}
        medians = {name: statistics.median(each) for name, each in times.items()}
        percent = lambda name: 100 * (medians[name] / medians["plain"] - 1)
        return {"kernel": self.kernel.name, "plain_ms": medians["plain"], "trace": percent("trace"),
                "costs are": self.told.get("costs-are"), "told": self.told.get("kernel-cost_percent"),
                "interval": [self.told.get("kernel-cost-low_percent"), self.told.get("kernel-cost-high_percent")],
                "least": self.model.get("kernel-cost_percent"), "predicted": self.told.get("kernel-predicted_percent"),
                "by model": self.model.get("kernel-predicted_percent"), "steered": percent("steered"), "large": len(large), "kept": len(large & seen), "choices": self.choices,
                "launches": launches, "equal": all(len(each) == 1 for each in sums.values()), "runs": times}


def print_heading():
    print(f"{'kernel':<26}{'plain':>8}{'trace':>8}{'told':>7}{'interval':>16}{'least':>7}{'by model':>10}{'predicted':>10}{'steered':>8}{'regions':>9}{'eq':>4}")
    print(f"{'':<26}{'ms':>8}{'%':>8}{'%':>7}{'%':>16}{'%':>7}{'%':>10}{'%':>10}{'%':>8}{'kept':>9}", flush=True)


def number(value, sign=""):
    return "-" if value is None else f"{value:{sign}.1f}"


def print_row(row):
    low, high = row["interval"]
    interval = "-" if low is None else f"{low:+.1f} … {high:+.1f}"
    print(f"{row['kernel']:<26}{row['plain_ms']:>8.4f}{row['trace']:>+8.1f}{number(row['told']):>7}{interval:>16}{number(row['least']):>7}"
          f"{number(row['by model']):>10}{number(row['predicted']):>10}{row['steered']:>+8.1f}{row['kept']:>6} of {row['large']}"
          f"{'yes' if row['equal'] else 'NO':>4}", flush=True)


def print_summary(rows, budget):
    kept = sum(row["steered"] <= budget for row in rows)
    near = sum(row["steered"] <= budget + EXCESS for row in rows)
    within = lambda said, measured: sum(row[said] is not None and abs(row[said] - row[measured]) <= EXCESS for row in rows)
    print(f"{kept} of {len(rows)} within {budget:g} %, {near} within {budget + EXCESS:g} %; {within('predicted', 'steered')} predicted to within "
          f"{EXCESS} point, {within('by model', 'steered')} by the model alone; of what all probes cost {within('told', 'trace')} were told to "
          f"within {EXCESS} point, {within('least', 'trace')} by the model; regions of {KEPT_PERCENT} % and more kept in {sum(row['kept'] == row['large'] for row in rows)}")


def build_all(options, jobs):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for text in pool.map(lambda job: foreign.compile_one(*job), jobs):
            print(text, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--sources", type=pathlib.Path, required=True, help="where the projects are, as foreign.py fetch left them")
    parser.add_argument("--budget", type=float, default=2, help="percent (default 2)")
    parser.add_argument("--kperf", type=pathlib.Path, help="where kperf is installed (default: the build of this tree)")
    parser.add_argument("--set", choices=list(foreign.KERNELS), default="tuned", help="which kernels (default: tuned)")
    parser.add_argument("--only", nargs="*", help="kernels that have one of these in their names")
    parser.add_argument("--jobs", type=int, default=2, help="compilers at a time (default 2)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each program (default 3)")
    parser.add_argument("--seconds", type=float, default=0.5, help="of launches in each run (default 0.5)")
    parser.add_argument("--out", type=pathlib.Path, help="where the figures go, as JSON")
    options = parser.parse_args()
    options.sources, options.build = options.sources.resolve(), options.folder.resolve()
    foreign.find_kperf(options)
    options.kperf = options.kperf_cc.with_name("kperf")
    for name in ("programs", "said", "profiles"):
        (options.build / name).mkdir(parents=True, exist_ok=True)
    gpu, driver = foreign.device()
    kernels = list(foreign.present(foreign.chosen(options), options.sources))
    copies = {kernel.stem: foreign.annotate(kernel, options.sources, options.build) for kernel in kernels}
    first = {kernel.stem: kernel for kernel in kernels}.values()
    build_all(options, [(kernel, variant, options, copies[kernel.stem]) for kernel in first for variant in ("plain", "trace")])
    steered = [Steered(kernel, options) for kernel in kernels]
    for each in steered:
        each.take_profile()
    build_all(options, [(each.kernel, each.variant, options, copies[each.kernel.stem]) for each in steered])
    print(f"{gpu}, driver {driver}, a budget of {options.budget:g} %, runs of {options.seconds:g} s")
    print_heading()
    rows = []
    for each in steered:
        rows.append(each.measure())
        print_row(rows[-1])
    if options.out:
        figures = {"device": gpu, "driver": driver, "budget": options.budget, "rounds": options.rounds, "seconds": options.seconds, "rows": rows}
        options.out.write_text(json.dumps(figures, indent=1) + "\n")
    print_summary(rows, options.budget)
    return 0 if all(row["equal"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
