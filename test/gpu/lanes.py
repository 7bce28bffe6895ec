#!/usr/bin/env python3
"""lanes.py [FOLDER] [--build]: random kernels whose lanes leave, skip branches and go round loops as each likes, on a GPU.

With --build (needs kperf-cc and nvcc on PATH, no GPU): grows programs as test/equivalence does, predicts what each lane comes to, and builds
them into FOLDER, without probes and in each way of recording. Without: runs what is there, and compares output and traces with the
prediction; exit code 1 where they differ. What is promised stands in test/equivalence/device.py.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "equivalence"), str(HERE.parent / "equivalence")]
import device
from equivalence import grown
from source import expectedOutput, files

# Of each way: kperf-cc's options, and the compiler's; None: no kperf.
WAYS = {
    "plain": (None, []),
    "trace": (["--no-compare"], []),
    "sums": (["--no-compare", "--aggregate=*"], []),
    "loops": (["--no-compare", "--auto=kernels,loops", "--auto-guard=0"], []),
    "sync": (["--no-compare", "--probes=region,sync"], []),
    "sample": (["--sample=4"], []),
    "switched": ([], ["-DKPERF_SWITCHABLE"]),
    "shared": (["--no-compare"], ["-DKPERF_SHARED_BUFFER=16"]),
}
WHOLE = {"KPERF_RECORDS": "4096", "KPERF_BUFFER_MB": "512"}
SETTINGS = {"whole": WHOLE, "last": {"KPERF_KEEP": "last", "KPERF_RECORDS": "8"}, "first": {"KPERF_RECORDS": "8"}, "off": {"KPERF": "0"}}


def build(arguments):
    jobs = []
    for number in range(arguments.batches):
        folder = arguments.folder / f"batch{arguments.seed}.{number}"
        folder.mkdir(parents=True, exist_ok=True)
        first = number * arguments.programs
        grownUp = [grown(index, f"{arguments.seed}.{index}", "parted" if index % 4 else None, 3) for index in range(first, first + arguments.programs)]
        launches = [launch for _, each in grownUp for launch in each]
        (folder / "launches.pickle").write_bytes(pickle.dumps(launches))
        for name, lines in files([program for program, _ in grownUp], launches).items():
            (folder / name).write_text("\n".join(lines) + "\n")
        for way in arguments.ways.split(","):
            options, flags = WAYS[way]
            command = ["nvcc", "-std=c++17", f"-O{arguments.optimize}", "-w", f"-I{arguments.include}", "-gencode", f"arch=compute_{arguments.arch},code=sm_{arguments.arch}", *flags]
            jobs.append((folder, way, (["kperf-cc", *options] if options is not None else []) + command + ["all.cu", "-o", way]))
    def one(job):
        folder, way, command = job
        begin = time.monotonic()
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        print(f"{folder.name} {way}: {time.monotonic() - begin:.0f} s {'' if done.returncode == 0 else done.stderr[:2000]}", flush=True)
        if done.returncode == 0:
            subprocess.run(["strip", way], cwd=folder)
        return done.returncode == 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        return all(list(pool.map(one, jobs)))


def record(folder, way, setting):
    """Runs the program unless its trace is there; what it printed."""
    name = f"{way}.{setting}"
    trace, printed = folder / f"{name}.kperf", folder / f"{name}.out"
    if not printed.exists():
        environment = {**os.environ, "KPERF_OUTPUT": str(trace), "KPERF_QUIET": "1", **SETTINGS[setting]}
        try:
            done = subprocess.run([str(folder / way)], env=environment, capture_output=True, text=True, timeout=60)
            printed.write_text(done.stdout + done.stderr + (f"exit code {done.returncode}\n" if done.returncode else ""))
        except subprocess.TimeoutExpired:
            printed.write_text("hangs\n")
    return printed.read_text(), trace


def kperf(*words):
    own = HERE / "kperf"
    environment = {**os.environ, "LD_LIBRARY_PATH": str(HERE)}
    return subprocess.run([str(own) if own.exists() else "kperf", *map(str, words)], capture_output=True, text=True, env=environment).stdout


def compare(folder, way, setting):
    """What differs, as (sort, mode, text)."""
    launches = pickle.loads((folder / "launches.pickle").read_bytes())
    printed, trace = record(folder, way, setting)
    found, expected = [], expectedOutput(launches).splitlines()
    if printed.splitlines() != expected:
        at = next((pair for pair in zip(printed.splitlines(), expected) if pair[0] != pair[1]), printed[-200:])
        found.append(("output", "", f"{at}"))
    if way != "plain" and setting == "whole":
        dump = kperf("dump", trace)
        (folder / f"{way}.records").write_text(str(dump.count("\n  ")))
        found += [(sort, program.mode, text) for program, sort, text in device.compareTrace(dump, launches, way == "sample")]
        if way != "sample":  # where counts are estimates
            found += [(sort, "", text) for _, sort, text in device.compareReport(dump, kperf("report", "--format=csv", trace), lambda name: None)]
    if setting in ("last", "first") and trace.exists():
        kept = device.compareKept(kperf("dump", folder / f"{way}.whole.kperf"), kperf("dump", trace), launches, setting == "last")
        found += [(sort, program.mode, text) for program, sort, text in kept]
    return found


def cases(folder):
    for way in WAYS:
        if (folder / way).exists():
            yield from ((folder, way, setting) for setting in (["off"] if way == "plain" else SETTINGS) if way in ("trace", "switched", "shared") or setting in ("whole", "off"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, nargs="?", default=HERE / "lanes")
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--record", action="store_true", help="run, and compare nothing")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batches", type=int, default=1)
    parser.add_argument("--programs", type=int, default=30, help="in each batch")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--arch", default="90a")
    parser.add_argument("--optimize", default="3")
    parser.add_argument("--include", default=str(HERE.parent.parent / "runtime/include"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--show", type=int, default=3, help="differences of each sort")
    arguments = parser.parse_args()
    if arguments.build:
        return 0 if build(arguments) else 1
    folders = sorted(path.parent for path in arguments.folder.glob("*/launches.pickle"))
    all_ = [case for folder in folders for case in cases(folder)]
    for case in all_:
        record(*case)
    if arguments.record:
        return 0
    table, shown, failed = collections.defaultdict(collections.Counter), collections.Counter(), False
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for (folder, way, setting), found in zip(all_, pool.map(compare, *zip(*all_))):
            table[way, setting]["runs"] += 1
            for sort, mode, text in found:
                failed = True
                table[way, setting][f"{sort} {mode}"] += 1
                shown[way, sort, mode] += 1
                if shown[way, sort, mode] <= arguments.show:
                    print(f"{folder.name} {way} {setting} {sort} {mode}: {text[:400]}")
    for (way, setting), row in table.items():
        print(f"{way:10} {setting:6} {dict(row)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
