"""model.py SEEDS [--first N] [--seconds S]: random programs whose schedules are known, and what kperf says of them.

Each seed is a program with producers, consumers, rings, meetings, copies and nested work, run in several launches; its trace is packed from
text, and what report, overlap and diff print has to be what the model of tables.py has by the definitions. Stops behind SEEDS, or after S
seconds; a seed that fails is named, with its trace."""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import time
from collections import Counter, defaultdict

import change
import estimates
import schedule
import sums
import tables
import text


def kperf(*words):
    run = subprocess.run(["kperf", *words], capture_output=True, text=True)
    assert run.returncode == 0, f"kperf {' '.join(words)}: {run.stderr}"
    return run.stdout


def pages(*words):
    found = json.loads(kperf(*words, "--format=json"))["tables"]
    return {table["name"]: table["rows"] for table in found}


def pack(name, programs, launches, keep="first"):
    pathlib.Path(f"{name}.txt").write_text(text.trace(programs, launches, keep))
    kperf("pack", f"{name}.txt", "-o", f"{name}.kperf")
    return f"{name}.kperf"


def same(what, found, expected, slack=1e-8):
    isNumber = isinstance(found, (int, float)) and isinstance(expected, (int, float))
    isSame = abs(found - expected) <= slack * max(1, abs(expected)) if isNumber else found == expected
    assert isSame, f"{what}: found {found}, expected {expected}"


def check(what, row, expected, slack=1e-8):
    for key, value in expected.items():
        same(f"{what}, {key}", row[key], value, slack)


def compareReport(rows, launches, keep, isSampled):
    for kernel, (header, expected) in tables.report(launches, keep).items():
        mine = {(row["region"], int(row["source"].split(":")[1]) if row["source"] else None): row for row in rows if row["kernel"] == kernel}
        any = next(iter(mine.values()))
        check(kernel, any, {"launches": header["launches"], "duration_ns": header["duration"], "warps": header["warps"], "warp-time_cycles": header["cycles"]})
        if header["produced"]:
            same(f"{kernel}, records-kept", any["records-kept_percent"], 100 * header["kept"] / header["produced"])
        left = {key for key, row in expected.items() if +row}
        if not +expected["(not recorded)", None] and ("(not recorded)", None) in mine:
            same(f"{kernel}, (not recorded)", mine["(not recorded)", None]["total_cycles"], 0)
            left.add(("(not recorded)", None))
        same(f"{kernel}, rows", set(mine) - {("(unattributed)", None)}, left - {("(unattributed)", None)})
        for key, row in mine.items():
            what, model = f"{kernel}, {key}", expected[key]
            if key[1] is None:
                check(what, row, {"total_cycles": model["self"]})
                continue
            same(what + ", unmatched", row["unmatched"] or 0, model["unmatched"])
            if "mean" not in model:
                check(what, row, {"count": model["count"], "total_cycles": None})
            else:
                same(what + ", overlapping", row["overlapping"] or 0, model["overlapping"])
                if model["overlapping"] < model["count"]:
                    check(what, row, {"self_cycles": model["self"], "share_percent": 100 * model["self"] / header["cycles"]})
                check(what, row, {"count": model["count"], "total_cycles": model["total"], "mean_cycles": model["mean"], "max_cycles": model["max"], "min_cycles": model["min"],
                                  "warp-imbalance": model["warpImbalance"], "sm-imbalance": model["smImbalance"]})
                check(what, row, {"p50_cycles": model["p50"], "p99_cycles": model["p99"]}, slack=0.004)
                if isSampled:
                    assert row["total-error_percent"] != 0, f"{what}: no estimate is exact"


def comparePaths(rows, launches):
    found = defaultdict(Counter)
    for row in rows:
        if row["kind"] not in (None, "mark", "signal"):
            found[row["kernel"], row["path"]].update(count=row["count"], total=row["total_cycles"], self=row["self_cycles"])
    same("paths", {key: +row for key, row in found.items()}, {key: +row for key, row in tables.paths(launches).items()})


def distinctNames(launches, by, keep, kernel):
    """{region: name} of those that the kernel's warps entered, those of one name told apart by their lines."""
    regions = {span.region for name, warps in tables.together(launches, by, keep) if name == kernel for warp in warps for span in warp.spans}
    names = [region.name for region in regions]
    return {region: f"{region.name} ({region.file}:{region.line})" if names.count(region.name) > 1 else region.name for region in regions}


def compareOverlap(found, launches, by, keep="first"):
    for kernel, (header, sums, pairs) in tables.overlap(launches, by, keep).items():
        names = distinctNames(launches, by, keep, kernel)
        mine = [row for row in found.get("overlap", []) if row["kernel"] == kernel]
        for row in mine:
            check(kernel, row, {"groups": header["groups"], "group-time_cycles": header["cycles"], "covered_percent": 100 * header["covered"] / header["cycles"] if header["cycles"] else None})
        same(f"{kernel}, overlap", sorted((row["region"], row["running_cycles"], row["exposed_cycles"], row["overlapped_cycles"]) for row in mine if row["running_cycles"]),
             sorted((names[region], row["total"], row["exposed"], row["overlapped"]) for region, row in sums.items()))
        together = [row for row in found.get("overlap-pairs", []) if row["kernel"] == kernel]
        same(f"{kernel}, overlap-pairs", sorted((row["region"], row["with"], row["together_cycles"]) for row in together),
             sorted((names[region], names[other], cycles) for (region, other), cycles in pairs.items()))


def compareSync(found, launches):
    expected = tables.waits(launches)
    rows = {(row["kernel"], row["wait"]): row for row in found.get("waits", [])}
    same("waits", set(rows), set(expected))
    for key, model in expected.items():
        sums, row = model["sum"], rows[key]
        check(f"wait {key}", row, {"count": sums["count"], "waited": sums["waited"], "not-known": 0, "other-blocks": 0, "time_cycles": sums["time"], "max_ns": model["max"],
                                   "latency_ns": sums["latency"] / sums["waited"] if sums["waited"] else 0})
        if None not in model["by"] and model["by"]:
            most = max(model["by"].values())
            names = {getattr(by, "name", by) for by, count in model["by"].items() if count == most}
            assert row["released-by"] in names, f"wait {key}: released by {row['released-by']}, expected one of {names}"
            same(f"wait {key}, of-waited", row["of-waited_percent"], 100 * most / sums["waited"])
    rows = {(row["kernel"], row["work"], row["from"]): row for row in found.get("in-flight", [])}
    expected = tables.flights(launches)
    same("in-flight", set(rows), set(expected))
    for key, model in expected.items():
        check(f"in flight {key}", rows[key], {"count": model["count"], "total_cycles": model["total"], "exposed_cycles": model["exposed"], "upper-bounds": model["bounds"]})
    paths = defaultdict(Counter)
    for program, _, _, blocks in launches:
        for _, _, warps, *_ in blocks:
            if any(warp.waits for _, _, _, each in launches for _, _, others, *_ in each for warp in others) and program.hasSync:
                paths[program.kernel.name].update(tables.path(warps))
    steps = defaultdict(Counter)
    for row in found.get("critical-path", []):
        steps[row["kernel"]][row["segment"], row["kind"]] += row["time_cycles"]
        same("covered", row["covered_percent"], 100)
    for kernel, model in paths.items():
        if any(key[0] == kernel for key in tables.waits(launches)):
            same(f"{kernel}, critical path", dict(steps[kernel]), dict(+model))


def compareGains(found, launches):
    """Of kernels without copies: how long those take that were never waited for, only kperf guesses."""
    gains = defaultdict(Counter)
    for program, _, _, blocks in launches:
        for _, _, warps, *_ in blocks:
            end = max(warp.end for warp in warps)
            for region in program.regions:
                if region.kind in ("scope", "range", "wait"):
                    gains[program.kernel.name][region.name, region.line] += end - tables.replayed(warps, region)
    groups = {program.kernel.name for program, _, _, blocks in launches for _, _, warps, *_ in blocks if any(warp.groups for warp in warps)}
    for row in found.get("critical-path", []):
        if row["kernel"] not in groups and row["source"] and row["kind"] in ("region", "wait"):
            key = row["segment"], int(row["source"].split(":")[1])
            same(f"{row['kernel']}, gain of {key}", row["gain_cycles"], gains[row["kernel"]][key])


def compareBlock(name, launches):
    """The listed path of a block has no gaps, and is what the path adds up to."""
    for kernel in {program.kernel.name for program, *_ in launches if program.hasSync}:
        rows = [row for row in pages("overlap", name, "--block=0", f"--kernel={kernel}").get("path", [])]
        _, _, _, blocks = next(launch for launch in launches if launch[0].kernel.name == kernel)
        steps, now = Counter(), 0
        for row in rows:
            same(f"{kernel}, path", row["from_cycles"], now)
            now += row["time_cycles"]
            steps[row["segment"], row["kind"]] += row["time_cycles"]
        if rows:
            same(f"{kernel}, path", dict(steps), dict(tables.path(blocks[0][2])))


def compareDiff(names, sides, measure):
    """`names` and `sides`: of A and of B, a trace and its launches for each run."""
    rows = pages("diff", *names[0], "--against", *names[1], f"--of={measure}")["diff"]
    for kernel in {program.kernel.name for program, *_ in sides[0][0]}:
        values = [[tables.launchValues(run, kernel, measure) for run in side] for side in sides]
        for row in (row for row in rows if row["kernel"] == kernel):
            key = (row["region"], int(row["source"].split(":")[1])) if row["source"] else None
            left, right = ([run[2] if key is None else run[0][key] for run in side if key is None or key in run[0]] for side in values)
            what, unit = f"diff --of={measure}, {kernel}, {key}", "ns" if key is None else "cycles"
            if key and not (left and right):
                same(what, row["verdict"], "only in A" if left else "only in B")
                continue
            before, after = (sum(map(tables.trimmed, runs)) / len(runs) for runs in (left, right))
            check(what, row, {f"a_{unit}": before, f"b_{unit}": after})
            if before > 0:
                same(what + ", change", row["change_percent"], 100 * (after / before - 1), 1e-6)
            if key:
                check(what, row, {f"visits-{'ab'[i]}": sum(run[1][key] for run in side) for i, side in enumerate(values)})


def drawLaunches(numbers, programs, maxCapacity, sampled=0):
    out, start = [], 1000
    for grid in range(1, numbers.randint(1, 4) + 1):
        for index, program in enumerate(programs):
            blocks = []
            for number in range(numbers.randint(1, 3)):
                begin = start + numbers.randint(0, 200)
                # in each of two parts neighbouring records would be too far from each other
                keeping = numbers.choice(("own", "reserved") if program.longest else ("own", "reserved", "both"))
                blocks.append((number, numbers.randint(0, 3), schedule.settle(program.block(begin)), keeping, maxCapacity or 1 << 14))
            start = max(warp.end for _, _, warps, *_ in blocks for warp in warps) + numbers.randint(0, 500)
            out.append((program, 10 * grid + index, sampled, blocks))
    return out


def checkSeed(seed):
    numbers = random.Random(seed)
    programs = [schedule.Program(numbers, 50 * i, f"kernel {i}", hasSync=i == 0 or numbers.random() < 0.5) for i in range(numbers.randint(1, 2))]
    isLong, namesakes = numbers.random() < 0.2, random.Random(f"names {seed}")
    if len(programs) == 2 and namesakes.random() < 0.5:
        schedule.collide(namesakes, [program.kernel for program in programs])
    launches = drawLaunches(numbers, programs, 0)
    name = pack("whole", programs, launches)
    compareReport(pages("report", name)["regions"], launches, "first", False)
    comparePaths(pages("report", name, "--by=path")["regions"], launches)
    found = pages("overlap", name)
    compareOverlap(found, launches, "block")
    compareSync(found, launches)
    compareGains(found, launches)
    compareBlock(name, launches)
    compareOverlap(pages("overlap", name, "--by=sm"), launches, "sm")
    kperf("reduce", name, "-o", "reduced.kperf")
    compareReport(pages("report", "reduced.kperf")["regions"], launches, "first", False)
    names, sides = [[name], []], [[launches], []]
    for side, run in [(1, 0), (0, 1), (1, 1)][:numbers.randint(1, 3)]:
        sides[side].append(drawLaunches(numbers, programs, 0))
        names[side].append(pack(f"run-{side}-{run}", programs, sides[side][-1]))
    compareDiff(names, sides, numbers.choice(("mean", "total", "self")))
    kperf("merge", *names[0], *names[1], "-o", "merged.kperf")
    everything = [launch for side in sides for run in side for launch in run]
    compareReport(pages("report", "merged.kperf")["regions"], everything, "first", False)
    compareOverlap(pages("overlap", *names[0], *names[1]), everything, "block")
    plain = [schedule.Program(numbers, 50 * i, f"kernel {i}", hasSync=numbers.random() < 0.5, crosses=numbers.random() < 0.5) for i in range(2)]
    if isLong:
        plain = [schedule.Program(numbers, 50 * i, f"kernel {i}", False, longest=(1 << 31) + (1 << 30)) for i in range(2)]
    if namesakes.random() < 0.5:
        schedule.collide(namesakes, [program.kernel for program in plain])
    keep, capacity = numbers.choice(("first", "last")), numbers.choice((4, 8, 16, 64))
    dropped = drawLaunches(numbers, plain, capacity)
    name = pack("dropped", plain, dropped, keep)
    compareReport(pages("report", name)["regions"], dropped, keep, False)
    compareOverlap(pages("overlap", name), dropped, "block", keep)
    sums.check(kperf, pages, same, numbers)
    change.check(kperf, pages, same, numbers)
    estimates.check(kperf, pages, same, numbers)
    sampled = drawLaunches(numbers, plain, 0, numbers.choice((2, 3, 16)))
    compareReport(pages("report", pack("sampled", plain, sampled))["regions"], sampled, "first", True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    options = parser.parse_args()
    end, done, failed = time.monotonic() + options.seconds, 0, 0
    for seed in range(options.first, options.first + options.seeds):
        if time.monotonic() > end or failed >= 10:
            break
        try:
            checkSeed(seed)
            done += 1
        except AssertionError as error:
            failed += 1
            print(f"seed {seed}: {error}")
    print(f"{done} seeds are as the model says, {failed} are not")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
