# RUN: %python %s %kperf_src
"""A file is named after what it holds: no rooms for odds and ends, and each row of a .def table has its file and its test."""
import pathlib
import re
import sys

import tree

ODDS_AND_ENDS = re.compile(r"(^|[^a-z])(utils?|commons?|helpers?|misc|stuff)([^a-z]|$)", re.I)


def main(root):
    findings, checked = [], 0
    for path in tree.files(root):
        checked += 1
        for part in path.parts:
            words = re.sub(r"([a-z])([A-Z])", r"\1 \2", part)
            if ODDS_AND_ENDS.search(words):
                findings.append(f"{path}: '{part}' says nothing about what it holds")
    tree.finish(findings, checked)


main(sys.argv[1])
