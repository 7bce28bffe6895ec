"""Launches of which one block in N was recorded, and what a report estimates of all of their blocks, by decoder/totals/SampledBlocks.h."""
from collections import Counter

MIN_BLOCKS, CERTAIN = 60, 14  # recorded, for an interval; launches of so many times N blocks are as good as certain to have a recorded one


def draw(numbers):
    """(N, [(blocks of the launch, {block: [length of each entry]})]), of the recorded blocks only."""
    oneIn = numbers.choice((2, 3, 8))
    launches = []
    for _ in range(numbers.randint(1, 4)):
        blocks = numbers.choice((numbers.randint(1, 4 * oneIn), CERTAIN * oneIn - 1, CERTAIN * oneIn, numbers.randint(CERTAIN * oneIn, 60 * oneIn)))
        recorded = [block for block in range(blocks) if numbers.random() < 1 / oneIn] or [numbers.randrange(blocks)]
        launches.append((blocks, {block: [numbers.randint(1, 200) for _ in range(numbers.randint(1, 3))] for block in recorded}))
    return oneIn, launches


def trace(oneIn, launches):
    lines = ["kperf 1.11 target=host build=0x77", 'device 0 name="model" tick=1 khz=1000000 multiprocessors=4', 'region 0xa0 kernel "k"',
             'region 0xa1 scope "step" file="k.cu" line=2']
    lines += [f'launch "k" grid={blocks}x1x1 block=32x1x1' for blocks, _ in launches] + ["warps"]
    for grid, (blocks, recorded) in enumerate(launches, 1):
        for block, lengths in recorded.items():
            now = begin = 2000 * grid
            lines.append(f"warp {block}.0 gridId={grid} ns={begin}..{begin + 1000} cycles={begin}..{begin + 1000} grid={blocks}x1x1 block=32x1x1 sampled={oneIn}")
            for length in lengths:
                lines.append(f'  span "step" {now + 5}..{now + 5 + length}')
                now += length + 10
    return "\n".join(lines) + "\n"


def expected(oneIn, launches):
    """Count and total: of launches that are certain to be seen, all blocks are like the mean of the recorded ones; of the others, each stands for N."""
    out = Counter()
    certain = [launch for launch in launches if launch[0] >= CERTAIN * oneIn]
    blocks, recorded = sum(blocks for blocks, _ in certain), sum(len(recorded) for _, recorded in certain)
    for launch in launches:
        weight = blocks / recorded if launch in certain else oneIn
        for lengths in launch[1].values():
            out["count"] += weight * len(lengths)
            out["total"] += weight * sum(lengths)
    return out


def check(kperf, pages, same, numbers):
    oneIn, launches = draw(numbers)
    with open("estimates.txt", "w") as file:
        file.write(trace(oneIn, launches))
    kperf("pack", "estimates.txt", "-o", "estimates.kperf")
    row = next(row for row in pages("report", "estimates.kperf")["regions"] if row["region"] == "step")
    model, what = expected(oneIn, launches), f"one block in {oneIn} of {[blocks for blocks, _ in launches]}"
    for found, key in ((row["total_cycles"], "total"), (row["count"], "count")):
        assert isinstance(found, int) or found == round(found), f"{what}, {key}: {found} is a part of a cycle or of an entry"
        assert abs(found - model[key]) <= 0.5 + 1e-9 * model[key], f"{what}, {key}: found {found}, expected {model[key]}"
    if sum(len(recorded) for _, recorded in launches) < MIN_BLOCKS:
        same(what + ", error", row["total-error_percent"], None)
    else:
        assert row["total-error_percent"] != 0, f"{what}: no estimate is exact"
