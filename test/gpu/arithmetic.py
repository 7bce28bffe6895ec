"""Operations of floating-point units as `kperf explain --placement` says them, against Nsight Compute's counters of the program without probes:
`python3 arithmetic.py --arch sm_90a FILE.cu…`, with kperf-cc, kperf, nvcc and ncu on the PATH, in an empty folder.

Prints a line for each kernel; exits with 1 where the two differ, or where what is "at least" is more than the hardware did."""
import argparse
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys

MAX_DIFFERENCE = 0.001  # JSON has four digits
# Of a lane's instruction: how many operations; the names are Nsight Compute's, a pair of halves is one instruction.
OPERATIONS = {"fadd": 1, "fmul": 1, "ffma": 2, "dadd": 1, "dmul": 1, "dfma": 2}
HALVES = {"hadd": 2, "hmul": 2, "hfma": 4}  # constants and conversions among them


def run(command, **environment):
    done = subprocess.run(command, env={**os.environ, "KPERF_QUIET": "1", **environment}, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def hardware(program, ofHalves):
    """{kernel: operations of all launches}"""
    operations = OPERATIONS | (HALVES if ofHalves else {})
    counters = {f"smsp__sass_thread_inst_executed_op_{name}_pred_on.sum": each for name, each in operations.items()}
    text = run(["ncu", "--csv", "--page", "raw", "--print-units", "base", "--metrics", ",".join(counters), program])
    lines = text.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith('"ID"'))
    sums = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[first:]))):
        if row["Kernel Name"]:
            name = row["Kernel Name"].split("(")[0]
            sums[name] = sums.get(name, 0) + sum(each * float(row[counter].replace(",", "")) for counter, each in counters.items())
    return sums


def check(source, arch, flags):
    name = pathlib.Path(source).stem
    compiler = ["nvcc", "-O3", "-lineinfo", "-arch", arch, *flags, source, "-o"]
    run([*compiler, f"{name}.plain"])
    run(["kperf-cc", *compiler, f"{name}.probed"])
    run([f"./{name}.probed"], KPERF_OUTPUT=f"{name}.kperf", KPERF_BUFFER_MB="4096", KPERF_SAMPLE="1", KPERF_RECORDS="256")
    run(["kperf-cc", "--exact", "--probes=memory", *compiler, f"{name}.counting"])
    run([f"./{name}.counting"], KPERF_OUTPUT=f"{name}.memory.kperf")
    explained = json.loads(run(["kperf", "explain", "--all", "--format=json", f"--placement={name}.probed", f"{name}.kperf", f"{name}.memory.kperf"]))
    instructions = run(["kperf", "verify", f"{name}.probed", "--format=csv"])
    counted = {ofHalves: hardware(f"./{name}.plain", ofHalves) for ofHalves in ({False, True} if re.search("H(ADD|MUL|FMA)2", instructions) else {False})}
    isRight = True
    for kernel in explained["kernels"]:
        units, memory = kernel["floating_point_units"], kernel["memory"]
        ofHalves = any(kernel["name"].split(" [")[0] in row and re.search("H(ADD|MUL|FMA)2", row) for row in instructions.splitlines())
        found = [count for full, count in counted[ofHalves].items() if full.split("<")[0].split()[-1] == kernel["name"].split(" [")[0].split("<")[0]]
        if not units or len(found) != 1:
            print(f"skip {name}: {kernel['name']}: {'not known' if not units else 'several instances'}")
            continue
        operations = units["tflops_per_second"] * 1000 * kernel["duration_ns"]
        isEqual = abs(operations - found[0]) <= MAX_DIFFERENCE * found[0] if units["is_whole"] else operations <= found[0] * (1 + MAX_DIFFERENCE)
        isRight &= isEqual
        print(f"{'ok  ' if isEqual else 'FAIL'} {name}: {kernel['name']}: {'' if units['is_whole'] else 'at least '}{operations:.5g} operations, by the hardware {found[0]:.5g}; "
              f"{units['tflops_per_second']:.4g} TFLOP/s, {units['busy_percent']} % of their peak, {units['operations_per_byte']} a byte, balanced at "
              f"{units['balanced_operations_per_byte']}; {memory['gb_per_second'] if memory else None} of {memory['peak_gb_per_second'] if memory else None} GB/s")
    return isRight


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--flag", action="append", default=[], help="for nvcc, as --flag=-I…")
    parser.add_argument("source", nargs="+")
    arguments = parser.parse_args()
    return 0 if all([check(source, arguments.arch, arguments.flag) for source in arguments.source]) else 1


if __name__ == "__main__":
    sys.exit(main())
