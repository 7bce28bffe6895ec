# RUN: %python %s %kperf_include %t
# REQUIRES: nvcc
"""Every CUDA header compiles alone under nvcc, as C++17, for sm_90a."""
import pathlib
import subprocess
import sys

import tree

FLAGS = ["-std=c++17", "-gencode", "arch=compute_90a,code=sm_90a", "-Werror", "all-warnings", "-x", "cu", "-c"]


def main(include, scratch):
    include, findings, checked = pathlib.Path(include), [], 0
    for header in sorted((include / "kperf/cuda").rglob("*.h")) + [include / "kperf/probe.h"]:
        name = header.relative_to(include)
        checked += 1
        source = pathlib.Path(scratch + ".cu")
        source.write_text(f"#include <{name}>\n#include <{name}>\n")
        run = subprocess.run(["nvcc", "-I", include, *FLAGS, source, "-o", scratch + ".o"], capture_output=True, text=True)
        if run.returncode != 0:
            findings.append(f"{name}\n{run.stdout}{run.stderr}")
    tree.finish(findings, checked)


main(*sys.argv[1:])
