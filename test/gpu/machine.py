#!/usr/bin/env python3
"""machine.py: what memory probes count of each kernel of machine.cu against the hardware's own counters, which Nsight Compute reads
from the program without probes. Prints a row for each kernel, and what each difference comes from; exits with 1 where one has no
explanation below. Needs ncu, a GPU whose counters may be read, and the folder that build.sh makes.

Global memory is compared in sectors, shared memory in wavefronts. A difference is explained where kperf's own output says of accesses of
that kernel that it counts the source, and the hardware's count lies between what the others come
to and all of them; or by a row of EXPLAINED.
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
    "shared atomics": ["sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"],
}

LOOP = "a loop of loads and compare-and-swaps, one turn for each lane at an address: docs/reference/columns.md, wavefronts"

# What else can differ, and why: by kernel and column.
EXPLAINED = {("shared_atomic_float", "shared loads"): LOOP, ("shared_atomic_float", "shared atomics"): LOOP}

COUNTED_SOURCE = "the source is counted"  # kperf's words


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


GLOBAL = {"load": ["loads"], "store": ["stores"], "update": ["loads", "stores"], "atomic": ["atomics"]}


def probes(found):
    """{kernel: {column: (count of what is known to be executed, and with what is at most)}} of the rows of `kperf memory`."""
    unsure = {(row["function"], row["source"]) for row in found.get("machine", []) if COUNTED_SOURCE in row["machine"]}
    out = {}
    for table, prefix, counter in (("global-memory", "", "sectors"), ("shared-memory", "shared ", "wavefronts")):
        for row in found.get(table, []):
            sums = out.setdefault(row["function"], dict.fromkeys(COLUMNS, (0, 0)))
            columns = [prefix + name for name in GLOBAL.get(row["kind"], [])]
            for column in columns:
                least, most = sums[column]
                count = row[counter] // len(columns)
                sums[column] = (least + count * ((row["function"], row["source"]) not in unsure), most + count)
    return out


def reason(kernel, column, counted, least, most):
    """Why the hardware counts something else; "" where nothing says so."""
    if least <= counted <= most and least != most:
        return "kperf says that it counts the source there"
    return EXPLAINED.get((kernel, column), "")


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
        mine = by_probes.get(kernel, dict.fromkeys(COLUMNS, (0, 0)))
        verdicts = []
        for column in COLUMNS:
            least, most = mine[column]
            if most != counted[column]:
                verdicts.append(reason(kernel, column, counted[column], least, most))
                print(f"  {kernel}: {column}: ncu {counted[column]}, kperf {most}: {verdicts[-1] or 'NOT EXPLAINED'}")
        verdict = "equal" if not verdicts else "explained" if all(verdicts) else "WRONG"
        equal, explained, wrong = equal + (verdict == "equal"), explained + (verdict == "explained"), wrong + (verdict == "WRONG")
        print(f"{kernel:20} {verdict:10} " + ", ".join(f"{column} {counted[column]}" for column in COLUMNS if counted[column]))
        for text in said.get(kernel, []):
            print(f"    {text}")
    print(f"{equal} kernels equal, {explained} explained, {wrong} wrong")
    return 1 if wrong or equal + explained < 40 else 0


if __name__ == "__main__":
    sys.exit(main())
