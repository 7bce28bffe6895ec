#!/usr/bin/env python3
"""Runs the GPU tests that build.sh put beside this file; exit code 1 when one fails.

Each program gives the same output with and without probes, under each recording policy; compute-sanitizer finds nothing; and
the report counts what the source says.
"""
import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys

import memory
import sass
import settings
from checks import HERE, TRACE, expect, failures, run, sanitize

POLICIES = [{}, {"KPERF_KEEP": "last", "KPERF_RECORDS": "8"}, {"KPERF_RECORDS": "2"}, {"KPERF_BUFFER_MB": "1"}, {"KPERF_SAMPLE": "3"}, {"KPERF": "0"}]
MAX_DIFFERENCE = 0.02  # of a region's time, between the same kernel as CUDA and as HIP
TIMED_RUNS = 5
MAX_OFF_SCHEDULE = 0.03  # of a pipeline's critical path, from what its schedule says
MAX_LAUNCH_NS = 5000  # that a launch takes longer on the host


def report():
    text = run([HERE / "kperf", "report", TRACE, "--format=json"])
    if text.returncode != 0:
        sys.exit(text.stderr)
    return json.loads(text.stdout)["tables"][0]["rows"]


def check_program(name, build="trace"):
    plain = run([HERE / f"{name}.plain"])
    expect(plain.returncode == 0, f"{name}: runs without probes")
    for policy in POLICIES:
        TRACE.unlink(missing_ok=True)
        probed = run([HERE / f"{name}.{build}"], **policy)
        expect((probed.returncode, probed.stdout) == (0, plain.stdout), f"{name}.{build}: same output with {policy or 'probes'}")
        expect(probed.stderr == "", f"{name}.{build}: nothing on stderr with {policy or 'probes'}{probed.stderr}")
    sanitize(f"{name}.{build}", POLICIES[:2])


def check_plain_launches(name, kernels):
    """Launches that are not recorded run kernels without probes: same output, and what is recorded is what the host's list says."""
    plain = run([HERE / f"{name}.plain"])
    for every in (1, 8, 50):
        TRACE.unlink(missing_ok=True)
        probed = run([HERE / f"{name}.trace"], KPERF_SAMPLE_LAUNCHES=every, KPERF_BUFFER_MB=2048)
        expect((probed.returncode, probed.stdout) == (0, plain.stdout), f"{name}: same output with one launch in {every}{probed.stderr}")
        text = run([HERE / "kperf", "dump", TRACE]).stdout
        listed = [line for line in text.splitlines() if line.startswith("launch ") and "flags=0x2" not in line]
        for kernel in kernels:
            own = [line for line in listed if kernel in line]
            probes = [line for line in own if " flags=0x4" not in line and " flags=0x5" not in line]
            expect(abs(len(probes) - len(own) / every) <= 1, f"{name}: {len(probes)} of {len(own)} launches of {kernel} with one in {every}")
            ids = {row["kernel"]: row["launches"] for row in report() if kernel.split("<")[0] in row["kernel"]}
            expect(sum(ids.values()) >= len(probes) > 0, f"{name}: the report has {sum(ids.values())} of {kernel.split('<')[0]}")


def check_counts(build):
    run([HERE / f"parts.{build}"])
    source = (HERE / "parts.cu").read_text()
    expected = {name: int(times) for name, times in re.findall(r'"([a-z ]+)".*// (\d+) a warp', source)}
    warps = 2 * int(re.search(r"kBlocks = (\d+)", source)[1])
    rows = report()
    counted = {row["region"]: row["count"] for row in rows if row["region"] in expected}
    for name, times in expected.items():
        expect(counted.get(name) == times * warps, f"parts.{build}: {name}: {counted.get(name)} of {times * warps}")
    expect(all(row["records-kept_percent"] == 100 for row in rows), f"parts.{build}: every record was kept")
    if build in ("lengths", "both"):
        errors = [row["p50-error_percent"] for row in rows if row["region"] == "whole"]
        expect(errors and all(error is not None and error < 33.4 for error in errors), f"parts.{build}: percentiles of sums lie in {errors} %")
    expect(not any(row.get("unmatched") for row in rows), f"parts.{build}: every range is whole")
    shared = len(re.findall(r"^  adjacent ", run([HERE / "kperf", "dump", TRACE]).stdout, re.M))
    # Two of three regions, two statements, and of four twice two; the last two of a loop that is left early have their own.
    due = warps * (23 + 9 + 2 * 16) if build in ("trace", "shared") else 0
    expect(shared == due, f"parts.{build}: {shared} records of two regions, {due} expected")
    for kernel in sorted({row["kernel"] for row in rows}):
        of_kernel = [row for row in rows if row["kernel"] == kernel]
        total = sum(row["self_cycles"] or 0 for row in of_kernel)
        whole = of_kernel[0]["warp-time_cycles"]
        expect(abs(total - whole) <= 0.01 * whole, f"parts.{build}: {kernel}: the rows add up to {total} of {whole} cycles")


def region_times(program):
    """What a program answers, and the mean time of each region: the median of several runs, in ns."""
    answers, times = set(), {}
    for _ in range(TIMED_RUNS):
        TRACE.unlink(missing_ok=True)
        answers |= {line for line in run([program]).stdout.splitlines() if line.startswith("result: ok")}
        for row in report():
            if row["mean_ns"] is not None:
                times.setdefault(row["region"], []).append(row["mean_ns"])
    return answers, {region: statistics.median(each) for region, each in times.items()}


def check_spelling(name):
    """As HIP over CUDA, an example gives the answer that it gives as CUDA, and its regions take as long."""
    answer, times = region_times(HERE / f"{name}.cuda")
    answer_of_hip, times_of_hip = region_times(HERE / f"{name}.hip")
    expect(len(answer) == 1 and answer == answer_of_hip, f"{name}: same answer as HIP: {answer} {answer_of_hip}")
    expect(times and times.keys() == times_of_hip.keys(), f"{name}: same regions as HIP: {sorted(times_of_hip)}")
    for region, time in times.items():
        other = times_of_hip.get(region, 0)
        expect(abs(other - time) <= MAX_DIFFERENCE * time, f"{name}: {region}: {time:.1f} ns as CUDA, {other:.1f} as HIP")


def check_pipelines():
    """Random schedules of examples/pipeline, where what is not in the schedule (barriers and probes) takes little: its critical
    path is as long as the schedule says and lies in the slowest stage."""
    numbers = random.Random(20261121)
    for _ in range(10):
        stages, slots, tiles = numbers.randint(2, 6), numbers.randint(1, 6), numbers.randint(16, 64)
        cycles = [numbers.randint(20000, 80000) for _ in range(stages)]
        words = [f"--stages={stages}", f"--slots={slots}", f"--tiles={tiles}", "--blocks=1",
                 *(f"--cycles{stage}={each}" for stage, each in enumerate(cycles))]
        plain, probed = run([HERE / "pipeline.plain", *words]), run([HERE / "pipeline.sync", *words])
        case = f"pipeline of {cycles}, {slots} slots, {tiles} tiles"
        expect(plain.returncode == 0 and plain.stdout == probed.stdout, f"{case}: same output with probes")
        model = int(re.search(r"model: (\d+) cycles", plain.stdout)[1])
        said = run([HERE / "kperf", "overlap", TRACE, "--block=0", "--format=json"])
        tables = {table["name"]: table["rows"] for table in json.loads(said.stdout)["tables"]}
        shares = {}
        for row in tables["path"]:
            key = row["segment"], row["warp"]
            shares[key] = shares.get(key, 0) + row["time_cycles"]
        length = sum(shares.values())
        expect(abs(length - model) <= MAX_OFF_SCHEDULE * model,
               f"{case}: path of {length} cycles, schedule of {model}: {100 * (length / model - 1):+.2f} %")
        expect(all(row["not-known"] == 0 for row in tables["waits"]), f"{case}: who released each wait is known")
        if slots > 1:
            slowest = max((each for each in shares if each[0] in ("load", "multiply", "store")), key=shares.get)
            expect(cycles[slowest[1]] == max(cycles), f"{case}: the path is most in {slowest[0]} of warp {slowest[1]}")


def expect_all(checks):
    for what, agrees in checks:
        if agrees is None:
            print(f"skip {what}")
        else:
            expect(agrees, what)


def check_launches():
    """Every warp of every way to launch is recorded, on each GPU; a launch costs the host little more than without probes."""
    plain, probed = run([HERE / "launches.plain"]), run([HERE / "launches.trace"], KPERF_RECORDS="8")
    expect(plain.returncode == 0 and plain.stdout == probed.stdout, f"launches: same output {plain.stderr}{probed.stderr}")
    expected = {int(way): int(warps) for way, warps in re.findall(r"expect (\d+) (\d+)", plain.stdout)}
    found = {}
    for row in report():
        way = re.search(r"\[(?:with )?(?:int )?Way = (\d+)\]", row["kernel"])
        if way and row["region"] == "work":
            found[int(way[1])] = found.get(int(way[1]), 0) + row["count"]
            expect(row["warps"] == row["warps-launched"], f"launches: way {way[1]}: {row['launches']} launches of {row['warps-launched']} "
                   f"warps, {row['warps']} recorded, {row['duration_ns']:.0f} ns each")
    expect(found == expected, f"launches: {found} warps of {expected}, by Chevrons, Pointer, Cluster, Cooperative, Graph, Idle")
    cost = [float(re.search(r"(\d+) ns a launch", each.stderr)[1]) for each in (plain, probed)]
    expect(cost[1] - cost[0] <= MAX_LAUNCH_NS, f"launches: {cost[0]:.0f} ns of the host's time without probes, {cost[1]:.0f} with")


def check_settings():
    """The environment chooses what is kept and recorded; the program's output stays the same."""
    plain = run([HERE / "parts.plain"]).stdout

    def dump(build, **setting):
        said = run([HERE / f"parts.{build}"], **setting)
        expect(said.stdout == plain and not said.stderr, f"parts.{build}: same output with {setting or 'probes'} {said.stderr}")
        return run([HERE / "kperf", "dump", TRACE]).stdout

    window = {"KPERF_SKIP": str(settings.SKIP), "KPERF_RECORDS": str(settings.KEEP)}
    last = {"KPERF_KEEP": "last", "KPERF_RECORDS": str(settings.KEEP)}
    for build in ("switched", "sharedswitched"):
        expect_all(settings.check_window(dump(build), dump(build, **window)))
    for setting in ({"KPERF_RECORDS": str(settings.KEEP)}, last):
        expect_all(settings.check_same("trace", dump("trace", **setting), "shared", dump("shared", **setting)))
    for size, *allowed in (["0"], ["30000"], ["45000"], ["49152"], ["60000", "allowed"], ["90000"]):
        without, beside = run([HERE / "room.plain", size, *allowed]), run([HERE / "room.shared", size, *allowed])
        expect(without.stdout == beside.stdout and not beside.stderr, f"room.shared: {size} bytes: {beside.stdout.strip()} {beside.stderr}")
    rows = []
    for setting in ({}, {"KPERF_REGIONS": ",".join("-" + name for name in settings.OFF)}):
        expect(run([HERE / "parts.switched"], **setting).stdout == plain, f"parts.switched: same output with {setting or 'all'}")
        rows.append(report())
    expect_all(settings.check_switches(*rows))
    run([HERE / "parts.trace"], KPERF_KERNELS="-fenced*")
    kernels = {row["kernel"] for row in report()}
    expect(kernels and not any("fenced" in kernel for kernel in kernels), f"parts.trace: {kernels} without fenced")


def check_search():
    """perturb builds with less and less recorded until the budget is kept; here the builds are there, and its compiler picks one."""
    builds = {"--probes=launches": "clean", "": "cuda", "--aggregate=* --histogram": "histogram", "--aggregate=*": "sums", "--sample": "sample"}
    (HERE / "pick.py").write_text(f"import shutil, sys\nshutil.copy('{HERE}/sgemm.' + {builds}[' '.join(sys.argv[1:])], '{HERE}/sgemm.picked')\n")
    for budget in (1000, 5, 0.5):
        said = run([HERE / "kperf", "perturb", f"--overhead-budget={budget}", f"--build={sys.executable} {HERE}/pick.py {{probes}}",
                    f"--run={HERE}/sgemm.picked", "--format=json"])
        expect(said.returncode in (0, 1) and said.stdout, f"perturb --build: a budget of {budget} % {said.stderr if not said.stdout else ''}")
        if not said.stdout:
            continue
        table, = json.loads(said.stdout)["tables"]
        keeps = re.search(r"(?!none)\b(\S+) keeps the budget", table["notes"][-1])
        costs = re.findall(r"(\S+) costs (-?[\d.]+) %", table["notes"][-1])
        expect(costs and all(float(cost) > budget - 0.1 for _, cost in costs[:-1]), f"perturb --build: {costs} for {budget} %")
        expect((said.returncode == 0) == bool(keeps) and (not keeps or keeps[1] == costs[-1][0] and float(costs[-1][1]) <= budget + 0.1),
               f"perturb --build: {keeps and keeps[1]} keeps {budget} %")


def check_perturb(name):
    """What probes change in a kernel, as the compiled code has it."""
    for build in ("clean", "cuda"):
        run([HERE / f"{name}.{build}"], KPERF_LAUNCH_TIMES="1")
        TRACE.rename(HERE / f"{name}.{build}.kperf")
    said = run([HERE / "kperf", "perturb", HERE / f"{name}.clean.kperf", HERE / f"{name}.cuda.kperf", "--format=json"])
    expect(said.returncode == 0, f"perturb: {name} {said.stderr}")
    if said.returncode == 0:
        expect_all(settings.check_perturbation(name, said.stdout, run, HERE / f"{name}.plain"))


def check_machine_code(name):
    """The probes of an example as the compiler left them; prints how many of its regions' instructions it moved out of them."""
    if not shutil.which("nvdisasm"):
        return print("skip nvdisasm is not on PATH")
    for what, holds in sass.checks(HERE / f"{name}.rewritten", HERE / f"{name}.cubin", HERE / f"{name}.plain.cubin"):
        print(f"     {what}") if holds is None else expect(holds, what)


def check_pipes():
    """What waits on CUDA's own pipelines are for is known, and where another block let one go on it is said to be another."""
    if not (HERE / "pipes.sync").exists():
        print("skip pipes: not built for this GPU")
        return
    plain, probed = run([HERE / "pipes.plain"]), run([HERE / "pipes.sync"])
    expect(plain.returncode == 0 and plain.stdout == probed.stdout, f"pipes: same output with probes {plain.stderr}{probed.stderr}")
    said = run([HERE / "kperf", "overlap", TRACE, "--format=json"])
    rows = [row for table in json.loads(said.stdout)["tables"] if table["name"] == "waits" for row in table["rows"]]
    waits = {(row["kernel"].split("::")[-1].split("(")[0], row["wait"]): row for row in rows}
    acquire = "producer_acquire(pipe)"
    for kernel, wait in (("ofThread", "consumer_wait(pipe)"), ("ofBlock", "consumer_wait(pipe)"), ("ofBlock", acquire)):
        row = waits.get((kernel, wait))
        expect(row and row["count"] > 0 and row["not-known"] == 0, f"pipes: {kernel}: {wait}: {row and (row['count'], row['waited'], row['not-known'], row['why-not-known'])}")
    said = sorted((row["waited"], row["count"], row["not-known"], row["released-by"], row["of-waited_percent"])
                  for row in rows if "byRoles" in row["kernel"] and row["wait"] == acquire)
    blocks, tiles = 16, 24  # of pipes.cu; a tile waits unless a stage is free that nobody used yet
    expect(said == [(blocks * (tiles - stages), blocks * tiles, 0, "slow", 100) for stages in (3, 2)], f"pipes: byRoles: {said} waited for the slow warp")
    pairs = [row for (kernel, wait), row in waits.items() if kernel == "pairs" and wait.startswith("isOver")]
    expect(pairs and all(row["other-blocks"] == row["count"] for row in pairs), f"pipes: pairs: {[(row['count'], row['other-blocks']) for row in pairs]} by other blocks")


def check_memory():
    """Memory probes count what the kernels do on paper, and what Nsight Compute's counters say."""
    plain, counted = run([HERE / "truth.plain"]), run([HERE / "truth.memory"])
    expect(plain.returncode == 0 and plain.stdout == counted.stdout, f"truth.memory: same output {counted.stderr}")
    paper = run([sys.executable, HERE / "truth.py", HERE / "kperf", TRACE])
    expect(paper.returncode == 0, f"truth.memory: counts as on paper {paper.stdout}{paper.stderr}")
    for seed in ("1", "2", "3"):
        noted = run([HERE / "loops.memory", seed])
        same = subprocess.run([sys.executable, HERE / "loops.py", HERE / "kperf", TRACE], input=noted.stdout, capture_output=True, text=True,
                              env=dict(os.environ, LD_LIBRARY_PATH=str(HERE)))
        expect(noted.returncode == 0 and same.returncode == 0, f"loops.memory {seed}: counts as noted {noted.stderr}{same.stdout}{same.stderr}")
    for name in ("truth", "sgemm", "attention", "gemv_decode"):
        counted = run([HERE / f"{name}.memory"])
        expect(counted.returncode == 0, f"{name}.memory: runs {counted.stderr}")
        expect_all(memory.compare(name, TRACE, dict(os.environ, LD_LIBRARY_PATH=str(HERE))))
    if not (HERE / "bulk.memory").exists():
        return print("skip bulk: not built for this GPU")
    plain, counted = run([HERE / "bulk.plain"]), run([HERE / "bulk.memory"])
    expect("no error" in plain.stdout and plain.stdout == counted.stdout, f"bulk.memory: same output {plain.stdout}{counted.stdout}{counted.stderr}")
    expect_all(memory.compare_bulk(TRACE, dict(os.environ, LD_LIBRARY_PATH=str(HERE))))


def check_device():
    """Every assumption that `kperf selftest` looks at holds here."""
    said = run([HERE / "kperf", "selftest", f"--program={HERE / 'selftest'}"])
    expect(said.returncode == 0, f"selftest: what probes take for granted holds\n{said.stdout}{said.stderr}")


def start_reuse():
    """A million uses of cache lines by one warp, whose order is that of its source, against those on paper; runs beside the rest."""
    shape = ["30000", "100000", "1000000"]
    files = []
    for name, setting in (("reuse.all", {"KPERF_LINES": "4000000"}), ("reuse.default", {})):
        trace = HERE / f"{name}.kperf"
        printed = run([HERE / "reuse.memory", *shape], KPERF_OUTPUT=trace, **setting)
        (HERE / f"{name}.txt").write_text(printed.stdout)
        files += [trace, HERE / f"{name}.txt"]
    command = [sys.executable, HERE / "reuse.py", HERE / "kperf", *files[:2], *shape, *files[2:]]
    return subprocess.Popen(list(map(str, command)), env=dict(os.environ, LD_LIBRARY_PATH=str(HERE)), cwd=HERE,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def check_programs():
    check_program("parts")
    check_program("foreign")
    check_program("parts", "sums")
    check_program("parts", "extremes")
    check_program("parts", "lengths")
    check_program("parts", "both")
    check_program("parts", "shared")
    check_program("parts", "sharedswitched")
    for build in ("trace", "sums", "extremes", "lengths", "both", "shared"):
        check_counts(build)
    check_program("hip")
    for example in ("vector_add", "sgemm", "attention", "gemv_decode"):
        check_spelling(example)


def check_visits(program, warps, launches, lost_visits):
    """What functions record in a program whose source says of each region how often a warp comes to it and for how long, in `launches`
    launches of blocks of `warps` warps. `lost_visits`: of lanes without the one that records, in a warp."""
    check_program(program)
    run([HERE / f"{program}.trace"])
    source = (HERE / f"{program}.cu").read_text()
    inside = {"a call": 2500, "others": 200}  # a stream's entry and exit around the call; other regions' clocks
    expected = {name: (int(times), int(cycles), inside.get(more, 0)) for name, times, cycles, more in
                re.findall(r'"(\w+)"\);\s*// (\d+) times (\d+)(?:, with (a call|others))?', source)}
    warps *= launches * int(re.search(r"kBlocks = (\d+)", source)[1])
    rows, counted = report(), {}
    for row in rows:
        counted.setdefault(row["region"], []).append(row)
    for name, (times, cycles, around) in expected.items():
        count, due = sum(row["count"] for row in counted.get(name, [])), times * warps
        expect(count == due, f"{program}: {name}: {count} of {due}")
        for row in counted.get(name, []) if times else []:
            mean = row["total_cycles"] / row["count"]
            expect(cycles <= mean <= cycles + 150 + around, f"{program}: {name}: {mean:.1f} cycles a visit, {cycles} spent")
    kept = [row for row in rows if row["kernel"] != "narrow"]
    expect(all(row["records-kept_percent"] == 100 for row in kept), f"{program}: every record was kept")
    notes = run([HERE / "kperf", "report", TRACE]).stdout
    lost = re.search(r"note: (\d+) times a lane came to a region", notes)
    due = lost_visits * warps
    expect((int(lost[1]) if lost else 0) == due, f"{program}: {lost and lost[1]} visits without a record, {due} expected")
    expect("had not finished" not in notes, f"{program}: every warp finished")


def check_streams():
    # without the lane that records: of "high" 3 visits, of "upper" none, for its frame has that lane's words; of "ragged" none, for lane 0 passes most
    check_visits("streams", warps=2, launches=4, lost_visits=3 * 16)
    check_visits("kernel_streams", warps=3, launches=2, lost_visits=0)
    narrow = [row for row in report() if row["kernel"] == "narrow"]
    expect(narrow and all(row["records-kept_percent"] == 0 for row in narrow), f"kernel_streams: nothing of narrow is kept, {narrow}")


def check_rows():
    check_visits("rows", warps=4, launches=4, lost_visits=2 * 16)


def check_plain():
    check_program("plain")
    check_plain_launches("plain", ["step<1>", "step<2>", "finish"])
    check_plain_launches("launches", [f"work<{way}>" for way in range(4)])


def check_perturbs():
    for example in ("sgemm", "attention"):
        check_perturb(example)
    check_search()


def check_machine_codes():
    for example in ("vector_add", "sgemm", "attention", "gemv_decode", "gemm_hopper", "attention_hopper"):
        check_machine_code(example)


CHECKS = {"device": check_device, "programs": check_programs, "plain": check_plain, "streams": check_streams, "rows": check_rows, "launches": check_launches, "settings": check_settings,
          "perturb": check_perturbs, "code": check_machine_codes, "pipelines": check_pipelines, "pipes": check_pipes,
          "memory": check_memory}
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--only", nargs="+", choices=CHECKS, default=list(CHECKS), help="some of the checks")
chosen = parser.parse_args().only
reuse = start_reuse() if "memory" in chosen else None
for name in chosen:
    CHECKS[name]()
if reuse:
    said = reuse.communicate()[0].strip()
    expect(reuse.returncode == 0, f"reuse distances: {said}")
sys.exit(1 if failures else 0)
