"""What a program must store and record, from its Python model run lane by lane."""
import random
from collections import defaultdict

M = 0xFFFFFFFF
TABLE = [random.Random(f"table {index}").getrandbits(32) for index in range(64)]  # what kernels read from memory
MAX_EVENTS = 400  # of one lane; longer programs are grown anew


class Break(Exception):
    pass


class Continue(Exception):
    pass


class Jump(Exception):
    def __init__(self, label):
        self.label = label


class TooLong(Exception):
    pass


class Launch:
    """One launch of a program: what each lane stores, and what happens to it, in order."""

    def __init__(self, program, instance, argument):
        self.program, self.instance, self.argument = program, instance, argument
        self.stored, self.lanes = [], {}  # lanes: (block, warp) -> a list of events for each lane
        events, path = [], []

        def note(kind, name, where, payload=0):
            """Of a region's end, `where` says whether it was left early, else it is the path of iterations and calls."""
            if len(events) > MAX_EVENTS:
                raise TooLong
            events.append((kind, name, None, where) if kind == "-" else (kind, name, tuple(where), payload))

        names = {"M": M, "P": path, "note": note, "bits": TABLE, "Break": Break, "Continue": Continue, "Jump": Jump}
        exec(program.compiled(), names)
        for block in range(program.grid):
            for thread in range(program.block):
                events.clear()
                path.clear()
                value = names["kernel"](thread, program.block, (argument + block + instance) & M)
                self.stored.append(0xDEAD if value is None else value)
                self.lanes.setdefault((block, thread // 32), []).append(list(events))

    def name(self):
        return self.program.name + (f"<{self.instance}>" if self.program.instances != [0] else "")


def groups(lanes):
    """The lanes that come to each probe together where lanes diverge at branches only: (kind, name) -> sorted masks."""
    masks = defaultdict(int)
    for lane, events in enumerate(lanes):
        seen = defaultdict(int)
        for kind, name, path, _ in events:
            if kind != "-":
                seen[kind, name, path] += 1
                masks[kind, name, path, seen[kind, name, path]] |= 1 << lane
    result = defaultdict(list)
    for (kind, name, _, _), mask in masks.items():
        result[kind, name].append(mask)
    return {key: sorted(value) for key, value in result.items()}


def checksum(values):
    total = 2166136261
    for value in values:
        total = (total ^ value) * 16777619 & M
    return total
