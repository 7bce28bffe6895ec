#!/usr/bin/env python3
"""machine.py: what memory probes count of each kernel of machine.cu against the hardware's own counters, which Nsight Compute reads
from the program without probes. Prints a row for each kernel, and what each difference comes from; exits with 1 where one has no
explanation below. Needs ncu, a GPU whose counters may be read, and the folder that build.sh makes.

Global loads and stores are compared in sectors, shared memory in wavefronts. Of atomics the hardware asks for a sector for each of the
different addresses in it, so what is compared with it are the different addresses that lanes update.
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# Nsight Compute's names. Those of shared memory with "sass" leave out other traffic on the same data path.
COLUMNS = {
    "loads": ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
    "stores": ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    "atomics": ["l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"],
    "shared loads": ["sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    "shared stores": ["sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
}

# What can differ, and why: by kernel and column.
EXPLAINED = {
    ("invariant", "loads"): "the load is moved out of the loop: one instruction where the source has five accesses; kperf says that it counts the source",
    ("rolled", "loads"): "the loop is unrolled in part; each access is still one instruction",
}


def hardware(program):
    """{kernel: {column: count}}"""
    metrics = sorted({name for names in COLUMNS.values() for name in names})
    run = subprocess.run(["ncu", "--clock-control", "none", "--cache-control", "none", "--csv", "--page", "raw", "--print-units", "base",
                          "--metrics", ",".join(metrics), str(program)], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit("ncu: " + (run.stdout + run.stderr).strip()[-600:])
    lines = run.stdout.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith('"ID"'))
    out = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[first:]))):
        if name := row["Kernel Name"].split("(")[0].split()[-1] if row["Kernel Name"] else "":
            sums = out.setdefault(name, dict.fromkeys(COLUMNS, 0))
            for column, names in COLUMNS.items():
                sums[column] += sum(int(float((row.get(metric) or "0").replace(",", ""))) for metric in names)
    return out


def tables(trace):
    run = subprocess.run([str(HERE / "kperf"), "memory", "--by=site", "--format=json", str(trace)], capture_output=True, text=True,
                         env=dict(os.environ, LD_LIBRARY_PATH=f"{HERE}:{os.environ.get('LD_LIBRARY_PATH', '')}"))
    if run.returncode != 0:
        sys.exit(run.stderr)
    return {table["name"]: table["rows"] for table in json.loads(run.stdout)["tables"]}


def probes(found):
    """{kernel: {column: count}} of the rows of `kperf memory`."""
    out = {}
    for row in found.get("global-memory", []):
        sums = out.setdefault(row["function"], dict.fromkeys(COLUMNS, 0))
        if row["kind"] == "atomic":
            lanes = round(row["lanes"] * row["accesses"])
            sums["atomics"] += round(row["distinct-bytes_bytes"] / (row["bytes_bytes"] / lanes))
        for column, share in {"load": [("loads", 1)], "store": [("stores", 1)], "update": [("loads", 2), ("stores", 2)]}.get(row["kind"], []):
            sums[column] += row["sectors"] // share
    for row in found.get("shared-memory", []):
        sums = out.setdefault(row["function"], dict.fromkeys(COLUMNS, 0))
        for column, share in {"load": [("shared loads", 1)], "store": [("shared stores", 1)], "update": [("shared loads", 2), ("shared stores", 2)]}.get(row["kind"], []):
            sums[column] += row["wavefronts"] // share
    return out


def main():
    trace = HERE / "machine.kperf"
    subprocess.run([str(HERE / "machine.memory")], check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, KPERF_OUTPUT=str(trace), KPERF_QUIET="1"))
    found = tables(trace)
    by_probes, by_hardware = probes(found), hardware(HERE / "machine.plain")
    said = {}
    for row in found.get("machine", []):
        said.setdefault(row["function"], []).append(f"{row['access']}: {row['machine']}")
    equal = explained = wrong = 0
    for kernel, counted in by_hardware.items():
        mine = by_probes.get(kernel, dict.fromkeys(COLUMNS, 0))
        verdicts = []
        for column in COLUMNS:
            if mine[column] != counted[column]:
                verdicts.append(EXPLAINED.get((kernel, column), ""))
                print(f"  {kernel}: {column}: ncu {counted[column]}, kperf {mine[column]}: {verdicts[-1] or 'NOT EXPLAINED'}")
        verdict = "equal" if not verdicts else "explained" if all(verdicts) else "WRONG"
        equal, explained, wrong = equal + (verdict == "equal"), explained + (verdict == "explained"), wrong + (verdict == "WRONG")
        print(f"{kernel:20} {verdict:10} " + ", ".join(f"{column} {counted[column]}" for column in COLUMNS if counted[column]))
        for text in said.get(kernel, []):
            print(f"    {text}")
    print(f"{equal} kernels equal, {explained} explained, {wrong} wrong")
    return 1 if wrong or equal + explained < 40 else 0


if __name__ == "__main__":
    sys.exit(main())
