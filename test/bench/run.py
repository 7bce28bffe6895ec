#!/usr/bin/env python3
"""Runs the benchmarks that build.sh put beside this file, prints a table, and writes RESULT.json.

Both builds of a program run in turn, in both orders; each figure is a median over the rounds. A kernel's time is the
program's own measurement. Records that found no room would make probes look cheap, so the buffer is large and a round
that lost some is an error.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SHAPES = {
    "vector_add": [[]],
    "sgemm": [[]],
    "attention": [[], ["--head-dim=64"]],
    "gemv_decode": [[]],
    "copy": [[], ["--resident"]],
    "gemm_hopper": [["--m=1536", "--n=1408", "--k=16384"], ["--m=4096", "--n=4096", "--k=4096"]],
}


# Every record of every launch is stored somewhere: kernels that make many keep the last ones.
RECORDING = {"gemm_hopper": {"KPERF_KEEP": "last", "KPERF_RECORDS": "256"},
             "attention": {"KPERF_KEEP": "last", "KPERF_RECORDS": "256"},
             "sgemm": {"KPERF_KEEP": "last", "KPERF_RECORDS": "256"}}


def run(program, arguments, trace, **more):
    """The program's standard output; its trace lies at `trace` when it has probes. `more` are environment variables."""
    environment = dict(os.environ, KPERF_OUTPUT=str(trace), KPERF_BUFFER_MB="4096", KPERF_QUIET="1",
                       **RECORDING.get(program.name.split(".")[0], {}), **more)
    environment["LD_LIBRARY_PATH"] = f"{HERE}:{environment.get('LD_LIBRARY_PATH', '')}"
    trace.unlink(missing_ok=True)
    finished = subprocess.run([str(program), *arguments], env=environment, capture_output=True, text=True)
    if finished.returncode != 0:
        sys.exit(f"{program.name}: exit code {finished.returncode}\n{finished.stdout}{finished.stderr}")
    return finished.stdout


def lost_warps(trace):
    """Whether some warps of a trace found no room."""
    environment = dict(os.environ, LD_LIBRARY_PATH=str(HERE))
    text = subprocess.run([str(HERE / "kperf"), "info", str(trace)], env=environment, capture_output=True, text=True)
    if text.returncode != 0:
        sys.exit(f"kperf info: {text.stderr}")
    return "warps-without-buffer" in text.stdout


def device():
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    name, driver = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()[0].split(", ")
    return name, driver


def json_rows(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def chain(rounds, scratch):
    """Cycles a region adds to an iteration, by mode and warps per SM."""
    builds = [name for name in ("plain", "trace", "shared", "aggregate", "extremes", "histogram", "macro") if (HERE / f"chain64.{name}").exists()]
    seen = {name: [] for name in builds}
    for index in range(rounds):
        for name in builds if index % 2 == 0 else reversed(builds):
            seen[name].append(json_rows(run(HERE / f"chain64.{name}", [], scratch)))
    rows = []
    for name in builds[1:]:
        mode = {"macro": "macro profiler baseline", "extremes": "aggregate, extremes", "histogram": "aggregate, histogram", "shared": "trace"}.get(name, name)
        for at, first in enumerate(seen[name][0]):
            added = [with_[at]["cycles"] - plain[at]["cycles"] for with_, plain in zip(seen[name], seen["plain"])]
            rows.append({"work": "chain64", "mode": mode,
                         "buffer": {"aggregate": "registers", "extremes": "registers", "shared": "shared"}.get(name, "global"), "warps_per_sm": first["warps_per_sm"],
                         "cycles_per_region": round(statistics.median(added), 1),
                         "registers_added": first["registers"] - seen["plain"][0][at]["registers"],
                         "spills_added": first["local_bytes"] - seen["plain"][0][at]["local_bytes"]})
    return rows


def entry(rounds, scratch):
    """Overhead of a kernel whose warps live shortly, by the number of warps."""
    seen = {"plain": [], "trace": []}
    for index in range(rounds):
        for name in ("plain", "trace") if index % 2 == 0 else ("trace", "plain"):
            seen[name].append(json_rows(run(HERE / f"entry.{name}", [], scratch)))
    rows = []
    for at, first in enumerate(seen["plain"][0]):
        plain, trace = (statistics.median(each[at]["microseconds"] for each in seen[name]) for name in ("plain", "trace"))
        rows.append({"work": "entry", "mode": "trace", "buffer": "global", "shape": f"{first['warps']} warps",
                     "plain_us": round(plain, 2), "overhead_percent": round(100 * (trace / plain - 1), 1)})
    return rows


def report(trace):
    """The rows of `kperf report`."""
    environment = dict(os.environ, LD_LIBRARY_PATH=str(HERE))
    text = subprocess.run([str(HERE / "kperf"), "report", str(trace), "--format=json"], env=environment,
                          capture_output=True, text=True, check=True).stdout
    return json.loads(text)["tables"][0]["rows"]


def known_length(scratch):
    """How far reported lengths are from the truth, by length and warps per SM. A dependent FMA takes 4 cycles on sm_80 and
    later, so with a warp for each of an SM's four schedulers N of them take 4 N; with more, the truth is what the kernel's
    own clocks say, and with 64 a warp's share of the time is the scheduler's choice and nothing to compare with."""
    rows = []
    for warps in (1, 4, 16):
        truth = {row["name"]: row["mean_cycles"] if warps > 4 else 4 * int(row["name"].split()[1])
                 for row in json_rows(run(HERE / "known_length.plain", [str(warps)], scratch))}
        for build, buffer in (("trace", "global"), ("shared", "shared")):
            run(HERE / f"known_length.{build}", [str(warps)], scratch)
            for row in report(scratch):
                if row["region"] in truth:
                    true, said = truth[row["region"]], row["net-mean_cycles"]
                    rows.append({"work": "known_length", "mode": "trace", "buffer": buffer, "warps_per_sm": warps, "shape": row["region"],
                                 "true_cycles": true, "cycles": round(said, 2),
                                 "error_cycles": round(said - true, 2), "error_percent": round(100 * (said / true - 1), 2)})
        # What the same clocks of the kernel's own say beside probes: how far those make the regions themselves shorter or longer.
        for row in json_rows(run(HERE / "known_length.both", [str(warps)], scratch)):
            if true := truth.get(row["name"]):
                rows.append({"work": "known_length", "mode": "own clocks beside probes", "warps_per_sm": warps, "shape": row["name"],
                             "true_cycles": true, "cycles": row["mean_cycles"],
                             "error_cycles": round(row["mean_cycles"] - true, 2),
                             "error_percent": round(100 * (row["mean_cycles"] / true - 1), 2)})
    return rows


# Recording mode: the build's suffix, what its environment adds, where its figures lie.
MODES = {"plain": ("plain", {}, ""), "trace": ("trace", {}, "global"), "trace, shared buffer": ("shared", {}, "shared"),
         "aggregate": ("aggregate", {}, "registers"),
         "sample 1/16": ("sample", {}, "global"),
         "sample 1/1000000": ("sample", {"KPERF_SAMPLE": "1000000"}, "global"),
         "trace, other regions": ("other", {}, "global"), "aggregate, other regions": ("otheraggregate", {}, "registers"),
         "sample 1/16, other regions": ("othersample", {}, "global"), "sync": ("sync", {}, "global"), "memory": ("memory", {}, "global"),
         "memory, sample 1/32": ("memory32", {}, "global"),
         "memory, sample 1/32, -maxrregcount=32": ("memory32r32", {}, "global"),
         "memory, KPERF_LINES=0": ("memory", {"KPERF_LINES": "0"}, "global")}


def example(name, arguments, rounds, scratch):
    """Overhead of an example, whose checksum has to stay the same."""
    builds = [mode for mode, (build, *_) in MODES.items() if (HERE / f"{name}.{build}").exists()]
    times, sums = {mode: [] for mode in builds}, set()
    for index in range(rounds):
        for mode in builds if index % 2 == 0 else reversed(builds):
            build, environment, _ = MODES[mode]
            text = run(HERE / f"{name}.{build}", arguments, scratch, **environment)
            times[mode].append(float(re.search(r"time: ([0-9.]+) ms", text)[1]))
            sums.add(re.search(r"checksum (0x[0-9a-f]+)", text)[1])
    if len(sums) != 1:
        sys.exit(f"{name}: the checksums differ: {sorted(sums)}")
    plain = statistics.median(times["plain"])
    shape = {"shape": " ".join(arguments)} if arguments else {}
    return [{"work": name, "mode": mode.removesuffix(", shared buffer"), "buffer": MODES[mode][2], "plain_us": round(1000 * plain, 2),
             "overhead_percent": round(100 * (statistics.median(times[mode]) / plain - 1), 1)} | shape
            for mode in builds[1:]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=4, help="runs of each build (default 4)")
    parser.add_argument("--only", nargs="*", help="names of benchmarks (default: all that were built)")
    parser.add_argument("--result", type=pathlib.Path, default=HERE / "RESULT.json")
    options = parser.parse_args()
    built = sorted({path.name.split(".")[0] for path in HERE.glob("*.plain")})
    names = [name for name in built if not options.only or name in options.only]
    scratch = HERE / "bench.kperf"
    rows = []
    for name in names:
        if name == "known_length":
            rows += known_length(scratch)
        elif name in ("chain64", "entry"):
            rows += {"chain64": chain, "entry": entry}[name](options.rounds, scratch)
        else:
            for arguments in SHAPES.get(name, [[]]):
                rows += example(name, arguments, options.rounds, scratch)
        if scratch.exists() and lost_warps(scratch):
            print(f"{name}: some warps found no buffer; figures are too low", file=sys.stderr)
    gpu, driver = device()
    result = {"device": gpu, "driver": driver, "toolkit": (HERE / "toolkit.txt").read_text().strip(),
              "command": "test/bench/build.sh FOLDER && FOLDER/run.py", "rows": rows}
    options.result.write_text(json.dumps(result, indent=1) + "\n")
    for row in rows:
        label = " ".join(str(row[key]) for key in ("work", "mode", "buffer", "shape", "warps_per_sm") if key in row)
        if "error_percent" in row:
            value = f"{row['cycles']} cycles reported, {row['true_cycles']} true: {row['error_percent']:+} %"
        elif "cycles_per_region" in row:
            value = f"{row['cycles_per_region']} cycles a region"
        else:
            value = f"{row['overhead_percent']:+} % of {row['plain_us']} us"
        print(f"{label:64s} {value}")


main()
