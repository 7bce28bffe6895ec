#!/usr/bin/env python3
"""Runs compute-sanitizer's four tools over every example as it is and in each of kperf's modes: a finding is what the example as it is
does not have. Runs beside run.py; exit code 1 when there is a finding. The table of findings comes last.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = ["memcheck", "racecheck", "synccheck", "initcheck"]
BUILDS = ["plain", "trace", "sums", "extremes", "lengths", "sample", "memory", "sync", "shared"]
EXAMPLES = {  # as small as still has every branch: several blocks, a tile that is not full, more than one turn of each loop
    "vector_add": ["--size=10000", "--blocks=8", "--repeat=1"],
    "sgemm": ["--m=200", "--n=136", "--k=64", "--repeat=1"],
    "attention": ["--size=160", "--heads=2", "--repeat=1"],
    "gemv_decode": ["--rows=100", "--size=1024", "--layers=1", "--repeat=1"],
    "gemm_hopper": ["--m=256", "--n=264", "--k=192", "--repeat=1"],
    "attention_hopper": ["--batch=1", "--heads=2", "--length=400", "--repeat=1"],
    "pipeline": ["--tiles=6", "--blocks=2"],
}
AT_ONCE = max(1, min(12, (os.cpu_count() or 4) - 2))
MAX_SECONDS = 120  # of one run
# Of racecheck, only errors count: below them it warns of lanes that read what another lane of their warp wrote after it was published.
MESSAGE = re.compile(r"^========= (?:Error: |Program hit |)(\w.*)$", re.M)
NOT_A_FINDING = re.compile(r"^(COMPUTE-SANITIZER|ERROR SUMMARY|RACECHECK SUMMARY|LEAK SUMMARY|Warning|Info|Target application|Saved|Host Frame|"
                           r"Device Frame|in |at |by |and |Current Value|Address |Access |Read |Write |\d+ errors? (?:was|were))")
SUMMARY = re.compile(r"(?:ERROR SUMMARY: (\d+) errors?|RACECHECK SUMMARY: \d+ hazards? displayed \((\d+) errors?)")


def kinds(output):
    """How often each sort of message comes, without what differs from run to run."""
    found = collections.Counter()
    for message in MESSAGE.findall(output):
        if not NOT_A_FINDING.match(message):
            found[re.sub(r"0x[0-9a-f]+|\b\d+\b", "N", message)[:120]] += 1
    return found


def run(case):
    """(errors by the tool's own count, sorts of messages, what went wrong with the run itself or "")"""
    example, build, tool = case
    with tempfile.TemporaryDirectory() as folder:
        command = ["compute-sanitizer", "--tool", tool, str(HERE / "sanitize" / f"{example}.{build}"), *EXAMPLES[example]]
        environment = {**os.environ, "LD_LIBRARY_PATH": str(HERE), "KPERF_QUIET": "1", "KPERF_BUFFER_MB": "64"}
        try:
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=MAX_SECONDS)
        except subprocess.TimeoutExpired:
            return 0, kinds(""), f"not over after {MAX_SECONDS} s"
        output = done.stdout + done.stderr
        summary = SUMMARY.search(output)
        if not summary:
            return 0, kinds(""), "no summary: " + " | ".join(output.splitlines()[-3:])
        wrong = "" if "result: ok" in output else "the example's answer is wrong"
        if build != "plain" and not list(pathlib.Path(folder).glob("*.kperf")):
            wrong = wrong or "no trace was written"
        return int(summary[1] or summary[2] or 0), kinds(output), wrong


def findings(results, example, build, tool):
    """What this build has and the example as it is has not."""
    errors, found, wrong = results[example, build, tool]
    plain_errors, plain, _ = results[example, "plain", tool]
    new = [f"{message} ({count} times)" for message, count in found.items() if message not in plain] if errors else []
    copies = 2 if build == "sample" else 1  # of a kernel's body: what racecheck counts is pairs of instructions
    if errors > plain_errors * copies and not new:
        new = [f"{errors} errors, {plain_errors} without kperf"]
    return ([wrong] if wrong else []) + new


def main():
    begin = time.monotonic()
    cases = [(example, build, tool) for tool in TOOLS for example in EXAMPLES for build in BUILDS]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        results = dict(zip(cases, pool.map(run, cases)))
    wrong = {case: findings(results, *case) for case in cases}
    for case, each in wrong.items():
        for finding in each:
            print(f"FAIL {' '.join(case)}: {finding}")
    print(f"{'example':<12} {'build':<9}" + "".join(f"{tool:>11}" for tool in TOOLS) + "   (findings; errors of the example as it is)")
    for example in EXAMPLES:
        for build in BUILDS:
            cells = [str(results[example, build, tool][0] if build == "plain" else len(wrong[example, build, tool])) for tool in TOOLS]
            print(f"{example:<12} {build:<9}" + "".join(f"{cell:>11}" for cell in cells))
    total = sum(map(len, wrong.values()))
    print(f"{len(cases)} runs, {total} findings, {time.monotonic() - begin:.0f} s, {AT_ONCE} at once")
    return total != 0


if __name__ == "__main__":
    sys.exit(main())
