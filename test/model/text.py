"""Writes blocks as a trace in the text form (runtime/FORMAT.md)."""


def records(warp, isReserved):
    """[(where it stands in the order, line)] of a warp: by begin where records are reserved, else by end."""
    out = []
    for span in warp.spans:
        if span.region.kind == "range":
            out.append((span.begin, f"begin {span.region.id:#x} {span.begin}"))
            out.append((span.end, f"end {span.region.id:#x} {span.end}"))
        else:
            out.append((span.begin if isReserved else span.end, f"span {span.region.id:#x} {span.begin}..{span.end}"))
    for wait in warp.waits:
        out.append((wait.begin if isReserved else wait.end, f"span {wait.region.id:#x} {wait.begin}..{wait.end} lanes={wait.target:#x}"))
    for at, region in warp.marks:
        out.append((at, f"mark {region.id:#x} {at}"))
    for at, region, target in warp.signals:
        out.append((at, f"mark {region.id:#x} {at} payload={target:#x}"))
    return sorted(out, key=lambda each: each[0])


def region(row):
    return f'region {row.id:#x} {row.kind} "{row.name}" {row.sync} function="f" file="m.cu" line={row.line}'


def trace(programs, launches, keep="first"):
    """`launches`: [(program, gridId, sampled, [block])], a block being (number, sm, warps, isReserved, capacity)."""
    lines = ["kperf 1.11 target=host build=0x77", 'device 0 name="model" tick=1 khz=1000000 multiprocessors=4']
    lines += [region(row) for program in programs for row in program.regions]
    for program, _, _, blocks in launches:
        lines.append(f'launch "{program.kernel.name}" grid={max(each[0] for each in blocks) + 1}x1x1 block={32 * program.warps}x1x1')
    lines.append(f"warps device=0 keep={keep}")
    for program, grid, sampled, blocks in launches:
        for number, sm, warps, isReserved, capacity in blocks:
            for warp in warps:
                rows = records(warp, isReserved)
                kept = rows if len(rows) <= capacity else rows[:capacity] if keep == "first" else rows[len(rows) - capacity:]
                size = f"grid={max(each[0] for each in blocks) + 1}x1x1 block={32 * program.warps}x1x1"
                lines.append(f"warp {number}.{warp.index} gridId={grid} sm={sm} ns={warp.begin}..{warp.end} cycles={warp.begin}..{warp.end} "
                             f"kernel={program.kernel.id:#x} {size} produced={len(rows)} capacity={capacity} sampled={sampled} "
                             f"flags=finished{',reserved' if isReserved else ''}")
                lines += ["  " + line for _, line in kept]
    return "\n".join(lines) + "\n"
