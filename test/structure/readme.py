# RUN: rm -rf %t && mkdir %t && cd %t && %python %s %kperf_src
# REQUIRES: kperf-rewrite
"""Runs again the console blocks that follow `<!-- rerun -->` in any Markdown file; a line `…` stands for any output. The README's are run as
by one who has set nothing, the others with the C++ compiler of the tests, which takes half of the time."""
import os
import pathlib
import re
import subprocess
import sys

import tree

BLOCK = re.compile(r"^<!-- rerun -->\n+```console\n(.*?)^```$", re.S | re.M)


def steps(block):
    """Yields (command, expected lines); a command goes on where its line ends in a backslash."""
    command, expected = None, []
    for line in block.splitlines():
        if command is not None and command.endswith("\\"):
            command = command[:-1] + line.strip()
        elif line.startswith("$ "):
            if command is not None:
                yield command, expected
            command, expected = line[2:], []
        else:
            expected.append(line)
    yield command, expected


def matches(expected, lines):
    if not expected:
        return not lines
    if expected[0] == "…":
        return any(matches(expected[1:], lines[skip:]) for skip in range(len(lines) + 1))
    return bool(lines) and lines[0].rstrip() == expected[0].rstrip() and matches(expected[1:], lines[1:])


def main(root):
    findings, checked = [], 0
    root = pathlib.Path(root)
    for folder in ("examples", "docs"):
        if not os.path.lexists(folder):
            os.symlink(root / folder, folder)
    for path in tree.files(root):
        if path.suffix != ".md":
            continue
        for block in BLOCK.findall((root / path).read_text()):
            environment = {name: value for name, value in os.environ.items() if name != "KPERF_HOST_CXX" or path.name != "README.md"}
            for command, expected in steps(block):
                checked += 1
                run = subprocess.run(["bash", "-c", command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                if run.returncode != 0 or not matches(expected, run.stdout.splitlines()):
                    findings.append(f"{path}: $ {command}\nexit {run.returncode}, printed:\n{run.stdout}expected:\n" + "\n".join(expected))
    tree.finish(findings, checked)


main(sys.argv[1])
