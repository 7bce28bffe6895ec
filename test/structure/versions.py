# RUN: %python %s %kperf_src
"""Each minor version of the trace's format has a trace as text among the tests, so that it stays readable."""
import pathlib
import re
import sys

import tree


def main(root):
    root = pathlib.Path(root)
    newest = int(re.search(r"kVersionMinor = (\d+)", (root / "runtime/include/kperf/format.h").read_text())[1])
    found = set()
    for path in tree.files(root):
        if path.parts[0] == "test" and path.suffix in (".test", ".txt", ".cpp"):
            found.update(int(minor) for minor in re.findall(r"^kperf 1\.(\d+)\b", (root / path).read_text(), re.M))
    findings = [f"no test has a trace of version 1.{minor}" for minor in range(newest + 1) if minor not in found]
    tree.finish(findings, newest + 1)


main(*sys.argv[1:])
