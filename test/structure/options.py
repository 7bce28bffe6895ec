# RUN: %python %s %kperf_src
"""What kperf-rewrite's source names stands in tool/options/Options.def, all of it; kperf-cc's does not compile without."""
import pathlib
import re
import sys

import tree

ROW = re.compile(r'^KPERF_OPTION\((\w+), "([\w-]+)", (\w+),', re.M)


def main(root):
    rows = ROW.findall((root / "tool/options/Options.def").read_text())
    findings = []
    described = set(re.findall(r'Described\("([\w-]+)"\)', (root / "tool/kperf-rewrite.cpp").read_text()))
    findings += [f"kperf-rewrite.cpp: no option for --{name}" for program, name, _ in rows if program != "Cc" and name not in described]
    tree.finish(findings, len(rows))


main(pathlib.Path(sys.argv[1]))
