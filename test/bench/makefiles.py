#!/usr/bin/env python3
"""Builds and runs programs that bring a Makefile, with probes and without, and compares what they print.

  makefiles.py SOURCES OUT [--seconds N] [--part A/B] [--jobs N] [--no-compare]

SOURCES has a folder for each program, with a Makefile whose compiler is $(CC) and whose target `run` starts the program by $(LAUNCHER), as
HeCBench's src has (those named *-cuda). Each command of nvcc is run as it is, then by kperf-cc in each mode of MODES, into files of its own;
the program runs twice, then each of its builds. OUT gets what became of each program, as JSON; a table says what differs.
Programs are taken in an order of a seed's; those that were not reached in time are left out.
"""
import argparse
import concurrent.futures
import difflib
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import threading
import time

MODES = {"memory": ["--probes=memory"], "sums": ["--auto=kernels,loops", "--aggregate=*"], "waits": ["--auto=kernels,loops", "--probes=region,sync"]}
SELF = pathlib.Path(__file__).resolve()
# A line that has one of these says a time or a rate, and differs from run to run.
CHANGING = re.compile(r"time|sec|\bms\b|\bus\b|\(s\)|[GT]i?B/s|bandwidth|flop|throughput|speed|rate|perf|cycles|elapsed|took|cost|T?OP/s", re.I)
NUMBER = re.compile(r"[-+]?\d[\d.]*(e[-+]?\d+)?", re.I)


def run(words, seconds, **more):
    """Exit code (124: it did not end), output, and seconds."""
    began = time.monotonic()
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds, text=True, errors="replace", **more)
        return done.returncode, done.stdout, time.monotonic() - began
    except subprocess.TimeoutExpired:
        return 124, "", time.monotonic() - began


def note(row):
    with open(os.environ["MAKEFILES_LOG"], "a") as log:
        log.write(json.dumps(row) + "\n")


def settings():
    return json.loads(os.environ["MAKEFILES_SETTINGS"])


def compile_as_nvcc(arguments):
    """What stands for the compiler in a Makefile: for the device's own architecture, plainly and in each mode."""
    words, skipped = [], False
    for word in arguments:
        if skipped or word in ("-arch", "--gpu-architecture", "-gencode"):
            skipped = not skipped
        elif not word.startswith(("-arch=", "-gencode=")):
            words.append(word)
    words.append(settings()["architecture"])
    code, said, seconds = run(["nvcc", *words], 150)
    sys.stdout.write(said)
    row = {"command": words, "plain": [code, round(seconds, 1)]}
    for mode in settings()["modes"] if code == 0 else ():
        own = [f"{word[:-2]}.{mode}.o" if word.endswith(".o") else f"{word}.{mode}" if before == "-o" else word
               for before, word in zip(["", *words], words)]
        sources = [word for word in words if re.search(r"\.(cu|cpp|cc|c)$", word)]
        if "-c" in words and "-o" not in words and len(sources) == 1:
            own += ["-o", f"{pathlib.Path(sources[0]).stem}.{mode}.o"]
        done, said, seconds = run([settings()["kperf-cc"], *settings()["options"], *MODES[mode], "nvcc", *own], 300)
        ours = "\n".join(line for line in said.splitlines() if line.startswith("kperf-cc: "))  # others quote the program
        row[mode] = [done, round(seconds, 1), (said if done else ours)[-1500:]]
    note(row)
    return code


def lines_of(output, program):
    """What it prints, without its own name and without times and rates."""
    lines = (line.replace(program, "PROGRAM") for line in output.splitlines() if "kperf" not in line)
    return [re.sub(r"\s+", " ", NUMBER.sub("#", line)) if CHANGING.search(line) else line for line in lines]


def run_program(program, *arguments):
    """What stands in front of a program in a Makefile."""
    trace = f"/tmp/makefiles.{os.getpid()}.kperf"
    environment = {**os.environ, "KPERF_OUTPUT": trace, "KPERF_QUIET": "1"}
    code, first, seconds = run([program, *arguments], 12, env=environment)
    row = {"run": [program, *arguments], "plain": [code, round(seconds, 2)]}
    if code != 124:
        _, second, _ = run([program, *arguments], 12, env=environment)
        expected = lines_of(first, program)
        row["is stable"] = expected == lines_of(second, program)
        for mode in settings()["modes"]:
            if not pathlib.Path(f"{program}.{mode}").exists():
                continue
            done, output, seconds = run([f"{program}.{mode}", *arguments], 100, env=environment)
            seen = lines_of(output, f"{program}.{mode}")
            difference = "" if seen == expected or not row["is stable"] else "\n".join(list(difflib.unified_diff(expected, seen, lineterm="", n=0))[2:14])
            said = [line for line in output.splitlines() if line.startswith("kperf: ")]
            row[mode] = [done, round(seconds, 2), seen == expected, difference[:800], "\n".join(said)[:1500]]
    pathlib.Path(trace).unlink(missing_ok=True)
    note(row)
    return 0


def build_and_run(folder, options, deadline, gpu):
    """Rows of one program; None where the time is over."""
    left = deadline - time.monotonic()
    if left < 10:
        return None
    log = pathlib.Path(f"/tmp/makefiles.{os.getpid()}.{folder.name}.log")
    log.unlink(missing_ok=True)
    environment = {**os.environ, "MAKEFILES_LOG": str(log), "LC_ALL": "C"}
    make = ["make", f"CC={sys.executable} {SELF} --as-nvcc", f"LAUNCHER={sys.executable} {SELF} --as-launcher", f"ARCH={options.architecture}"]
    run([*make, "clean"], 20, cwd=folder, env=environment)
    code, said, _ = run(make, left, cwd=folder, env=environment)
    if code == 0:
        with gpu:
            run([*make, "run"], max(5, min(150, deadline - time.monotonic())), cwd=folder, env=environment)
    rows = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    log.unlink(missing_ok=True)
    return {"program": folder.name, "made": code, "rows": rows} if code != 124 else None


def show(programs, modes):
    rows = [(each["program"], row) for each in programs for row in each["rows"]]
    built = [(name, row) for name, row in rows if "command" in row and row["plain"][0] == 0]
    ran = [(name, row) for name, row in rows if "run" in row and row["plain"][0] == 0]
    print(f"{len(programs)} programs, {sum(each['made'] == 0 for each in programs)} of which their Makefile builds; {len(built)} commands of nvcc; {len(ran)} runs")
    for mode in modes:
        failed = [name for name, row in built if row[mode][0] != 0]
        compiled = [row[mode][1] / row["plain"][1] for _, row in built if row["plain"][1] > 1.5 and "-c" in row["command"]]
        done = [(name, row) for name, row in ran if mode in row]
        wrong = [(name, row) for name, row in done if row[mode][0] != 0 or (row["is stable"] and not row[mode][2])]
        slower = sorted(row[mode][1] / max(0.01, row["plain"][1]) for _, row in done if row[mode][0] == 0)
        print(f"{mode}: {len(failed)} commands fail; compile time {statistics.median(compiled or [0]):.1f} times nvcc's, at most {max(compiled, default=0):.1f}; "
              f"{len(done)} runs, {statistics.median(slower or [0]):.2f} times as long, one in ten {slower[len(slower) * 9 // 10] if slower else 0:.2f} and more")
        for name in failed:
            print(f"  {name}: does not build")
        for name, row in wrong:
            print(f"  {name}: ends with {row[mode][0]}, prints {row[mode][3]!r}")
        for name, row in done:
            if row[mode][4]:
                print(f"  {name}: {row[mode][4]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=550)
    parser.add_argument("--part", default="0/1", help="part A of B of the programs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--architecture", default="sm_90")
    parser.add_argument("--modes", nargs="*", default=["memory", "sums"], choices=list(MODES))
    parser.add_argument("--no-compare", action="store_true", help="kperf-cc's option: half of the compilers' time")
    options = parser.parse_args()
    folders = sorted(path for path in options.sources.iterdir() if path.name.endswith("-cuda"))
    random.Random(5).shuffle(folders)
    first, step = map(int, options.part.split("/"))
    build = pathlib.Path(os.environ.get("KPERF_BUILD", SELF.parents[2] / "build"))
    os.environ["MAKEFILES_SETTINGS"] = json.dumps({
        "modes": options.modes, "kperf-cc": str(build / "bin" / "kperf-cc"), "architecture": f"-arch={options.architecture}",
        "options": ["--no-compare"] if options.no_compare else []})
    deadline, gpu = time.monotonic() + options.seconds, threading.Semaphore(4)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        done = pool.map(lambda folder: build_and_run(folder, options, deadline, gpu), folders[first::step])
        programs = [each for each in done if each]
    options.out.write_text(json.dumps(programs, indent=1) + "\n")
    show(programs, options.modes)
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--as-nvcc"]:
        sys.exit(compile_as_nvcc(sys.argv[2:]))
    if sys.argv[1:2] == ["--as-launcher"]:
        sys.exit(run_program(*sys.argv[2:]))
    sys.exit(main())
