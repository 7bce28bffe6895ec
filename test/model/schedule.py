"""Random programs of one block each, and when their warps do what: every time is chosen here, none is measured."""


class Region:
    """A row of the region table. `sync` is the text form's operation and object of a wait or a signal."""

    def __init__(self, number, kind, name, sync="", next=None):
        self.id, self.kind, self.name, self.sync, self.line = 0xA00 + number, kind, name, sync, 10 + number
        self.compiled, self.file, self.function = name, "m.cu", "f"  # what the trace says; `name` is what is shown
        if next:  # it may share records with that one, which is entered when this one is left
            self.sync = f"next={next.id:#x}"


class Span:
    def __init__(self, region, begin, end=None):
        self.region, self.begin, self.end = region, begin, end


class Wait(Span):
    """`release`: when it was let go on, None where it did not wait; `by`: whose arrival did that, or a group of copies."""

    def __init__(self, region, begin, end, target, release=None, by=None, signal=None, arrivals=()):
        super().__init__(region, begin, end)
        self.arrivals = arrivals  # those that it needs, whether it waited for them or not
        self.target, self.release, self.by, self.signal = target, release, by, signal


class Group:
    """Copies of one warp that were closed together: from `at` until `seen`, the end of the first wait for them."""

    def __init__(self, region, at, warp):
        self.region, self.at, self.warp = region, at, warp
        self.seen = self.begin = None  # begin: of a wait that waited for it


class Warp:
    def __init__(self, index, begin):
        self.index, self.begin, self.now, self.end = index, begin, begin + 1, None
        self.spans, self.marks, self.waits, self.signals, self.groups = [], [], [], [], []
        self.pairs = {}     # of spans that may share a record, the second one by the first
        self.crossing = []  # ranges that are open, where they may cross others

    def own(self):
        """All that has a length, in no order."""
        return self.spans + self.waits


class Barrier:
    """`members` come once to each phase; those that have come, by phase: [(time, warp, region of the signal or None)]."""

    def __init__(self, members):
        self.members, self.phases = members, {}

    def arrive(self, phase, warp, region=None):
        """One comes last: nobody comes at the very time of another."""
        come = self.phases.setdefault(phase, [])
        while any(time == warp.now for time, *_ in come):
            warp.now += 1
        come.append((warp.now, warp.index, region))

    def last(self, phase):
        """The arrival that completes the phase; None before."""
        come = self.phases.get(phase, [])
        return max(come, key=lambda each: each[:2]) if len(come) == self.members else None


def collide(random, kernels):
    """Gives two kernels one name, by one of the ways in which a program can come to that, and the names that are shown."""
    first, second = kernels
    first.compiled = second.compiled = random.choice(("k", "gemm<float, 2>", "void k(F) [with F = main()::<lambda()>]"))
    way = random.choice(("file", "folder", "line", "macros", "nothing"))
    if way == "file":
        second.file, labels = "n.cu", ("(m.cu)", "(n.cu)")
    elif way == "folder":
        first.file, second.file, labels = "a/m.cu", "b/m.cu", ("(a/m.cu)", "(b/m.cu)")
    elif way == "line":
        labels = (f"(m.cu:{first.line})", f"(m.cu:{second.line})")
    else:
        second.line = first.line
        labels = ("#1", "#2")  # in the order of their numbers
        if way == "macros":
            first.function, second.function, labels = "f [N=4 T=float]", "f [N=8 T=float]", ("(N=4)", "(N=8)")
    for kernel, label in zip(kernels, labels):
        kernel.name = f"{kernel.compiled} {label}"


class Program:
    """The regions of a kernel, and blocks that run it."""

    NAMES = ("load", "multiply", "store", "load", "reduce")  # two of one name are two regions

    def __init__(self, random, first, kernel, hasSync, crosses=False, longest=0):
        """`crosses`: ranges begin and end anywhere. `longest`: what a warp may do at a time between its regions, in cycles."""
        self.random, self.hasSync, self.crosses, self.longest = random, hasSync, crosses, longest
        number = iter(range(first, first + 40))
        self.kernel = Region(next(number), "kernel", kernel)
        self.scopes = [Region(next(number), "scope", name) for name in self.NAMES]
        self.second = Region(next(number), "scope", "use")
        self.first = Region(next(number), "scope", "fetch", next=self.second)
        self.ranges = [Region(next(number), "range", name) for name in ("tile", "stage")]
        self.mark = Region(next(number), "mark", "step")
        self.meet = Region(next(number), "wait", "meet", "operation=barrier object=block-barrier")
        self.arrives = [Region(next(number), "signal", f"arrive {i}", "operation=arrive object=shared-barrier") for i in range(3)]
        self.awaits = [Region(next(number), "wait", f"await {i}", "operation=await object=shared-barrier") for i in range(3)]
        self.issue = Region(next(number), "signal", "copy", "operation=issue object=copy-group")
        self.commits = [Region(next(number), "signal", name, "operation=commit object=copy-group") for name in ("close", "close unseen")]
        self.copied = Region(next(number), "wait", "copied", "operation=await object=copy-group")
        sync = [self.meet, *self.arrives, *self.awaits, self.issue, *self.commits, self.copied] if hasSync else []
        self.regions = [self.kernel, *self.scopes, self.first, self.second, *self.ranges, self.mark, *sync]
        self.warps = random.randint(1, 5)
        self.kinds = ("work", "meet", "ring", "split", *(["copies"] if random.random() < 0.5 else []))
        self.sections = [self.section() for _ in range(random.randint(1, 5))]

    def section(self):
        random = self.random
        kind = random.choice(self.kinds) if self.hasSync else "work"
        if kind == "ring" and self.warps > 1:
            producers = random.randint(1, min(2, self.warps - 1))
            consumers = random.randint(1, min(2, self.warps - producers))
            roles = random.sample(range(self.warps), producers + consumers)
            return ("ring", roles[:producers], roles[producers:], random.randint(1, 3), random.randint(1, 6))
        return ("work" if kind == "ring" else kind, random.randint(1, 3))

    def block(self, start):
        """The warps of one run, which begins about `start`."""
        warps = [Warp(i, start + self.random.randint(0, 60)) for i in range(self.warps)]
        shared = [self.shared(section) for section in self.sections]
        running = [(warp, self.run(warp, shared)) for warp in warps]
        while running:  # each goes as far as it can
            running = [(warp, steps) for warp, steps in running if next(steps, None)]
        ends = set()
        for warp in warps:
            while warp.now in ends:  # so that one is the last
                warp.now += 1
            warp.end = warp.now
            ends.add(warp.end)
        return warps

    def shared(self, section):
        if section[0] == "ring":
            _, producers, consumers, slots, _ = section
            return [(Barrier(len(producers)), Barrier(len(consumers))) for _ in range(slots)]
        return Barrier(self.warps)

    def run(self, warp, shared):
        for number, (section, objects) in enumerate(zip(self.sections, shared)):
            target = 0x100 * (number + 1)
            if section[0] == "work":
                self.work(warp, section[1])
            elif section[0] == "copies":
                yield from self.copies(warp, section[1])
            elif section[0] == "ring":
                yield from self.ring(warp, section, objects, target)
            else:
                for phase in range(section[1]):
                    self.work(warp, 2)
                    if section[0] == "meet":
                        yield from self.wait(warp, self.meet, objects, phase, number, arrives=True)
                    else:
                        self.signal(warp, self.arrives[0], objects, phase, target)
                        self.work(warp, 1)
                        yield from self.wait(warp, self.awaits[0], objects, phase, target)
        self.work(warp, 1)
        for span in warp.crossing:
            span.end = warp.now
            self.pause(warp)

    def ring(self, warp, section, slots, target):
        _, producers, consumers, count, items = section
        for item in range(items):
            full, empty = slots[item % count]
            phase, objects = item // count, (target + 16 * (item % count), target + 16 * (item % count) + 8)
            if warp.index in producers:
                yield from self.wait(warp, self.awaits[1], empty, phase - 1, objects[1])
                self.work(warp, 2)
                self.signal(warp, self.arrives[1], full, phase, objects[0])
            elif warp.index in consumers:
                yield from self.wait(warp, self.awaits[2], full, phase, objects[0])
                self.work(warp, 2)
                self.signal(warp, self.arrives[2], empty, phase, objects[1])

    def signal(self, warp, region, barrier, phase, target):
        barrier.arrive(phase, warp, region)
        warp.signals.append((warp.now, region, target))
        warp.now += self.random.randint(1, 3)

    def wait(self, warp, region, barrier, phase, target, arrives=False):
        """Yields until the phase is complete; phase -1 always is."""
        if arrives:
            barrier.arrive(phase, warp)
        begin = warp.now
        while phase >= 0 and not barrier.last(phase):
            yield True
        time, by, signal = barrier.last(phase) if phase >= 0 else (0, None, None)
        hasWaited = time > begin
        warp.now = max(begin, time) + self.random.randint(1, 20)
        warp.waits.append(Wait(region, begin, warp.now, target, time if hasWaited else None, by if hasWaited else None, signal,
                               barrier.phases[phase] if phase >= 0 else ()))
        warp.now += self.random.randint(1, 3)

    def copies(self, warp, rounds):
        """Groups of copies, with some left under way; how long a wait is says whether it waited."""
        random, closed, done = self.random, [], 0
        for _ in range(rounds + 1):
            isSeen, group = random.random() < 0.7, None
            if isSeen and random.random() < 0.8:  # else it is empty
                for _ in range(random.randint(1, 2)):
                    group = group or Group(self.issue, warp.now, warp.index)
                    warp.signals.append((warp.now, self.issue, 0))
                    self.pause(warp)
                    self.work(warp, 1)
            commit = self.commits[0 if isSeen else 1]
            if not isSeen:
                group = Group(commit, warp.now, warp.index)
            warp.signals.append((warp.now, commit, 0))
            warp.groups.append((commit, warp.now, group))
            closed.append(len(warp.groups) - 1)
            self.pause(warp)
            self.work(warp, 1)
            if random.random() < 0.7 or len(closed) > rounds:
                pending = random.randint(0, 1) if len(closed) <= rounds else 0
                needed = len(warp.groups) - pending
                begin, length = warp.now, random.randint(1, 20) if random.random() < 0.5 else random.randint(70, 400)
                warp.waits.append(Copied(self.copied, begin, length, pending, needed))
                warp.now = begin + length
                self.pause(warp)
        yield True

    def pause(self, warp):
        warp.now += self.random.randint(1, 3)

    def cross(self, warp):
        """Ends a range, or begins one."""
        region = self.random.choice(self.ranges)
        mine = [span for span in warp.crossing if span.region is region]
        if mine:
            mine[0].end = warp.now
            warp.crossing.remove(mine[0])
        else:
            warp.crossing.append(Span(region, warp.now))
            warp.spans.append(warp.crossing[-1])

    def work(self, warp, most, depth=0):
        random = self.random
        for _ in range(random.randint(1, most)):
            if self.longest and depth == 0:
                self.pause(warp)
                warp.marks.append((warp.now, self.mark))
                warp.now += random.randint(1, self.longest)
                warp.marks.append((warp.now, self.mark))
                self.pause(warp)
            if self.crosses and random.random() < 0.4:
                self.cross(warp)
                self.pause(warp)
            kind = random.choice(("plain", "scope", "scope", "pair", "mark" if self.crosses else "range", "mark")) if depth < 4 else "plain"
            if kind in ("scope", "range"):
                span = Span(random.choice(self.scopes if kind == "scope" else self.ranges), warp.now)
                if kind == "range" and any(each.region is span.region and each.end is None for each in warp.spans):
                    continue  # a begin meets the next end of its region
                warp.spans.append(span)
                self.pause(warp)
                self.work(warp, 2, depth + 1)
                span.end = warp.now
            elif kind == "pair":
                first = Span(self.first, warp.now)
                warp.spans.append(first)
                self.pause(warp)
                self.work(warp, 1, depth + 1)
                first.end = warp.now
                warp.pairs[first] = Span(self.second, warp.now)
                warp.spans.append(warp.pairs[first])
                self.pause(warp)
                self.work(warp, 1, depth + 1)
                warp.pairs[first].end = warp.now
            elif kind == "mark":
                warp.marks.append((warp.now, self.mark))
            else:
                warp.now += random.choice((1, 5, 40, 150)) + random.randint(0, 9)
            self.pause(warp)


class Copied(Wait):
    """A wait for groups: which it is for, settle() says once the block is over."""

    def __init__(self, region, begin, length, pending, needed):
        super().__init__(region, begin, begin + length, pending)
        self.needed = needed


def settle(warps):
    """Says which groups are empty, which wait saw which, and which of the waits waited."""
    closesIssues = {commit for warp in warps for commit, _, group in warp.groups if group and group.region is not commit}
    for warp in warps:
        done = 0
        for wait in sorted((each for each in warp.waits if isinstance(each, Copied)), key=lambda each: each.begin):
            newest = None
            for commit, at, group in warp.groups[done:wait.needed]:
                assert group or commit in closesIssues or commit.name == "close"
                if not group and commit not in closesIssues:  # nothing tells that it is empty
                    group = Group(commit, at, warp.index)
                    warp.groups[warp.groups.index((commit, at, None))] = (commit, at, group)
                if group:
                    group.seen, newest = wait.end, group
            done = max(done, wait.needed)
            if newest and wait.end - wait.begin > 64:
                newest.begin = wait.begin
                wait.release, wait.by, wait.signal = wait.end, newest, newest.region
    return warps
