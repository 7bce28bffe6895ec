"""The suite on the GPU of this machine: `python3 gpu.py --arch sm_90a`, with kperf-cc, kperf and nvcc on the PATH, in an empty folder.

Both versions of each kernel are compiled with nvcc and run with their probes, and without them for what the kernels need then. Prints a line for each case and, at the end, how many are right;
exits with 1 below nine in ten. Gains of memory accesses are held against the clock here, which the host target cannot."""
import argparse
import os
import subprocess
import sys

import explain


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--seeds", default=["1", "7", "11"], nargs="*")
    arguments = parser.parse_args()
    virtual = arguments.arch.replace("sm_", "compute_")
    compiler = f"nvcc -std=c++17 -O3 -gencode arch={virtual},code={arguments.arch}"
    # Counting accesses takes time that no calibration knows, so times come of a build of their own.
    builds = ["--probes=--probes=region,sync --auto=kernels", "--probes=--probes=region,sync,memory --auto=kernels", "--probes=--probes=launches"]
    sources = ["timed.cu", "launches.cu", "memory.cu", "resources.cu"]
    # Two runs of one program differ by some percent there: each line of a clean case says by how much.
    environment = {**os.environ, "KPERF_BUFFER_MB": "4096"}  # tails need every block
    return subprocess.run([sys.executable, explain.__file__, "--compiler", compiler, *builds, "--source", *sources, "--tolerance", "3", "--least", "90", "--seeds", *arguments.seeds],
                          env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
