"""What memory probes count on a GPU, against paper and against the hardware's own counters."""
import csv
import io
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MOST_DIFFERENCE = 0.01  # between what the probes count and what the hardware does

# Nsight Compute's names. Sectors that loads, stores, atomics and reductions of global memory ask L1 for; and wavefronts that
# instructions on shared memory need, as the address patterns alone decide it (the counter without "sass" also has cycles lost
# to other traffic of the same data path).
GLOBAL_SECTORS = [f"l1tex__t_sectors_pipe_lsu_mem_global_op_{kind}.sum" for kind in ("ld", "st", "atom", "red")]
SHARED_WAVEFRONTS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum"
COUNTERS = [*GLOBAL_SECTORS, SHARED_WAVEFRONTS]


def hardware(program):
    """{kernel: [{counter: value} for each launch]} of a program without probes, by Nsight Compute."""
    text = subprocess.run(["ncu", "--clock-control", "none", "--cache-control", "none", "--csv", "--page", "raw", "--print-units",
                           "base", "--print-kernel-base", "function", "--metrics", ",".join(COUNTERS), str(program)],
                          capture_output=True, text=True)
    if text.returncode != 0:
        return None, text.stdout + text.stderr
    lines = text.stdout.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith('"ID"'))
    launches = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines[first:]))):
        if row["Kernel Name"]:
            launches.setdefault(row["Kernel Name"], []).append(
                {name: float(row[name].replace(",", "")) for name in COUNTERS if row.get(name)})
    return launches, ""


def probes(kernel, trace, environment):
    """(global sectors, shared wavefronts) of all launches of a kernel in a trace."""
    text = subprocess.run([str(HERE / "kperf"), "memory", "--by=function", f"--kernel={kernel}", "--format=json", str(trace)],
                          env=environment, capture_output=True, text=True)
    if text.returncode != 0:
        sys.exit(text.stderr)
    tables = {table["name"]: table["rows"] for table in json.loads(text.stdout)["tables"]}
    return (sum(row["sectors"] for row in tables.get("global-memory", [])),
            sum(row["wavefronts"] for row in tables.get("shared-memory", [])))


def compare(name, trace, environment):
    """Yields (what was compared, whether it agrees) for each kernel of NAME.plain and the trace of its build with probes."""
    launches, error = hardware(HERE / f"{name}.plain")
    if launches is None:
        yield f"{name}: ncu: {error.strip()[-300:]}", None
        return
    for kernel, counters in sorted(launches.items()):
        expected = (sum(launch.get(counter, 0) for launch in counters for counter in GLOBAL_SECTORS),
                    sum(launch.get(SHARED_WAVEFRONTS, 0) for launch in counters))
        for what, counted, hardwares in zip(("global sectors", "shared wavefronts"), probes(kernel, trace, environment), expected):
            yield (f"{name}: {kernel}: {what}: {counted:.0f} by probes, {hardwares:.0f} by the hardware",
                   abs(counted - hardwares) <= MOST_DIFFERENCE * hardwares)
