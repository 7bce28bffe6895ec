"""What memory probes count on a GPU against the hardware's own counters, read by Nsight Compute from the program without probes."""
import csv
import io
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MOST_DIFFERENCE = 0.01  # between what the probes count and what the hardware does

# Nsight Compute's names. Global: sectors that L1 is asked for; loads include asynchronous copies. Shared: wavefronts that the
# address patterns of instructions need; the counters without "sass" also have those of other traffic on the same data path.
# Atomics are not compared: the hardware asks for a sector for each of the different addresses in it, and kperf counts sectors.
GLOBAL = {"loads": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "stores": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}
SHARED = {"loads": "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
          "matrix loads": "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum",
          "stores": "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
          "copies": "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum"}


def hardware(program):
    """{counter: sum over all launches}, and what ncu said when it failed."""
    counters = [*GLOBAL.values(), *SHARED.values()]
    text = subprocess.run(["ncu", "--clock-control", "none", "--cache-control", "none", "--csv", "--page", "raw", "--print-units",
                           "base", "--metrics", ",".join(counters), str(program)], capture_output=True, text=True)
    if text.returncode != 0:
        return None, text.stdout + text.stderr
    lines = text.stdout.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith('"ID"'))
    sums = dict.fromkeys(counters, 0.0)
    for row in csv.DictReader(io.StringIO("\n".join(lines[first:]))):
        for name in counters if row["Kernel Name"] else ():
            sums[name] += float(row[name].replace(",", ""))
    return sums, ""


def probes(trace, environment):
    """{table: {kind of access: count}} of all launches in a trace: sectors of global memory, wavefronts of shared memory."""
    text = subprocess.run([str(HERE / "kperf"), "memory", "--by=site", "--format=json", str(trace)], env=environment,
                          capture_output=True, text=True)
    if text.returncode != 0:
        sys.exit(text.stderr)
    counted = {"global-memory": {}, "shared-memory": {}}
    for table in json.loads(text.stdout)["tables"]:
        for row in table["rows"] if table["name"] in counted else ():
            kinds = counted[table["name"]]
            kinds[row["kind"]] = kinds.get(row["kind"], 0) + row["sectors" if table["name"] == "global-memory" else "wavefronts"]
    return counted


def compare(name, trace, environment):
    """Yields (what was compared, whether it agrees) for NAME.plain and the trace of its build with probes."""
    sums, error = hardware(HERE / f"{name}.plain")
    if sums is None:
        yield f"{name}: ncu: {error.strip()[-300:]}", None
        return
    counted = probes(trace, environment)
    for what, table, counters in (("global sectors", "global-memory", GLOBAL), ("shared wavefronts", "shared-memory", SHARED)):
        by_probes = sum(count for kind, count in counted[table].items() if kind != "atomic")
        by_hardware = sum(sums[counter] for counter in counters.values())
        parts = ", ".join(f"{kind} {sums[counter]:.0f}" for kind, counter in counters.items())
        yield (f"{name}: {what}: {by_probes} by probes {counted[table]}, {by_hardware:.0f} by the hardware ({parts})",
               abs(by_probes - by_hardware) <= MOST_DIFFERENCE * by_hardware)
