# RUN: %python %s kperf kperf-cc kperf-rewrite
# REQUIRES: kperf-rewrite
"""What every program and every command of kperf prints for --help fits a terminal, and --help succeeds."""
import re
import subprocess
import sys

import tree

COLUMNS = 80
LINES = {"kperf": 24}  # the others have more options than one screen of the oldest kind
MAX_LINES = 40


def check(command):
    result = subprocess.run([*command, "--help"], capture_output=True, text=True)
    text, shown = result.stdout, " ".join(command) + " --help"
    if result.returncode != 0 or not text or result.stderr:
        yield f"{shown}: exit {result.returncode}, {len(text)} characters on stdout, stderr: {result.stderr!r}"
    lines = LINES.get(command[0], MAX_LINES)
    if text.count("\n") > lines:
        yield f"{shown}: {text.count(chr(10))} lines, more than {lines}"
    for line in text.splitlines():
        if len(line) > COLUMNS:
            yield f"{shown}: {len(line)} columns, more than {COLUMNS}: {line}"


def main(programs):
    commands = [[program] for program in programs]
    listing = subprocess.run(["kperf", "--help"], capture_output=True, text=True).stdout
    commands += [["kperf", name] for name in re.findall(r"^  ([a-z][a-z-]*)  +\S", listing, re.M)]
    if len(commands) < len(programs) + 5:
        tree.finish([f"kperf --help lists too few commands:\n{listing}"], 1)
    tree.finish([finding for command in commands for finding in check(command)], len(commands))


main(sys.argv[1:])
