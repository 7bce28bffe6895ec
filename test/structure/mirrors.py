# RUN: %python %s %kperf_src
"""Tests stand where what they test does: a test below test/decoder, test/rewriters, test/runtime or test/tool is in a folder that the house has,
or further below one."""
import pathlib
import re
import sys

import tree

HOUSES = ("decoder", "rewriters", "runtime", "tool")
TEST = re.compile(r"(Tests?\.cpp|\.test|\.cu|\.hip)$")
# test: why it is of the whole house
WHOLE = {
    "test/decoder/ReportInvariantsTest.cpp": "what holds of every view and printer",
    "test/decoder/export.test": "every view as a table of a database",
    "test/decoder/usage.test": "what kperf itself answers",
}


def main(root):
    checked, findings = 0, []
    for path in tree.files(root):
        if path.parts[0] != "test" or len(path.parts) < 3 or path.parts[1] not in HOUSES or not TEST.search(path.name) or "Inputs" in path.parts:
            continue
        checked += 1
        if str(path) not in WHOLE and not (len(path.parts) > 3 and (root / path.parts[1] / path.parts[2]).is_dir()):
            findings.append(f"{path}: tests nothing that has a folder of its own; there is no {path.parts[1]}/{path.parts[2]}")
    findings += [f"mirrors.py: {name} is not there" for name in WHOLE if not (root / name).exists()]
    tree.finish(findings, checked)


main(pathlib.Path(sys.argv[1]))
