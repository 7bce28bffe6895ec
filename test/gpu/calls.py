#!/usr/bin/env python3
"""Runs what build.sh made of calls.cu: exit code 1 when a lane comes to a region of a function oftener, or less often, than records name it and a
loss counts it as another lane's."""
import collections
import re
import sys

from checks import HERE, TRACE, expect, failures, run, sanitize

KERNELS = "again", "someThenAll", "apart", "inside"
WHOLE = {"KPERF_RECORDS": "512", "KPERF_BUFFER_MB": "2048"}


def recorded():
    """How often records of each region name a lane, and how often a lane left none."""
    dump, named = run([HERE / "kperf", "dump", TRACE]).stdout, collections.Counter()
    for kind, name, lanes in re.findall(r'^ +(span|begin|end) "([^"]+)"[^=\n]*(?:lanes=(0x[0-9a-f]+)|$)', dump, re.M):
        if kind != "begin":
            named[name] += int(lanes, 16).bit_count() if lanes else 32  # a whole warp's are not said
    return named, sum(int(count) for count in re.findall(r"^loss other-lanes count=(\d+)", dump, re.M)), dump


for kernel in KERNELS:
    plain = run([HERE / "calls.plain", kernel])
    expect(plain.returncode == 0, f"{kernel}: runs without probes {plain.stderr}")
    due = {name: (int(lanes), piece == "a piece") for lanes, piece, name in re.findall(r"expect (\d+) lanes, ([a-z ]+): (.*)", plain.stdout)}
    for build in ("trace", "switched"):
        for setting in (WHOLE, {**WHOLE, "KPERF_KEEP": "last", "KPERF_RECORDS": "8"}, {"KPERF_RECORDS": "2"}, {"KPERF": "0"}):
            TRACE.unlink(missing_ok=True)
            probed = run([HERE / f"calls.{build}", kernel], **setting)
            expect((probed.returncode, probed.stdout) == (0, plain.stdout), f"{build}: same output with {setting} {probed.stderr}")
            if setting.get("KPERF"):
                continue
            named, lost, dump = recorded()
            for name, (lanes, _) in due.items():
                expect(named[name] <= lanes, f"{build}: {kernel}: {name}: lanes are named {named[name]} times, and came {lanes} times")
            if setting != WHOLE:
                continue
            missing = sum(lanes - named[name] for name, (lanes, isPiece) in due.items() if isPiece)
            expect(missing == lost, f"{build}: {kernel}: {lost} losses of other lanes where {missing} are due")
            expect(" loss" not in dump.replace("loss other-lanes", ""), f"{build}: {kernel}: nothing else is lost")
            said = run([HERE / "kperf", "report", TRACE])
            expect(said.returncode == 0 and "had not finished" not in said.stdout and "damaged" not in said.stdout, f"{build}: {kernel}: every warp finished")
sanitize("calls.trace")
sys.exit(1 if failures else 0)
