#!/usr/bin/env python3
"""Launches on 8 streams with periodic flushes for a long time, half of it with sums and half with every entry recorded; then every
entry that the kernels produced is in the trace or counted as lost, and memory was flat. Runs beside run.py; exit code 1 when not so.

  soak.py [SECONDS [LAUNCHES-A-SECOND]]     1800 and 1000; the output goes through as it comes

A launch has 8 warps and takes some 2 KB of the trace: at 1000 a second, 900 s of each make 2 GB, one of which is on the disk at a
time, in the current folder. Without that rate the device would write a disk full in minutes.
"""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

from checks import HERE, expect, failures

TRACE = pathlib.Path("soak.kperf").resolve()
FLUSH_SECONDS = 0.5
WARM_UP = 0.2             # of the time, until pools and tables have their size
MAX_DEVICE_KIB = 2048    # between any two lines behind the warm-up: the size of the driver's pages
MAX_HOST_KIB = 8192      # of growth in all the rest of the time, along the line that fits best: at 1000 launches a second in 15 minutes,
                         # what a leak of 10 bytes for each launch comes to
MIN_KEPT = 0.99          # of the warps: the buffer is flushed long before it is full
MAX_BYTES_OF_WARP = 512  # of the trace
BUILDS = {"sums": {}, "trace": {"KPERF_RECORDS": "16"}}


def environment(**settings):
    return {**os.environ, "LD_LIBRARY_PATH": str(HERE), "KPERF_OUTPUT": str(TRACE), "KPERF_QUIET": "1", **settings}


def ask(view):
    said = subprocess.run([HERE / "kperf", view, TRACE, "--format=json"], env=environment(), capture_output=True, text=True)
    if said.returncode != 0:
        sys.exit(said.stderr)
    return {table["name"]: table["rows"] for table in json.loads(said.stdout)["tables"]}


def check_memory(build, lines):
    """`lines`: (seconds, KiB of the device, KiB of the host)"""
    lines = [line for line in lines if line[0] >= WARM_UP * lines[-1][0]]
    if len(lines) < 3:
        return print(f"skip soak.{build}: too short to say anything of memory")
    seconds, device, host = zip(*lines)
    expect(max(device) - min(device) <= MAX_DEVICE_KIB, f"soak.{build}: device memory {min(device)} to {max(device)} KiB")
    growth = statistics.linear_regression(seconds, host).slope * (seconds[-1] - seconds[0])
    expect(growth <= MAX_HOST_KIB, f"soak.{build}: host memory {host[0]} KiB, then {host[-1]}: a line through it rises by {growth:.0f} KiB")


def check_trace(build, launches, warps, entries):
    info, rows = ask("info"), ask("report")["regions"]
    fields = {row["field"]: row["value"] for row in info["trace"]}
    expect(fields["complete"] == "yes", f"soak.{build}: the trace is complete: {fields['complete']}")
    lost = {row["loss"]: row["count"] for row in info.get("losses", [])}
    row = next(row for row in rows if row["region"] == "turn")
    expect(set(lost) <= {"warps-without-buffer"}, f"soak.{build}: nothing else is lost: {lost}")
    found = row["warps"] + lost.get("warps-without-buffer", 0)
    expect(found == warps, f"soak.{build}: {row['warps']} warps recorded, {found - row['warps']} counted as lost, {warps} made")
    turns = entries // warps
    expect(row["count"] == row["warps"] * turns, f"soak.{build}: {row['count']} entries recorded, {turns} of each warp")
    listed = sum(row["launches"] for row in info["launches"])
    expect(listed == launches, f"soak.{build}: {listed} launches listed, {launches} made")
    expect(row["warps"] >= MIN_KEPT * warps, f"soak.{build}: {100 * row['warps'] / warps:.2f} % of the warps were kept")
    size = TRACE.stat().st_size
    expect(size <= MAX_BYTES_OF_WARP * warps, f"soak.{build}: {size / 1e9:.2f} GB, {size / warps:.0f} bytes a warp")


def soak(build, seconds, rate):
    TRACE.unlink(missing_ok=True)
    command = [HERE / f"soak.{build}", str(seconds), str(rate), str(FLUSH_SECONDS)]
    process = subprocess.Popen(command, env=environment(**BUILDS[build]), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines, made = [], None
    for line in process.stdout:
        print(f"     {line}", end="", flush=True)
        memory = re.match(r"memory ([\d.]+) s: device (\d+) KiB, host (\d+) KiB", line)
        if memory:
            lines.append((float(memory[1]), int(memory[2]), int(memory[3])))
        made = re.match(r"made (\d+) launches, (\d+) warps, (\d+) entries of turn, sum right", line) or made
    expect(process.wait() == 0 and made, f"soak.{build}: runs to its end, with the right sum")
    if made:
        check_memory(build, lines)
        check_trace(build, *map(int, made.groups()))
    TRACE.unlink(missing_ok=True)


def main():
    words = sys.argv[1:]
    if len(words) > 2 or not all(word.isdigit() for word in words):
        print(__doc__, file=sys.stderr)
        return 2
    seconds, rate = (int(words[0]) if words else 1800), (int(words[1]) if len(words) > 1 else 1000)
    begin = time.monotonic()
    for build in BUILDS:
        soak(build, seconds / len(BUILDS), rate)
    print(f"{len(failures)} findings, {time.monotonic() - begin:.0f} s")
    return failures != []


if __name__ == "__main__":
    sys.exit(main())
