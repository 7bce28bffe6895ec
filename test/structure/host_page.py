# RUN: %python %s %kperf_src
"""docs/reference/host.md names each of CUDA's headers that the host target has, and the cycles that Ticks.h charges."""
import pathlib
import re
import sys

import tree

FOLDER = "runtime/include/kperf/host/toolkit"
OURS = {"CudaRuntime.h", "StandardLibrary.h"}
CHARGED = {"kClock": "a read of a clock", "kArrive": "an arrival", "kMeeting": "a shuffle", "kBarrier": "`__syncthreads`",
           "kAwait": "a wait at a barrier object", "kAtomic": "each atomic", "kGridBarrier": "a grid's `sync`"}
ELSEWHERE = {"kEpoch"}  # a time, not a charge


def main(root):
    page = (root / "docs/reference/host.md").read_text()
    for header in sorted((root / FOLDER).rglob("*.h*")):
        name = str(header.relative_to(root / FOLDER))
        if name not in OURS and f"`{name}`" not in page:
            yield f"docs/reference/host.md: does not name {name}"
    ticks = dict(re.findall(r"(k\w+) = (\d+);", (root / "runtime/include/kperf/host/engine/Ticks.h").read_text()))
    for name, cycles in ticks.items():
        row = re.search(rf"^\| {re.escape(CHARGED.get(name, '?'))}.*\| (\d+) \|$", page, re.M)
        if name not in ELSEWHERE and (not row or row[1] != cycles):
            yield f"docs/reference/host.md: no row says that {name} is {cycles}"


ROOT = pathlib.Path(sys.argv[1])
tree.finish(list(main(ROOT)), len(list((ROOT / FOLDER).rglob("*.h*"))) + len(CHARGED))
