#!/usr/bin/env python3
"""Runs what build.sh made of partings.cu: exit code 1 when regions of lanes that go on where others do not are not recorded once for all of them."""
import collections
import re
import sys

from checks import HERE, TRACE, expect, failures, run, sanitize


def recorded():
    """Of each region how many spans there are, and how many lanes they say in all."""
    spans = collections.defaultdict(lambda: [0, 0])
    for name, lanes in re.findall(r'^ +span "([^"]+)"[^=\n]*(?:lanes=(0x[0-9a-f]+)|$)', run([HERE / "kperf", "dump", TRACE]).stdout, re.M):
        spans[name][0] += 1
        spans[name][1] += int(lanes, 16).bit_count() if lanes else 32  # a whole warp's are not said
    return spans


plain = run([HERE / "partings.plain"])
expect(plain.returncode == 0, f"runs without probes {plain.stderr}")
expected = {name: [int(records), int(lanes)] for records, lanes, name in re.findall(r"expect (\d+) records, (\d+) lanes: (.*)", plain.stdout)}
for build in ("trace", "switched", "loops", "sample"):
    for setting in ({}, {"KPERF_KEEP": "last", "KPERF_RECORDS": "8"}, {"KPERF_RECORDS": "2"}, {"KPERF": "0"}):
        TRACE.unlink(missing_ok=True)
        probed = run([HERE / f"partings.{build}"], **setting)
        expect((probed.returncode, probed.stdout) == (0, plain.stdout), f"{build}: same output with {setting or 'probes'} {probed.stderr}")
    if build in ("trace", "loops"):
        run([HERE / f"partings.{build}"], KPERF_RECORDS="4096", KPERF_BUFFER_MB="2048")
        spans = recorded()
        for name, due in expected.items():
            expect(spans[name] == due, f"{build}: {name}: {spans[name]} records and lanes of {due}")
        said = run([HERE / "kperf", "report", TRACE])
        expect(said.returncode == 0 and "had not finished" not in said.stdout, f"{build}: every warp finished")
sanitize("partings.trace")
sys.exit(1 if failures else 0)
