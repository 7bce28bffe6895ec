"""Writes blocks as a trace in the text form (docs/reference/format.md)."""


def line(kind, region, begin, end=None, value=""):
    """A record: its clocks are the low 32 bits."""
    clock = f"{begin % (1 << 32)}" + ("" if end is None else f"..{end % (1 << 32)}")
    return f"{kind} {region.id:#x} {clock} {value}"


def parts(warp, program, keeping):
    """[(whether its records are reserved, [(where one stands in the order, line)])]: by begin where they are, else by end. `keeping`: "own",
    "reserved", or "both", of which the kernel's own regions go to the one and all else to the other."""
    own, reserved = [], []
    mine = {"own": {*program.regions}, "reserved": set(), "both": {*program.scopes[:2], program.first, program.second}}[keeping]
    seconds = {second for first, second in warp.pairs.items() if first.region in mine}

    def add(kind, what, begin, end=None, value=""):
        isOwn = what in mine
        (own if isOwn else reserved).append((begin if end is None or not isOwn else end, line(kind, what, begin, end, value)))

    for span in warp.spans:
        if span.region.kind == "range":
            add("begin", span.region, span.begin)
            add("end", span.region, span.end)
        elif span in warp.pairs and span.region in mine:
            last = warp.pairs[span].end
            own.append((last, line("adjacent", span.region, span.begin, span.end, f"next={last % (1 << 32)}")))
        elif span not in seconds:
            add("span", span.region, span.begin, span.end)
    for wait in warp.waits:
        add("span", wait.region, wait.begin, wait.end, f"lanes={wait.target:#x}")
    for at, what in warp.marks:
        add("mark", what, at)
    for at, what, target in warp.signals:
        add("mark", what, at, None, f"payload={target:#x}")
    order = lambda rows: sorted(rows, key=lambda each: each[0])
    return {"own": [(False, order(own))], "reserved": [(True, order(reserved))], "both": [(False, order(own)), (True, order(reserved))]}[keeping]


def kept(rows, capacity, keep):
    return rows if len(rows) <= capacity else rows[:capacity] if keep == "first" else rows[len(rows) - capacity:]


def region(row):
    return f'region {row.id:#x} {row.kind} "{row.compiled}" {row.sync} function="{row.function}" file="{row.file}" line={row.line}'


def trace(programs, launches, keep="first"):
    """`launches`: [(program, gridId, sampled, [block])], a block being (number, sm, warps, keeping, capacity)."""
    lines = ["kperf 1.11 target=host build=0x77", 'device 0 name="model" tick=1 khz=1000000 multiprocessors=4']
    lines += [region(row) for program in programs for row in program.regions]
    for program, _, _, blocks in launches:
        lines.append(f'launch "{program.kernel.compiled}" grid={max(each[0] for each in blocks) + 1}x1x1 block={32 * program.warps}x1x1')
    lines.append(f"warps device=0 keep={keep}")
    for program, grid, sampled, blocks in launches:
        for number, sm, warps, keeping, capacity in blocks:
            for warp in warps:
                size = f"grid={max(each[0] for each in blocks) + 1}x1x1 block={32 * program.warps}x1x1"
                for index, (isReserved, rows) in enumerate(parts(warp, program, keeping)):
                    flags = "finished" + (",reserved" if isReserved else "") + (",continued" if index else "")
                    lines.append("more" if index else f"warp {number}.{warp.index} gridId={grid} sm={sm} ns={warp.begin}..{warp.end} "
                                 f"cycles={warp.begin}..{warp.end} kernel={program.kernel.id:#x} {size} sampled={sampled}")
                    lines[-1] += f" produced={len(rows)} capacity={capacity} flags={flags}"
                    lines += ["  " + record for _, record in kept(rows, capacity, keep)]
    return "\n".join(lines) + "\n"
