# RUN: %python %s %kperf_include %t
# REQUIRES: long, nvcc
"""The CUDA headers compile under nvcc, as C++17, for sm_90a, in several orders: in all by nvcc's two front ends, in the first one to the end."""
import pathlib
import subprocess
import sys

import tree

FLAGS = ["-std=c++17", "-gencode", "arch=compute_90a,code=sm_90a", "-Werror", "all-warnings", "-x", "cu"]


def main(include, scratch):
    include = pathlib.Path(include)
    names = [header.relative_to(include) for header in sorted(path for folder in ("cuda", "gpu") for path in (include / "kperf" / folder).rglob("*.h"))]
    findings, jobs = [], [names[at:] + names[:at] for at in range(0, len(names), 3)]  # a third of them stands first
    for number, order in enumerate(jobs):
        source = pathlib.Path(f"{scratch}-{number}.cu")
        source.write_text("".join(f"#include <{name}>\n" * 2 for name in [*order, "kperf/probe.h"]))
        end = ["-c", "-o", f"{scratch}.o"] if number == 0 else ["-cuda", "-o", f"{scratch}.ii"]  # what the host's compiler is given
        run = subprocess.run(["nvcc", "-I", include, *FLAGS, source, *end], capture_output=True, text=True)
        if run.returncode != 0:
            findings.append(f"{order[0]} first\n{run.stdout}{run.stderr}")
    tree.finish(findings, len(jobs))


main(*sys.argv[1:])
