#!/usr/bin/env python3
"""Runs the GPU tests that build.sh put beside this file; exit code 1 when one fails.

Each program gives the same output with and without probes, under each recording policy; compute-sanitizer finds nothing; and
the report counts what the source says.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TRACE = HERE / "gpu.kperf"
POLICIES = [{}, {"KPERF_KEEP": "last", "KPERF_RECORDS": "8"}, {"KPERF_RECORDS": "2"}, {"KPERF_BUFFER_MB": "1"}, {"KPERF": "0"}]
MOST_DIFFERENCE = 0.02  # of a region's time, between the same kernel as CUDA and as HIP
failures = []


def expect(condition, what):
    print(f"{'ok  ' if condition else 'FAIL'} {what}")
    if not condition:
        failures.append(what)


def run(command, **environment):
    environment = dict(os.environ, KPERF_OUTPUT=str(TRACE), KPERF_QUIET="1", LD_LIBRARY_PATH=str(HERE), **environment)
    return subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True)


def report():
    text = run([HERE / "kperf", "report", TRACE, "--format=json"])
    if text.returncode != 0:
        sys.exit(text.stderr)
    return json.loads(text.stdout)["tables"][0]["rows"]


def check_program(name, build="trace"):
    plain = run([HERE / f"{name}.plain"])
    expect(plain.returncode == 0, f"{name}: runs without probes")
    for policy in POLICIES:
        TRACE.unlink(missing_ok=True)
        probed = run([HERE / f"{name}.{build}"], **policy)
        expect((probed.returncode, probed.stdout) == (0, plain.stdout), f"{name}.{build}: same output with {policy or 'probes'}")
        expect(probed.stderr == "", f"{name}.{build}: nothing on stderr with {policy or 'probes'}{probed.stderr}")
    if shutil.which("compute-sanitizer"):
        for tool in ("memcheck", "racecheck", "synccheck"):
            for policy in POLICIES[:2]:
                # Below errors, racecheck warns of lanes that read what another lane of their warp wrote after it was published.
                found = run(["compute-sanitizer", "--tool", tool, "--print-level", "error", "--error-exitcode", "9",
                             HERE / f"{name}.{build}"], **policy)
                expect(found.returncode == 0, f"{name}.{build}: {tool} finds nothing with {policy or 'probes'}")
    else:
        print("skip compute-sanitizer is not on PATH")


def check_counts(build):
    run([HERE / f"parts.{build}"])
    source = (HERE / "parts.cu").read_text()
    expected = {name: int(times) for name, times in re.findall(r'"([a-z ]+)".*// (\d+) a warp', source)}
    warps = 2 * int(re.search(r"kBlocks = (\d+)", source)[1])
    rows = report()
    counted = {row["region"]: row["count"] for row in rows if row["region"] in expected}
    for name, times in expected.items():
        expect(counted.get(name) == times * warps, f"parts.{build}: {name}: {counted.get(name)} of {times * warps}")
    expect(all(row["records-kept_percent"] == 100 for row in rows), f"parts.{build}: every record was kept")
    expect(not any(row.get("unmatched") for row in rows), f"parts.{build}: every range is whole")
    for kernel in sorted({row["kernel"] for row in rows}):
        of_kernel = [row for row in rows if row["kernel"] == kernel]
        total = sum(row["self_cycles"] or 0 for row in of_kernel)
        whole = of_kernel[0]["warp-time_cycles"]
        expect(abs(total - whole) <= 0.01 * whole, f"parts.{build}: {kernel}: the rows add up to {total} of {whole} cycles")


def region_times(program):
    """What a program answers, and the mean time of each region."""
    TRACE.unlink(missing_ok=True)
    probed = run([program])
    answers = [line for line in probed.stdout.splitlines() if line.startswith("result: ok")]
    return answers, {row["region"]: row["mean_ns"] for row in report() if row["count"]}


def check_spelling(name):
    """As HIP over CUDA, an example gives the answer that it gives as CUDA, and its regions take as long."""
    answer, times = region_times(HERE / f"{name}.cuda")
    answer_of_hip, times_of_hip = region_times(HERE / f"{name}.hip")
    expect(answer and answer == answer_of_hip, f"{name}: same answer as HIP: {answer} {answer_of_hip}")
    expect(times and times.keys() == times_of_hip.keys(), f"{name}: same regions as HIP: {sorted(times_of_hip)}")
    for region, time in times.items():
        other = times_of_hip.get(region, 0)
        expect(abs(other - time) <= MOST_DIFFERENCE * time, f"{name}: {region}: {time:.1f} ns as CUDA, {other:.1f} as HIP")


check_program("parts")
check_program("foreign")
check_program("parts", "sums")
for build in ("trace", "sums"):
    check_counts(build)
check_program("hip")
for example in ("vector_add", "sgemm", "attention", "gemv_decode"):
    check_spelling(example)
sys.exit(1 if failures else 0)
