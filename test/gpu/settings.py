"""What the environment changes in what a GPU records, and what `kperf perturb` says of it, against the compiled code itself."""
import json
import re
import shutil

SKIP, KEEP = 5, 4
OFF = ["whole", "called", "inner", "range", "staged", "first lane"]


def parts(text):
    """[(head, [region of each record])] of every part of every warp but the calibration's, in the trace's order."""
    out = []
    for line in text.splitlines():
        if line.startswith(("warp ", "more")):
            if line.startswith("warp "):
                kernel = re.search(r' kernel=("[^"]*"|\S+)', line)
                where = f"{line.split()[1]} {kernel and kernel[1]}"
            out.append((f"{where} {line}", []))
        elif line.startswith("  ") and out:
            out[-1][1].append(re.match(r'  \w+ ("[^"]*"|\S*)', line)[1])
    return [part for part in out if "calibration" not in part[0]]


def key(part):
    return re.sub(r" (produced|capacity|skipped|ns|cycles|gridId|sm)=\S+", "", part[0])


def check_window(dump_all, dump_window):
    """Yields (what, whether it holds): each part of a warp keeps records SKIP to SKIP + KEEP of those that it has otherwise."""
    whole = {}
    for part in parts(dump_all):
        whole.setdefault(key(part), part[1])
    compared = wrong = 0
    for part in parts(dump_window):
        records = whole.get(key(part))
        if records is None:
            continue
        wanted = records[SKIP:SKIP + KEEP]
        # where lanes diverge, or functions record, the order of records is not the same in every run
        agrees = len(part[1]) == len(wanted) if "reserved" in part[0] or "more" in part[0] else part[1] == wanted
        compared += 1
        wrong += not agrees
        if not agrees and wrong < 4:
            print(part, wanted)
    yield f"window: {compared} parts keep records {SKIP} to {SKIP + KEEP}, {wrong} do not", compared > 1000 and wrong == 0


def check_same(name, dump, other, dump_of_other):
    """Yields the same: where no lanes diverge, each part of a warp keeps the same records in both builds, wherever they were kept. A loop of
    "scattered" records once for the lanes that stay in it, but not into a buffer in shared memory."""
    kept = {}
    for head, records in parts(dump):
        kept.setdefault(key((head, records)), records)
    compared = wrong = 0
    for head, records in parts(dump_of_other):
        if "reserved" in head or "more" in head or "scattered" in head or key((head, records)) not in kept:
            continue
        compared += 1
        wrong += records != kept[key((head, records))]
    yield f"{other}: {compared} parts keep what {name} keeps, {wrong} do not", compared > 1000 and wrong == 0


def check_switches(rows_all, rows_off):
    """Yields the same: what is off has no row, and all else counts as before."""
    count = lambda rows: {(row["kernel"], row["region"]): row["count"] for row in rows if not row["region"].startswith("(")}
    before, after = count(rows_all), count(rows_off)
    expected = {what: times for what, times in before.items() if what[1] not in OFF}
    yield f"switches: {len(before)} regions, {len(after)} with {', '.join(OFF)} off", after == expected and len(before) - len(after) >= len(OFF)


def check_perturbation(name, text, run, program):
    """Yields the same: registers and memory of the clean build are those that cuobjdump finds in the program without probes."""
    rows = json.loads(text)["tables"][0]["rows"]
    yield f"perturb: {name}: {len(rows)} rows", len(rows) > 0
    for row in rows:
        yield (f"perturb: {name}: {row['kernel'][:40]}: {row['registers']} registers, {row['local']} local, {row['resident']} resident, "
               f"{row['clean_ns']:.0f} → {row['time_ns']:.0f} ns, {row['overhead_percent']:+.1f} %"), row["clean_ns"] > 0 and row["time_ns"] > 0
    if not shutil.which("cuobjdump"):
        yield f"perturb: {name}: cuobjdump is not on PATH", None
        return
    usage = run(["cuobjdump", "-res-usage", program]).stdout
    # to the kernel's own shared memory cuobjdump adds the KiB that the system has of each block's, since sm_80
    found = {(int(reg), int(shared) - 1024) for reg, shared in re.findall(r"REG:(\d+) .*?SHARED:(\d+)", usage)}
    said = {(row["registers-clean"], row["shared-clean_bytes"]) for row in rows}
    yield f"perturb: {name}: {sorted(said)} of {sorted(found)} by cuobjdump", said <= found
