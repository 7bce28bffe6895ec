"""A trace, as kperf dump prints it, against what is predicted."""
import csv
import io
import re
from collections import Counter, defaultdict

from prediction import groups

KINDS = {"span": "+", "begin": "b", "end": "e", "mark": "m"}
SUM = re.compile(r'  (?:sum|total) "([^"]+)" count=(\d+) cycles=\d+(?: around=\d+)?$')
LENGTHS = re.compile(r'  lengths "([^"]+)"((?: \d+){3})$')
RECORD = re.compile(r'  (span|begin|end|mark) (?:"([^"]+)"|(0x\w+)) (\d+)(?:\.\.(\d+))?(?: payload=(\w+))?(?: lanes=(\w+))?(?: generation=\d+)?$')


class Warp:
    def __init__(self, line, firstKernel):
        words = line.split(" ")
        self.block, self.index = (int(part) for part in words[1].split("."))
        kernel = re.search(r' kernel="([^"]*)"', line)
        instance = re.search(r"N = (\d+)", line)
        self.launch = (kernel[1] if kernel else firstKernel, int(instance[1]) if instance else 0)
        self.isFinished = "flags=finished" in line
        produced, capacity = re.search(r" produced=(\d+)", line), re.search(r" capacity=(\d+)", line)
        self.produced, self.capacity = int(produced[1]) if produced else None, int(capacity[1])
        self.records, self.sums = [], {}  # of regions that are summed up: the number of their entries
        self.lengths = Counter()  # and of those of any length

    def place(self):
        return self.launch, self.block, self.index


def readWarps(dump):
    """The warps of a dump; every line under one must be a record."""
    warps, firstKernel, inWarp = [], None, False
    for line in dump.splitlines():
        inWarp = line.startswith("warp ") or (inWarp and line.startswith(("  ", "more")))
        if line.startswith("warp "):
            warps.append(Warp(line, firstKernel))
        elif inWarp and line.startswith("  "):
            match = RECORD.match(line)
            if found := SUM.match(line):
                warps[-1].sums[found[1]] = int(found[2])
            if counts := LENGTHS.match(line):
                warps[-1].lengths[counts[1]] += sum(map(int, counts[2].split()))
            if found or counts or line.startswith("  extremes "):
                continue
            if not match:
                raise ValueError(f"a line of the dump that is no record: {line}")
            kind, name, number, first, second, payload, lanes = match.groups()
            warps[-1].records.append((KINDS[kind], name or number, int(first), int(second or first), int(payload or "0", 0),
                                      int(lanes or "0xffffffff", 0)))
        elif firstKernel is None and (kernel := re.match(r'region \S+ kernel "([^"]*)"', line)):
            firstKernel = kernel[1]
        elif line.startswith(("loss", "incomplete")):
            raise ValueError(f"the trace has losses: {line}")
    for warp in warps:  # regions of --auto have no place in the model
        warp.records = [record for record in warp.records if record[1][0] == "p"]
    return [warp for warp in warps if warp.launch[0] != "(calibration)"]


def compareLane(lane, events, records):
    """One lane's records are those of its events in their order, and lie inside of the regions that it is in."""
    mine = [record for record in records if record[5] >> lane & 1]
    expected = [event for event in events if event[0] != "-"]
    got, wanted = [(r[0], r[1]) for r in mine], [(e[0], e[1]) for e in expected]
    if got != wanted:
        at = next((i for i, pair in enumerate(zip(got, wanted)) if pair[0] != pair[1]), min(len(got), len(wanted)))
        return f"lane {lane}: record {at} is {got[at:at + 3]}, not {wanted[at:at + 3]} ({len(got)} records, not {len(wanted)})"
    around, upcoming, behind = [], iter(mine), 0
    for event in events:
        if event[0] == "-":
            around.pop()
            continue
        record = next(upcoming)
        if around and not (around[-1][2] <= record[2] <= record[3] <= around[-1][3]):
            return f"lane {lane}: {record} is not inside of {around[-1]}"
        if record[2] < behind:
            return f"lane {lane}: {record} is earlier than what comes before it"
        behind = record[2]
        if event[0] == "+":
            around.append(record)
        elif event[0] == "m" and record[5] & -record[5] == 1 << lane and record[4] != event[3]:
            return f"lane {lane}: mark {record[1]} has payload {record[4]}, not {event[3]}"
    return None


def compareEnds(lanes, records):
    """Nothing of a lane begins in a region that all of its lanes left by its end."""
    leftEarly, order = set(), []
    for lane, events in enumerate(lanes):
        mine = iter([index for index, record in enumerate(records) if record[5] >> lane & 1])
        open_, sequence = [], []
        for event in events:
            if event[0] == "-":
                left = open_.pop()
                sequence.append(("-", left))
                if event[3]:
                    leftEarly.add(left)
            else:
                sequence.append(("+", next(mine)))
                if event[0] == "+":
                    open_.append(sequence[-1][1])
        order.append(sequence)
    for lane, sequence in enumerate(order):
        latest = 0
        for kind, index in sequence:
            if kind == "-" and index not in leftEarly:
                latest = max(latest, records[index][3])
            elif kind == "+" and records[index][2] < latest:
                return f"lane {lane}: {records[index]} begins before a region ends that was left before, at {latest}"
    return None


def compareWarp(warp, lanes, program):
    if not warp.isFinished or warp.produced is not None:
        return "the warp is not whole"
    for name, count in warp.sums.items():
        if name[0] == "p" and count != sum(event[0] in "+b" and event[1] == name for event in lanes[0]):
            return f"the sum of {name} has {count} entries"
        if warp.lengths and warp.lengths[name] != count:
            return f"of the {count} entries of {name}, {warp.lengths[name]} have a length"
    lanes = [[event for event in events if event[1] not in warp.sums] for events in lanes]
    for lane, events in enumerate(lanes):
        if difference := compareLane(lane, events, warp.records):
            return difference
    if difference := compareEnds(lanes, warp.records):
        return difference
    existing = (1 << len(lanes)) - 1
    if any(record[5] & ~existing or not record[5] for record in warp.records):
        return "a record of lanes that are not there"
    if program.mode == "any":
        return None
    found = defaultdict(list)
    for record in warp.records:
        found[record[0], record[1]].append(record[5])
    wanted = groups(lanes)
    for key in {**wanted, **found}:
        isKnown = program.mode == "alike" or key[1] not in program.namesOfCalled()
        if isKnown and sorted(found.get(key, [])) != wanted.get(key, []):
            return f"{key}: lanes {[hex(m) for m in sorted(found[key])]}, not {[hex(m) for m in wanted.get(key, [])]}"
    return None


def compareKept(whole, kept, isLast):
    """Yields the places of warps that kept other records of the whole ones than the first or last that their capacity allows."""
    records = {warp.place(): warp.records for warp in readWarps(whole)}
    for warp in readWarps(kept):
        expected = records[warp.place()]
        count = len(expected) if warp.produced is None else warp.produced
        part = expected[-warp.capacity:] if isLast else expected[:warp.capacity]
        if count != len(expected) or sorted(part) != sorted(warp.records):
            yield warp.launch[0], f"{warp.launch} warp {warp.block}.{warp.index} of {warp.capacity} records does not keep the {'last' if isLast else 'first'} ones"


def entries(warp):
    """How often each region of a warp was entered, or each mark made: of ranges, begins with their ends."""
    counts, open_ = Counter(), Counter()
    for kind, name, *_ in warp.records:
        if kind in "+m":
            counts[name] += 1
        elif kind == "b":
            open_[name] += 1
        elif open_[name]:
            open_[name] -= 1
            counts[name] += 1
    return counts


def compareReport(dump, table):
    """Yields regions whose count in the decoder's report is not that of their records."""
    expected, found = Counter(), Counter()
    for warp in readWarps(dump):
        expected += entries(warp) + Counter({name: count for name, count in warp.sums.items() if name[0] == "p"})
    for row in csv.DictReader(io.StringIO(table)):
        if row["region"][0] == "p":
            found[row["region"]] += int(row["count"])
    for name in sorted(expected.keys() | found.keys()):
        if expected[name] != found[name]:
            yield "k" + name[1:].split(".")[0], f"region {name} has count {found[name]} in the report, not {expected[name]}"


def compareTrace(dump, launches):
    """Yields (program, what differs)."""
    expected = {(launch.program.name, launch.instance): launch for launch in launches}
    missing = {(key, place) for key, launch in expected.items() for place in launch.lanes}
    for warp in readWarps(dump):
        launch, place = expected[warp.launch], (warp.block, warp.index)
        if (warp.launch, place) not in missing:
            yield launch.program, f"warp {place} is there twice"
            continue
        missing.discard((warp.launch, place))
        if difference := compareWarp(warp, launch.lanes[place], launch.program):
            yield launch.program, f"{launch.name()} warp {warp.block}.{warp.index}: {difference}"
    for key, place in sorted(missing, key=str):
        if any(any(lane) for lane in expected[key].lanes[place]):
            yield expected[key].program, f"warp {place} is missing"
