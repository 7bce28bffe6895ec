"""What kperf's tables have to hold of known schedules, by the words of docs/reference/columns.md and docs/reference/format.md."""
import math
from collections import Counter, defaultdict

import text


def edges(spans, first, last, *others):
    """The stretches of first..last in which nothing begins or ends, and none of `others` lies."""
    times = {*others} | {time for span in spans for time in (span.begin, span.end)}
    times = sorted({first, last} | {time for time in times if first < time < last})
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
    """What of a warp is in the trace: its spans and marks, from when to when nothing was dropped, and until and from when what was may be around it."""

    def __init__(self, warp, program, keeping, capacity, keep):
        self.begin, self.end, self.produced, self.records = warp.begin, warp.end, 0, 0
        self.knownBegin, self.knownEnd, lines = warp.begin, warp.end, set()
        self.enclosedUntil, self.enclosedFrom = warp.begin, warp.end
        for isReserved, rows in text.parts(warp, program, keeping):
            kept = text.kept(rows, capacity, keep)
            self.produced, self.records = self.produced + len(rows), self.records + len(kept)
            lines |= {line for _, line in kept}
            if len(kept) < len(rows) and keep == "last":
                self.knownBegin = max(self.knownBegin, kept[0][0])
                self.enclosedUntil = warp.end if isReserved else self.enclosedUntil
            elif len(kept) < len(rows):
                self.knownEnd = min(self.knownEnd, kept[-1][0])
                self.enclosedFrom = self.enclosedFrom if isReserved else warp.begin
        has = lambda *line: text.line(*line) in lines
        self.spans = [span for span in warp.spans if span.region.kind != "range" and has("span", span.region, span.begin, span.end)]
        for first, second in warp.pairs.items():
            if has("adjacent", first.region, first.begin, first.end, f"next={second.end % (1 << 32)}"):
                self.spans += [first, second]
        self.spans += [wait for wait in warp.waits if has("span", wait.region, wait.begin, wait.end, f"lanes={wait.target:#x}")]
        events = [(span, has("begin", span.region, span.begin) + has("end", span.region, span.end))
                  for span in warp.spans if span.region.kind == "range"]
        self.spans += [span for span, found in events if found == 2]
        self.openUntil, self.openFrom = self.knownBegin, self.knownEnd
        halves = [span for span, found in events if found == 1]
        self.halves = [span.region for span in halves]
        for span in halves:
            if has("begin", span.region, span.begin):
                self.openFrom = min(self.openFrom, span.begin)
            else:
                self.openUntil = max(self.openUntil, span.end)
        self.enclosedUntil, self.enclosedFrom = max(self.enclosedUntil, self.openUntil), min(self.enclosedFrom, self.openFrom)
        self.marks = [region for at, region in warp.marks if has("mark", region, at)]
        self.marks += [region for at, region, target in warp.signals if has("mark", region, at, None, f"payload={target:#x}")]


def crossing(spans):
    """Those that are set aside because they cross others: a range that crosses a scope, and ranges that cross each other."""
    crosses = lambda a, b: a.begin < b.begin < a.end < b.end or b.begin < a.begin < b.end < a.end
    return {span for span in spans if span.region.kind == "range" and any(crosses(span, other) for other in spans)}


def chain(spans, span):
    """The names of the regions around a span and its own, from the outermost on."""
    around = [other for other in spans if other is span or (other.begin <= span.begin and span.end <= other.end)]
    return "/".join(other.region.name for other in sorted(around, key=lambda other: (other.begin, -other.end)))


def percentile(lengths, share):
    return sorted(lengths)[max(0, math.ceil(share * len(lengths)) - 1)]


def report(launches, keep):
    """{kernel: (header, {(region, line): row})}; rows without a line are (unattributed) and (not recorded)."""
    out = {}
    for name in {program.kernel.name for program, *_ in launches}:
        mine = [launch for launch in launches if launch[0].kernel.name == name]
        header, rows, times, perWarp, perSm = Counter(), defaultdict(Counter), defaultdict(list), defaultdict(list), defaultdict(Counter)
        durations = []
        for program, _, oneIn, blocks in mine:
            sampled = max(1, oneIn)
            durations.append(max(warp.end for _, _, warps, *_ in blocks for warp in warps) -
                             min(warp.begin for _, _, warps, *_ in blocks for warp in warps))
            for _, sm, warps, keeping, capacity in blocks:
                for warp in warps:
                    kept = Kept(warp, program, keeping, capacity, keep)
                    header.update(warps=sampled, cycles=sampled * (warp.end - warp.begin), produced=kept.produced, kept=kept.records)
                    rows["(not recorded)", None]["self"] += sampled * (kept.knownBegin - kept.begin + kept.end - kept.knownEnd)
                    aside = crossing(kept.spans)
                    nested = [span for span in kept.spans if span not in aside]
                    inShare = set(warp.own()) - aside - crossing(warp.own())
                    for span in aside:
                        rows[span.region.name, span.region.line]["overlapping"] += sampled
                    for begin, end in edges(nested, kept.knownBegin, kept.knownEnd, kept.enclosedUntil, kept.enclosedFrom):
                        span, isKnown = innermost(nested, begin, end), kept.enclosedUntil <= begin and end <= kept.enclosedFrom
                        assert span or not isKnown or not innermost(inShare, begin, end), "time in a region is called unattributed"
                        rest = "(unattributed)" if isKnown else "(not recorded)"
                        rows[(span.region.name, span.region.line) if span else (rest, None)]["self"] += sampled * (end - begin)
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


def paths(launches):
    """{(kernel, path): Counter} of report --by=path: entries, their time, and what of it is in nothing inside them."""
    out = defaultdict(Counter)
    for program, _, _, blocks in launches:
        for _, _, warps, *_ in blocks:
            for warp in warps:
                spans = warp.own()
                for span in spans:
                    out[program.kernel.name, chain(spans, span)].update(count=1, total=span.end - span.begin)
                for begin, end in edges(spans, warp.begin, warp.end):
                    if span := innermost(spans, begin, end):
                        out[program.kernel.name, chain(spans, span)]["self"] += end - begin
    return out


def together(launches, by, keep):
    """(kernel, [what was kept of a warp]) of what overlap looks at: blocks, or the blocks of a launch that share an SM."""
    for program, _, _, blocks in launches:
        groups = defaultdict(list)
        for number, sm, warps, keeping, capacity in blocks:
            groups[sm if by == "sm" else number] += [Kept(warp, program, keeping, capacity, keep) for warp in warps]
        for warps in groups.values():
            yield program.kernel.name, warps


def overlap(launches, by, keep="first"):
    """{kernel: (header, {region: totals}, {(region, with): cycles})}; two regions of one name stay two."""
    out = {}
    for name in {program.kernel.name for program, *_ in launches}:
        header, sums, pairs = Counter(), defaultdict(Counter), Counter()
        for warps in (warps for kernel, warps in together(launches, by, keep) if kernel == name):
            first, last = min(warp.begin for warp in warps), max(warp.end for warp in warps)
            header["groups"] += 1
            turns = [time for warp in warps for time in (warp.begin, warp.end, warp.openUntil, warp.openFrom, warp.enclosedUntil, warp.enclosedFrom)]
            for begin, end in edges([span for warp in warps for span in warp.spans], first, last, *turns):
                if any(mayRun(warp, begin, end) for warp in warps):
                    continue
                header["cycles"] += end - begin
                running = {region for warp in warps for region in runs(warp.spans, begin, end)}
                working = {region for region in running if region.kind != "wait"}
                header["covered"] += (end - begin) * bool(working)
                for region in running:
                    sums[region].update(total=end - begin, **{"overlapped" if working - {region} else "exposed": end - begin})
                    for other in working - {region}:
                        pairs[region, other] += end - begin
        out[name] = header, sums, pairs
    return out


def mayRun(warp, begin, end):
    """Whether a region of the warp may run whose record was dropped."""
    if end <= warp.begin or warp.end <= begin:
        return False
    if end <= warp.openUntil or warp.openFrom <= begin:
        return True
    isEnclosed = end <= warp.enclosedUntil or warp.enclosedFrom <= begin
    return isEnclosed and not innermost([span for span in warp.spans if span.region.kind != "range"], begin, end)


def runs(spans, begin, end):
    """The regions that a warp of these spans runs: while it waits that wait, else its ranges, and the innermost of the others."""
    around = [span for span in spans if span.begin <= begin and end <= span.end]
    waits = [span for span in around if span.region.kind == "wait"]
    if waits:
        return {waits[0].region}
    other = innermost([span for span in around if span.region.kind != "range"], begin, end)
    return {span.region for span in around if span.region.kind == "range"} | ({other.region} if other else set())


def busy(warp, until, waiting):
    """What the warp was in for longest since it last waited, or passed a barrier with the warp that waits: [regions that share the first place]."""
    since = [warp.begin]
    for wait in (wait for wait in warp.waits if wait.end <= until):
        if wait.release:
            since.append(wait.end)
        elif {warp.index, waiting.index} <= {index for _, index, *_ in wait.arrivals}:
            since.append(max(time for time, *_ in wait.arrivals))
    since = max(since)
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
                    longest = busy(warps[wait.by], wait.release, warp)
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


def replayed(warps, without):
    """When the last warp ends if a region's own time, or what its waits take once they are let go on, were nothing."""
    new, times, items = {}, {}, {}
    for warp in warps:
        stops = [(at, 0, None) for at, *_ in warp.signals] + [(wait.begin, 1, wait) for wait in warp.waits]
        items[warp.index], times[warp.index] = sorted(stops, key=lambda stop: stop[:2]), (warp.begin, warp.begin)

    def cost(warp, begin, end):
        spans = [span for span in warp.own() if span.begin < end and span.end > begin]
        return sum(to - since for since, to in edges(spans, begin, end) if getattr(innermost(spans, since, to), "region", None) is not without) if begin < end else 0

    isMoving = True
    while isMoving:
        isMoving = False
        for warp in warps:
            while items[warp.index]:
                at, _, wait = items[warp.index][0]
                before, now = times[warp.index]
                now += cost(warp, before, at)
                new[warp.index, at] = now
                if wait and any((other, time) not in new for time, other, _ in wait.arrivals):
                    break
                if wait:
                    took = wait.end - max([wait.begin] + [time for time, *_ in wait.arrivals])
                    now = max([now] + [new[other, time] for time, other, _ in wait.arrivals]) + (0 if wait.region is without else took)
                    at = wait.end
                times[warp.index] = at, now
                items[warp.index].pop(0)
                isMoving = True
    assert not any(items.values())
    return max(times[warp.index][1] + cost(warp, times[warp.index][0], warp.end) for warp in warps)


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
