"""What kperf-cc found in machine code: states.py REWRITTEN prints "line kind expression: state …" for each access site of its table."""
import pathlib
import re
import sys

STATES = ["unknown", "same", "wide", "merged", "narrow", "removed", "varies"]  # kperf::format::MachineState
KINDS = ["load", "store", "update", "atomic", "unseen"]
TEXT = r'"((?:[^"\\]|\\.)*)"'
ROW = re.compile(r"\{(0x[0-9a-f]+)u, (\d)u, 0x[0-9a-f]+u, (\d+)u, " + ", ".join([TEXT] * 5) + r", (\d+)u, (\d+)u, \d+u(?:, 0x([0-9a-f]+)u)?(?:, (0x[0-9a-f]+)u)?\}")

rows = ROW.findall(pathlib.Path(sys.argv[1]).read_text().split("KPERF_SITES(")[1])
# A leader is named by its id alone, a row by that and kperf::kRunsOnce.
names = {int(row[0], 16) & 0xffffff: f"{row[6]} ({row[8]}:{row[9]})" for row in rows}
for row in rows:
    word = int(row[10] or "0", 16)
    width, pieces = word >> 8 & 255, word >> 16
    print(f"{row[8]} {KINDS[int(row[1])]} {row[6]}: {STATES[word & 255]}" + (f" {width}" if width else "") +
          (f" pieces {pieces:b}" if pieces else "") + (f" into {names[int(row[11], 16)]}" if row[11] else ""))
