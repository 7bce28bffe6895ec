"""Random pipelines, run by a discrete-event model that also says who waited for whom: pipelines.py FOLDER writes what the model
recorded as a trace, and holds kperf's critical path, gains and counts of waits against the model's own."""
import dataclasses
import json
import pathlib
import random
import subprocess
import sys

ITEMS = 12
PASS = 64  # SyncGraph::kPassCycles: a shorter wait for a copy says nothing


@dataclasses.dataclass(frozen=True)
class Point:
    """A moment of a warp, what made it come then, and how the time between is called."""

    at: int
    cause: "Point | None"
    name: str = ""
    kind: str = ""


@dataclasses.dataclass
class Pipeline:
    """Stages in a row; every warp of a stage works on every item; between two stages a ring of slots with a full and an empty
    barrier each. Where `flights` has a length, the first stage does not fill its slots itself but starts a copy."""

    prefix: str
    warps: list  # of each stage
    depths: list  # slots behind each stage but the last
    costs: dict  # by (stage, warp, item)
    starts: dict  # by (stage, warp)
    latency: int  # of a wait after its release
    gap: int  # after each arrival, outside of all regions
    flight: int  # 0: no copies


def draw(prefix, rng):
    stages = rng.randint(2, 4)
    warps = [rng.randint(1, 2) for _ in range(stages)]
    means = [rng.randint(200, 900) for _ in range(stages)]
    members = [(stage, warp) for stage in range(stages) for warp in range(warps[stage])]
    flight = rng.choice([0, rng.randint(300, 2500)])
    if flight:
        warps[0], members = 1, [member for member in members if member != (0, 1)]
        means[0] = rng.randint(30, 300)
    costs = {(*member, item): means[member[0]] + rng.randint(0, 200) for member in members for item in range(ITEMS)}
    return Pipeline(prefix, warps, [rng.randint(1, 6) for _ in range(stages - 1)], costs,
                    {member: rng.randint(0, 150) for member in members}, rng.randint(3, 30), rng.randint(1, 9), flight)


class Run:
    """One run of a pipeline, as it is or with what is called `without` taking no time."""

    def __init__(self, pipeline, without=None):
        self.what, self.without = pipeline, without
        self.begin = min(pipeline.starts.values())
        self.records, self.now, self.waited = {}, {}, {}
        self.full, self.empty, self.isVague = {}, {}, False
        for member, start in pipeline.starts.items():
            root = Point(self.begin, None)
            self.now[member] = self.after(root, start - self.begin, "(start of the warp)", "start")
            self.records[member] = []
        for item in range(ITEMS):
            for stage in range(len(pipeline.warps)):
                for warp in range(pipeline.warps[stage]):
                    self.work(stage, warp, item)
        self.end = max(self.now.values(), key=lambda point: point.at)

    def after(self, point, cycles, name, kind):
        return Point(point.at + (0 if name == self.without else cycles), point, name, kind)

    def work(self, stage, warp, item):
        what, member, name = self.what, (stage, warp), self.what.prefix
        isFirst, isLast, copies = stage == 0, stage == len(what.warps) - 1, stage == 0 and what.flight
        if not isFirst:
            behind = [(stage - 1, other) for other in range(what.warps[stage - 1])]
            self.wait(member, f"{name}full{stage - 1}", [self.full[(*other, item)] for other in behind],
                      self.slot(stage - 1, item, 0), stage == 1 and what.flight)
        if not isLast:
            ahead = [(stage + 1, other) for other in range(what.warps[stage + 1])]
            freed = item - what.depths[stage]
            self.wait(member, f"{name}empty{stage}", [self.empty[(*other, freed)] for other in ahead] if freed >= 0 else [],
                      self.slot(stage, item, 8), False)
        begin = self.now[member]
        self.now[member] = self.after(begin, what.costs[(*member, item)], f"{name}stage{stage}", "region")
        self.records[member].append(f"span {name}stage{stage} {begin.at}..{self.now[member].at}")
        if not isFirst:
            self.empty[(*member, item)] = self.signal(member, f"{name}free{stage - 1}", self.slot(stage - 1, item, 8))
        if not isLast:
            issue = self.signal(member, f"{name}{'copy' if copies else f'fill{stage}'}", self.slot(stage, item, 0))
            self.full[(*member, item)] = self.after(issue, what.flight, f"in flight: {name}copy", "in-flight") if copies else issue

    def slot(self, stage, item, offset):
        return 0x100 * (stage + 1) + 0x10 * (item % self.what.depths[stage]) + offset

    def signal(self, member, name, slot):
        point = self.now[member]
        self.records[member].append(f"mark {name} {point.at} payload={slot}")
        self.now[member] = self.after(point, self.what.gap, "(no region)", "no-region")
        return point

    def wait(self, member, name, needs, slot, isCopy):
        begin = self.now[member]
        last = max([begin, *needs], key=lambda point: point.at)  # the first of equals: itself
        latency = 0 if isCopy else self.what.latency  # a copy's cannot be told from the copy
        self.now[member] = self.after(last, latency, name, "wait")
        self.waited.setdefault(name, [0, 0])
        self.waited[name][0] += 1
        self.waited[name][1] += last is not begin
        self.isVague |= bool(isCopy) and 0 < last.at - begin.at <= PASS
        self.records[member].append(f"span {name} {begin.at}..{self.now[member].at} lanes={slot}")

    def path(self):
        out, point = {}, self.end
        while point.cause:
            out[point.name] = out.get(point.name, 0) + point.at - point.cause.at
            point = point.cause
        return {name: cycles for name, cycles in out.items() if cycles}

    def text(self):
        members = sorted(self.records)
        for index, member in enumerate(members):
            start, end = self.what.starts[member], self.now[member].at
            yield f"warp 0.{index} gridId={self.what.prefix[1:-1]} kernel={self.what.prefix}k ns={start}..{end} cycles={start}..{end} block={32 * len(members)}"
            yield from ("  " + record for record in self.records[member])


def regions(pipelines):
    words = {"empty": "wait {} operation=await", "full": "wait {} operation=await", "fill": "signal {} operation=arrive",
             "free": "signal {} operation=arrive", "copy": "signal {} operation=issue"}
    number = 0x100
    for pipeline in pipelines:
        names = [f"kernel {pipeline.prefix}k", f"{words['copy'].format(pipeline.prefix + 'copy')} object=shared-barrier"]
        for stage in range(4):
            names.append(f"scope {pipeline.prefix}stage{stage}")
            names += [f"{words[word].format(f'{pipeline.prefix}{word}{stage}')} object=shared-barrier" for word in ("full", "empty", "fill", "free")]
        for name in names:
            number += 1
            yield f"region {number:#x} {name}"


def tables(folder, text):
    (folder / "trace.txt").write_text(text)
    subprocess.run(["kperf", "pack", folder / "trace.txt", "-o", folder / "trace.kperf"], check=True)
    out = subprocess.run(["kperf", "overlap", folder / "trace.kperf", "--format=json"], capture_output=True, text=True, check=True)
    return {table["name"]: table["rows"] for table in json.loads(out.stdout)["tables"]}


def check(run, rows, waits):
    """Yields what kperf says otherwise than the model."""
    length = run.end.at - run.begin
    said = {row["segment"]: (row["time_cycles"], row["gain_cycles"]) for row in rows}
    path = run.path()
    gains = {name: length - (lambda other: other.end.at - other.begin)(Run(run.what, name)) for name in path}
    if said != {name: (cycles, gains[name]) for name, cycles in path.items()}:
        yield f"the path is {said}, and by the model {[(name, path[name], gains[name]) for name in path]}"
    if sum(cycles for cycles, _ in said.values()) != length:
        yield f"the path is not as long as the block, {length}"
    if any(gain > cycles for cycles, gain in said.values()):
        yield "a gain is more than its share"
    counts = {row["wait"]: [row["count"], row["waited"]] for row in waits}
    if counts != run.waited:
        yield f"waits are {counts}, and by the model {run.waited}"


def main(folder):
    rng, runs = random.Random(5), []
    while len(runs) < 40:
        run = Run(draw(f"p{len(runs) + 1}_", rng))
        if not run.isVague:
            runs.append(run)
    text = "\n".join(["kperf 1.3 target=host", *regions([run.what for run in runs]), *(line for run in runs for line in run.text())])
    found = tables(pathlib.Path(folder), text + "\n")
    failed, bottlenecks = False, set()
    for run in runs:
        kernel = run.what.prefix + "k"
        rows = [row for row in found["critical-path"] if row["kernel"] == kernel]
        for finding in check(run, rows, [row for row in found["waits"] if row["kernel"] == kernel]):
            failed = True
            print(f"{kernel}: {finding}")
        bottlenecks.add(rows[0]["segment"].split("_")[1])
    print("failed" if failed else f"{len(runs)} pipelines are as the model has them; bottlenecks: {' '.join(sorted(bottlenecks))}")
    sys.exit(failed)


main(sys.argv[1])
