#!/usr/bin/env python3
"""Measures whether builds by a profile keep their budget, in the kernels of foreign.py.

  steer.py FOLDER --sources SOURCES [--budget P] [--jobs N] [--rounds N] [--seconds S] [--set SET] [--only NAME…] [--out JSON]

Each kernel is built without probes and with all of them, runs with all of them for a profile, is built by that, and runs in turns without
probes, with all of them and by the profile. A row has what each costs the mean launch, what the plan predicted, and how many of the regions
with 5 % of the time or more are in the last trace. Needs nvcc, kperf-cc, kperf and a GPU. Exit code 1 where a result differs.
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


def rows_of(kperf, view, trace, *options):
    said = subprocess.run([str(kperf), view, str(trace), "--format=json", *options], capture_output=True, text=True)
    return json.loads(said.stdout)["tables"][0]["rows"] if said.returncode == 0 else []


def run(program, kernel, trace, launches):
    """Mean of the launches in ms, and the checksum."""
    trace.unlink(missing_ok=True)
    environment = {**foreign.RECORDING, "KPERF_RECORDS": "64", **os.environ, "KPERF_OUTPUT": str(trace), "LAUNCHES": str(launches)}
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

    def take_profile(self):
        run(self.program("trace"), self.kernel, self.profile, 8)
        plan = rows_of(self.options.kperf, "plan", self.profile, f"--overhead-budget={self.options.budget:g}%")
        self.predicted = max((row["kernel-predicted_percent"] for row in plan if row.get("kernel-predicted_percent") is not None), default=None)
        self.choices = sorted({row["choice"] for row in plan})

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
        return {"kernel": self.kernel.name, "plain_ms": medians["plain"], "trace": percent("trace"), "predicted": self.predicted,
                "steered": percent("steered"), "large": len(large), "kept": len(large & seen), "choices": self.choices,
                "launches": launches, "equal": all(len(each) == 1 for each in sums.values()), "runs": times}


def print_heading():
    print(f"{'kernel':<26}{'plain':>8}{'trace':>8}{'predicted':>10}{'steered':>8}{'regions':>8}{'eq':>4}")
    print(f"{'':<26}{'ms':>8}{'%':>8}{'%':>10}{'%':>8}{'kept':>8}", flush=True)


def print_row(row):
    predicted = "-" if row["predicted"] is None else f"{row['predicted']:.1f}"
    print(f"{row['kernel']:<26}{row['plain_ms']:>8.4f}{row['trace']:>+8.1f}{predicted:>10}{row['steered']:>+8.1f}"
          f"{row['kept']:>5} of {row['large']}{'yes' if row['equal'] else 'NO':>4}", flush=True)


def print_summary(rows, budget):
    kept = sum(row["steered"] <= budget for row in rows)
    near = sum(row["steered"] <= budget + EXCESS for row in rows)
    told = sum(row["predicted"] is not None and abs(row["predicted"] - row["steered"]) <= EXCESS for row in rows)
    print(f"{kept} of {len(rows)} within {budget:g} %, {near} within {budget + EXCESS:g} %; {told} predicted to within {EXCESS} point; "
          f"regions of {KEPT_PERCENT} % and more kept in {sum(row['kept'] == row['large'] for row in rows)}")


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
