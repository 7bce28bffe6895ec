"""A trace that a GPU wrote, as kperf dump prints it, against what is predicted.

Promised is of each lane: what it came to is recorded once, in a record that names the lane; nothing else names it. In a function lanes without
the one that records there leave no record, and are counted. Of a lane that records for itself alone, or for others: in the order in which it
came there. Of regions to which all lanes come together that come at all: there is one record for all of them. Of a warp with room for few
records: each part of its slot keeps the first, or the last, of what it had.
"""
import csv
import io
import re
from collections import Counter, defaultdict

from prediction import M, groups

KINDS = {"span": "+", "begin": "b", "end": "e", "mark": "m"}
OTHERS = "loss other-lanes"  # of a stream, which holds what the lanes with the first one record
MOST_OF_FRAME = 30  # records that a lane can miss with one piece
HEAD = re.compile(r'  (\w+) (?:"([^"]+)"|(0x\w+)) ?(.*)$')


class Record:
    def __init__(self, kind, name, first, last, lanes, payload=0):
        self.kind, self.name, self.first, self.last, self.lanes, self.payload = kind, name, first, last, lanes, payload

    def __repr__(self):
        return f"{self.kind}{self.name} {self.first}..{self.last} {self.lanes:#x}"


class Part:
    def __init__(self, line, flags="finished"):  # what a line leaves out
        def number(key):
            return int((re.search(rf" {key}=(\d+)", line) or [0, -1])[1])
        self.produced, self.capacity = number("produced"), number("capacity")
        self.flags = (re.search(r" flags=([\w,-]+)", line) or [0, flags])[1]
        self.records = []


class Warp:
    def __init__(self, line, firstKernel):
        self.block, self.index = (int(part) for part in line.split(" ")[1].split("."))
        kernel, name = re.search(r' kernel="([^"]*)"', line), re.search(r' name="([^"]*)"', line)
        instance = re.search(r"N = (\d+)|<(\d+)u?>", name[1]) if name else None
        self.launch = (kernel[1] if kernel else firstKernel, int(instance[1] or instance[2]) if instance else 0)
        self.start = int(re.search(r" cycles=(\d+)", line)[1])
        self.parts, self.sums = [Part(line)], {}

    def clock(self, low):
        """Cycles from the warp's begin."""
        passed = (low - self.start) & M
        return passed - (1 << 32) if passed > 1 << 31 else passed

    def add(self, line, nextOf):
        head = HEAD.match(line)
        if not head:
            return
        kind, name, number, rest = head.groups()
        fields = dict(re.findall(r"([\w-]+)=(\w+)", rest))
        clocks = [self.clock(int(each)) for each in re.findall(r"^(\d+)(?:\.\.(\d+))?", rest)[0] if each] if kind in KINDS or kind == "adjacent" else []
        records, lanes = self.parts[-1].records, int(fields.get("lanes", "0xffffffff"), 0)
        if kind == "adjacent":
            records.append(Record("+", name, *clocks, None))
            records.append(Record("+", nextOf[name], clocks[1], self.clock(int(fields["next"])), None))
        elif kind in KINDS:
            records.append(Record(KINDS[kind], name or number, clocks[0], clocks[-1], lanes, int(fields.get("payload", "0"), 0)))
        elif kind in ("sum", "total"):
            self.sums[name] = int(fields["count"])

    def records(self):
        """Of the programs' own regions, by when they begin, outer ones first."""
        return sorted((record for part in self.parts for record in part.records if record.name[0] == "p"), key=lambda record: (record.first, -record.last))


def readTrace(dump):
    """{(launch, block, warp): Warp}, and losses; a warp that is there twice is a loss of trust."""
    warps, losses, firstKernel, nextOf, ids = {}, [], None, {}, {}
    for line in dump.splitlines():
        if line.startswith("region "):
            _, ident, kind, name = line.split(" ", 3)
            name = name.split('"')[1]
            ids[int(ident, 16)] = name
            if kind == "kernel" and firstKernel is None:
                firstKernel = name
            if found := re.search(r" next=(\w+)", line):
                nextOf[name] = found[1]
        elif line.startswith("warp "):
            nextOf = {name: ids.get(int(other, 0), other) if isinstance(other, str) and other[:2] == "0x" else other for name, other in nextOf.items()}
            current = Warp(line, firstKernel)
            place = current.launch, current.block, current.index
            if place in warps and current.launch[0] != "(calibration)":
                losses.append(f"warp {place} is there twice")
            warps[place] = current
        elif line.startswith("more"):
            current.parts.append(Part(line, "finished,reserved"))
        elif line.startswith("  ") and warps:
            current.add(line, nextOf)
        elif line.startswith(("loss", "incomplete")):
            losses.append(line)
    return {place: warp for place, warp in warps.items() if place[0][0] != "(calibration)"}, losses


def asRecorded(events, records, summed):
    """A lane's events as the trace has them: a range whose begins and ends stand in pairs is a span."""
    spans = {record.name for record in records if record.kind == "+"}
    result = []
    for kind, name, path, payload in events:
        if kind == "-" or name in summed or (kind == "e" and name in spans):
            continue
        result.append(("+" if kind == "b" and name in spans else kind, name, path, payload))
    return result


def compareLane(lane, events, records):
    mine = [record for record in records if record.lanes >> lane & 1]
    got, wanted = [(record.kind, record.name) for record in mine], [event[:2] for event in events]
    if got == wanted:
        for event, record in zip(events, mine):
            if event[0] == "m" and record.lanes & -record.lanes == 1 << lane and record.payload != event[3]:
                return "payload", f"lane {lane}: {record} has payload {record.payload}, not {event[3]}"
        return None
    lost, more = Counter(wanted) - Counter(got), Counter(got) - Counter(wanted)
    if lost or more:
        return "count", f"lane {lane}: lost {dict(lost)}, too many {dict(more)}"
    if any(record.lanes & -record.lanes != 1 << lane for record in mine):
        return None  # times are of the lane that records, and this one may have come later
    at = next(i for i, pair in enumerate(zip(got, wanted)) if pair[0] != pair[1])
    return "order", f"lane {lane}: record {at} is {mine[at]}, not {wanted[at]}"


def compareCalled(lanes, records, called):
    """How many records of functions do not name lanes that came to them; and what names a lane that did not."""
    missing, found = 0, None
    for lane, events in enumerate(lanes):
        wanted = Counter(event[:2] for event in events if event[1] in called)
        got = Counter((record.kind, record.name) for record in records if record.lanes >> lane & 1 and record.name in called)
        missing += (wanted - got).total()
        if more := got - wanted:
            found = found or f"lane {lane}: too many in functions {dict(more)}"
    return missing, found


def compareWarp(warp, lanes, program, summed, isLossy, missing):
    """(sort, what differs) of what one warp recorded. `summed`: regions of the kernel that are summed up, each by a lane of its own;
    `isLossy`: the trace says that functions did without some lanes' records, of which `missing` gets how many there are."""
    existing = (1 << len(lanes)) - 1
    records = warp.records()
    for record in records:
        record.lanes = existing if record.lanes is None else record.lanes
        if record.lanes & ~existing or not record.lanes:
            yield "lanes", f"{record} says lanes that are not there"
    if any("finished" not in part.flags for part in warp.parts):
        yield "unfinished", "the warp is not whole"
    if any(part.produced > part.capacity for part in warp.parts) and len(lanes) >= len(summed):
        yield "dropped", "records were dropped"
        return
    for name, count in warp.sums.items():
        if name[0] == "p" and any(count != sum(event[0] in "+b" and event[1] == name for event in events) for events in lanes):
            yield "sum", f"{name} has {count} entries, not {[sum(e[0] in '+b' and e[1] == name for e in events) for events in lanes]}"
    lanes = [asRecorded(events, records, summed) for events in lanes]
    if isLossy:
        absent, more = compareCalled(lanes, records, program.namesOfCalled())
        missing[program.name] += absent
        if more:
            yield "twice", more
        lanes = [[event for event in events if event[1] not in program.namesOfCalled()] for events in lanes]
        records = [record for record in records if record.name not in program.namesOfCalled()]
    for lane, events in enumerate(lanes):
        if found := compareLane(lane, events, records):
            yield found
            return
    exact = {"parted": program.namesTogether(), "any": set()}.get(program.mode, {name for events in lanes for _, name, *_ in events} - program.namesOfCalled())
    wanted, found = groups(lanes), defaultdict(list)
    for record in records:
        found[record.kind, record.name].append(record.lanes)
    for key, masks in wanted.items():
        if key[0] in "+m" and key[1] in exact and sorted(found[key]) != masks:
            yield "groups", f"{key}: lanes {[hex(mask) for mask in sorted(found[key])]}, not {[hex(mask) for mask in masks]}"


def compareTrace(dump, launches, isSampled=False):
    """Yields (program, sort, what differs)."""
    warps, losses = readTrace(dump)
    if unknown := [line for line in losses if not line.startswith(OTHERS)]:
        yield launches[0].program, "loss", "; ".join(unknown[:3])
    lost, missing = sum(int(line.rpartition("count=")[2].split()[0]) for line in losses if line.startswith(OTHERS)), Counter()
    seen, summed = set(), defaultdict(set)
    for (kernel, *_), warp in warps.items():
        summed[kernel] |= set(warp.sums)
    for launch in launches:
        for (block, index), lanes in launch.lanes.items():
            place = (launch.program.name, launch.instance), block, index
            seen.add(place)
            if place in warps:
                for sort, difference in compareWarp(warps[place], lanes, launch.program, summed[place[0]], lost > 0, missing):
                    yield launch.program, sort, f"{launch.name()} warp {block}.{index}: {difference}"
            elif any(lanes) and not isSampled:
                yield launch.program, "missing", f"{launch.name()} warp {block}.{index} is missing"
    for place in set(warps) - seen:
        yield launches[0].program, "foreign", f"warp {place} is nobody's"
    if missing.total() > lost * MOST_OF_FRAME:
        yield launches[0].program, "silent", f"{missing.total()} records of functions are not there for a lane, and {lost} losses say so"


def compareKept(whole, kept, launches, isLast):
    """Yields the same of warps with room for few records."""
    (allOf, losses), found = readTrace(whole), readTrace(kept)[0]
    programs = {(launch.program.name, launch.instance): launch for launch in launches}
    for place, warp in found.items():
        launch, events = programs[place[0]], Counter()
        unknown = launch.program.namesOfCalled() if losses else set()  # whose lanes may part otherwise in another run
        for lane, each in enumerate(launch.lanes[place[1:]]):
            records = allOf[place].records()
            for kind, name, *_ in asRecorded(each, records, allOf[place].sums):
                events[lane, kind, name] += 1
        mine = Counter((lane, record.kind, record.name) for record in warp.records() for lane in range(32)
                       if (record.lanes or 0) >> lane & 1 and record.name not in unknown)
        if extra := mine - events:
            yield launch.program, "kept", f"{place}: too many {dict(list(extra.items())[:3])}"
        for index, (before, after) in enumerate(zip(allOf[place].parts, warp.parts)):
            if "reserved" in after.flags or "chunks" in after.flags:
                continue
            names = [(record.kind, record.name) for record in before.records]
            part = names[-after.capacity:] if isLast else names[:after.capacity]
            hasPairs = any(record.lanes is None for record in before.records)
            isUnknown = any(record.name in unknown for record in [*before.records, *after.records])
            if not hasPairs and not isUnknown and after.capacity > 0 and [(record.kind, record.name) for record in after.records] != part:
                yield launch.program, "kept", f"{place}, part {index} of {after.capacity}: {[r.name for r in after.records]}, not {[n for _, n in part]}"


def compareReport(dump, table, programOf):
    """Yields regions whose count in the report is not that of their records; of those whose begins and ends are records, nothing is said."""
    expected, found, paired = Counter(), Counter(), set()
    for warp in readTrace(dump)[0].values():
        for record in warp.records():
            expected[record.name] += record.kind in "+m"
            paired |= {record.name} if record.kind in "be" else set()
        expected.update({name: count for name, count in warp.sums.items() if name[0] == "p"})
    for row in csv.DictReader(io.StringIO(table)):
        if row["region"][0] == "p":
            found[row["region"]] += int(row["count"])
    for name in sorted((expected.keys() | found.keys()) - paired):
        if expected[name] != found[name]:
            yield programOf(name), "report", f"region {name} has count {found[name]} in the report, not {expected[name]}"
