"""Warps whose regions were summed up on the device, and what a report says of them by docs/reference/format.md."""
from collections import Counter, defaultdict

NAMES = ("outer", "middle", "inner", "beside", "last")
AROUND = {"middle": "outer", "inner": "middle", "beside": "outer"}  # the others stand in none


def draw(numbers):
    """(the trace's text, {region: row}, what is in no region): entries of each warp fit into those around them."""
    hasExtremes, lines = numbers.random() < 0.5, []
    rows, perWarp, header = defaultdict(Counter), defaultdict(list), Counter()
    rest = 0
    for grid in range(1, numbers.randint(2, 5)):
        for warp in range(numbers.randint(1, 4)):
            begin, life = 10000 * grid + numbers.randint(0, 50), numbers.randint(2000, 9000)
            entries, room = {}, {None: life}
            for name in NAMES:
                around = AROUND.get(name)
                if around in room and room[around] > 50 and numbers.random() < 0.8:
                    entries[name] = [numbers.randint(1, room[around] // 8) for _ in range(numbers.randint(1, 4))]
                    room[around] -= sum(entries[name])
                    room[name] = sum(entries[name])
            order = list(entries)
            size = len(order) * (2 if hasExtremes else 1)
            lines.append(f"warp 0.{warp} gridId={grid} ns={begin}..{begin + life} cycles={begin}..{begin + life} block=128x1x1 produced={size} capacity=64 flags=finished")
            for name in order:
                around = order.index(AROUND[name]) + 1 if name in AROUND else 0
                if hasExtremes:
                    lines.append(f'  sum "{name}" count={len(entries[name])} cycles={sum(entries[name])}')
                    lines.append(f'  extremes "{name}" {min(entries[name])}..{max(entries[name])} around={around}')
                else:
                    lines.append(f'  total "{name}" count={len(entries[name])} cycles={sum(entries[name])} around={around}')
                inside = sum(sum(entries[other]) for other in order if AROUND.get(other) == name)
                rows[name].update(count=len(entries[name]), total=sum(entries[name]), self=sum(entries[name]) - inside)
                rows[name]["min"] = min(rows[name]["min"] or 1 << 62, *entries[name], 1 << 62)
                rows[name]["max"] = max(rows[name]["max"], *entries[name])
                perWarp[name].append(sum(entries[name]))
            rest += room[None]
            header.update(warps=1, cycles=life)
    for name, totals in perWarp.items():
        rows[name]["imbalance"] = max(totals) * len(totals) / sum(totals)
        if not hasExtremes:
            rows[name].update(min=-rows[name]["min"], max=-rows[name]["max"])  # not known
    regions = [f'region {0xA1 + i:#x} scope "{name}"' for i, name in enumerate(NAMES)]
    text = ["kperf 1.11 target=host", 'device 0 name="model" tick=1 khz=1000000', 'region 0xa0 kernel "summed"', *regions, *lines]
    return "\n".join(text) + "\n", rows, rest, header


def check(kperf, pages, same, numbers):
    text, expected, rest, header = draw(numbers)
    with open("summed.txt", "w") as file:
        file.write(text)
    kperf("pack", "summed.txt", "-o", "summed.kperf")
    kperf("reduce", "summed.kperf", "-o", "summed-reduced.kperf")
    for name in ("summed.kperf", "summed-reduced.kperf"):
        rows = {row["region"]: row for row in pages("report", name)["regions"]}
        same(f"{name}, rows", set(rows), {*expected, "(unattributed)"})
        same(f"{name}, (unattributed)", rows["(unattributed)"]["total_cycles"], rest)
        for region, model in expected.items():
            row = rows[region]
            same(f"{name}, warps", (row["warps"], row["warp-time_cycles"]), (header["warps"], header["cycles"]))
            known = {key: model[key] or None for key in ("min", "max")}
            found = {"count": row["count"], "total": row["total_cycles"], "self": row["self_cycles"], "min": row["min_cycles"], "max": row["max_cycles"]}
            same(f"{name}, {region}", found, {"count": model["count"], "total": model["total"], "self": model["self"], **known})
            same(f"{name}, {region}, mean", row["mean_cycles"], model["total"] / model["count"])
            same(f"{name}, {region}, warp-imbalance", row["warp-imbalance"], model["imbalance"])
