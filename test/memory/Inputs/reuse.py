"""Footprint, reuse distances and hits by cache size of Inputs/reuse.cu against those of the kernel on paper.

usage: reuse.py KPERF TRACE ADDRESSES STEPS HOT COLD [OTHER ADDRESSES]: TRACE has all uses of all lines (KPERF_LINES large enough), and agrees exactly.
Then classes of lines are left out of it, in its text form, and what is left must tell the same within a twentieth, and within what
it says of its own error; so must OTHER, a trace of a run that kept what it does by itself. ADDRESSES: what the program printed.
"""
import bisect
import csv
import io
import re
import subprocess
import sys

kperf, trace, addresses = sys.argv[1:4]
steps, hot, cold = map(int, sys.argv[4:7])


def log(addresses):
    """(site, line) of each use, in order: a load's lines by their lowest lanes."""
    values, indices, sums = map(int, open(addresses).read().split())
    state, at = 1, 0
    for step in range(steps):
        lines = {}
        for lane in range(32):
            state = (state * 1664525 + 1013904223) & 0xffffffff
            lines[(values + 4 * (state * (cold if at % 3 == 0 else hot) >> 32)) // 128] = True
            at += 1
        yield "indices", (indices + 128 * step) // 128
        if indices % 128:
            yield "indices", (indices + 128 * step) // 128 + 1
        for line in lines:
            yield "values", line
    for line in sorted({(sums + 4 * lane) // 128 for lane in range(32)}):
        yield "sums", line
        yield "sums", line


def exact(addresses):
    """By site, the lines and the distances; by the list of the lines' last uses, kept sorted."""
    sites, last, order, hits, uses = {}, {}, [], [], 0
    for now, (site, line) in enumerate(log(addresses)):
        lines, distances = sites.setdefault(site, (set(), []))
        lines.add(line)
        if line in last:
            place = bisect.bisect_left(order, last[line])
            distance = len(order) - place - 1
            hits.append(distance)
            if site != "sums":
                distances.append(distance)
            del order[place]
        last[line] = now
        order.append(now)
        uses += 1
    return sites, sorted(hits), uses


def tables(path):
    found = {}
    for by in ("site", "cache"):
        text = subprocess.run([kperf, "memory", path, f"--by={by}", "--format=csv"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=True).stdout
        for part in text.split("\n\n"):
            rows = list(csv.DictReader(io.StringIO(part.split("\n", 1)[1] if part.startswith("#") else part)))
            if rows and "footprint_bytes" in rows[0]:
                found["reuse"] = {re.split(r"\W", row["access"])[0]: row for row in rows}
            if rows and "cache_bytes" in rows[0]:
                found["cache"] = rows
    return found


def check(what, found, expected, relative, absolute=0.0):
    if abs(found - expected) > relative * abs(expected) + absolute:
        failures.append(f"{what} is {found}, expected {expected} within {100 * relative} % + {absolute}")


failures = []
sites, hits, uses = exact(addresses)


def compare(name, path, relative):
    """Errors are half-widths of 95 %: with some sixty rows, a few lie outside of one, none of two."""
    found = tables(path)
    for site in ("values", "indices"):
        lines, distances = sites[site]
        row = found["reuse"][site]
        check(f"{name}: footprint of {site}", float(row["footprint_bytes"]), 128 * len(lines), 0, 2 * float(row["footprint-error_bytes"]))
        if distances:
            mean = sum(distances) / len(distances)
            check(f"{name}: mean distance of {site}", float(row["mean-reuse-distance_bytes"]), 128 * mean, relative, 1e-3 * mean)
    for row in found["cache"]:
        share = 100 * bisect.bisect_left(hits, int(row["cache_bytes"]) // 128) / uses
        error = float(row["hits-error_percent"])
        check(f"{name}: hits in {row['cache_bytes']} bytes", float(row["hits_percent"]), share, 1e-6, 2 * error)
        if relative == 0:
            check(f"{name}: stated error", error, 0, 0)
    return found


whole = compare("all lines", trace, 0)
if whole["reuse"]["values"]["iterations"] != f"0..{steps - 1}":
    failures.append(f"iterations {whole['reuse']['values']['iterations']}")
text = subprocess.run([kperf, "dump", trace], stdout=subprocess.PIPE, text=True, check=True).stdout
for mask in (0x1, 0x2, 0x6):
    changed = text.replace("\nreferences\n", f"\nreferences incomplete={mask:#x}\n")
    if changed == text:
        failures.append("the text form has no line 'references'")
    open("part.txt", "w").write(changed)
    subprocess.run([kperf, "pack", "part.txt", "-o", "part.kperf"], check=True)
    compare(f"without classes {mask:#x}", "part.kperf", 0.05)
if len(sys.argv) > 7:
    sites, hits, uses = exact(sys.argv[8])
    compare("as kept by default", sys.argv[7], 0.05)
print(f"{uses} uses of {len(sites['values'][0])} lines, {len(failures)} failures")
sys.exit("\n".join(failures) or 0)
