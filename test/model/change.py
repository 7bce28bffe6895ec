"""Runs of a kernel before and after a change, and what kperf diff says of them by the definitions in decoder/compare: intervals, p and verdicts."""
import math

SIGNIFICANCE, MARGIN, MIN_OF_ONE_RUN = 0.05, 1, 5  # the latter two in percent


def incompleteBeta(a, b, x):
    """Regularised, by its continued fraction (W. H. Press et al., Numerical Recipes, 6.4)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incompleteBeta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(1 - x)) / a
    f, c, d = 1.0, 1.0, 0.0
    for i in range(400):
        m = i // 2
        top = 1 if i == 0 else m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) if i % 2 == 0 else -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + top * d)
        c = 1 + top / c
        f *= c * d
        if abs(1 - c * d) < 1e-14:
            break
    return front * (f - 1)


def twoSided(t, degrees):
    return incompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t))


def factor(degrees):
    low, high = 0.0, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if twoSided(middle, degrees) > SIGNIFICANCE else (low, middle)
    return high


def mean(values):
    return sum(values) / len(values)


def trimmed(values):
    cut = len(values) // 5
    return mean(sorted(values)[cut:len(values) - cut])


def draw(numbers):
    """[[a run: [(duration, length of the region in it) of a launch]]] of each side, in cycles of a ns."""
    base, change, spread = numbers.randint(20000, 60000), numbers.choice((1, 1, 1.002, 1.03, 1.2, 0.7)), numbers.choice((0.0005, 0.003, 0.03))
    sides = []
    for side in range(2):
        runs = []
        for _ in range(numbers.choice((1, 2, 3, 4, 5))):
            ofRun = base * (change if side else 1) * numbers.gauss(1, spread)
            launches = [round(ofRun * numbers.gauss(1, spread)) for _ in range(numbers.randint(1, 12))]
            runs.append([(cycles, round(cycles * numbers.uniform(0.2, 0.3))) for cycles in launches])
        sides.append(runs)
    return sides


def trace(run):
    lines, now = ["kperf 1.11 target=host build=0x77", 'device 0 name="model" tick=1 khz=1000000 multiprocessors=4', 'region 0xa0 kernel "k"',
                  'region 0xa1 scope "step" file="k.cu" line=2'], 1000
    for grid, (cycles, length) in enumerate(run, 1):
        lines += [f"warp 0.0 gridId={grid} ns={now}..{now + cycles} cycles={now}..{now + cycles}", f'  span "step" {now % (1 << 32) + 5}..{now % (1 << 32) + 5 + length}']
        now += cycles + 100
    return "\n".join(lines) + "\n"


def drift(sides, runs):
    """Whether a common straight line through the runs of both sides is there at 5 %: then what it says is added, and modelled no further."""
    if min(map(len, sides)) < 3:
        return False
    times = [list(range(len(sides[0]))), list(range(len(sides[0]), len(sides[0]) + len(sides[1])))]
    points = [(time - mean(at), value / mean(side) - 1) for side, at in zip(sides, times) for value, time in zip(side, at)]
    products, squares = sum(t * v for t, v in points), sum(t * t for t, v in points)
    rest = sum(v * v for t, v in points) - products * products / squares
    t = products / squares / math.sqrt(max(rest, 1e-300) / (len(points) - 3) / squares)
    return twoSided(t, len(points) - 3) < 0.06


def compared(before, after):
    """(change in percent, (low, high), p) of two sides of several runs each; None where the runs drift."""
    sides = [[trimmed(run) for run in side] for side in (before, after)]
    if drift(sides, (before, after)):
        return None
    means, counts = [mean(side) for side in sides], [len(side) for side in sides]
    relative = [sum((value - m) ** 2 for value in side) / (len(side) - 1) / m ** 2 for side, m in zip(sides, means)]  # variance of one run
    parts = [variance / count for variance, count in zip(relative, counts)]
    welch = sum(parts), sum(parts) ** 2 / sum(part ** 2 / (count - 1) for part, count in zip(parts, counts))
    degrees = sum(counts) - 2
    pooled = sum(variance * (count - 1) for variance, count in zip(relative, counts)) / degrees
    student = pooled * (1 / counts[0] + 1 / counts[1]), degrees
    variance, degrees = max((welch, student), key=lambda each: factor(each[1]) * math.sqrt(each[0]))
    ratio, half = math.log(means[1] / means[0]), factor(degrees) * math.sqrt(variance)
    return 100 * math.expm1(ratio), tuple(100 * math.expm1(ratio + sign * half) for sign in (-1, 1)), twoSided(ratio / math.sqrt(variance), degrees)


def verdicts(rows):
    """By S. Holm's method over all rows: [(change, interval, p)]."""
    out, isRejecting = [None] * len(rows), True
    for i, (number, (percent, (low, high), p)) in enumerate(sorted(enumerate(rows), key=lambda each: each[1][2])):
        isRejecting = isRejecting and p <= SIGNIFICANCE / (len(rows) - i)
        isNone = low >= -MARGIN and high <= MARGIN
        out[number] = "not changed" if isNone else "changed" if isRejecting else "can't tell"
    return out


def isNearLimit(rows):
    """Whether rounding decides."""
    limits = [p * (len(rows) - i) / SIGNIFICANCE for i, p in enumerate(sorted(row[2] for row in rows))]
    return any(abs(limit - 1) < 1e-6 for limit in limits) or any(abs(abs(end) - MARGIN) < 1e-6 for row in rows for end in row[1])


def check(kperf, pages, same, numbers):
    sides, names = draw(numbers), [[], []]
    for side, runs in enumerate(sides):
        for i, run in enumerate(runs):
            name = f"change-{side}-{i}"
            with open(f"{name}.txt", "w") as file:
                file.write(trace(run))
            kperf("pack", f"{name}.txt", "-o", f"{name}.kperf")
            names[side].append(f"{name}.kperf")
    rows = {row["region"]: row for row in pages("diff", *names[0], "--against", *names[1], "--of=total")["diff"]}
    same("diff, rows", set(rows), {"(whole kernel)", "step"})
    ofRow = {"(whole kernel)": 0, "step": 1}
    values = {key: [[[launch[at] for launch in run] for run in side] for side in sides] for key, at in ofRow.items()}
    for key, row in rows.items():
        before, after = (mean([trimmed(run) for run in side]) for side in values[key])
        same(f"diff, change of {key}", row["change_percent"], 100 * (after / before - 1), 1e-6)
    counts = [len(runs) for runs in sides]
    if min(counts) > 1:
        expected = {key: compared(*value) for key, value in values.items()}
        if None in expected.values() or isNearLimit(list(expected.values())):
            return
        for (key, (_, (low, high), p)), verdict in zip(expected.items(), verdicts(list(expected.values()))):
            what, row = f"diff of {counts[0]} and {counts[1]} runs, {key}", rows[key]
            same(what + ", low", row["change-low_percent"], low, 1e-5)
            same(what + ", high", row["change-high_percent"], high, 1e-5)
            same(what + ", p", row["p"], p, 1e-5)
            same(what + ", verdict", row["verdict"], verdict)
        return
    # Of one run a side only its launches tell: of fewer than 4 nothing is said, and no change below 5 % is called one.
    least = min(len(side[0]) for side in sides if len(side) == 1)
    for key, row in rows.items():
        what = f"diff of {counts[0]} and {counts[1]} runs, {key}"
        if counts == [1, 1]:
            same(what + ", has an interval", row["change-low_percent"] is not None, least >= 4)
        if row["change-low_percent"] is None:
            same(what + ", verdict", row["verdict"], "can't tell")
            continue
        assert -100 <= row["change-low_percent"] <= row["change_percent"] + 1e-9 <= row["change-high_percent"] + 2e-9, f"{what}: {row}"
        assert row["verdict"] != "changed" or abs(row["change_percent"]) >= MIN_OF_ONE_RUN, f"{what}: {row}"
