"""What kperf's tables have to hold of known schedules, by the words of docs/columns.md and runtime/FORMAT.md."""
import math
from collections import Counter, defaultdict

import text


def edges(spans, first, last):
    """The stretches of first..last in which nothing begins or ends."""
    times = sorted({first, last} | {time for span in spans for time in (span.begin, span.end) if first < time < last})
    return list(zip(times, times[1:]))


def innermost(spans, begin, end):
    around = [span for span in spans if span.begin <= begin and end <= span.end]
    return max(around, key=lambda span: (span.begin, -span.end)) if around else None


def union(spans):
    out, reached = 0, -1
    for span in sorted(spans, key=lambda each: each.begin):
        out += max(0, span.end - max(span.begin, reached))
        reached = max(reached, span.end)
    return out


class Kept:
    """What of a warp is in the trace: its spans and marks, and from when to when nothing was dropped."""

    def __init__(self, warp, isReserved, capacity, keep):
        rows = text.records(warp, isReserved)
        self.begin, self.end, self.produced = warp.begin, warp.end, len(rows)
        self.isWhole = len(rows) <= capacity
        kept = rows if self.isWhole else rows[:capacity] if keep == "first" else rows[len(rows) - capacity:]
        self.records = len(kept)
        self.knownBegin = kept[0][0] if not self.isWhole and keep == "last" else warp.begin
        self.knownEnd = kept[-1][0] if not self.isWhole and keep == "first" else warp.end
        lines = {line for _, line in kept}
        has = lambda line: line in lines
        self.spans = [span for span in warp.spans if span.region.kind != "range" and has(f"span {span.region.id:#x} {span.begin}..{span.end}")]
        self.spans += [wait for wait in warp.waits if has(f"span {wait.region.id:#x} {wait.begin}..{wait.end} lanes={wait.target:#x}")]
        events = [(span, has(f"begin {span.region.id:#x} {span.begin}") + has(f"end {span.region.id:#x} {span.end}"))
                  for span in warp.spans if span.region.kind == "range"]
        self.spans += [span for span, found in events if found == 2]
        self.halves = [span.region for span, found in events if found == 1]
        self.marks = [region for at, region in warp.marks if has(f"mark {region.id:#x} {at}")]
        self.marks += [region for at, region, target in warp.signals if has(f"mark {region.id:#x} {at} payload={target:#x}")]


def percentile(lengths, share):
    return sorted(lengths)[max(0, math.ceil(share * len(lengths)) - 1)]


def report(launches, keep):
    """{kernel: (header, {(region, line): row})}; rows without a line are (unattributed) and (not recorded)."""
    out = {}
    for name in {program.kernel.name for program, *_ in launches}:
        mine = [launch for launch in launches if launch[0].kernel.name == name]
        header, rows, times, perWarp, perSm = Counter(), defaultdict(Counter), defaultdict(list), defaultdict(list), defaultdict(Counter)
        durations = []
        for _, _, oneIn, blocks in mine:
            sampled = max(1, oneIn)
            durations.append(max(warp.end for _, _, warps, *_ in blocks for warp in warps) -
                             min(warp.begin for _, _, warps, *_ in blocks for warp in warps))
            for _, sm, warps, isReserved, capacity in blocks:
                for warp in warps:
                    kept = Kept(warp, isReserved, capacity, keep)
                    header.update(warps=sampled, cycles=sampled * (warp.end - warp.begin), produced=kept.produced, kept=kept.records)
                    rows["(not recorded)", None]["self"] += sampled * (kept.knownBegin - kept.begin + kept.end - kept.knownEnd)
                    for begin, end in edges(kept.spans, kept.knownBegin, kept.knownEnd):
                        span = innermost(kept.spans, begin, end)
                        rows[(span.region.name, span.region.line) if span else ("(unattributed)", None)]["self"] += sampled * (end - begin)
                    for region in {span.region for span in kept.spans}:
                        spans, key = [span for span in kept.spans if span.region is region], (region.name, region.line)
                        total = union(spans)
                        rows[key].update(count=sampled * len(spans), total=sampled * total)
                        times[key] += [span.end - span.begin for span in spans]
                        perWarp[key].append(total)
                        perSm[key][sm] += total
                    for region in kept.halves:
                        rows[region.name, region.line]["unmatched"] += 1
                    for region in kept.marks:
                        rows[region.name, region.line]["count"] += sampled
        for key, lengths in times.items():
            row = rows[key]
            row.update(mean=sum(lengths) / len(lengths), min=min(lengths), max=max(lengths), p50=percentile(lengths, 0.5), p99=percentile(lengths, 0.99))
            ratio = lambda values: max(values) * len(values) / sum(values) if sum(values) else 1
            row.update(warpImbalance=ratio(perWarp[key]), smImbalance=ratio([each for each in perSm[key].values() if each]))
        header["launches"], header["duration"] = len(mine), sum(durations) / len(durations)
        out[name] = header, rows
    return out


def overlap(launches):
    """{kernel: (header, {(region, kind): [totals]}, {(region, with): cycles})}, over blocks; two regions of one name stay two."""
    out = {}
    for name in {program.kernel.name for program, *_ in launches}:
        header, sums, pairs = Counter(), defaultdict(Counter), Counter()
        for program, _, _, blocks in launches:
            if program.kernel.name != name:
                continue
            for _, _, warps, *_ in blocks:
                first, last = min(warp.begin for warp in warps), max(warp.end for warp in warps)
                header.update(groups=1, cycles=last - first)
                for begin, end in edges([span for warp in warps for span in warp.own()], first, last):
                    running = {region for warp in warps for region in runs(warp, begin, end)}
                    working = {region for region in running if region.kind != "wait"}
                    header["covered"] += (end - begin) * bool(working)
                    for region in running:
                        sums[region].update(total=end - begin, **{"overlapped" if working - {region} else "exposed": end - begin})
                        for other in working - {region}:
                            pairs[region, other] += end - begin
        out[name] = header, sums, pairs
    return out


def runs(warp, begin, end):
    """The regions that the warp runs: while it waits that wait, else its ranges, and the innermost of the others."""
    waits = [wait for wait in warp.waits if wait.begin <= begin and end <= wait.end]
    if waits:
        return {waits[0].region}
    ranges = {span.region for span in warp.spans if span.region.kind == "range" and span.begin <= begin and end <= span.end}
    other = innermost([span for span in warp.spans if span.region.kind != "range"], begin, end)
    return ranges | ({other.region} if other else set())


def busy(warp, until):
    """What the warp was in for longest since it last waited: (regions that share the first place)."""
    since = max((wait.end for wait in warp.waits if wait.release and wait.end <= until), default=warp.begin)
    times = Counter()
    for begin, end in edges(warp.own(), since, until):
        span = innermost(warp.own(), begin, end)
        if span and span.region.kind != "wait":
            times[span.region] += end - begin
    return [region for region, cycles in times.items() if cycles == max(times.values())]


def waits(launches):
    """{(kernel, wait): row}, with by = Counter of who let it go on, by region where it is one; None there: not told apart."""
    out = defaultdict(lambda: {"sum": Counter(), "by": Counter()})
    for program, _, _, blocks in launches:
        for _, _, warps, *_ in blocks:
            for warp in warps:
                for wait in warp.waits:
                    row = out[program.kernel.name, wait.region.name]
                    row["sum"].update(count=1, time=wait.end - wait.begin)
                    row["max"] = max(row.get("max", 0), wait.end - wait.begin)
                    if wait.release is None:
                        continue
                    row["sum"].update(waited=1, latency=wait.end - wait.release)
                    if not isinstance(wait.by, int):
                        row["by"]["in flight: " + wait.signal.name] += 1
                        continue
                    longest = busy(warps[wait.by], wait.release)
                    nobody = wait.signal.name if wait.signal else "(no region)"
                    row["by"][longest[0] if len(longest) == 1 else None if longest else nobody] += 1
    return out


def flights(launches):
    out = defaultdict(Counter)
    for program, _, _, blocks in launches:
        for _, _, warps, *_ in blocks:
            for warp in warps:
                for _, _, group in warp.groups:
                    if group and group.seen:
                        row = out[program.kernel.name, group.region.name, "issue" if group.region.name == "copy" else "commit"]
                        row.update(count=1, total=group.seen - group.at, bounds=group.begin is None)
                        row["exposed"] += group.seen - group.begin if group.begin is not None else 0
    return out


def path(warps):
    """{(segment, kind): cycles} of one block, from its end back to its begin."""
    out, first = Counter(), min(warp.begin for warp in warps)
    warp = max(warps, key=lambda each: each.end)
    now = warp.end
    while True:
        before = [wait for wait in warp.waits if wait.release is not None and wait.end <= now]
        wait = max(before, key=lambda each: each.end, default=None)
        back = wait.end if wait else warp.begin
        for begin, end in edges(warp.own(), back, now) if back < now else []:
            span = innermost(warp.own(), begin, end)
            kind = "no-region" if not span else "wait" if span.region.kind == "wait" else "region"
            out[span.region.name if span else "(no region)", kind] += end - begin
        if not wait:
            out["(start of the warp)", "start"] += back - first
            return +out
        out[wait.region.name, "wait"] += wait.end - wait.release
        now = wait.release
        if isinstance(wait.by, int):
            warp = warps[wait.by]
        else:
            out["in flight: " + wait.signal.name, "in-flight"] += now - wait.by.at
            now = wait.by.at


def trimmed(values):
    cut = len(values) // 5
    kept = sorted(values)[cut:len(values) - cut]
    return sum(kept) / len(kept)


def launchValues(launches, kernel, measure):
    """{(region, line): [a value for each launch that entered it]}, {the same: visits}, [duration of each launch]."""
    values, visits, durations = defaultdict(list), Counter(), []
    for launch in launches:
        if launch[0].kernel.name != kernel:
            continue
        header, rows = report([launch], "first")[kernel]
        durations.append(header["duration"])
        for key, row in rows.items():
            if "mean" in row:
                visits[key] += row["count"]
                values[key].append(row["mean"] if measure == "mean" else row[measure] / header["warps"])
    return values, visits, durations
