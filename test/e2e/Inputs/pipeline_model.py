"""A discrete-event model of examples/pipeline on the host target's virtual clock, probes included.

Every step's cost is one of runtime/include/kperf/host/engine/Ticks.h; the order is that of pipeline.cu. What kperf says of a trace has to
follow from this model alone.
"""
CLOCK, BARRIER, MEETING, ARRIVE, AWAIT = 1, 16, 8, 4, 16  # Ticks.h


class Warp:
    """One stage: its clock, and what its probes record: (kind, name, begin, end, object)."""

    def __init__(self, now):
        self.now = now
        self.events = []

    def read(self):
        self.now += CLOCK
        return self.now - CLOCK

    def wait(self, name, barrier, release, cost):
        begin = self.read()
        self.now = max(self.now, release) + cost
        self.events.append(("wait", name, begin, self.read(), barrier))

    def signal(self, name, barrier):
        """The mark, then the arrival, which counts from its own time on."""
        self.events.append(("signal", name, self.read(), None, barrier))
        arrival = self.now
        self.now += ARRIVE
        return arrival


def simulate(cycles, slots, tiles):
    """The warps of one block that begins at time 0."""
    stages = len(cycles)
    warps = [Warp(0) for _ in cycles]
    for warp in warps:
        warp.begin = warp.read()  # the kernel's entry
    for _ in range(2 * (stages - 1)):  # the first warp initialises both barriers of each ring
        warps[0].read()
    begins = [warp.read() for warp in warps]  # __syncthreads
    release = max(warp.now for warp in warps) + BARRIER
    for warp, begin in zip(warps, begins):
        warp.now = release
        warp.events.append(("wait", "__syncthreads", begin, warp.read(), "block"))
    full = [[0] * tiles for _ in range(stages)]
    empty = [[0] * tiles for _ in range(stages)]
    for tile in range(tiles):
        for stage, warp in enumerate(warps):
            if stage > 0:
                warp.wait("await(&before->full[slot])", ("full", stage - 1, tile % slots), full[stage - 1][tile], AWAIT)
            if stage + 1 < stages:
                free = empty[stage][tile - slots] if tile >= slots else 0
                warp.wait("await(&after->empty[slot])", ("empty", stage, tile % slots), free, AWAIT)
            start = warp.read()
            begin = warp.read()
            if stage == 0:
                warp.events.append(("signal", "__pipeline_memcpy_async", warp.read(), None, "copies"))
                warp.events.append(("wait", "__pipeline_wait_prior(0)", warp.read(), warp.read(), "copies"))
            warp.now = max(start + cycles[stage], warp.now) + CLOCK  # the spin's last look at the clock
            name = "load" if stage == 0 else "store" if stage + 1 == stages else "multiply"
            warp.events.append(("region", name, begin, warp.read(), None))
            warp.wait("__syncwarp", "lanes", 0, MEETING)
            if stage > 0:
                empty[stage - 1][tile] = warp.signal("__mbarrier_arrive(&before->empty[slot])", ("empty", stage - 1, tile % slots))
            if stage + 1 < stages:
                full[stage][tile] = warp.signal("__mbarrier_arrive(&after->full[slot])", ("full", stage, tile % slots))
    for warp in warps:
        warp.end = warp.read()
    return warps


def critical_path(warps):
    """{(segment, warp): cycles}, walked back from the end of the last warp: to the release that each wait waited for."""
    arrivals, meetings = {}, {}
    for number, warp in enumerate(warps):
        for kind, name, begin, end, barrier in warp.events:
            if kind == "signal" and isinstance(barrier, tuple):
                arrivals.setdefault(barrier, []).append((begin, number))
            if barrier == "block":
                meetings[number] = begin
    path = {}

    def add(segment, number, cycles):
        path[segment, number] = path.get((segment, number), 0) + cycles

    def release(number, event):
        """Who let the wait go on, and when; None where it did not wait."""
        _, _, begin, end, barrier = event
        if barrier == "block":
            last = max(meetings, key=meetings.get)
            return (meetings[last], last) if meetings[last] > begin else None
        if not isinstance(barrier, tuple):
            return None
        before = max((each for each in arrivals.get(barrier, []) if each[0] <= end), default=None)
        return before if before and before[0] > begin else None

    def attribute(number, begin, end):
        """What a warp did from begin to end, by its innermost region or wait."""
        inside = [event for event in warps[number].events if event[0] != "signal" and event[2] < end and event[3] > begin]
        edges = sorted({begin, end} | {edge for event in inside for edge in (event[2], event[3]) if begin < edge < end})
        for left, right in zip(edges, edges[1:]):
            around = [event for event in inside if event[2] <= left and right <= event[3]]
            name = max(around, key=lambda event: event[2])[1] if around else "(no region)"
            add(name, number, right - left)

    number = max(range(len(warps)), key=lambda each: warps[each].end)
    now = warps[number].end
    while now > warps[number].begin:
        waits = [event for event in warps[number].events if event[0] == "wait" and event[3] <= now and release(number, event)]
        if not waits:
            attribute(number, warps[number].begin, now)
            break
        wait = max(waits, key=lambda event: event[3])
        attribute(number, wait[3], now)
        at, next_number = release(number, wait)
        add(wait[1], number, wait[3] - at)
        number, now = next_number, at
    return path
