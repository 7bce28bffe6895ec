#!/usr/bin/env python3
"""Compiles what others wrote, as it stands and with automatic regions, and prints what kperf made of it.

A tree is a folder of .cu files, a folder with a compile_commands.json, or such a file. For each translation unit that nvcc
accepts: does kperf read it, does nvcc accept what --auto makes of it, with the same flags, and what time and memory did each
take. The sources stay as they are; nothing of them is kept.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

Run = collections.namedtuple("Run", "code seconds megabytes output")
DROPPED = re.compile(r"-(M|MM|MD|MMD|MP|c|dc|fatbin|ptx|cubin)$")
WITH_VALUE = re.compile(r"-(o|MF|MT|MQ)$")


def run(command, folder, timeout):
    """Runs a command and waits; seconds are its processors' time, which other work on the machine hardly changes, and
    memory is the peak of its largest process."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(["timeout", "-k", "5", str(timeout), *command], cwd=folder, stdout=output,
                                   stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime
        output.seek(0)
        return Run(process.returncode, seconds, usage.ru_maxrss / 1024, output.read().decode(errors="replace"))


def flags_of(words, source):
    """The flags of a recorded command: without the compiler, the source, outputs and dependency files."""
    flags, skip, rdc = [], False, []
    for word in words[1:]:
        if skip or word == source or word.startswith("-MF"):
            skip = False
        elif WITH_VALUE.match(word):
            skip = True
        elif DROPPED.match(word):
            rdc = ["-rdc=true"] if word == "-dc" else rdc
        else:
            flags.append(word)
    return flags + rdc


def units_of(tree, flags):
    """Yields (folder, source, flags) of each translation unit."""
    tree = pathlib.Path(tree).resolve()
    database = tree if tree.is_file() else tree / "compile_commands.json"
    if database.is_file():
        for entry in json.loads(database.read_text()):
            if entry["file"].endswith((".cu", ".cuh")) or "cuda" in entry.get("command", ""):
                words = entry.get("arguments") or shlex.split(entry["command"])
                yield entry["directory"], entry["file"], flags_of(words, entry["file"])
        return
    for source in sorted(tree.rglob("*.cu")):
        yield str(tree), str(source.relative_to(tree)), flags


class Corpus:
    def __init__(self, options):
        self.options = options
        self.kperf = [f"--auto={options.auto}", *shlex.split(options.kperf)]
        self.kperf += [f"--select={os.path.abspath(options.select)}"] if options.select else []

    def check(self, unit):
        folder, source, flags = unit
        limit = self.options.timeout
        row = {"source": source, "outcome": "", "regions": 0, "left_out": 0, "too_small": 0, "said": ""}
        with tempfile.TemporaryDirectory() as scratch:
            output = ["-o", os.path.join(scratch, "a.o")]
            plain = run([self.options.nvcc, *flags, "-c", source, *output], folder, limit)
            row.update(nvcc_s=round(plain.seconds, 2), nvcc_mb=round(plain.megabytes))
            if plain.code != 0:
                row["outcome"], row["said"] = "nvcc refuses the original", first_error(plain)
                return row
            tool = os.path.join(self.options.bin, "kperf-rewrite")
            read = run([tool, *self.kperf, "--list-regions", source, "--", *flags], folder, limit)
            row.update(kperf_s=round(read.seconds, 2), kperf_mb=round(read.megabytes))
            left_out = re.findall(r": left out \".*: (.*)$", read.output, re.M)
            row["too_small"] = left_out.count("too little work to time")
            row["left_out"] = len(left_out) - row["too_small"]
            row["regions"] = len(re.findall(r": automatic \"", read.output))
            row["clang_errors"] = int((re.findall(r"clang found (\d+) error", read.output) or [0])[0])
            if read.code != 0:
                row["outcome"], row["said"] = "kperf does not read it", first_error(read)
                return row
            if not re.search(r"^\S.*: (automatic|kernel|range) \"", read.output, re.M):
                row["outcome"] = "nothing to time"
                return row
            wrapped = run([os.path.join(self.options.bin, "kperf-cc"), *self.kperf, self.options.nvcc, *flags, "-c",
                           source, *output], folder, limit)
            row["both_s"] = round(wrapped.seconds, 2)
            is_refused = wrapped.code != 0 or "not with their probes" in wrapped.output
            row["outcome"] = "nvcc refuses the rewritten text" if is_refused else "instrumented"
            row["said"] = first_error(wrapped) if is_refused else ""
            return row


def first_error(result):
    if result.code in (124, 137):
        return "out of time"
    lines = [line for line in result.output.splitlines() if re.search(r"\berror\b|ptxas fatal|terminated", line)]
    return lines[-1].strip() if lines and "does not parse" in lines[-1] and len(lines) < 2 else (lines or ["?"])[0].strip()


def version(command):
    lines = subprocess.run(command, capture_output=True, text=True).stdout.split("\n")
    return next((line.strip() for line in reversed(lines) if "release" in line or "kperf" in line or "version" in line), "?")


def table(rows):
    """Markdown: the summary, then what did not go well."""
    count = collections.Counter(row["outcome"] for row in rows)
    accepted = [row for row in rows if row["outcome"] != "nvcc refuses the original"]
    built = [row for row in rows if row["outcome"] == "instrumented"]
    lines = ["| outcome | units |", "|---|---|"] + [f"| {name} | {number} |" for name, number in sorted(count.items())]
    if accepted:
        timed = [row["kperf_s"] / row["nvcc_s"] for row in accepted if "kperf_s" in row]
        heavier = sum(row["kperf_mb"] > row["nvcc_mb"] for row in accepted if "kperf_mb" in row)
        lines += ["", f"Of {len(accepted)} units that nvcc accepts: {sum(row['regions'] for row in accepted)} regions, "
                  f"{sum(row['left_out'] for row in accepted)} places left out, {sum(row['too_small'] for row in accepted)} "
                  f"too small; kperf-rewrite took {100 * statistics.median(timed):.0f} % of nvcc's time (median), more "
                  f"memory than nvcc in {heavier}; {len(built)} compiled with their probes."]
    lines += ["", "| unit | outcome | regions | left out | clang errors | nvcc s / MB | kperf-rewrite s / MB | both s | said |",
              "|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        said = row["said"].replace("|", "\\|")[:160]
        lines.append(f"| {row['source']} | {row['outcome']} | {row['regions']} | {row['left_out']} | {row.get('clang_errors', '')} "
                     f"| {row['nvcc_s']} / {row['nvcc_mb']} | {row.get('kperf_s', '')} / {row.get('kperf_mb', '')} "
                     f"| {row.get('both_s', '')} | {said} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", metavar="TREE")
    parser.add_argument("--auto", default="kernels,loops")
    parser.add_argument("--select", help="a selection file, for headers")
    parser.add_argument("--kperf", default="", help="further options of kperf, such as --probes=memory,sync")
    parser.add_argument("--flags", default="-gencode arch=compute_90a,code=sm_90a -std=c++17", help="for trees without a database")
    parser.add_argument("--only", default="", help="a regular expression that names of sources have to match")
    parser.add_argument("--limit", type=int, default=0, help="take every n-th unit, so that at most this many are left")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for each command")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--bin", default="", help="folder of kperf-cc and kperf-rewrite; default: from PATH")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--json", help="file for the rows")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin) if options.bin else ""
    units = [unit for tree in options.trees for unit in units_of(tree, shlex.split(options.flags))]
    units = [unit for unit in units if re.search(options.only, unit[1])]
    if options.limit and len(units) > options.limit:
        units = [units[i * len(units) // options.limit] for i in range(options.limit)]
    if not units:
        parser.error("no CUDA source is found; give folders with .cu files or a compile_commands.json")
    corpus, rows = Corpus(options), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(corpus.check, units):
            rows.append(row)
            print(f"[{len(rows)}/{len(units)}] {row['source']}: {row['outcome']} {row['said'][:100]}", file=sys.stderr, flush=True)
    versions = {"nvcc": version([options.nvcc, "--version"]),
                "kperf": version([os.path.join(options.bin, "kperf-rewrite"), "--version"])}
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"versions": versions, "kperf": corpus.kperf, "rows": rows}, indent=1))
    print(f"{versions['nvcc']}; {versions['kperf']}; --auto={options.auto} {options.kperf}".rstrip() + "\n\n" + table(rows))
    bad = ("nvcc refuses the rewritten text", "kperf does not read it")
    sys.exit(1 if any(row["outcome"] in bad for row in rows) else 0)


main()
