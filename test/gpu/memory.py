"""What memory probes count on a GPU against the hardware's own counters, read by Nsight Compute from the program without probes."""
import csv
import io
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MAX_DIFFERENCE = 0.01  # between what the probes count and what the hardware does

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
               abs(by_probes - by_hardware) <= MAX_DIFFERENCE * by_hardware)


def bulk_copies():
    """What bulk.cu's kernels do on paper: {(expression, kind): {counter: value}}, without the counters that are 0."""
    rows = [(512 * lane, 16 * lane + 16) for lane in range(32)]  # of each lane: where from, how many bytes
    def copies(ranges, times):
        units = lambda size: sum((first + count - 1) // size - first // size + 1 for first, count in ranges)
        least = lambda size: sum((count + size - 1) // size for _, count in ranges)
        copied, off = sum(count for _, count in ranges), sum(first % 32 != 0 for first, _ in ranges)
        return {name: times * value for name, value in {
            "accesses": len(ranges), "lanes": len(ranges), "bytes": copied, "distinct-bytes": copied, "sectors": units(32),
            "min-sectors": least(32), "lines": units(128), "min-lines": least(128), "unit": len(ranges), "misaligned": off,
            "serial-lanes": len(ranges)}.items() if value}
    return {("in + 16", "load"): copies([(16, 1024)], 2), ("out", "store"): copies([(0, 1024)], 2),
            ("from", "load"): copies(rows, 1), ("out", "atomic"): copies([(0, 512)], 1),
            # one access of all lanes: they are together again behind the copies
            ("out[1024 + lane]", "store"): dict(copies([(1024, 32)], 1), **{"lanes": 32}),
            # by the lanes that the predicate lets pass
            ("words + lane", "load"): dict(copies([(0, 44)], 1), **{"lanes": 11}),
            ("sums + lane", "atomic"): dict(copies([(4096, 128)], 1), **{"lanes": 32}),
            # 528 bytes apart: lanes 0, 8, 16 and 24 want another word of one bank
            ("tile[lane][16 * lane + 15]", "load"): {"shared-accesses": 1, "shared-lanes": 32, "shared-bytes": 32, "wavefronts": 4,
                "min-wavefronts": 1, "shared-strided": 1, "shared-stride-bytes": 528, "shared-serial-lanes": 1}}


def compare_bulk(trace, environment):
    """Yields (what was compared, whether it agrees) for the trace of bulk.cu with memory probes: counts, and uses of cache lines."""
    text = subprocess.run([str(HERE / "kperf"), "dump", str(trace)], env=environment, capture_output=True, text=True).stdout
    sites = {found[1]: (found[3], found[2]) for found in re.finditer(r'^site (0x[1-9a-f]\w*) (\w+) "([^"]*)"', text, re.M)}
    counted, uses = {}, {}
    for site, words in re.findall(r"^counters (\S+) (.*)$", text, re.M):
        row = counted.setdefault(sites[site], {})
        for name, value in (word.split("=") for word in words.split()):
            row[name] = row.get(name, 0) + int(value)
    for site in re.findall(r"^ *reference .* ?site=(\S+)", text, re.M):
        uses[sites[site]] = uses.get(sites[site], 0) + 1
    for key, wanted in bulk_copies().items():
        found = counted.pop(key, {})
        yield f"bulk: {key}: {found}, on paper {wanted}", found == wanted
        yield f"bulk: {key}: {uses.get(key, 0)} uses of lines, {wanted.get('lines', 0)} on paper", uses.get(key, 0) == wanted.get("lines", 0)
    yield f"bulk: no other access was counted {list(counted)}", not counted
